"""The design's colours as named tokens for light and dark, and the contrast rule that they obey."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scheme = Literal["light", "dark"]


@dataclass(frozen=True)
class Tokens:
    """Every colour of one scheme as ``#rrggbb``.

    Text on the ground it is meant for reaches 4.5:1 and marks reach 3:1 (WCAG 2.2 AA,
    reference/desktop §9); ``tests/unit/ui/test_tokens.py`` keeps it so.
    """

    scheme: Scheme
    background: str
    sidebar: str
    surface: str
    surface_raised: str
    border: str
    border_strong: str
    text: str
    text_muted: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str
    on_accent_soft: str
    bubble_own: str
    on_bubble_own: str
    bubble_own_muted: str
    bubble_other: str
    on_bubble_other: str
    code_ground: str
    code_text: str
    inline_code_ground: str
    link: str
    selection: str
    on_selection: str
    danger: str
    danger_soft: str
    warning: str
    warning_soft: str
    success: str
    focus: str
    scroll_handle: str


LIGHT = Tokens(
    scheme="light",
    background="#f7f6f3",
    sidebar="#efede8",
    surface="#ffffff",
    surface_raised="#ffffff",
    border="#e0dcd3",
    border_strong="#8d887c",
    text="#1e2327",
    text_muted="#5b6169",
    accent="#1d6b66",
    accent_hover="#155751",
    on_accent="#ffffff",
    accent_soft="#e0eeeb",
    on_accent_soft="#134e49",
    bubble_own="#d8ebe6",
    on_bubble_own="#12302c",
    bubble_own_muted="#3f5f5a",
    bubble_other="#ffffff",
    on_bubble_other="#1e2327",
    code_ground="#f4f2ed",
    code_text="#24292e",
    inline_code_ground="#ece9e2",
    link="#0f5e8c",
    selection="#1d6b66",
    on_selection="#ffffff",
    danger="#a62419",
    danger_soft="#fbe9e6",
    warning="#7d5200",
    warning_soft="#fbf0da",
    success="#2a6a33",
    focus="#1d6b66",
    scroll_handle="#8f897b",
)

DARK = Tokens(
    scheme="dark",
    background="#15181a",
    sidebar="#101315",
    surface="#1d2124",
    surface_raised="#252a2e",
    border="#31373b",
    border_strong="#7f888e",
    text="#e8eaeb",
    text_muted="#a4adb3",
    accent="#6fcabf",
    accent_hover="#8bd8cf",
    on_accent="#07211e",
    accent_soft="#1f3835",
    on_accent_soft="#b6e5de",
    bubble_own="#1e4843",
    on_bubble_own="#e9f6f4",
    bubble_own_muted="#b0d0cb",
    bubble_other="#1f2427",
    on_bubble_other="#e8eaeb",
    code_ground="#14171a",
    code_text="#dfe4e7",
    inline_code_ground="#30373c",
    link="#8cc7f2",
    selection="#2f7f77",
    on_selection="#ffffff",
    danger="#ff9c90",
    danger_soft="#3b2220",
    warning="#f1c073",
    warning_soft="#362b18",
    success="#8ed39a",
    focus="#6fcabf",
    scroll_handle="#6a747b",
)


def _channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` (WCAG 2.2, definition of relative luminance)."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return 0.2126 * _channel(red) + 0.7152 * _channel(green) + 0.0722 * _channel(blue)


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2, definition of contrast ratio)."""
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
