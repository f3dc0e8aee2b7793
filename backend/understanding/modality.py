"""Finds the clauses of a sentence and decides how each was meant (asserted, planned, …)."""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Token

from backend.understanding import lexicon
from backend.understanding.clauses import Clause, Tense, conjuncts
from backend.understanding.language import Sentence
from backend.understanding.statements import Change, Modality, Polarity
from backend.understanding.word_sets import word_set

_CLAUSE_DEPENDENCIES = word_set("ROOT conj ccomp advcl relcl xcomp parataxis acl dep")
_STARTING = frozenset({"start", "begin"})
_STOPPING = frozenset({"stop", "quit", "cease"})
_KEEPING = frozenset({"keep", "continue"})
_LATER = word_set("when until till once before after where than like")
_TAG_QUESTION = (
    "do you",
    "how about you",
    "what about you",
    "and you",
    "are you",
    "you",
    "have you",
)


@dataclass(frozen=True)
class _Force:
    modality: Modality = Modality.ASSERTED
    silent: str = ""
    reporter: Token | None = None
    change: Change = Change.HOLDS
    controlled: str = ""


def clauses_of(sentence: Sentence) -> list[Clause]:
    """All clauses, in order of their verbs."""
    return [clause for token in sentence.tokens if (clause := _clause_at(sentence, token))]


def _clause_at(sentence: Sentence, token: Token) -> Clause | None:
    if token.pos_ not in ("VERB", "AUX") or token.dep_ not in _CLAUSE_DEPENDENCIES:
        return None
    force = _force(sentence, token)
    if _is_conditional(sentence, token):
        force = _Force(Modality.HYPOTHETICAL, "hypothetical")
    subjects = _subjects(token)
    elided = not subjects and _elides_the_speaker(sentence, token)
    polarity, negation_change, negation_silent = _negation(token)
    tense = _tense(token)
    change = negation_change if negation_change is not Change.HOLDS else force.change
    silent = force.silent or negation_silent or _own_silence(sentence, token, subjects)
    modality, aux_silent, ability = _auxiliary_force(token)
    if modality is Modality.ASSERTED:
        modality = force.modality
    if tense is Tense.FUTURE and modality is Modality.ASSERTED:
        modality = Modality.PLANNED
    return Clause(
        sentence=sentence,
        head=token,
        subjects=subjects,
        polarity=polarity,
        modality=modality,
        change=change,
        tense=tense,
        silent=silent or aux_silent,
        reporter=force.reporter,
        controlled=force.controlled,
        ability=ability,
        elided=elided,
        habitual=tense is Tense.PRESENT and not _progressive(token),
    )


def _is_conditional(sentence: Sentence, token: Token) -> bool:
    """Whether the verb stands under "if", or in a sentence built on "if … would"."""
    if any(c.dep_ == "mark" and c.lower_ in lexicon.CONDITIONAL_MARKS for c in token.children):
        return True
    words = {t.lower_ for t in sentence.tokens}
    return (
        "if" in words
        and bool(words & {"would", "'d", "could"})
        and sentence.tokens[0].lower_ == "if"
    )


_OPENING_ADVERBS = frozenset(
    {"just", "also", "recently", "finally", "already", "actually", "lately"}
)


def _elides_the_speaker(sentence: Sentence, token: Token) -> bool:
    """Whether the sentence opens with a past verb without subject ("Just moved to Graz")."""
    root = token
    while root.dep_ in ("xcomp", "conj") and root.head.pos_ in ("VERB", "AUX"):
        root = root.head
        if _subjects(root):
            return False
    if root.dep_ != "ROOT" or sentence.is_question:
        return False
    if any(c.dep_ in ("nsubj", "nsubjpass", "expl") for c in root.children):
        return False
    opening = next(
        (t for t in sentence.tokens if t.is_alpha and t.lower_ not in _OPENING_ADVERBS), None
    )
    if opening is None:
        return False
    progressive = opening.lower_ == "been" and root.tag_ == "VBG"
    return progressive or (opening == root and root.tag_ in ("VBD", "VBN"))


def _subjects(token: Token) -> tuple[Token, ...]:
    """The subject nouns; a verb joined by "and" or governed by another takes over that one's."""
    own = [c for c in token.children if c.dep_ in ("nsubj", "nsubjpass")][-1:]
    if token.dep_ in ("relcl", "acl") and (not own or own[0].lower_ in ("who", "that", "which")):
        if token.dep_ == "acl" or own:
            return tuple(conjuncts(token.head)) if token.dep_ == "relcl" else (token.head,)
        return ()
    if own:
        return tuple(t for subject in own[:1] for t in conjuncts(subject))
    if token.dep_ == "conj" and token.head.pos_ in ("VERB", "AUX"):
        return _subjects(token.head)
    if token.dep_ == "xcomp":
        between = [c for c in token.head.children if c.dep_ == "dobj" and c.i < token.i]
        return () if between else _subjects(token.head)
    return ()


