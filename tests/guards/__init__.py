"""Fixtures that watch every test for what it must not do or leave behind."""
