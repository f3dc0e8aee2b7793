"""The data dictionary: kinds of things and relations the memory knows, and their wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from backend.ontology.display import choose_form, possessive, render
from backend.ontology.loading import (
    DEFAULT_FOLDER,
    load_labels,
    load_patterns,
    load_predicates,
    load_vocabulary,
)
from backend.ontology.model import Label, OntologyError, Predicate


class Ontology:
    """Labels, predicates, word lists and display text (DESIGN §4); immutable once loaded."""

    def __init__(
        self,
        labels: Mapping[str, Label],
        predicates: Mapping[str, Predicate],
        vocabulary: Mapping[str, frozenset[str]],
        patterns: Mapping[str, Mapping[str, str]],
    ) -> None:
        self.labels = labels
        self.predicates = predicates
        self.vocabulary = vocabulary
        self._patterns = patterns
        self._label_names = {
            alias: label.name
            for label in labels.values()
            for alias in (label.name, *label.synonyms)
        }
        self._predicate_names = {
            alias: predicate.name
            for predicate in predicates.values()
            for alias in (predicate.name, *predicate.synonyms)
        }
        self._check_patterns()

    @classmethod
    def load(cls, folder: Path = DEFAULT_FOLDER) -> Ontology:
        """Read and validate the TOML files in ``folder``; raises OntologyError."""
        labels = load_labels(folder)
        return cls(
            labels, load_predicates(folder, labels), load_vocabulary(folder), load_patterns(folder)
        )

    def canonical_label(self, name: str) -> str | None:
        """The label that ``name`` (in any case, or a synonym like ORG) means, or None."""
        return self._label_names.get(_normal(name))

    def canonical_predicate(self, name: str) -> str | None:
        """The predicate that ``name`` (in any case, or a synonym like WORKS_FOR) means, or None."""
        return self._predicate_names.get(_normal(name))

    def predicate(self, name: str) -> Predicate:
        """The predicate called ``name`` or one of its synonyms; raises OntologyError if unknown."""
        canonical = self.canonical_predicate(name)
        if canonical is None:
            raise OntologyError(f"unknown predicate {name!r}")
        return self.predicates[canonical]

    def wider(self, name: str) -> tuple[str, ...]:
        """The predicates that ``name`` implies, nearest first (HAS_SISTER → HAS_SIBLING, …)."""
        found: list[str] = []
        parent = self.predicate(name).parent
        while parent is not None:
            found.append(parent)
            parent = self.predicates[parent].parent
        return tuple(found)

    def narrower(self, name: str) -> tuple[str, ...]:
        """``name`` and every predicate that implies it, in file order."""
        canonical = self.predicate(name).name
        return (
            canonical,
            *(other for other in self.predicates if canonical in self.wider(other)),
        )

    def display(
        self,
        predicate: str,
        subject: str,
        object_text: str,
        *,
        polarity: str = "affirmed",
        modality: str = "asserted",
        current: bool = True,
        named: bool = True,
        subject_plural: bool = False,
        object_plural: bool = False,
        described_as: str = "",
    ) -> str:
        """The fact as a sentence to the person ("You live in Leipzig", "Ana is your sister").

        ``subject`` and ``object_text`` are display names; ``"me"`` is the person and becomes
        "you". ``named=False`` says that the object is only described ("You have a sister"), where
        ``described_as`` gives a nearer word than the predicate's own ("You have a cat").
        A custom predicate is shown by its own words. ``current=False`` puts it in the past.
        """
        canonical = self.canonical_predicate(predicate)
        if canonical is None:
            verb = predicate.replace("_", " ").lower()
            shown = "You" if subject == "me" else subject
            return f"{shown} – {verb} – {'you' if object_text == 'me' else object_text}"
        known = self.predicates[canonical]
        if described_as and not named and "noun" in known.display:
            # A group is described by a plural already ("horses").
            words = {"noun": described_as, **({"plural": described_as} if object_plural else {})}
            known = replace(known, display={**known.display, **words})
        form = choose_form(
            named=named,
            polarity=polarity,
            modality=modality,
            current=current,
            patterns=self._patterns[known.display["pattern"]],
        )
        return render(
            known,
            self._patterns,
            form,
            subject,
            object_text,
            subject_plural=subject_plural,
            object_plural=object_plural,
        )

    def described_name(self, words: str, anchor: str) -> str:
        """How to call someone without a name: ("sister", "me") → "your sister"."""
        return f"{possessive(anchor)} {words}"

    def validate_property(self, label: str, name: str, value: object) -> None:
        """Raise OntologyError when a property of a label breaks its convention; others pass."""
        canonical = self.canonical_label(label)
        convention = self.labels[canonical].properties.get(name) if canonical else None
        if convention is None:
            return
        where = f"{label}.{name}"
        if convention.type == "choice" and value not in convention.choices:
            raise OntologyError(f"{where} must be one of {', '.join(convention.choices)}")
        if convention.type == "text" and not (isinstance(value, str) and value.strip()):
            raise OntologyError(f"{where} must be text")
        if convention.type == "number":
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise OntologyError(f"{where} must be a number")
            low, high = convention.minimum, convention.maximum
            if (low is not None and value < low) or (high is not None and value > high):
                raise OntologyError(f"{where} must lie between {low} and {high}")
        if convention.type == "date":
            try:
                date.fromisoformat(str(value)[:10])
            except ValueError as error:
                raise OntologyError(f"{where} must be a date such as 2026-05-01") from error

    def _check_patterns(self) -> None:
        for predicate in self.predicates.values():
            pattern = predicate.display["pattern"]
            if pattern not in self._patterns:
                raise OntologyError(f"{predicate.name} has the unknown display pattern {pattern!r}")
            for form in self._patterns[pattern]:
                render(
                    predicate,
                    self._patterns,
                    form,
                    "me",
                    "Ana",
                    subject_plural=False,
                    object_plural=False,
                )


def _normal(name: str) -> str:
    return name.strip().upper().replace(" ", "_").replace("-", "_")