def _tense(token: Token) -> Tense:
    helpers = [c for c in token.children if c.dep_ in ("aux", "auxpass")]
    words = {c.lower_ for c in helpers}
    if words & {"will", "'ll", "wo", "shall", "ll"}:
        return Tense.FUTURE
    if any(c.lemma_ == "have" and c.tag_ in ("VBP", "VBZ", "VB") for c in helpers):
        return Tense.PERFECT
    if any(c.tag_ == "VBD" for c in helpers) or (token.tag_ == "VBD"):
        return Tense.PAST
    if not helpers and token.tag_ == "VBN":
        return Tense.PAST
    if not helpers and token.head.pos_ in ("VERB", "AUX"):
        helped = any(c.dep_ == "aux" for c in token.head.children)
        if token.dep_ == "xcomp" and token.tag_ in ("VB", "VBG"):
            return _tense(token.head)
        if token.dep_ == "conj" and (token.tag_ == "VBG" or (token.tag_ == "VB" and helped)):
            return _tense(token.head)
    return Tense.PRESENT


def _progressive(token: Token) -> bool:
    return token.tag_ == "VBG" and any(c.lemma_ == "be" for c in token.children if c.dep_ == "aux")


def _negation(token: Token) -> tuple[Polarity, Change, str]:
    """Polarity, what a negation does to the state, and why the clause must stay silent, if so."""
    words = {c.lower_ for c in token.children if c.dep_ in ("neg", "advmod", "npadvmod", "dep")}
    helpers = {g.lower_ for c in token.children if c.dep_ in ("aux",) for g in c.children}
    words |= helpers
    if words & lexicon.NEAR_NEGATIONS:
        return Polarity.AFFIRMED, Change.HOLDS, "near_negation"
    gone = any(
        c.lower_ == "longer" and any(g.lower_ == "no" for g in c.children) for c in token.children
    )
    anymore = bool(words & {"anymore", "any longer"}) or _has_any_more(token)
    negative = bool(words & {"not", "n't", "nt", "never", "neither"}) or any(
        c.dep_ == "neg" for c in token.children
    )
    if gone or (negative and anymore):
        return Polarity.AFFIRMED, Change.ENDS, ""
    if not negative and token.dep_ == "xcomp" and token.head.pos_ in ("VERB", "AUX"):
        above, _, _ = _negation(token.head)
        negative = above is Polarity.NEGATED and token.head.lemma_ in ("use",)
    if not negative:
        return Polarity.AFFIRMED, Change.HOLDS, ""
    never = "never" in words and _tense(token) in (Tense.PAST, Tense.PERFECT)
    return Polarity.NEGATED, Change.NEVER_HELD if never else Change.HOLDS, ""


def _has_any_more(token: Token) -> bool:
    return any(
        c.lower_ in ("more", "anymore", "longer") and any(g.lower_ == "any" for g in c.children)
        for c in token.children
    ) or any(c.lower_ == "anymore" for c in token.subtree)


def _auxiliary_force(token: Token) -> tuple[Modality, str, bool]:
    """What a modal verb makes of the clause: modality, silence, and whether it is an ability."""
    for helper in token.children:
        if helper.dep_ != "aux":
            continue
        word = helper.lower_
        if word in ("may", "might"):
            return Modality.POSSIBLE, "", False
        if (
            word in ("could", "would", "should", "must", "ought", "ca", "'d")
            and helper.tag_ == "MD"
        ):
            if word == "ca":
                return Modality.ASSERTED, "", True
            if word in ("would", "'d") and token.lemma_ in (
                "love",
                "like",
                "prefer",
                "hate",
                "want",
            ):
                return Modality.WISHED, "", False
            return Modality.HYPOTHETICAL, "hypothetical", False
        if word in ("can", "cannot"):
            return Modality.ASSERTED, "", True
    if any(c.dep_ == "advmod" and c.lower_ in lexicon.HEDGES for c in token.children):
        return Modality.POSSIBLE, "", False
    return Modality.ASSERTED, "", False


def _own_silence(sentence: Sentence, token: Token, subjects: tuple[Token, ...]) -> str:
    """Why the verb itself says nothing: quoted, a question, a command."""
    place = sentence.start + token.idx
    if any(start <= place < end for start, end in sentence.source.quoted):
        return "quoted"
    if _in_question(sentence, token, subjects):
        return "question"
    own_subject = any(c.dep_ in ("nsubj", "nsubjpass") for c in token.children)
    if token.dep_ in ("ROOT", "conj") and token.tag_ == "VB" and not own_subject and not subjects:
        return "imperative"
    return ""


