"""Families of rules; each rule reads one sentence's scene and gives statements."""
