"""The AICO desktop app as a whole: its command, its contract, its paths and settings."""

__version__ = "0.1.0"