def _in_question(sentence: Sentence, token: Token, subjects: tuple[Token, ...]) -> bool:
    asking = any(
        c.tag_ in ("WP", "WRB", "WDT", "WP$")
        and c.dep_ != "mark"
        and token.dep_ not in ("relcl", "advcl")
        for c in token.children
        if c.i < token.i
    )
    if not sentence.is_question:
        return asking and token.dep_ == "ROOT" and _inverted(token)
    if token.dep_ == "relcl":
        return False
    root_is_statement = bool(subjects) and not _inverted(token) and not asking
    if not root_is_statement:
        return True
    # "I love dogs, do you?" states its first half: some later clause does the asking.
    rest = sentence.doc.text[token.idx :].lower()
    tail = rest.rstrip(" ?!.").rsplit(",", 1)[-1].strip()
    first_person = subjects[0].lower_ in lexicon.FIRST_PERSON
    return not (first_person and "," in rest and tail.startswith(_TAG_QUESTION))


def _inverted(token: Token) -> bool:
    own = [c for c in token.children if c.dep_ in ("nsubj", "nsubjpass")]
    if not own:
        return False
    helpers = [c for c in token.children if c.dep_ in ("aux", "auxpass")]
    if helpers and helpers[0].i < own[0].i:
        return True
    return token.pos_ == "AUX" and token.i < own[0].i


def _force(sentence: Sentence, token: Token) -> _Force:
    """What the clauses around this one make of it."""
    governor = token.head
    if token.dep_ == "ROOT" or governor is token:
        return _root_force(token)
    if token.dep_ == "conj":
        return _joined_force(sentence, token)
    if token.dep_ == "xcomp":
        return _controlled_force(sentence, token)
    if token.dep_ in ("ccomp", "parataxis"):
        return _embedded_force(sentence, token)
    if token.dep_ == "advcl":
        return _adverbial_force(sentence, token)
    if token.dep_ == "acl":
        return _Force(silent="reduced_clause")
    if token.dep_ == "relcl":
        return _Force()
    return _Force(silent="unclear_structure")


def _root_force(token: Token) -> _Force:
    for child in token.children:
        if child.dep_ != "advcl":
            continue
        marks = {c.lower_ for c in child.children if c.dep_ in ("mark", "advmod")}
        if marks & lexicon.CONDITIONAL_MARKS:
            return _Force(Modality.HYPOTHETICAL, "hypothetical")
    return _Force()


def _joined_force(sentence: Sentence, token: Token) -> _Force:
    """A joined clause shares its first part's force unless it has a subject of its own."""
    if token.head.pos_ not in ("VERB", "AUX"):
        # A parser slip: a clause joined to a noun stands on its own if it has a subject.
        own = any(c.dep_ in ("nsubj", "nsubjpass") for c in token.children)
        return _Force() if own else _Force(silent="unclear_structure")
    own_subject = any(c.dep_ in ("nsubj", "nsubjpass") for c in token.children)
    shared = _force(sentence, token.head)
    if own_subject and not (shared.silent or shared.reporter):
        return _root_force(token)
    if own_subject:
        return shared
    modality, silent, _ = _auxiliary_force(token.head)
    own_helpers = any(c.dep_ == "aux" for c in token.children)
    if own_helpers:
        return shared
    if _tense(token.head) is Tense.FUTURE and token.tag_ == "VB":
        return _Force(Modality.PLANNED, shared.silent)
    if silent or modality is not Modality.ASSERTED:
        return _Force(modality, silent or shared.silent)
    polarity, _, _ = _negation(token.head)
    if polarity is Polarity.NEGATED and token.tag_ == "VB":
        # "I don't smoke or drink": the second verb is denied as well; said in the same breath only.
        return _Force(silent="shared_negation")
    return shared


def _controlled_force(sentence: Sentence, token: Token) -> _Force:
    governor = token.head
    outer = _force(sentence, governor) if governor.dep_ != "ROOT" else _root_force(governor)
    lemma = governor.lemma_.lower()
    _, aux_silent, _ = _auxiliary_force(governor)
    own_silence = (
        outer.silent or aux_silent or _own_silence(sentence, governor, _subjects(governor))
    )
    polarity, _, negation_silent = _negation(governor)
    silent = own_silence or negation_silent
    if governor.lower_ == "used" and lemma == "use":
        return _Force(outer.modality, silent, outer.reporter, Change.ENDS)
    if lemma in _STARTING and polarity is Polarity.AFFIRMED:
        return _Force(outer.modality, silent, outer.reporter, Change.STARTS)
    if lemma in _STOPPING and polarity is Polarity.AFFIRMED:
        return _Force(outer.modality, silent, outer.reporter, Change.ENDS)
    if lemma in _KEEPING and polarity is Polarity.AFFIRMED:
        return _Force(outer.modality, silent, outer.reporter)
    return _Force(outer.modality, silent or "controlled", outer.reporter, controlled=lemma)


