"""What understanding gives back: statements with spans, as plain immutable values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Polarity(StrEnum):
    """Whether the statement says that something is so, or that it is not."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"


class Modality(StrEnum):
    """How a statement was meant (DESIGN §4); only ``asserted`` ones become current edges."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    WISHED = "wished"
    POSSIBLE = "possible"
    HYPOTHETICAL = "hypothetical"
    JOKING = "joking"
    QUOTED = "quoted"
    REPORTED = "reported"
    FICTIONAL = "fictional"
    INFERRED = "inferred"


class Precision(StrEnum):
    """How exactly the ends of an interval are known."""

    EXACT = "exact"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    DECADE = "decade"
    VAGUE = "vague"


class Change(StrEnum):
    """What the words do to a state: "moved to" starts one, "left" ends one, most just hold."""

    HOLDS = "holds"
    STARTS = "starts"
    ENDS = "ends"
    NEVER_HELD = "never_held"


class ArgumentKind(StrEnum):
    """How an argument of a statement points at its entity."""

    ME = "me"
    NAMED = "named"
    DESCRIBED = "described"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range of code points in the text of one message."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TimeInterval:
    """Half-open interval of ISO 8601 dates or date-times; None is an open end."""

    start: str | None
    end: str | None
    precision: Precision


@dataclass(frozen=True, slots=True)
class EntityArgument:
    """An entity that a statement is about, as the text points at it.

    ``me`` is the owner of the memory (a human speaker of role ``other`` is NAMED, with the
    speaker's name, also where the text says "I"). NAMED has a proper ``name``. DESCRIBED has no
    name: it is whoever stands in ``description_predicate`` to ``description_anchor`` ("my sister"
    is HAS_SISTER of me; ``name`` holds the words for display, "sister"). A DESCRIBED argument
    without a description is a thing named by its noun phrase ("the piano" → name "piano").
    GROUP lists its ``members``. ``label`` is an ontology label. ``span`` is the mention in the
    message (None when the argument is implied, as in a fragment). ``aliases`` are other names that
    the same text gives ("Robert, everyone calls him Bob"). ``gender`` is "female", "male" or "".
    """

    kind: ArgumentKind
    name: str
    label: str
    span: Span | None = None
    description_predicate: str | None = None
    description_anchor: EntityArgument | None = None
    members: tuple[EntityArgument, ...] = ()
    aliases: tuple[str, ...] = ()
    gender: str = ""


@dataclass(frozen=True, slots=True)
class LiteralArgument:
    """A value: ``value`` is normalised ("1990-05-12", "34"), ``text`` is as it was written."""

    type: str
    value: str
    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a message says, grounded in its characters; immutable.

    ``evidence`` is the smallest clause that carries the statement. ``method`` names the rule or
    model. ``confidence`` is in 0…1. ``qualifiers`` are further typed details (place, amount, role,
    frequency, with), sorted by name. ``reporter`` is who said it, for REPORTED.
    """

    subject: EntityArgument
    predicate: str
    object: EntityArgument | LiteralArgument
    evidence: Span
    method: str
    confidence: float
    polarity: Polarity = Polarity.AFFIRMED
    modality: Modality = Modality.ASSERTED
    change: Change = Change.HOLDS
    valid: TimeInterval | None = None
    qualifiers: tuple[tuple[str, str], ...] = ()
    reporter: EntityArgument | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A span that names or describes an entity, whether or not a statement uses it."""

    span: Span
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier message of the dialogue, for references across turns."""

    role: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name that the memory already holds, so that it is recognised again.

    ``relation`` is how the entity stands to the user ("HAS_SISTER"), if known.
    """

    name: str
    label: str
    gender: str = ""
    relation: str = ""


@dataclass(frozen=True, slots=True)
class DialogueContext:
    """Everything that understanding may look at besides the text itself.

    ``said_at`` is aware, in the person's zone; ``role`` is ``user`` or ``other``; ``turns`` are
    recent earlier messages, oldest first.
    """

    role: str
    speaker: str
    said_at: datetime
    turns: tuple[Turn, ...] = ()
    known_names: tuple[KnownName, ...] = ()


@dataclass(frozen=True, slots=True)
class Understanding:
    """All that one message gave, and what was turned away and why (reason → count)."""

    statements: tuple[Statement, ...]
    mentions: tuple[Mention, ...]
    rejected: Counter[str] = field(default_factory=Counter)


class QuestionKind(StrEnum):
    """The form of a question that a graph may answer."""

    OBJECT_OF = "object_of"
    SUBJECT_OF = "subject_of"
    NAME_OF = "name_of"
    YES_NO = "yes_no"
    WHEN = "when"
    HOW_MANY = "how_many"
    DESCRIBE = "describe"


@dataclass(frozen=True, slots=True)
class QuestionPattern:
    """A question as a walk over the graph.

    From ``anchor`` follow ``path`` (predicates, one hop each) to the subject; ``predicates`` are
    the acceptable predicates of the asked fact; ``object`` is given for YES_NO and SUBJECT_OF.
    "What is my sister's name?" is NAME_OF, anchor me, path (HAS_SISTER,). "Where does my sister
    work?" is OBJECT_OF, anchor me, path (HAS_SISTER,), predicates (WORKS_AT,). ``path_words`` are
    the words of each hop ("sister", "dog"), which tell a dog from a cat under HAS_PET.
    ``personal`` is true when the question is about the user's own world, so that imagination must
    not answer it; with no ``predicates`` (and no name or description asked) memory has no kind of
    fact that could answer. ``past`` asks for what no longer holds ("Where did I use to live?").
    ``negated`` asks whether something is not so ("Is Tom alive?" is the negation of DIED).
    """

    kind: QuestionKind
    anchor: EntityArgument
    path: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    object: EntityArgument | LiteralArgument | None = None
    interval: TimeInterval | None = None
    personal: bool = True
    path_words: tuple[str, ...] = ()
    past: bool = False
    negated: bool = False
