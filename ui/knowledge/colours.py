"""Colours of the panel by purpose, from the palette, so that light and dark both keep contrast."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

_LIGHT_KINDS = {
    "PERSON": "#2f6fd0",
    "PET": "#a2601a",
    "PLACE": "#2a8250",
    "ORGANIZATION": "#7d4fc4",
    "EVENT": "#c03d68",
    "PROJECT": "#0f7f8c",
    "GOAL": "#b8482a",
    "INTEREST": "#8a6d00",
    "OTHER": "#66707c",
}
_DARK_KINDS = {
    "PERSON": "#7fb0ff",
    "PET": "#e2a568",
    "PLACE": "#6fcf97",
    "ORGANIZATION": "#bd9bf5",
    "EVENT": "#f58bac",
    "PROJECT": "#5cc8d4",
    "GOAL": "#f2917a",
    "INTEREST": "#dcc04c",
    "OTHER": "#a3adb8",
}
"""Each at least 3:1 against the base colour of its scheme (WCAG 2.2, 1.4.11)."""


def is_dark(palette: QPalette) -> bool:
    """Whether text is lighter than what it stands on."""
    base = palette.color(QPalette.ColorRole.Base)
    return base.lightnessF() < palette.color(QPalette.ColorRole.Text).lightnessF()


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """``first`` with ``share`` (0…1) of ``second`` in it."""
    keep = 1.0 - share
    return QColor.fromRgbF(
        first.redF() * keep + second.redF() * share,
        first.greenF() * keep + second.greenF() * share,
        first.blueF() * keep + second.blueF() * share,
    )


def with_alpha(colour: QColor, alpha: float) -> QColor:
    """The same colour, see-through (0 is invisible, 1 is solid)."""
    changed = QColor(colour)
    changed.setAlphaF(alpha)
    return changed


def text_colour(palette: QPalette) -> QColor:
    """Text on a list or card."""
    return palette.color(QPalette.ColorRole.Text)


def muted(palette: QPalette) -> QColor:
    """Secondary text."""
    return palette.color(QPalette.ColorRole.PlaceholderText)


def hairline(palette: QPalette) -> QColor:
    """Thin dividing lines and card borders."""
    return palette.color(QPalette.ColorRole.Midlight)


def accent(palette: QPalette) -> QColor:
    """Selection, focus and the bar beside a quote."""
    return palette.color(QPalette.ColorRole.Accent)


def tint(palette: QPalette, share: float = 0.14) -> QColor:
    """The base with a breath of accent: selected and hovered rows."""
    return mixed(palette.color(QPalette.ColorRole.Base), accent(palette), share)


def marker(palette: QPalette) -> QColor:
    """The highlighter behind quoted words; text keeps 4.5:1 on it."""
    pen = QColor("#d9b400") if is_dark(palette) else QColor("#ffd83d")
    return mixed(palette.color(QPalette.ColorRole.Base), pen, 0.26 if is_dark(palette) else 0.42)


def kind_colour(kind: str, palette: QPalette) -> QColor:
    """The colour of a family of entity labels in the graph."""
    colours = _DARK_KINDS if is_dark(palette) else _LIGHT_KINDS
    return QColor(colours.get(kind, colours["OTHER"]))
