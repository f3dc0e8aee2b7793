"""Reads a question as a walk over the graph: from whom, along which ties, to which fact."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from spacy.language import Language

from backend.ontology.ontology import Ontology
from backend.understanding.entities import speaker_argument
from backend.understanding.preparation import prepare
from backend.understanding.question_forms import FORMS, QuestionForm
from backend.understanding.question_nouns import QuestionNouns
from backend.understanding.statements import (
    ArgumentKind,
    DialogueContext,
    EntityArgument,
    KnownName,
    LiteralArgument,
    QuestionKind,
    QuestionPattern,
    TimeInterval,
)
from backend.understanding.time_expressions import find_expressions

_LEAD_IN = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|and|but|well|please|by the way|btw|sorry|um|hm+)[ ,]+)*"
    r"(?:(?:do|can|could|would) you (?:still |even |please |happen to )*(?:remember|know|recall|"
    r"tell me|remind me)(?: again)?[ ,]+(?!about|anything)|"
    r"(?:did i (?:ever )?|have i (?:ever |already )?)(?:tell|told|mention(?:ed)?)(?: to)? you[ ,]+"
    r"(?!about|anything)|(?:please )?(?:tell|remind) me (?:again )?(?!about)|"
    r"i (?:forgot|wonder|can't remember|don't remember)[ ,]+|(?:any|no) idea[ ,]+|remember )?",
    re.IGNORECASE,
)
_SHORTENED = re.compile(r"^(what|where|who|when|how)s\b", re.IGNORECASE)
_USED_TO = re.compile(r"\b(?P<did>did|do|does)\b(?P<who>.{1,60}?)\s+used?\s+to\s+", re.IGNORECASE)
_BEFORE = re.compile(r"(?<=\w)\s+(?:before(?:\s+(?:that|now))?|previously|earlier)$", re.IGNORECASE)
_ALIVE = re.compile(r"\b(?:alive|living)$", re.IGNORECASE)
_DONE_TO_ME = re.compile(r"^who\s+\w+(?:ed|t|de|ve|ld)\s+(?:me|us|my\s.+)$", re.IGNORECASE)
_KNOWING = re.compile(r"^(?:do|did) you (?:still )?(?:know|remember)\s+(?P<who>.{1,40}?)$", re.I)
_DOINGS = re.compile(r"^what (?:did|have|has) (?P<who>.{1,40}?) (?:do|done)$", re.IGNORECASE)
_EPISODES = ("ATTENDED", "VISITED", "WENT", "MADE", "HOSTED", "ACHIEVED", "WATCHED", "READ", "MET")
_ASKED_ABOUT = frozenset({"PERSON", "PET", "GROUP", "PROJECT", "EVENT"})
"""Labels of known entities about which any question is one for the memory."""
_BARE_NAME = re.compile(r"^(?:my|our)\b[\w '.-]{1,60}\bnames?$", re.IGNORECASE)
_IS_MY = re.compile(
    r"^(?:is|was)\s+(?P<name>[\w .-]{1,40}?)\s+(?P<owner>my|"
    r"[\w.-]{1,30}'s)\s+(?P<tie>[\w -]{3,30})$",
    re.IGNORECASE,
)
_TELL_ABOUT = re.compile(
    r"^(?:can you |could you |please )*tell me (?:more |something |everything |"
    r"all )?(?:you know )?about\s+(?P<who>.{1,60}?)$",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"[\s,]*(?:again|please|now|currently|at the moment|these days|still|"
    r"do you (?:know|remember))?\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:what|who|whom|whose|where|when|which|how|do|does|did|am|is|are|was|were|"
    r"have|has|can|in which|in what)\b",
    re.IGNORECASE,
)
_NOT_MEMORY = re.compile(
    r"\b(?:should|could|would|shall|may|might|must|can (?:i|you|we)|how (?:do|can|to)|"
    r"do i (?:need|have to)|help me|you)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"\bi\b", re.IGNORECASE)
_OWN_WORLD = re.compile(
    r"\b(?:my|mine|our)\b|\b(?:am|was|do|did|have|had) i\b|\bi (?:am|was|have)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class _Walk:
    anchor: EntityArgument
    path: tuple[str, ...]
    words: tuple[str, ...]


class QuestionReader:
    """Matches questions against the table of forms and reads their slots."""

    def __init__(self, ontology: Ontology, language: Language) -> None:
        self._ontology = ontology
        self._nouns = QuestionNouns(ontology)
        self._language = language

    def read(self, text: str, context: DialogueContext) -> QuestionPattern | None:
        """The last question of the text as a pattern, or None."""
        prepared = prepare(text[:4000])
        sentences = [prepared.text[s.start : s.end] for s in prepared.sentences]
        for sentence in reversed(sentences):
            pattern = self._sentence(" ".join(sentence.split()), context)
            if pattern is not None:
                return pattern
        return None

    def _sentence(self, sentence: str, context: DialogueContext) -> QuestionPattern | None:
        about = _TELL_ABOUT.match(sentence.rstrip(" ?.!"))
        if about is not None:
            return self._described(about["who"], context)
        knowing = _KNOWING.match(sentence.rstrip(" ?.!"))
        if knowing is not None and not _ASKING.match(knowing["who"]):
            described = self._described(knowing["who"], context)
            if described is not None and (
                described.anchor.kind is ArgumentKind.NAMED or described.path
            ):
                return described  # "Do you know Ana?", "Do you remember my dog?"
        core = _LEAD_IN.sub("", sentence, count=1)
        asked = len(core) < len(sentence)
        core = _SHORTENED.sub(r"\1's", _TRAILING.sub("", core).strip())
        if asked and _BARE_NAME.match(core):
            core = f"what is {core}"  # "Do you know my sister's name?"
        if not _ASKING.match(core) or len(core) > 160:
            return None
        core, interval = _without_time(core, context)
        past = _USED_TO.search(core) is not None or _BEFORE.search(core) is not None
        core = _BEFORE.sub("", core)
        core = _USED_TO.sub(r"\g<did>\g<who> ", core)
        doings = _DOINGS.match(core)
        walk = self._walk(doings["who"], context) if doings and interval is not None else None
        if walk is not None:
            return QuestionPattern(
                QuestionKind.OBJECT_OF, walk.anchor, walk.path, _EPISODES, None, interval
            )
        pattern = self._pattern(core, interval, context)
        if pattern is None and asked and _SPEAKER.search(core) and not _NOT_MEMORY.search(core):
            pattern = QuestionPattern(
                QuestionKind.OBJECT_OF, speaker_argument(context), interval=interval
            )
        return replace(pattern, past=past) if pattern is not None else None

    def _pattern(
        self, core: str, interval: TimeInterval | None, context: DialogueContext
    ) -> QuestionPattern | None:
        for form in FORMS:
            match = form.pattern.match(core)
            if match is None:
                continue
            pattern = self._from_form(form, match, interval, context)
            if pattern is not None:
                return pattern
        tie = self._is_tie(core, interval, context)
        if tie is not None:
            return tie
        own = _OWN_WORLD.search(core) or _DONE_TO_ME.match(core)
        if own and not _NOT_MEMORY.search(core):
            return QuestionPattern(
                QuestionKind.OBJECT_OF, speaker_argument(context), interval=interval
            )
        known = _known_in(core, context)
        if known is not None and not _NOT_MEMORY.search(core):
            return QuestionPattern(QuestionKind.OBJECT_OF, known, interval=interval)
        return None

    def _from_form(
        self,
        form: QuestionForm,
        match: re.Match[str],
        interval: TimeInterval | None,
        context: DialogueContext,
    ) -> QuestionPattern | None:
        slots = match.groupdict()
        if form.kind is QuestionKind.SUBJECT_OF:
            thing = _thing(slots["what"] or "")
            return QuestionPattern(
                form.kind, speaker_argument(context), (), form.predicates, thing, interval
            )
        walk = self._walk(slots.get("owner") or slots.get("who") or "", context)
        if walk is None:
            return None
        if form.kind is QuestionKind.DESCRIBE:
            asks_name = match.string.lower().startswith("who")
            return self._who_is(walk, interval, context, asks_name=asks_name)
        if slots.get("tie"):
            return self._tie_question(form.kind, slots["tie"], walk, interval)
        predicates = form.predicates
        if form.kind is QuestionKind.NAME_OF and not walk.path:
            predicates = ("HAS_NAME", "HAS_NICKNAME")
        if slots.get("kind"):
            predicates = self._favourites(slots["kind"])
        what = next(
            (slots[n] for n in ("what", "state", "diet", "job", "drink", "spouse") if slots.get(n)),
            None,
        )
        target = self._target(what, slots, predicates) if what else None
        if what and target is None:
            return None
        return QuestionPattern(
            form.kind,
            walk.anchor,
            walk.path,
            self._widened(predicates),
            target,
            interval,
            walk.anchor.kind is ArgumentKind.ME or self._is_known(walk, context),
            walk.words,
            negated="DIED" in predicates and _ALIVE.search(match.string) is not None,
        )

    def _target(
        self, what: str, slots: dict[str, str | None], predicates: tuple[str, ...]
    ) -> EntityArgument | LiteralArgument | None:
        kind = self._ontology.predicates[predicates[0]].literal
        if kind is not None:
            if (
                slots.get("job")
                and what.lower().split()[-1] not in self._ontology.vocabulary["occupations"]
            ):
                return None
            return LiteralArgument(kind, what.lower(), what)
        return _thing(what)

    def _tie_question(
        self, kind: QuestionKind, tie: str, walk: _Walk, interval: TimeInterval | None
    ) -> QuestionPattern | None:
        noun = self._nouns.find(tie.split()[-1] if "in-law" not in tie else tie)
        if noun is None:
            return self._having_question(kind, tie, walk, interval)
        predicate, words = noun
        counts = {
            "sister": "HAS_COUNT_OF_SISTERS",
            "brother": "HAS_COUNT_OF_BROTHERS",
            "sibling": "HAS_COUNT_OF_SIBLINGS",
            "child": "HAS_COUNT_OF_CHILDREN",
        }
        predicates = self._widened((predicate,))
        if words in counts:
            predicates = (*predicates, counts[words])
        specific = predicate == "HAS_PET" and words != "pet"
        target = EntityArgument(ArgumentKind.DESCRIBED, words, "PET") if specific else None
        return QuestionPattern(
            kind, walk.anchor, walk.path, predicates, target, interval, True, walk.words
        )

    def _having_question(
        self, kind: QuestionKind, thing: str, walk: _Walk, interval: TimeInterval | None
    ) -> QuestionPattern:
        """Such as "Do I have a car / asthma / any allergies?"."""
        vocabulary = self._ontology.vocabulary
        last = thing.lower().split()[-1]
        predicates: tuple[str, ...] = ()
        if last in ("allergy", "allergies"):
            predicates = ("ALLERGIC_TO",)
        elif last in ("illness", "illnesses", "disease", "diseases", "condition", "conditions"):
            predicates = ("HAS_CONDITION",)
            return QuestionPattern(
                kind, walk.anchor, walk.path, predicates, None, interval, True, walk.words
            )
        elif {last, last.removesuffix("s")} & vocabulary["possessions"]:
            predicates = ("OWNS",)
        elif thing.lower() in vocabulary["conditions"]:
            predicates = ("HAS_CONDITION",)
        target = _thing(thing) if predicates and predicates != ("ALLERGIC_TO",) else None
        return QuestionPattern(
            kind, walk.anchor, walk.path, predicates, target, interval, True, walk.words
        )

    def _is_tie(
        self, core: str, interval: TimeInterval | None, context: DialogueContext
    ) -> QuestionPattern | None:
        """Such as "Is Tom my brother?"."""
        match = _IS_MY.match(core)
        noun = self._nouns.find(match["tie"]) if match else None
        if match is None or noun is None:
            return None
        walk = self._walk(match["owner"], context)
        if walk is None or walk.path or not _looks_like_a_name(match["name"].split(), context):
            return None
        person = EntityArgument(ArgumentKind.NAMED, match["name"], "PERSON")
        predicates = self._widened((noun[0],))
        return QuestionPattern(
            QuestionKind.YES_NO, walk.anchor, walk.path, predicates, person, interval
        )

    def _who_is(
        self,
        walk: _Walk,
        interval: TimeInterval | None,
        context: DialogueContext,
        *,
        asks_name: bool,
    ) -> QuestionPattern:
        if walk.path and asks_name:
            return QuestionPattern(
                QuestionKind.NAME_OF, walk.anchor, walk.path, (), None, interval, True, walk.words
            )
        own = walk.anchor.kind is ArgumentKind.ME or self._is_known(walk, context)
        return QuestionPattern(
            QuestionKind.DESCRIBE, walk.anchor, walk.path, (), None, interval, own, walk.words
        )

    def _described(self, who: str, context: DialogueContext) -> QuestionPattern | None:
        walk = self._walk(who, context)
        if walk is None or (
            walk.anchor.kind is ArgumentKind.NAMED and not self._is_known(walk, context)
        ):
            return None
        return QuestionPattern(QuestionKind.DESCRIBE, walk.anchor, walk.path, path_words=walk.words)

    def _favourites(self, kind: str) -> tuple[str, ...]:
        word = kind.lower().strip()
        last = word.split()[-1]
        exact = [
            p.name
            for p in self._ontology.predicates.values()
            if p.name.startswith("FAVORITE_")
            and {word, last, word.rstrip("s"), last.rstrip("s")} & set(p.nouns)
        ]
        return (*exact, "FAVORITE_THING")

    def _widened(self, predicates: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(
                n
                for p in predicates
                for n in (
                    (p,)
                    if p == "FAVORITE_THING" and len(predicates) > 1
                    else self._ontology.narrower(p)
                )
            )
        )

    def _is_known(self, walk: _Walk, context: DialogueContext) -> bool:
        name = walk.anchor.name.casefold()
        return bool(walk.path) or any(_is_called(k, name) for k in context.known_names)

    def _walk(self, phrase: str, context: DialogueContext) -> _Walk | None:
        """Such as "my sister's husband" → me, (HAS_SISTER, MARRIED_TO); None if unreadable."""
        words = phrase.strip(" ,").split()
        if not words:
            return None
        speaker = speaker_argument(context)
        if len(words) == 1 and words[0].lower() in ("i", "me", "my", "myself", "we", "us", "our"):
            return _Walk(speaker, (), ())
        parts = [p for p in re.split(r"'s\b|s'(?=\s|$)", " ".join(words)) if p.strip()]
        first = parts[0].split()
        if first[0].lower() in ("my", "our"):
            anchor, hops = speaker, [" ".join(first[1:]), *parts[1:]]
        elif first[0].lower() in (
            "the",
            "a",
            "an",
            "this",
            "that",
            "your",
            "you",
            "his",
            "her",
            "he",
            "she",
            "it",
            "they",
            "there",
            "their",
            "its",
            "these",
            "those",
        ) or not _looks_like_a_name(first, context):
            return None
        else:
            anchor, hops = _someone(" ".join(first), context), parts[1:]
        path: list[str] = []
        shown: list[str] = []
        for hop in hops:
            noun = self._nouns.find(hop)
            name = self._in_apposition(hop, context) if noun is None else None
            if name is not None:  # "my sister Ana": her name says enough.
                anchor, path, shown = _someone(name, context), [], []
                continue
            if noun is None:
                return None
            path.append(noun[0])
            shown.append(noun[1])
        return _Walk(anchor, tuple(path), tuple(shown))

    def _in_apposition(self, hop: str, context: DialogueContext) -> str | None:
        """The name in "sister Ana" or "dog Rex"."""
        words = hop.split()
        for cut in range(len(words) - 1, 0, -1):
            name = [w.strip(",") for w in words[cut:]]
            noun = " ".join(words[:cut]).rstrip(",")
            if self._nouns.find(noun) is not None and _looks_like_a_name(name, context):
                return " ".join(name)
        return None


def _someone(name: str, context: DialogueContext) -> EntityArgument:
    """A name as it is known, or as a person's that was never heard of."""
    for known in context.known_names:
        if known.name.casefold() == name.casefold():
            return EntityArgument(ArgumentKind.NAMED, known.name, known.label)
    return EntityArgument(ArgumentKind.NAMED, name, "PERSON")


