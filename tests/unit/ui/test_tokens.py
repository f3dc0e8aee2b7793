"""Every pair of colours that the window sets on each other can be read."""

from __future__ import annotations

import pytest

from ui.tokens import DARK, LIGHT, Tokens, contrast

TEXT_ON_GROUND = (
    ("text", "background"),
    ("text", "sidebar"),
    ("text", "surface"),
    ("text", "surface_raised"),
    ("text", "warning_soft"),
    ("text", "danger_soft"),
    ("text_muted", "background"),
    ("text_muted", "sidebar"),
    ("text_muted", "surface"),
    ("text_muted", "surface_raised"),
    ("text_muted", "code_ground"),
    ("text_muted", "danger_soft"),
    ("accent", "background"),
    ("accent", "surface"),
    ("accent", "code_ground"),
    ("accent", "danger_soft"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("on_accent_soft", "accent_soft"),
    ("on_bubble_own", "bubble_own"),
    ("on_bubble_other", "bubble_other"),
    ("on_bubble_other", "inline_code_ground"),
    ("text_muted", "bubble_other"),
    ("link", "bubble_other"),
    ("code_text", "code_ground"),
    ("success", "code_ground"),
    ("warning", "code_ground"),
    ("link", "code_ground"),
    ("danger", "surface"),
    ("danger", "danger_soft"),
    ("on_selection", "selection"),
)

MARKS_ON_GROUND = (
    ("border_strong", "background"),
    ("border_strong", "surface"),
    ("border_strong", "sidebar"),
    ("focus", "background"),
    ("focus", "sidebar"),
    ("focus", "surface"),
    ("focus", "bubble_own"),
    ("scroll_handle", "background"),
    ("success", "background"),
    ("warning", "warning_soft"),
)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.scheme)
@pytest.mark.parametrize(("front", "ground"), TEXT_ON_GROUND)
def test_that_text_reaches_four_and_a_half_to_one(tokens: Tokens, front: str, ground: str) -> None:
    assert contrast(getattr(tokens, front), getattr(tokens, ground)) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda tokens: tokens.scheme)
@pytest.mark.parametrize(("front", "ground"), MARKS_ON_GROUND)
def test_that_marks_reach_three_to_one(tokens: Tokens, front: str, ground: str) -> None:
    assert contrast(getattr(tokens, front), getattr(tokens, ground)) >= 3.0


def test_that_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
