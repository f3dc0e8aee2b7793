"""Sentences from which nothing may be learnt: small talk, questions, jokes, code, idioms."""

from __future__ import annotations

import pytest

from tests.unit.understanding.conftest import Read

SMALL_TALK = [
    "Hi there!",
    "Hello, how are you?",
    "Thanks a lot!",
    "Good morning!",
    "I'm good.",
    "I'm fine, thanks.",
    "I'm home.",
    "I'm in.",
    "I love it.",
    "I love it all.",
    "I like that.",
    "I like that idea.",
    "I love this!",
    "I had fun.",
    "Have a look!",
    "Have a nice day!",
    "Sounds great!",
    "That's awesome.",
    "Take care!",
    "See you later.",
    "Nice to meet you.",
    "You're welcome.",
    "Congratulations, Ana!",
    "I agree.",
    "I see what you mean.",
    "I know, right?",
    "I have to go.",
    "I have a question.",
    "I have an idea.",
    "I have a lot to do.",
    "I have no idea.",
    "I need some time.",
    "I want something else.",
    "I want to know more.",
    "I'd love to hear more.",
    "I'd like to ask you something.",
    "I hope so.",
    "I hope you are well.",
    "I'm sorry to hear that.",
    "I'm happy for you.",
    "I'm on my way.",
    "I'm tired.",
    "I'm busy right now.",
    "It is what it is.",
    "Everything is fine.",
    "What a day!",
]
GENERIC_AND_VAGUE = [
    "You never know.",
    "You can't have everything.",
    "You live and learn.",
    "People love pizza.",
    "It works for me.",
    "I love my job.",
    "I like things.",
    "I love everything about it.",
    "I like the movie.",
    "I have things to do.",
    "We had a great time.",
    "I made a mistake.",
    "I made a decision.",
    "I'm a big help.",
    "He lives in Graz.",
    "She works at Acme.",
    "They have a dog.",
    "His sister is a nurse.",
    "Some people live in tents.",
    "Someone works at Acme.",
    "Nobody likes olives.",
]
QUESTIONS_AND_COMMANDS = [
    "Where do you live?",
    "Do you like sushi?",
    "Do I live in Leipzig?",
    "Am I allergic to nuts?",
    "Did I tell you that?",
    "Should I move to Berlin?",
    "Can I have a dog?",
    "What would you do?",
    "Is Ana a nurse?",
    "Who lives in Graz?",
    "Tell me a story.",
    "Move to Berlin!",
    "Buy a car.",
    "Eat more vegetables.",
    "Don't smoke!",
    "Please call me back.",
    "Imagine I live in Rome.",
]
HYPOTHETICAL_WISHED_JOKING_FICTIONAL = [
    "If I had a sister I would call her Ana.",
    "If I lived in Rome, I would eat pasta.",
    "I would live in Rome if I could.",
    "I wish I had a dog.",
    "I wish I lived in Rome.",
    "I could be a pilot.",
    "I should quit smoking.",
    "I might as well.",
    "I dreamed that I lived in Rome.",
    "I live in a castle on the moon, just kidding.",
    "I'm the king of France, jk.",
    "In my dream I was a pilot.",
    "Let's pretend I work at Acme.",
    "In my novel, I am a pilot.",
    "Once upon a time I lived in Rome.",
    "Suppose I moved to Rome.",
    "Whether I live in Rome is unclear.",
    "I doubt that Ana lives in Graz.",
    "I don't think I like olives.",
    "I wonder if Ana likes sushi.",
    "I'm not sure whether I like it.",
    "Unless I move to Rome, nothing changes.",
    "I almost moved to Rome.",
    "I nearly bought a car.",
    "I hardly drink coffee.",
    "Do I look like I work at Acme?",
]
NOT_THE_SPEAKER_S_WORDS = [
    '"I live in Rome" is a line from a song.',
    "```I live in Rome```",
    "> I live in Rome",
    'def live(): return "I live in Rome"',
    "2026-11-30 12:00:01 INFO I live in Rome",
    "| name | I live in Rome |",
    "*I move to Rome*",
    "Check https://example.org/I-live-in-Rome",
    "Translate: I live in Rome.",
    "For example, I live in Rome.",
    "He told me that you live in Rome.",
    "You live in Rome.",
    "You are a great teacher.",
    "Your sister is nice.",
    "Your dog Rex is cute.",
    "Ich wohne in Leipzig und arbeite bei Acme als Ingenieur seit vielen Jahren.",
    "Vivo en Madrid con mi hermana y trabajo en un banco muy grande de la ciudad.",
    "J'habite à Lyon avec ma soeur et je travaille dans une grande banque du centre.",
]
ALMOST_FACTS = [
    "I have a sister company.",
    "My mother tongue is German.",
    "I have a meeting with my soccer coach.",
    "I like to think so.",
    "I love to be honest.",
    "I'm allergic to it.",
    "I'm afraid of that.",
    "I'm interested in more.",
    "I want to do that.",
    "I want to get better.",
    "I play a role in it.",
    "I work on it.",
    "I work hard.",
    "I work from home.",
    "I moved on.",
    "I moved the table.",
    "I left the room.",
    "I quit.",
    "I started over.",
    "I got it.",
    "I live for this.",
    "I live in fear.",
    "I live in hope.",
    "I come from work.",
    "I went to bed.",
    "I went home.",
    "I have a cold beer.",
    "I have seen it.",
    "I run a risk.",
    "I drink to that.",
    "I eat out a lot.",
    "I speak my mind.",
    "My favorite is this one.",
    "My favourite color is the same as yours.",
    "I turned 180 degrees.",
    "I'm 5 minutes away.",
    "I'm single-minded.",
    "I'm dying to know.",
]


@pytest.mark.parametrize("text", SMALL_TALK)
def test_that_small_talk_teaches_nothing(read: Read, text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", GENERIC_AND_VAGUE)
def test_that_generic_and_vague_teaches_nothing(read: Read, text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", QUESTIONS_AND_COMMANDS)
def test_that_questions_and_commands_teaches_nothing(read: Read, text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", HYPOTHETICAL_WISHED_JOKING_FICTIONAL)
def test_that_hypothetical_wished_joking_fictional_teaches_nothing(read: Read, text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", NOT_THE_SPEAKER_S_WORDS)
def test_that_not_the_speaker_s_words_teaches_nothing(read: Read, text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", ALMOST_FACTS)
def test_that_almost_facts_teaches_nothing(read: Read, text: str) -> None:
    assert read(text) == []
