"""The nouns that say how someone stands to someone ("sister", "boss", "dog"), from the ontology."""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Token

from backend.ontology.ontology import Ontology
from backend.understanding import lexicon
from backend.understanding.word_sets import word_set

_KEPT_WORDS = word_set(
    """wife husband boyfriend girlfriend partner fiancé fiancée twin stepmother stepfather
    stepsister stepbrother stepson stepdaughter dentist therapist vet doctor boss manager
    supervisor"""
)
_PLAIN_WORDS = {
    "hubby": "husband",
    "wifey": "wife",
    "bf": "boyfriend",
    "gf": "girlfriend",
    "fiance": "fiancé",
    "fiancee": "fiancée",
    "stepmom": "stepmother",
    "stepmum": "stepmother",
    "stepdad": "stepfather",
    "puppy": "dog",
    "pup": "dog",
    "kitten": "cat",
    "kitty": "cat",
    "bunny": "rabbit",
}
_FOOD_ANIMALS = word_set(
    "chicken fish duck lamb cow pig mouse goat sheep bird turkey shepherd boxer retriever terrier"
)
_FAMILY_WIDE = "FAMILY_MEMBER"


@dataclass(frozen=True)
class RelationNoun:
    """What a noun says about a tie: the predicate towards whoever it names, words, gender."""

    predicate: str
    words: str
    gender: str
    label: str
    plural: bool
    needs_name: bool
    family: bool
    species: str = ""
    breed: str = ""


class RelationNouns:
    """Looks nouns up in the ontology's relation nouns and pet species."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._predicates = {
            noun: predicate
            for predicate in ontology.predicates.values()
            if not predicate.name.startswith("FAVORITE_")
            for noun in predicate.nouns
        }
        self._species = ontology.vocabulary["pet_species"]
        self._breeds = ontology.vocabulary["breeds"]

    def at(self, token: Token, in_law: bool = False) -> RelationNoun | None:
        """The tie that ``token`` names, or None; ``in_law`` when "-in-law" follows it."""
        if token.pos_ not in (
            "NOUN",
            "PROPN",
            "ADJ",
            "VERB",
            "ADV",
            "INTJ",
            "X",
        ) and token.lower_ not in ("mom", "mum", "dad"):
            return None
        word = _singular(token)
        if in_law:
            word += "-in-law"
        plural = token.tag_ in ("NNS", "NNPS") and word != token.lower_
        predicate = self._predicates.get(word)
        if predicate is not None:
            return RelationNoun(
                predicate.name,
                self._shown(word, predicate.name),
                _gender(word, predicate.gender),
                "PET" if predicate.name == "HAS_PET" else "PERSON",
                plural,
                predicate.needs_name,
                self._is_family(predicate.name),
            )
        return self._pet(word, plural)

    def _pet(self, word: str, plural: bool) -> RelationNoun | None:
        if word not in self._species or word in ("hen", "frog"):
            return None
        breed = word if word in self._breeds else ""
        species = _PLAIN_WORDS.get(word, word)
        return RelationNoun(
            "HAS_PET",
            species,
            "",
            "PET",
            plural,
            False,
            False,
            species="" if breed else species,
            breed=breed,
        )

    def is_ambiguous_animal(self, token: Token) -> bool:
        """Whether the animal word may as well mean food, a job or wildlife ("my chicken")."""
        return _singular(token) in _FOOD_ANIMALS

    def _shown(self, word: str, predicate: str) -> str:
        word = _PLAIN_WORDS.get(word, word)
        if word in _KEPT_WORDS:
            return word
        return self._ontology.predicates[predicate].display.get("noun", word)

    def _is_family(self, predicate: str) -> bool:
        wider = (predicate, *self._ontology.wider(predicate))
        return _FAMILY_WIDE in wider or "PARTNER_OF" in wider


def _singular(token: Token) -> str:
    word = token.lower_
    if token.tag_ in ("NNS", "NNPS"):
        irregular = {
            "children": "child",
            "wives": "wife",
            "mice": "mouse",
            "puppies": "puppy",
            "kitties": "kitty",
            "bunnies": "bunny",
            "ponies": "pony",
            "aunties": "auntie",
            "fish": "fish",
            "sheep": "sheep",
        }
        if word in irregular:
            return irregular[word]
        if word.endswith("s") and not word.endswith("ss"):
            return word[:-1]
    return word


def _gender(word: str, default: str) -> str:
    if word in lexicon.FEMALE_NOUNS:
        return "female"
    if word in lexicon.MALE_NOUNS:
        return "male"
    return default
