"""`python -m backend.ontology`: writes docs/predicates.md anew from the ontology's files."""

from __future__ import annotations

import sys
from pathlib import Path

from backend.ontology.ontology import Ontology
from backend.ontology.page import predicates_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "predicates.md"

if __name__ == "__main__":
    PAGE.write_text(predicates_page(Ontology.load()), encoding="utf-8")
    sys.stdout.write(f"wrote {PAGE.name}\n")
