"""Repair of texts at the edge of the app: what no store can keep becomes U+FFFD."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def repair_text(text: str) -> tuple[str, int]:
    """Replace NUL and lone surrogates one for one; returns the text and how many there were.

    The length in code points stays, so spans fit both texts (DESIGN §4). The person is told when
    the count is not 0.
    """
    return _UNSTORABLE.subn(REPLACEMENT, text)
