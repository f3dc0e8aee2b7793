"""Runs the backend of one home: ``python -m backend --home DIR [--lease stdin]``."""

from __future__ import annotations

import logging
import os
import sys

from backend.service import main

if __name__ == "__main__":
    code = main(sys.argv[1:])
    logging.shutdown()
    sys.stderr.flush()
    # Every store is closed; a library's thread must not keep a process that owns nothing.
    os._exit(code)
