"""Names, ages, birthdays, marriages and friendships of people."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from backend.understanding.calendar_spans import MONTHS
from backend.understanding.clauses import Clause, Tense, conjuncts
from backend.understanding.naming import NameRun, name_around
from backend.understanding.scene import Scene
from backend.understanding.statements import (
    ArgumentKind,
    Change,
    EntityArgument,
    Modality,
    Statement,
)
from backend.understanding.time_expressions import TimeExpression
from backend.understanding.word_sets import word_set

_MARITAL = frozenset({"married", "single", "divorced", "engaged", "widowed", "separated"})
_PLURAL_PAIRS = {
    ("marry", "to"): "MARRIED_TO",
    ("married", "to"): "MARRIED_TO",
    ("engaged", "to"): "ENGAGED_TO",
    ("friends", "with"): "FRIEND_OF",
}


def personal(scene: Scene) -> Iterator[Statement]:
    """Everything that a clause says about who someone is."""
    yield from _told_name(scene)
    yield from _introduced(scene)
    for clause in scene.told_clauses():
        yield from _own_name(scene, clause)
        if clause.controlled or clause.modality is Modality.PLANNED or clause.ability:
            continue
        yield from _birthday(scene, clause)
        for subject in scene.subjects(clause):
            yield from _age(scene, clause, subject)
            yield from _birth(scene, clause, subject)
            yield from _death(scene, clause, subject)
            if subject.label == "PERSON":
                yield from _partners(scene, clause, subject)
                yield from _marital(scene, clause, subject)


def _own_name(scene: Scene, clause: Clause) -> Iterator[Statement]:
    """Such as "Everyone calls me Bob"; other people's names are read with their ties."""
    if clause.verb == "call" and not clause.negated:
        objects = [
            c
            for c in clause.head.children
            if c.dep_ in ("dobj", "nsubj") and c.lower_ in ("me", "him", "her")
        ]
        everyone = any(
            s.lower_ in ("everyone", "everybody", "people", "friends", "they")
            for s in clause.subjects
        )
        if objects and everyone:
            run = _name_following(scene, objects[0])
            people = scene.reader.people(scene.sentence, objects[0])
            if run is not None and len(people) == 1:
                literal = scene.literal("name", run.text, run.first, run.last)
                yield scene.state(
                    clause,
                    people[0],
                    "HAS_NICKNAME",
                    literal,
                    "personal.called",
                    lasting=False,
                )


def _told_name(scene: Scene) -> Iterator[Statement]:
    """Such as "My name is Max", "my nickname's Bob"."""
    for token in scene.sentence.tokens:
        if token.lower_ not in ("name", "nickname") or scene.sentence.is_question:
            continue
        owner = scene.sentence.token_after(token, -1)
        if owner is not None and owner.lower_ in ("first", "full", "real"):
            owner = scene.sentence.token_after(owner, -1)
        copula = scene.sentence.token_after(token)
        if owner is None or owner.lower_ != "my" or copula is None:
            continue
        if copula.lower_ not in ("is", "'s") or _is_quoted(scene, token):
            continue
        run = _name_following(scene, copula)
        if run is not None:
            literal = scene.literal("name", run.text, run.first, run.last)
            predicate = "HAS_NICKNAME" if token.lower_ == "nickname" else "HAS_NAME"
            evidence = scene.sentence.span(owner, run.last)
            yield scene.presupposed(
                scene.reader.speaker(), predicate, literal, "personal.name", evidence
            )


