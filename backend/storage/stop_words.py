"""English words that say nothing about what a text is about; left out of searches."""

from __future__ import annotations

_WORDS = """
a about above after again all also am an and any are aren as at be because been before being
below between both but by can cannot could couldn d did didn do does doesn doing don down
during each few for from further had hadn has hasn have haven having he her here hers herself
him himself his how i if in into is isn it its itself just ll m me more most my myself no nor
not of off on once only or other our ours ourselves out over own please re s same she should
shouldn so some such t tell than that the their theirs them themselves then there these they
this those through to too under until up us ve very was wasn we were weren what when where
which while who whom whose why will with won would wouldn you your yours yourself yourselves
"""

STOP_WORDS: frozenset[str] = frozenset(_WORDS.split())
"""Lower case, apostrophes already split off ("don't" is searched as "don" and "t")."""
