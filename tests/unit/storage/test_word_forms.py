"""Words are found in their common forms, and others are left alone."""

from __future__ import annotations

import pytest

from backend.storage.word_forms import blanked_in, forms_of, name_of


@pytest.mark.parametrize(
    ("word", "text", "left"),
    [
        ("quizzleberries", "the classic Quizzleberry story", "the classic              story"),
        ("quizzleberry", "QUIZZLEBERRIES!", "              !"),
        ("zither", "zithers and a zither's sound", "        and a       's sound"),
        ("blue zithers", "a blue\nzither", "a            "),
        ("cat", "cats concatenate", "     concatenate"),
        ("nurse", "a nurse in the nursery", "a       in the nursery"),
        ("", "nothing", "nothing"),
    ],
)
def test_that_a_word_is_blanked_in_every_form(word: str, text: str, left: str) -> None:
    assert blanked_in(text, forms_of(word)) == left


def test_that_a_name_is_not_taken_for_a_longer_one() -> None:
    assert blanked_in("Peter's brother is Mr Peters", name_of("peter")) == (
        "     's brother is Mr Peters"
    )
