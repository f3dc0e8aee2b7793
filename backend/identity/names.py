"""Names as they are compared: spelling, case, accents, titles and articles do not make a person."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_TITLES: dict[str, str] = {
    "mr": "male", "mister": "male", "sir": "male", "herr": "male",
    "mrs": "female", "ms": "female", "miss": "female", "madam": "female", "frau": "female",
    "dr": "", "doctor": "", "prof": "", "professor": "",
}  # fmt: skip
"""Titles that are left out of a name, with the gender that they tell."""

_SUFFIXES = {"jr": "jr", "junior": "jr", "sr": "sr", "senior": "sr", "ii": "ii", "iii": "iii"}
_DETERMINERS = {"the", "a", "an", "my", "your", "his", "her", "its", "our", "their", "some"}
_POSSESSIVE = re.compile(r"['’`´]s$|(?<=s)['’`´]$")
_SEPARATORS = re.compile(r"[\s\-‐‑–—_/]+")
_SILENT = re.compile(r"[\"“”„«».,;:!?()\[\]'’`´]")


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart: ``normalised`` is what is compared, the rest feeds the guards.

    ``gender`` comes from a title; ``suffix`` is jr, sr, ii or iii; ``digits`` are all digit groups.
    """

    normalised: str
    gender: str = ""
    suffix: str = ""
    digits: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the normalised name."""
        return tuple(self.normalised.split())


def fold(text: str) -> str:
    """NFKC, casefold, accents off, one space between words (DESIGN §4, Identity)."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    apart = unicodedata.normalize("NFKD", folded)
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(bare.split())


def take_apart(text: str) -> Name:
    """The parts of a name; "Dr. Ana López's" gives ``ana lopez``, "the piano" gives ``piano``."""
    folded = _POSSESSIVE.sub("", fold(text))
    words = [word for word in _SEPARATORS.split(_SILENT.sub("", folded)) if word]
    words = _without_leading(words, _DETERMINERS)
    gender = ""
    while len(words) > 1 and words[0] in _TITLES:
        gender = _TITLES[words[0]] or gender
        words = words[1:]
    suffix = _SUFFIXES.get(words[-1], "") if len(words) > 1 else ""
    if suffix:
        words = [*words[:-1], suffix]
    return Name(" ".join(words), gender, suffix, tuple(re.findall(r"\d+", folded)))


def normalise(text: str) -> str:
    """The form in which names are compared."""
    return take_apart(text).normalised


def _without_leading(words: list[str], unwanted: set[str]) -> list[str]:
    while len(words) > 1 and words[0] in unwanted:
        words = words[1:]
    return words
