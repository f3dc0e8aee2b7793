"""Servers and builders that several tests share."""
