"""Runs the backend of one home: ``python -m backend --home DIR [--lease stdin]``."""

from __future__ import annotations

import logging
import os
import sys

_SINGLE_THREADED = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def _run() -> int:
    # Small matrices gain nothing from threads, and waiting BLAS threads spin: on two busy cores
    # one sentence embedding took 76 ms of CPU time with them and 14 ms without (measured).
    # The libraries read these names when they are loaded, hence before the import.
    for name in _SINGLE_THREADED:
        os.environ.setdefault(name, "1")
    from backend.service import main

    return main(sys.argv[1:])


if __name__ == "__main__":
    code = _run()
    logging.shutdown()
    sys.stderr.flush()
    # Every store is closed; a library's thread must not keep a process that owns nothing.
    os._exit(code)
