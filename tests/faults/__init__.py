"""Tests that end the real backend at bad moments."""