def _introduced(scene: Scene) -> Iterator[Statement]:
    """Such as "I'm Max", "Hi, I'm Mara and I'm 34", "Call me Bob"."""
    names = scene.reader.vocabulary["female_names"] | scene.reader.vocabulary["male_names"]
    opening = next((t for t in scene.sentence.tokens if t.is_alpha), None)
    for token in scene.sentence.tokens:
        copula = scene.sentence.token_after(token)
        following = scene.sentence.token_after(token, 2)
        if copula is None or following is None or scene.sentence.is_question:
            continue
        called = token.lower_ == "call" and copula.lower_ == "me" and _asks_to_be_called(token)
        introducing = token.lower_ == "i" and copula.lower_ in ("am", "'m", "m")
        if not (called or introducing) or _is_quoted(scene, token):
            continue
        common = following.lower_ in names and following.lower_ not in _NAMES_THAT_ARE_WORDS
        # An uncommon name is one only where it stands alone right after the greeting.
        bare = called or (token == opening and following.lower_ not in _NO_NAMES)
        if following.ent_type_ in ("NORP", "LANGUAGE", "DATE") or not (common or bare):
            continue
        run = name_around(scene.sentence, following)
        if run is None or not (
            following.text[:1].isupper() or (common and following.pos_ == "PROPN")
        ):
            continue
        after = scene.sentence.token_after(run.last)
        closes = (
            after is None or after.is_punct or after.lower_ in ("and", "from", "a", "the", "by")
        )
        if not common and following.pos_ != "PROPN":
            continue
        if closes:
            literal = scene.literal("name", run.text, run.first, run.last)
            evidence = scene.sentence.span(token, run.last)
            predicate = "HAS_NICKNAME" if called else "HAS_NAME"
            speaker = scene.reader.speaker()
            yield scene.presupposed(speaker, predicate, literal, "personal.introduced", evidence)


_NAMES_THAT_ARE_WORDS = frozenset({"will", "grace", "rose", "daisy"})
_NO_NAMES = word_set(
    "christian catholic muslim jewish buddhist hindu german gemini aries leo virgo"
)


def _asks_to_be_called(token: Token) -> bool:
    """Whether it is "Call me Bob", "you can call me Bob"; not "she didn't call me"."""
    if token.tag_ not in ("VB", "VBP") or any(c.dep_ == "neg" for c in token.children):
        return False
    subjects = [c.lower_ for c in token.children if c.dep_ == "nsubj"]
    return subjects in ([], ["you"], ["friends"], ["everyone"], ["people"], ["they"])


def _is_quoted(scene: Scene, token: Token) -> bool:
    place = scene.sentence.start + token.idx
    return any(start <= place < end for start, end in scene.sentence.source.quoted)


def _name_following(scene: Scene, token: Token) -> NameRun | None:
    start = scene.sentence.token_after(token)
    if start is None:
        return None
    run = name_around(scene.sentence, start)
    if run is not None and (start.text[:1].isupper() or scene.sentence.lower_cased):
        return run
    after = scene.sentence.token_after(start)
    ends = after is None or after.is_punct or after.lower_ in ("and", "but")
    if (
        scene.sentence.lower_cased
        and ends
        and start.is_alpha
        and start.pos_ in ("NOUN", "ADJ", "VERB", "X", "INTJ")
    ):
        return NameRun(scene.sentence, start, start)
    return None


