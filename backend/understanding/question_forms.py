"""The forms of questions that a graph can answer, as a table of patterns with slots."""

from __future__ import annotations

import re
from dataclasses import dataclass

from backend.understanding.statements import QuestionKind

_WHO = r"(?P<who>[\w' .-]{1,60}?)"
_OWNER = r"(?P<owner>my|our|his|her|[\w '.-]{1,50}?(?:'s|s'))"
_WHAT = r"(?P<what>[\w' &.-]{1,60}?)"
_IS = r"(?:'s|s|\s+is|\s+are|\s+was|\s+were|\s+am|'re)"
_DO = r"(?:do|does|did)"
_WORK = (
    "HAS_OCCUPATION",
    "WORKS_AT",
    "HAS_WORKPLACE",
    "WORKS_IN_FIELD",
    "HAS_EMPLOYMENT_STATUS",
    "STUDIES_AT",
    "OWNS_BUSINESS",
)
_HOBBIES = ("DOES_ACTIVITY", "PLAYS", "LIKES", "FAVORITE_ACTIVITY", "COLLECTS")
_LIKED = ("LIKES", "FAVORITE_THING")
_BIRTH = ("BORN_ON",)
_OWNING = ("OWNS", "DRIVES")


@dataclass(frozen=True)
class QuestionForm:
    """One form: ``pattern`` with the named slots who, owner, what; the facts that answer it."""

    pattern: re.Pattern[str]
    kind: QuestionKind
    predicates: tuple[str, ...] = ()


def _form(pattern: str, kind: QuestionKind, *predicates: str) -> QuestionForm:
    return QuestionForm(re.compile(rf"^{pattern}$", re.IGNORECASE), kind, predicates)


_O, _Y, _S, _N, _W, _D, _H = (
    QuestionKind.OBJECT_OF,
    QuestionKind.YES_NO,
    QuestionKind.SUBJECT_OF,
    QuestionKind.NAME_OF,
    QuestionKind.WHEN,
    QuestionKind.DESCRIBE,
    QuestionKind.HOW_MANY,
)

