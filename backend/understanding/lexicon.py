"""Closed word classes of English grammar that several rules share."""

from __future__ import annotations

from backend.understanding.word_sets import word_set

FIRST_PERSON = word_set("i me myself my mine we us our ours ourselves")
SECOND_PERSON = frozenset({"you", "your", "yours", "yourself", "u", "ur", "ya", "y'all"})
FEMALE_PRONOUNS = frozenset({"she", "her", "hers", "herself"})
MALE_PRONOUNS = frozenset({"he", "him", "his", "himself"})
PLURAL_PRONOUNS = frozenset({"they", "them", "their", "theirs"})
THING_PRONOUNS = frozenset({"it", "its", "this", "that", "these", "those", "there"})

FEMALE_NOUNS = word_set(
    """wife girlfriend fiancée fiancee stepmother stepmom stepmum godmother goddaughter wifey gf
    stepsister half-sister"""
)
MALE_NOUNS = word_set(
    "husband boyfriend stepfather stepdad godfather godson hubby bf stepbrother half-brother"
)
TITLE_NOUNS = word_set(
    "mum mom mommy mummy dad daddy grandma grandpa granny gran nana grandad granddad"
)
AGE_WORDS = {
    "older": "older",
    "elder": "older",
    "big": "older",
    "younger": "younger",
    "little": "younger",
    "oldest": "oldest",
    "eldest": "oldest",
    "youngest": "youngest",
    "twin": "twin",
    "middle": "middle",
}

HEDGES = word_set("maybe perhaps probably possibly presumably supposedly")
NEAR_NEGATIONS = word_set("hardly barely rarely seldom scarcely almost nearly")
SAYING = word_set("say tell claim mention insist report swear explain write announce reckon text")
HEARING = frozenset({"hear", "read"})
BELIEVING = word_set("think guess believe suppose assume suspect bet reckon")
FACTIVE = word_set("know realize realise notice remember love like mean see admit forget")
FACTIVE_ADJECTIVES = word_set(
    """glad happy proud sad lucky sorry grateful thankful blessed excited relieved true fortunate
    thrilled"""
)
CONDITIONAL_MARKS = frozenset({"if", "unless", "whether", "lest", "suppose", "supposing"})
FICTION_MARKS = (
    "imagine",
    "pretend",
    "role-play",
    "roleplay",
    "role play",
    "once upon a time",
    "in my dream",
    "in my dreams",
    "in a dream",
    "in the story",
    "in my story",
    "my character",
    "in my novel",
    "in the game",
    "hypothetically",
    "for example",
    "for instance",
    "let's say",
    "say you",
    "e.g.",
    "example sentence",
    "translate",
    "in a parallel",
    "in another life",
    "in this scenario",
    "act as",
    "dreamt",
    "dreamed",
    "in the book",
    "in the movie",
)
JOKE_MARKS = (
    "just kidding",
    "jk",
    "kidding",
    "just joking",
    "/s",
    "only joking",
    "not really lol",
    "i wish lol",
)
CORRECTION_OPENINGS = (
    "actually",
    "no,",
    "correction",
    "sorry, i meant",
    "i meant",
    "i mean,",
    "wait,",
    "oops",
    "no it",
    "no its",
)

ENGLISH_STOP_WORDS = word_set(
    """a an and are am as at be been but by can could did do does doing don't for from get go got
    had has have he her here him his how i i'm if in is it it's its just like me my no not now
    of on one or our out she so some than that the their them then there they this to too up us
    very was we were what when where which who why will with would you your 's 'm n't im dont hi
    hello yes ok thanks love"""
)