def _age(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if (
        subject.label not in ("PERSON", "PET")
        or clause.negated
        or (clause.tense is Tense.PAST and clause.verb == "be")
    ):
        return
    if clause.verb == "be":
        for token in clause.complements():
            yield from _age_value(scene, clause, subject, token)
    if clause.verb == "turn" and clause.tense in (Tense.PAST, Tense.PERFECT):
        for token in [
            *clause.objects(),
            *clause.complements(),
            *(c for c in clause.head.children if c.dep_ in ("npadvmod", "nummod")),
        ]:
            years = _years(token)
            if years is not None:
                literal = scene.literal("years", years, token, token)
                yield scene.state(
                    clause, subject, "HAS_AGE", literal, "personal.turned", lasting=False
                )


def _age_value(
    scene: Scene, clause: Clause, subject: EntityArgument, token: Token
) -> Iterator[Statement]:
    number, last = None, token
    if token.lower_ == "old":
        years = next(
            (c for c in token.children if c.dep_ == "npadvmod" and c.lemma_.lower() == "year"), None
        )
        if years is not None:
            number = next((c for c in years.children if c.dep_ == "nummod"), None)
    elif token.lemma_.lower() == "year" and scene.sentence.token_after(token) is not None:
        following = scene.sentence.token_after(token)
        if following is not None and following.lower_ == "old":
            number, last = next((c for c in token.children if c.dep_ == "nummod"), None), following
    elif token.pos_ == "NUM" and _years(token) is not None and not list(token.children):
        following = scene.sentence.token_after(token)
        ends = (
            following is None
            or following.is_punct
            or following.lower_ in ("and", "but", "now", "so", "too", "years", "yrs")
        )
        number = token if ends and 4 <= int(_years(token) or 0) < 110 else None
    years_old = _years(number) if number is not None else None
    if number is not None and years_old is not None:
        literal = scene.literal("years", years_old, number, last if last.i >= number.i else number)
        yield scene.state(clause, subject, "HAS_AGE", literal, "personal.age")


_NUMBER_WORDS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def _years(token: Token) -> str | None:
    """An age in digits, from digits or a number word up to "ninety-nine"."""
    word = token.lower_
    if word.isdigit():
        return word if 0 < int(word) < 120 else None
    if word in _NUMBER_WORDS:
        return str(_NUMBER_WORDS.index(word) + 1)
    tens, _, unit = word.partition("-")
    if tens not in _TENS or (unit and unit not in _NUMBER_WORDS[:9]):
        return None
    return str(20 + 10 * _TENS.index(tens) + (_NUMBER_WORDS.index(unit) + 1 if unit else 0))


def _birthday(scene: Scene, clause: Clause) -> Iterator[Statement]:
    if clause.verb not in ("be", "fall") or clause.negated or clause.tense is Tense.PAST:
        return
    for token in clause.subjects:
        if token.lemma_.lower() not in ("birthday", "bday"):
            continue
        owner = next((c for c in token.children if c.dep_ == "poss"), None)
        people = scene.reader.people(scene.sentence, owner) if owner is not None else ()
        expression = _day_of_year(scene, after=token.idx)
        if len(people) == 1 and expression is not None:
            yield _born_on(scene, clause, people[0], expression, with_year=False)


def _birth(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.head.lower_ != "born" or clause.negated or subject.label not in ("PERSON", "PET"):
        return
    for expression in scene.time.expressions(scene.sentence.doc.text):
        inside = (
            expression.start > clause.head.idx
            and expression.span is not None
            and expression.role == "at"
        )
        if (
            inside
            and expression.span is not None
            and expression.span.precision.value in ("day", "month", "year")
        ):
            yield _born_on(scene, clause, subject, expression, with_year=True)
            return


def _born_on(
    scene: Scene,
    clause: Clause,
    subject: EntityArgument,
    expression: TimeExpression,
    *,
    with_year: bool,
) -> Statement:
    span = expression.span
    assert span is not None
    given_year = with_year and any(
        c.isdigit() for c in scene.sentence.doc.text[expression.start : expression.end][-4:]
    )
    first = next(
        t
        for t in scene.sentence.tokens
        if t.idx + len(t) > expression.start and t.lower_ not in ("on", "in", "the", "at")
    )
    last = [t for t in scene.sentence.tokens if t.idx < expression.end][-1]
    precision = span.precision.value
    year = (
        f"{span.first.year:04d}"
        if given_year
        and len(str(span.first.year)) == 4
        and str(span.first.year) in scene.sentence.doc.text
        else "-"
    )
    value = {
        "day": f"{year}-{span.first:%m-%d}",
        "month": f"{year}-{span.first:%m}",
        "year": f"{span.first.year}",
    }[precision]
    literal = scene.literal("date", value, first, last)
    statement = scene.state(
        clause, subject, "BORN_ON", literal, "personal.birthday", lasting=False, change=Change.HOLDS
    )
    return Statement(
        statement.subject,
        statement.predicate,
        statement.object,
        statement.evidence,
        statement.method,
        statement.confidence,
        statement.polarity,
        statement.modality,
        reporter=statement.reporter,
    )


def _day_of_year(scene: Scene, after: int) -> TimeExpression | None:
    for expression in scene.time.expressions(scene.sentence.doc.text):
        words = scene.sentence.doc.text[expression.start : expression.end].lower()
        if (
            expression.start > after
            and expression.span is not None
            and any(m[:3] in words for m in MONTHS)
        ):
            return expression
    return None


def _death(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    passed = clause.verb == "die" or (
        clause.verb == "pass" and (clause.particle() == "away" or "away" in clause.adverbs())
    )
    if (
        not passed
        or clause.negated
        or clause.tense is Tense.PRESENT
        or subject.kind is ArgumentKind.ME
    ):
        return
    interval = scene.time.interval_for(clause, Change.HOLDS)
    value = interval.start if interval is not None and interval.start is not None else "unknown"
    yield scene.state(
        clause,
        subject,
        "DIED",
        scene.literal("date", value, clause.head, clause.head),
        "personal.death",
        lasting=False,
    )


def _partners(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    tokens: list[tuple[str, Token, Change | None]] = []
    if clause.verb in ("be", "get", "become"):
        for word in clause.complements():
            for preposition in word.children:
                predicate = _PLURAL_PAIRS.get((word.lower_, preposition.lower_))
                if predicate is not None and preposition.dep_ == "prep":
                    change = (
                        Change.STARTS
                        if clause.verb != "be" and clause.tense is Tense.PAST
                        else None
                    )
                    tokens.extend(
                        (predicate, t, change) for t in preposition.children if t.dep_ == "pobj"
                    )
    if clause.verb == "marry" and clause.tense in (Tense.PAST, Tense.PERFECT):
        passive = any(c.dep_ == "auxpass" and c.lemma_ == "be" for c in clause.head.children)
        change = None if passive else Change.STARTS
        tokens += [
            ("MARRIED_TO", t, change) for t in [*clause.objects(), *clause.prepositional("to")]
        ]
    if clause.verb == "marry" and clause.head.tag_ == "VBN" and not tokens and not clause.negated:
        yield from _wedding(scene, clause, subject)
    if clause.verb == "date" and clause.head.tag_ == "VBG":
        tokens += [("PARTNER_OF", t, None) for t in clause.objects()]
    if clause.verb == "break" and (clause.particle() == "up" or "up" in clause.adverbs()):
        tokens += [("PARTNER_OF", t, Change.ENDS) for t in clause.prepositional("with")]
    if clause.verb == "divorce" and clause.objects():
        tokens += [("MARRIED_TO", t, Change.ENDS) for t in clause.objects()]
    if clause.verb == "meet" and clause.tense in (Tense.PAST, Tense.PERFECT) and not clause.negated:
        tokens += [("MET", t, None) for t in clause.objects() if t.ent_type_ == "PERSON"]
    for predicate, token, change in tokens:
        for start in conjuncts(token):
            for person in scene.reader.people(scene.sentence, start):
                if (
                    person.label == "PERSON"
                    and person.kind
                    in (
                        ArgumentKind.NAMED,
                        ArgumentKind.DESCRIBED,
                        ArgumentKind.ME,
                    )
                    and person.name != subject.name
                ):
                    yield scene.state(
                        clause,
                        subject,
                        predicate,
                        person,
                        "personal.partner",
                        change=change,
                        lasting=predicate != "MET",
                    )


def _wedding(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    """Such as "My wife and I got married in 2015"."""
    people = [p for p in scene.subjects(clause) if p.label == "PERSON"]
    both = len(people) == 2 and people[1].kind is ArgumentKind.ME and subject == people[1]
    if both and people[0].kind in (ArgumentKind.NAMED, ArgumentKind.DESCRIBED):
        yield scene.state(
            clause,
            subject,
            "MARRIED_TO",
            people[0],
            "personal.wedding",
            lasting=False,
            change=Change.STARTS,
        )


def _marital(scene: Scene, clause: Clause, subject: EntityArgument) -> Iterator[Statement]:
    if clause.verb not in ("be",):
        return
    for word in clause.complements():
        bare = not any(c.dep_ in ("prep", "det", "npadvmod") for c in word.children)
        if word.lower_ in _MARITAL and bare and word.pos_ in ("ADJ", "VERB", "NOUN"):
            literal = scene.literal("marital_status", word.lower_, word, word)
            dated = scene.time.interval_for(clause, Change.HOLDS) is not None
            change = Change.STARTS if dated and clause.tense is Tense.PAST else None
            yield scene.state(
                clause, subject, "HAS_MARITAL_STATUS", literal, "personal.marital", change=change
            )
