"""Words a fact as a sentence to the person, from the patterns of the ontology's display file."""

from __future__ import annotations

import re
from collections.abc import Mapping

from backend.ontology.model import OntologyError, Predicate

OWNER = "me"
"""How callers name the person whose memory it is; shown as "you"."""

_PARAMETER = re.compile(r"\{(base|third|noun|plural|complement|done|participle|preposition)\}")
_CHOICE = re.compile(r"\{([sonc]):([^{}|]*)\|([^{}|]*)\}")
_ARTICLE = re.compile(r"\{(noun|object):a\}")
_SPEAKERS_OWN = re.compile(r"\b(?:my|our)\b")
_UNCOUNTED = ("the ", "a ", "an ", "my ", "your ")
_DETERMINED = (*_UNCOUNTED, "some ", "several ", "two ", "three ", "our ", "their ", "his ", "her ")


def choose_form(
    *, named: bool, polarity: str, modality: str, current: bool, patterns: Mapping[str, str]
) -> str:
    """The name of the sentence form that fits; falls back to the plain one."""
    if modality in ("planned", "wished"):
        return modality
    if modality == "possible":
        return "possible"
    form = "current"
    if polarity == "negated":
        form = "negated" if current else "negated_past"
    elif not current:
        form = "past"
    if not named:
        unnamed = "unnamed" if form == "current" else f"unnamed_{form}"
        if unnamed in patterns:
            return unnamed
    return form


def render(
    predicate: Predicate,
    patterns: Mapping[str, Mapping[str, str]],
    form: str,
    subject: str,
    object_text: str,
    *,
    subject_plural: bool,
    object_plural: bool,
) -> str:
    """Fill the pattern of ``predicate`` in ``form``; names come in as plain text.

    Raises OntologyError when the pattern needs a word that the predicate does not give.
    """
    pattern = patterns[predicate.display["pattern"]][form]
    if "article" in predicate.display and _is_one_kind(object_text) and not object_plural:
        object_text = article(object_text)
    object_text = _SPEAKERS_OWN.sub("your" if subject == OWNER else "their", object_text)

    def parameter(match: re.Match[str]) -> str:
        wanted = match.group(1)
        if wanted == "plural" and "plural" not in predicate.display:
            return parameter_named("noun") + "s"
        return parameter_named(wanted)

    def parameter_named(wanted: str) -> str:
        try:
            return predicate.display[wanted]
        except KeyError:
            raise OntologyError(f"{predicate.name}: display lacks {wanted!r}") from None

    text = _PARAMETER.sub(parameter, pattern)
    several = {
        "s": subject == OWNER or subject_plural,
        "o": object_text == OWNER or object_plural,
        "n": object_plural,
        "c": object_text not in ("1", "one"),
    }
    noun = predicate.display.get("noun", "")
    with_article = {"noun": article(noun), "object": article(object_text)}
    text = _ARTICLE.sub(lambda m: with_article[m.group(1)], text)
    text = _CHOICE.sub(lambda m: m.group(2) if several[m.group(1)] else m.group(3), text)
    shown_subject = "you" if subject == OWNER else subject
    shown_object = "you" if object_text == OWNER else object_text
    values = {"subject's": possessive(subject), "subject": shown_subject, "object": shown_object}
    text = re.sub(r"\{(subject's|subject|object)\}", lambda m: values[m.group(1)], text)
    return text[:1].upper() + text[1:] if text.startswith(("you ", "your ")) else text


def _is_one_kind(text: str) -> bool:
    """Whether the words name one thing of a kind, which English gives an article ("red bike")."""
    last = text.rsplit(" of ", 1)[0].split(" ")[-1]
    several = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return text[:1].islower() and not several and not text.startswith(_DETERMINED)


def possessive(name: str) -> str:
    """The genitive of a name ("Ana's", "Jonas'"), "your" for the owner."""
    if name == OWNER:
        return "your"
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def article(noun: str) -> str:
    """The noun with its indefinite article, unless it already carries a determiner."""
    if not noun or noun.startswith(_UNCOUNTED):
        return noun
    return f"{'an' if noun[0] in 'aeiouAEIOU' else 'a'} {noun}"
