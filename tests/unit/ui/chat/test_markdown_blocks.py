"""How an answer is cut into prose and code, also while it still grows."""

from __future__ import annotations

from ui.chat.markdown_blocks import LONGEST_TAIL, Block, pieces_of, shown_part, split_blocks


def test_that_a_fence_becomes_code_between_prose() -> None:
    text = "Before\n\n```python\nx = 1\n```\nafter"
    assert split_blocks(text) == [
        Block("prose", "Before"),
        Block("code", "x = 1", "python"),
        Block("prose", "after", closed=False),
    ]


def test_that_a_fence_without_end_is_open_code() -> None:
    assert split_blocks("```js\nlet a") == [Block("code", "let a", "js", closed=False)]


def test_that_half_a_language_name_is_not_shown() -> None:
    assert split_blocks("```pytho") == [Block("code", "", "", closed=False)]


def test_that_backticks_inside_a_longer_fence_stay_code() -> None:
    text = "````\n```\ninner\n```\n````"
    assert split_blocks(text) == [Block("code", "```\ninner\n```")]


def test_that_tildes_do_not_close_backticks() -> None:
    (block,) = split_blocks("```\na\n~~~\nb")
    assert block == Block("code", "a\n~~~\nb", closed=False)


def test_that_code_in_a_list_loses_the_indent_of_its_fence() -> None:
    blocks = split_blocks("1. do\n   ```sh\n   ls\n     -l\n   ```\n2. done")
    assert blocks[1] == Block("code", "ls\n  -l", "sh")


def test_that_inline_backticks_are_prose() -> None:
    assert [block.kind for block in split_blocks("use ``` a ``` here")] == ["prose"]


def test_that_no_character_of_prose_is_lost_by_cutting() -> None:
    text = "\n\n".join(f"Paragraph {number} with some words in it." for number in range(200))
    pieces = pieces_of(text)
    assert len(pieces) > 3
    assert "\n\n".join(piece.text for piece in pieces) == text


def test_that_pieces_stay_the_same_while_text_is_added() -> None:
    text = "\n\n".join(f"Paragraph {number} with some words in it." for number in range(200))
    before: list[Block] = []
    for end in range(0, len(text), 97):
        pieces = pieces_of(text[:end])
        assert pieces[: len(before) - 1] == before[: max(0, len(before) - 1)]
        before = pieces


def test_that_a_list_is_never_cut() -> None:
    text = "Intro " * 250 + "\n\n" + "\n\n".join(f"{n}. item" for n in range(1, 90))
    pieces = pieces_of(text + "\n\nThe end\n\n")
    assert any(piece.text.count(". item") == 89 for piece in pieces)


def test_that_a_short_answer_is_one_piece() -> None:
    text = "One.\n\nTwo.\n\nThree."
    assert len(text) < LONGEST_TAIL
    assert [piece.text for piece in pieces_of(text)] == [text]


def test_that_a_giant_line_is_broken_for_display_without_losing_anything() -> None:
    shown, left_out = shown_part("a" * 12_000)
    assert max(len(line) for line in shown.split("\n")) <= 5_000
    assert (shown.replace("\n", ""), left_out) == ("a" * 12_000, 0)


def test_that_the_rest_of_a_huge_message_is_counted() -> None:
    shown, left_out = shown_part("a line of twenty.\n" * 5_000)
    assert len(shown) + left_out == 90_000