FORMS: tuple[QuestionForm, ...] = (
    # names
    _form(rf"what{_IS}\s+{_OWNER}\s+(?:name|names)", _N),
    _form(rf"what\s+{_OWNER}\s+(?:name|names)(?:\s+is|\s+are)?", _N),
    _form(rf"what{_IS}\s+the\s+names?\s+of\s+{_WHO}", _N),
    _form(rf"what{_IS}\s+{_WHO}\s+(?:called|named)", _N),
    _form(rf"what(?:\s+do\s+i\s+call)\s+{_WHO}", _N),
    _form(rf"what{_IS}\s+{_OWNER}\s+nickname", _O, "HAS_NICKNAME"),
    # bands and clubs
    _form(rf"what{_IS}\s+the\s+name\s+of\s+{_OWNER}\s+(?:band|club|team|choir)", _O, "MEMBER_OF"),
    _form(
        rf"what{_IS}\s+{_OWNER}\s+(?:band|club|team|choir)(?:\s+called|'s\s+name)?", _O, "MEMBER_OF"
    ),
    _form(
        rf"(?:what|which)\s+(?:band|club|team|choir|group)"
        rf"(?:{_IS}\s+{_WHO}\s+(?:in|a\s+member\s+of)|"
        rf"\s+{_DO}\s+{_WHO.replace('who', 'owner')}\s+(?:play|sing|belong)\s+(?:in|for|to))",
        _O,
        "MEMBER_OF",
    ),
    # places
    _form(
        rf"where\s+{_DO}\s+{_WHO}\s+(?:live|reside)(?:\s+now|\s+at|\s+these days)?",
        _O,
        "LIVES_IN",
        "HAS_HOME",
    ),
    _form(rf"where{_IS}\s+{_WHO}\s+living(?:\s+now)?", _O, "LIVES_IN", "HAS_HOME"),
    _form(rf"where\s+{_WHO}\s+lives?", _O, "LIVES_IN", "HAS_HOME"),
    _form(
        rf"(?:what|which)\s+(?:city|town|country|place|state)\s+{_DO}\s+{_WHO}\s+live\s+in",
        _O,
        "LIVES_IN",
    ),
    _form(
        rf"in\s+(?:what|which)\s+(?:city|town|country|place|state)\s+{_DO}\s+{_WHO}\s+live",
        _O,
        "LIVES_IN",
    ),
    _form(rf"where{_IS}\s+{_OWNER}\s+(?:home|house)", _O, "LIVES_IN"),
    _form(rf"where\s+{_DO}\s+{_WHO}\s+move(?:\s+to)?", _O, "LIVES_IN"),
    _form(
        rf"where{_IS}\s+{_WHO}\s+(?:originally\s+)?from(?:\s+originally)?",
        _O,
        "COMES_FROM",
        "BORN_IN",
        "GREW_UP_IN",
    ),
    _form(rf"where\s+{_DO}\s+{_WHO}\s+come\s+from", _O, "COMES_FROM", "BORN_IN", "GREW_UP_IN"),
    _form(rf"where\s+{_DO}\s+{_WHO}\s+grow\s+up", _O, "GREW_UP_IN", "BORN_IN", "COMES_FROM"),
    _form(rf"where{_IS}\s+{_WHO}\s+born", _O, "BORN_IN"),
    _form(
        rf"(?:which|what)\s+(?:countries|cities|places)\s+(?:have|has|did)\s+{_WHO}\s+(?:visited|visit|been\s+to)",
        _O,
        "VISITED",
    ),
    _form(rf"where\s+(?:have|has)\s+{_WHO}\s+(?:been|travell?ed)(?:\s+to)?", _O, "VISITED"),
    # work and study
    _form(
        rf"where\s+{_DO}\s+{_WHO}\s+work(?:\s+now|\s+at|\s+these days)?",
        _O,
        "WORKS_AT",
        "HAS_WORKPLACE",
    ),
    _form(rf"where{_IS}\s+{_WHO}\s+working(?:\s+now)?", _O, "WORKS_AT", "HAS_WORKPLACE"),
    _form(rf"where\s+{_WHO}\s+works?", _O, "WORKS_AT", "HAS_WORKPLACE"),
    _form(
        rf"(?:who|(?:what|which)\s+company)\s+{_DO}\s+{_WHO}\s+work\s+(?:for|at)",
        _O,
        "WORKS_AT",
        "HAS_WORKPLACE",
    ),
    _form(
        rf"what\s+{_DO}\s+{_WHO}\s+do\s+(?:for\s+fun|in\s+(?:my|his|her|their)\s+(?:free|spare)\s+time)",
        _O,
        *_HOBBIES,
    ),
    _form(rf"what\s+{_DO}\s+{_WHO}\s+do(?:\s+for\s+(?:a\s+living|work))?", _O, *_WORK),
    _form(rf"what\s+{_WHO}\s+(?:do|does)(?:\s+for\s+(?:a\s+living|work))?", _O, *_WORK),
    _form(rf"what\s+{_DO}\s+{_WHO}\s+work\s+as", _O, *_WORK),
    _form(
        rf"what{_IS}\s+{_OWNER}\s+(?:job|occupation|profession|job\s+title|line\s+of\s+work)",
        _O,
        *_WORK,
    ),
    _form(
        rf"where\s+{_DO}\s+{_WHO}\s+(?:study|go\s+to\s+(?:school|college|university))",
        _O,
        "STUDIES_AT",
        "GRADUATED_FROM",
    ),
    _form(rf"where{_IS}\s+{_WHO}\s+studying", _O, "STUDIES_AT"),
    _form(
        rf"(?:what|which)\s+(?:school|college|university|uni)\s+{_DO}\s+{_WHO}\s+"
        r"(?:go\s+to|attend|study\s+at)",
        _O,
        "STUDIES_AT",
        "GRADUATED_FROM",
    ),
    _form(rf"what\s+{_DO}\s+{_WHO}\s+(?:study|major\s+in)", _O, "STUDIES"),
    _form(rf"what{_IS}\s+{_WHO}\s+(?:studying|majoring\s+in)", _O, "STUDIES"),
    _form(rf"what{_IS}\s+{_WHO}\s+working\s+on", _O, "WORKING_ON"),
    # age and birth
    _form(rf"how\s+old{_IS}\s+{_WHO}", _O, "HAS_AGE", "BORN_ON"),
    _form(rf"how\s+old\s+{_WHO}\s+(?:is|am|are)", _O, "HAS_AGE", "BORN_ON"),
    _form(rf"what{_IS}\s+{_OWNER}\s+age", _O, "HAS_AGE", "BORN_ON"),
    _form(rf"(?:when|what\s+day){_IS}\s+{_OWNER}\s+(?:birthday|birth\s*date)", _W, *_BIRTH),
    _form(rf"when\s+{_OWNER}\s+birthday\s+is", _W, *_BIRTH),
    _form(rf"what{_IS}\s+{_OWNER}\s+(?:birthday|birth\s*date|date\s+of\s+birth)", _W, *_BIRTH),
    _form(rf"when{_IS}\s+{_WHO}\s+born", _W, *_BIRTH),
    _form(rf"when\s+did\s+{_WHO}\s+move\s+to\s+{_WHAT}", _W, "LIVES_IN"),
    _form(
        rf"when\s+did\s+{_WHO}\s+(?:start|begin)(?:\s+(?:working|work))?\s+(?:at|for)\s+{_WHAT}",
        _W,
        "WORKS_AT",
    ),
    _form(
        rf"when\s+did\s+{_WHO}\s+(?:leave|quit|stop\s+working\s+(?:at|for))\s+{_WHAT}",
        _W,
        "WORKS_AT",
        "LIVES_IN",
    ),
    _form(rf"when\s+did\s+{_WHO}\s+(?:buy|get)\s+(?:my|the|an?|our)\s+{_WHAT}", _W, "OWNS"),
    _form(
        rf"when\s+did\s+{_WHO}\s+(?:visit|go\s+to|travel\s+to)\s+{_WHAT}", _W, "VISITED", "ATTENDED"
    ),
    _form(
        rf"when\s+did\s+{_WHO}\s+(?:get\s+married(?:\s+to\s+{_WHAT})?|"
        rf"marry(?:\s+{_WHAT.replace('what', 'spouse')})?)",
        _W,
        "MARRIED_TO",
    ),
    _form(rf"when\s+did\s+{_WHO}\s+(?:die|pass\s+away)", _W, "DIED"),
    _form(rf"when{_IS}\s+{_WHO}\s+(?:getting\s+married|marrying|wedding)", _W, "MARRIED_TO"),
    # likes
    _form(rf"what{_IS}\s+{_OWNER}\s+favou?rite\s+(?P<kind>[\w ]{{2,30}})", _O, "FAVORITE_THING"),
    _form(
        rf"what\s+{_OWNER}\s+favou?rite\s+(?P<kind>[\w ]{{2,30}}?)\s+(?:is|are)",
        _O,
        "FAVORITE_THING",
    ),
    _form(
        rf"(?:who|which){_IS}\s+{_OWNER}\s+favou?rite\s+(?P<kind>[\w ]{{2,30}})",
        _O,
        "FAVORITE_THING",
    ),
    _form(
        rf"(?:what|which)(?:\s+(?:kinds?|sorts?|types?)\s+of)?(?:\s+[\w]+){{0,2}}\s+{_DO}\s+{_WHO}\s+(?:like|love|enjoy)(?:\s+(?:to\s+)?(?:do|doing|eat|eating))?",
        _O,
        *_LIKED,
    ),
    _form(
        rf"(?:what|which)(?:\s+[\w]+){{0,4}}\s+{_DO}\s+{_WHO}\s+(?:hate|dislike|not\s+like)",
        _O,
        "DISLIKES",
    ),
    _form(
        rf"(?:what|which)(?:\s+[\w]+){{0,2}}\s+(?:don't|doesn't)\s+{_WHO}\s+(?:like|enjoy)"
        r"(?:\s+(?:to\s+)?(?:do|doing|eat|eating))?",
        _O,
        "DISLIKES",
    ),
    _form(rf"what{_IS}\s+{_WHO}\s+(?:afraid|scared)\s+of", _O, "AFRAID_OF"),
    _form(rf"what{_IS}\s+{_WHO}\s+interested\s+in", _O, "INTERESTED_IN", "LIKES"),
    _form(rf"what{_IS}\s+{_OWNER}\s+(?:hobby|hobbies|pastimes?)", _O, *_HOBBIES),
    _form(rf"what{_IS}\s+{_OWNER}\s+interests?", _O, "INTERESTED_IN", *_HOBBIES),
    # health
    _form(rf"what{_IS}\s+{_WHO}\s+allergic\s+to", _O, "ALLERGIC_TO"),
    _form(rf"what{_IS}\s+{_OWNER}\s+allerg(?:y|ies)", _O, "ALLERGIC_TO"),
    _form(rf"what{_IS}\s+{_OWNER}\s+diet", _O, "DIET"),
    _form(
        rf"(?:what|which)\s+(?:illness(?:es)?|diseases?|(?:health\s+|medical\s+)?conditions?)"
        rf"\s+{_DO}\s+{_WHO}\s+have",
        _O,
        "HAS_CONDITION",
    ),
    # skills and things
    _form(
        rf"(?:what|which)\s+(?:musical\s+)?instruments?\s+(?:do|does|did|can)\s+{_WHO}\s+play",
        _O,
        "PLAYS",
    ),
    _form(
        rf"(?:what|which)\s+(?:sports?|games?)\s+(?:do|does|did|can)\s+{_WHO}\s+(?:play|do|like)",
        _O,
        "PLAYS",
        "DOES_ACTIVITY",
        "LIKES",
    ),
    _form(rf"what\s+{_DO}\s+{_WHO}\s+play", _O, "PLAYS"),
    _form(
        rf"(?:what|which|how\s+many)\s+languages?\s+(?:do|does|can)\s+{_WHO}\s+speak",
        _O,
        "SPEAKS_LANGUAGE",
    ),
    _form(rf"what{_IS}\s+{_WHO}\s+learning(?:\s+to\s+do)?", _O, "LEARNS"),
    _form(rf"what\s+{_DO}\s+{_WHO}\s+collect", _O, "COLLECTS"),
    _form(
        rf"what\s+(?:kind\s+of\s+)?(?:car|bike|vehicle)\s+{_DO}\s+{_WHO}\s+(?:have|drive|own|ride)",
        _O,
        *_OWNING,
    ),
    _form(rf"what\s+{_DO}\s+{_WHO}\s+(?:drive|own)", _O, *_OWNING),
    _form(rf"(?:what|which)\s+(?:pets?|animals?)\s+{_DO}\s+{_WHO}\s+have", _O, "HAS_PET"),
    _form(
        rf"(?:what|which)\s+(?:kind|breed|type)\s+of\s+(?:dog|cat|animal|pet){_IS}\s+{_WHO}",
        _O,
        "HAS_BREED",
        "HAS_SPECIES",
    ),
    _form(rf"what\s+breed{_IS}\s+{_WHO}", _O, "HAS_BREED", "HAS_SPECIES"),
    _form(rf"what{_IS}\s+{_OWNER}\s+(?:breed|species)", _O, "HAS_BREED", "HAS_SPECIES"),
    # plans
    _form(rf"what\s+{_DO}\s+{_WHO}\s+(?:need|have)\s+to\s+do(?:\s+by\s+.+)?", _O, "HAS_TASK"),
    _form(rf"what{_IS}\s+{_OWNER}\s+(?:tasks?|to-?dos?|chores?|duties)", _O, "HAS_TASK"),
    _form(
        rf"what\s+{_DO}\s+{_WHO}\s+(?:want|plan|hope|intend|wish)(?:\s+to\s+(?:do|learn|achieve|become|be))?",
        _O,
        "HAS_GOAL",
    ),
    _form(rf"what{_IS}\s+{_OWNER}\s+(?:goals?|plans?|dreams?|wishes)", _O, "HAS_GOAL"),
    _form(rf"what{_IS}\s+{_WHO}\s+planning(?:\s+to\s+do)?", _O, "HAS_GOAL"),
    # partners
    _form(
        rf"who{_IS}\s+{_WHO}\s+(?:married|engaged)\s+to",
        _O,
        "MARRIED_TO",
        "ENGAGED_TO",
        "PARTNER_OF",
    ),
    _form(rf"who{_IS}\s+{_WHO}\s+dating", _O, "PARTNER_OF"),
    _form(rf"who\s+did\s+{_WHO}\s+marry", _O, "MARRIED_TO"),
    _form(
        rf"who\s+{_DO}\s+{_WHO}\s+live\s+with",
        _O,
        "LIVES_WITH",
        "MARRIED_TO",
        "PARTNER_OF",
        "HAS_ROOMMATE",
    ),
    # yes or no
    _form(rf"(?:is|are|was)\s+{_WHO}\s+(?:still\s+)?(?:alive|living)", _Y, "DIED"),
    _form(rf"(?:is|are|was)\s+{_WHO}\s+dead", _Y, "DIED"),
    _form(rf"(?:did|has)\s+{_WHO}\s+(?:die|died)", _Y, "DIED"),
    _form(rf"{_DO}\s+{_WHO}\s+(?:like|love|enjoy)\s+{_WHAT}", _Y, "LIKES", "DISLIKES"),
    _form(rf"{_DO}\s+{_WHO}\s+(?:hate|dislike)\s+{_WHAT}", _Y, "DISLIKES", "LIKES"),
    _form(rf"(?:am|is|are)\s+{_WHO}\s+allergic\s+to\s+{_WHAT}", _Y, "ALLERGIC_TO"),
    _form(
        rf"(?:am|is|are|was|were)\s+{_WHO}\s+(?:married|engaged)\s+to\s+{_WHAT}",
        _Y,
        "MARRIED_TO",
        "ENGAGED_TO",
    ),
    _form(
        rf"(?:am|is|are)\s+{_WHO}\s+(?P<state>married|single|divorced|engaged|widowed)",
        _Y,
        "HAS_MARITAL_STATUS",
        "MARRIED_TO",
        "PARTNER_OF",
    ),
    _form(
        rf"(?:am|is|are)\s+{_WHO}\s+(?:an?\s+)?(?P<diet>vegan|vegetarian|pescatarian)", _Y, "DIET"
    ),
    _form(rf"(?:am|is|are)\s+{_WHO}\s+an?\s+(?P<job>[\w -]{{3,30}})", _Y, "HAS_OCCUPATION"),
    _form(rf"{_DO}\s+{_WHO}\s+live\s+in\s+{_WHAT}", _Y, "LIVES_IN"),
    _form(rf"{_DO}\s+{_WHO}\s+work\s+(?:at|for)\s+{_WHAT}", _Y, "WORKS_AT"),
    _form(rf"(?:do|does|can)\s+{_WHO}\s+play\s+(?:the\s+)?{_WHAT}", _Y, "PLAYS"),
    _form(rf"(?:do|does|can)\s+{_WHO}\s+speak\s+{_WHAT}", _Y, "SPEAKS_LANGUAGE"),
    _form(
        rf"(?:have|has|did)\s+{_WHO}\s+(?:ever\s+)?(?:been\s+to|visited|visit)\s+{_WHAT}",
        _Y,
        "VISITED",
    ),
    _form(rf"(?:do|does)\s+{_WHO}\s+(?:drink)(?:\s+(?P<drink>[\w ]{{2,30}}))?", _Y, "DRINKS"),
    _form(rf"(?:do|does)\s+{_WHO}\s+(?:eat)\s+{_WHAT}", _Y, "EATS", "LIKES"),
    _form(rf"(?:do|does)\s+{_WHO}\s+smoke", _Y, "SMOKES"),
    _form(rf"(?:have|has)\s+{_WHO}\s+got\s+(?:any\s+|an?\s+)?(?P<tie>[\w -]{{3,30}})", _Y),
    _form(rf"{_DO}\s+{_WHO}\s+have\s+(?:any\s+|an?\s+)?(?P<tie>[\w -]{{3,30}})", _Y),
    _form(rf"how\s+many\s+(?P<tie>[\w -]{{3,30}}?)\s+{_DO}\s+{_WHO}\s+have", _H),
    # who …
    _form(rf"who\s+(?:lives|live)\s+in\s+{_WHAT}", _S, "LIVES_IN"),
    _form(rf"who\s+(?:works|work)\s+(?:at|for)\s+{_WHAT}", _S, "WORKS_AT"),
    _form(rf"who\s+plays?\s+(?:the\s+)?{_WHAT}", _S, "PLAYS"),
    _form(rf"who\s+(?:likes?|loves?)\s+{_WHAT}", _S, "LIKES"),
    _form(rf"who\s+speaks?\s+{_WHAT}", _S, "SPEAKS_LANGUAGE"),
    _form(rf"who\s+is\s+allergic\s+to\s+{_WHAT}", _S, "ALLERGIC_TO"),
    _form(rf"who\s+(?:studies|study)\s+(?:at)\s+{_WHAT}", _S, "STUDIES_AT"),
    # descriptions
    _form(rf"what\s+(?:do|can)\s+you\s+(?:know|remember|recall|tell\s+me)\s+about\s+{_WHO}", _D),
    _form(rf"(?:what\s+)?(?:do\s+you\s+)?(?:remember|know)\s+(?:anything\s+)?about\s+{_WHO}", _D),
    _form(
        rf"what\s+(?:did|have)\s+i\s+(?:say|said|tell\s+you|told\s+you|mention|mentioned)\s+about\s+{_WHO}",
        _D,
    ),
    _form(rf"what{_IS}\s+{_WHO}\s+like", _D),
    _form(rf"what\s+(?:about|happened\s+to)\s+{_WHO}", _D),
    _form(rf"who{_IS}\s+{_WHO}", _D),
    _form(rf"who\s+{_WHO}\s+(?:is|was|are)", _D),
)
"""Tried in order; the first that matches and whose slots can be read wins."""