def _names_of(known: KnownName) -> tuple[str, ...]:
    """The whole name and, of people, the first name alone."""
    whole = known.name.casefold()
    first = whole.split(maxsplit=1)[0] if known.label == "PERSON" else whole
    return (whole, first) if len(first) > 2 else (whole,)


def _is_called(known: KnownName, text: str) -> bool:
    return text in _names_of(known)


def _known_in(core: str, context: DialogueContext) -> EntityArgument | None:
    """The longest known name in the question."""
    plain = re.sub(r"'s\b|[^\w'-]+", " ", core.casefold())
    words = f" {' '.join(plain.split())} "
    fitting = [
        known
        for known in context.known_names
        if known.label in _ASKED_ABOUT and any(f" {name} " in words for name in _names_of(known))
    ]
    if not fitting:
        return None
    longest = max(fitting, key=lambda known: len(known.name))
    return EntityArgument(ArgumentKind.NAMED, longest.name, longest.label)


def _looks_like_a_name(words: list[str], context: DialogueContext) -> bool:
    text = " ".join(words).casefold()
    if any(_is_called(k, text) for k in context.known_names):
        return True
    return len(words) <= 4 and all(
        w[:1].isupper() or w in ("of", "de", "van", "von", "da") for w in words
    )


def _thing(text: str) -> EntityArgument:
    words = re.sub(r"^(?:the|a|an|any|some|my|our)\s+", "", text.strip(), flags=re.IGNORECASE)
    kind = ArgumentKind.NAMED if words[:1].isupper() else ArgumentKind.DESCRIBED
    return EntityArgument(kind, words, "OBJECT")


def _without_time(core: str, context: DialogueContext) -> tuple[str, TimeInterval | None]:
    """Cut a closing time expression off and give it as the interval that is asked about."""
    for expression in reversed(find_expressions(core, context.said_at.date(), ahead=False)):
        if expression.span is None or expression.end < len(core.rstrip()) or expression.start == 0:
            continue
        span = expression.span
        interval = TimeInterval(span.first.isoformat(), span.after.isoformat(), span.precision)
        return core[: expression.start].rstrip(" ,"), interval
    return core, None