def _embedded_force(sentence: Sentence, token: Token) -> _Force:
    """Inside "I think …", "Mum says …", "I'm glad that …"."""
    marks = {c.lower_ for c in token.children if c.dep_ in ("mark", "advmod")}
    if "why" in marks and token.head.lemma_ == "be" and token.head.i < token.i:
        return _Force()  # "That's why I love travelling" takes the love for granted.
    if marks & (lexicon.CONDITIONAL_MARKS | {"why", "how", "where", "when"}):
        return _Force(silent="hypothetical")
    governor = token.head
    if governor.dep_ == "acomp" and governor.head.lemma_ == "be":
        # "I'm glad that …": the clause hangs on the adjective.
        glad = governor.lower_ in lexicon.FACTIVE_ADJECTIVES
        denied = _negation(governor.head)[0] is Polarity.NEGATED
        return _Force() if glad and not denied else _Force(silent="embedded")
    lemma = governor.lemma_.lower()
    if _runs_on(token, governor, marks):
        return _Force()
    subjects = _subjects(governor)
    first = bool(subjects) and subjects[0].lower_ in lexicon.FIRST_PERSON
    polarity, _, _ = _negation(governor)
    _, aux_silent, _ = _auxiliary_force(governor)
    if governor.dep_ not in ("ROOT", "conj") or aux_silent or polarity is Polarity.NEGATED:
        return _Force(silent="embedded")
    if _in_question(sentence, governor, subjects):
        return _Force(silent="question")
    if lemma in lexicon.BELIEVING:
        if first and _tense(governor) is Tense.PRESENT:
            return _Force(Modality.POSSIBLE)
        return _Force(silent="embedded")
    if lemma in lexicon.SAYING | lexicon.HEARING:
        return _reported(governor, subjects, first, token)
    if lemma in lexicon.FACTIVE and first:
        return _Force()
    if governor.lemma_ == "be":
        words = {c.lower_ for c in governor.children if c.dep_ == "acomp"}
        if words & lexicon.FACTIVE_ADJECTIVES:
            return _Force()
        return _Force(silent="embedded")
    return _Force(silent="embedded")


def _runs_on(token: Token, governor: Token, marks: set[str]) -> bool:
    """Whether a complement that comes first is a sentence of its own (a run-on)."""
    if (
        token.i > governor.i
        or marks
        or not any(c.dep_ in ("nsubj", "nsubjpass") for c in token.children)
    ):
        return False
    telling = (
        lexicon.SAYING
        | lexicon.HEARING
        | lexicon.BELIEVING
        | {"wish", "hope", "ask", "wonder", "dream", "know"}
    )
    return governor.lemma_.lower() not in telling and governor.dep_ == "ROOT"


def _reported(governor: Token, subjects: tuple[Token, ...], first: bool, token: Token) -> _Force:
    if first and governor.lemma_ in lexicon.HEARING:
        return _Force(Modality.REPORTED)
    if first:
        return _Force() if _tense(token) is Tense.PRESENT else _Force(silent="embedded")
    if not subjects or subjects[0].lower_ in lexicon.SECOND_PERSON | lexicon.THING_PRONOUNS:
        return _Force(silent="embedded")
    return _Force(Modality.REPORTED, reporter=subjects[0])


def _adverbial_force(sentence: Sentence, token: Token) -> _Force:
    marks = {c.lower_ for c in token.children if c.dep_ in ("mark", "advmod", "prep")}
    if marks & lexicon.CONDITIONAL_MARKS:
        return _Force(Modality.HYPOTHETICAL, "hypothetical")
    if marks & _LATER and _tense(token) is not Tense.PAST:
        return _Force(silent="adverbial")
    if not any(c.dep_ in ("nsubj", "nsubjpass") for c in token.children):
        return _Force(silent="adverbial")
    if token.tag_ == "VB":
        return _Force(silent="adverbial")
    governor = token.head
    if (
        governor.pos_ in ("VERB", "AUX")
        and _own_silence(sentence, governor, _subjects(governor)) == "quoted"
    ):
        return _Force(silent="quoted")
    return _Force()
