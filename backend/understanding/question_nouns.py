"""Relation nouns as they stand in questions, without a parse: "sisters", "older brother", "dog"."""

from __future__ import annotations

from backend.ontology.ontology import Ontology
from backend.understanding import lexicon
from backend.understanding.word_sets import word_set

_PLURALS = {"children": "child", "wives": "wife", "mice": "mouse", "puppies": "puppy"}
_QUALIFYING = word_set("best old good new current first ex own dear late")


class QuestionNouns:
    """Finds the predicate and the plain word of a relation noun."""

    def __init__(self, ontology: Ontology) -> None:
        self._predicates = {
            noun: predicate
            for predicate in ontology.predicates.values()
            if not predicate.name.startswith("FAVORITE_")
            for noun in predicate.nouns
        }
        self._species = ontology.vocabulary["pet_species"]

    def find(self, phrase: str) -> tuple[str, str] | None:
        """(predicate, words) for "older sister" or "dogs"; None if a word is not understood."""
        words = phrase.lower().split()
        if not words:
            return None
        head = words[-1]
        age = ""
        for word in words[:-1]:
            if word in lexicon.AGE_WORDS:
                age = f"{lexicon.AGE_WORDS[word]} "
            elif word not in _QUALIFYING:
                return None
        singular = _PLURALS.get(head, head)
        for form in (singular, singular.removesuffix("s")):
            predicate = self._predicates.get(form)
            if predicate is not None:
                shown = predicate.display.get("noun", form)
                kept = (
                    form
                    if predicate.name in ("MARRIED_TO", "PARTNER_OF", "ENGAGED_TO", "HAS_BOSS")
                    else shown
                )
                return predicate.name, age + kept
            if form in self._species:
                return "HAS_PET", {"puppy": "dog", "kitten": "cat"}.get(form, form)
        return None
