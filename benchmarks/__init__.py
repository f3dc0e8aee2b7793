"""Every number that is claimed, measured: `python -m benchmarks.NAME`."""
