"""Light and dark, text size and the fonts of the whole window, applied at once when they change."""

from __future__ import annotations

from typing import Literal, get_args

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

from ui.stylesheet import stylesheet
from ui.tokens import DARK, LIGHT, Tokens

ThemeChoice = Literal["system", "light", "dark"]

SMALLEST_SCALE = 80
LARGEST_SCALE = 200
SCALE_STEP = 10
"""Text size in percent of the system's; 200 % is what WCAG 2.2 asks for."""

_COMFORTABLE_POINTS = 10.5
"""Below this a day of reading tires; systems that report a smaller font are raised to it."""

_EMOJI_FAMILIES = ("Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji")


class ThemeManager(QObject):
    """Owns palette, style sheet and application font.

    The application is not asked for its own dark mode, because ``setColorScheme`` has no effect
    on platforms without a platform theme (reference/desktop §2.2): this class sets the palette
    and follows the system's scheme where it is told one.
    """

    changed = Signal()
    #: The palette, the tokens or the text size are new; whoever paints itself paints again.

    def __init__(self, application: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._application = application
        self._choice: ThemeChoice = "system"
        self._scale = 100
        self._base = QFont(application.font())
        self._base.setPointSizeF(max(_COMFORTABLE_POINTS, self._base.pointSizeF()))
        self._tokens = LIGHT
        self._line_height = QFontMetricsF(self._base).height()
        fusion = QStyleFactory.create("Fusion")
        if fusion is not None:
            application.setStyle(fusion)
        _use_colour_emoji()
        application.styleHints().colorSchemeChanged.connect(self._on_system_scheme_changed)
        self.apply()

    @property
    def tokens(self) -> Tokens:
        """Colours of the scheme in force."""
        return self._tokens

    @property
    def choice(self) -> ThemeChoice:
        """What the person chose."""
        return self._choice

    @property
    def scale(self) -> int:
        """Text size in percent."""
        return self._scale

    @property
    def points(self) -> float:
        """Size of ordinary text in points."""
        return self._base.pointSizeF() * self._scale / 100

    def choose(self, choice: str) -> None:
        """Follow the system, or stay light or dark; an unknown word means the system."""
        valid = choice in get_args(ThemeChoice)
        self._choice = choice if valid else "system"  # type: ignore[assignment]  # checked above
        self.apply()

    def set_scale(self, percent: int) -> None:
        """Set the text size, kept between 80 and 200 percent."""
        self._scale = min(LARGEST_SCALE, max(SMALLEST_SCALE, percent))
        self.apply()

    def colour(self, name: str) -> QColor:
        """The colour of one token by its name."""
        return QColor(getattr(self._tokens, name))

    def font(self, factor: float = 1.0, *, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """The text font at ``factor`` times the ordinary size."""
        font = QFont(self._base)
        font.setPointSizeF(self.points * factor)
        font.setWeight(weight)
        return font

    def code_font(self, factor: float = 0.95) -> QFont:
        """The fixed-pitch font of code."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPointSizeF(self.points * factor)
        return font

    def em(self, factor: float = 1.0) -> int:
        """Pixels of ``factor`` line heights of ordinary text: the unit of all spaces."""
        return max(1, round(self._line_height * factor))

    def apply(self) -> None:
        """Set font, palette and style sheet of the application from the present choice."""
        self._tokens = DARK if self._wants_dark() else LIGHT
        font = self.font()
        self._line_height = QFontMetricsF(font).height()
        self._application.setFont(font)
        self._application.setPalette(palette_of(self._tokens))
        self._application.setStyleSheet(stylesheet(self._tokens, self.points))
        self.changed.emit()

    def _wants_dark(self) -> bool:
        if self._choice == "system":
            scheme = self._application.styleHints().colorScheme()
            return bool(scheme == Qt.ColorScheme.Dark)
        return self._choice == "dark"

    def _on_system_scheme_changed(self) -> None:
        if self._choice == "system":
            self.apply()


def palette_of(tokens: Tokens) -> QPalette:
    """The Qt palette that says the same as ``tokens``."""
    role = QPalette.ColorRole
    colours = {
        role.Window: tokens.background,
        role.WindowText: tokens.text,
        role.Base: tokens.surface,
        role.AlternateBase: tokens.sidebar,
        role.Text: tokens.text,
        role.PlaceholderText: tokens.text_muted,
        role.Button: tokens.surface,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.danger,
        role.ToolTipBase: tokens.surface_raised,
        role.ToolTipText: tokens.text,
        role.Highlight: tokens.selection,
        role.HighlightedText: tokens.on_selection,
        role.Link: tokens.link,
        role.LinkVisited: tokens.link,
        role.Light: tokens.surface_raised,
        role.Midlight: tokens.border,
        role.Mid: tokens.border_strong,
        role.Dark: tokens.border_strong,
        role.Shadow: tokens.border_strong,
        role.Accent: tokens.accent,
    }
    palette = QPalette()
    for name, colour in colours.items():
        palette.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(tokens.text_muted))
    return palette


def set_text_role(widget: QWidget, name: str) -> None:
    """Give a label a text role of the sheet: title, heading, strong, muted, small, danger."""
    widget.setProperty("textRole", name)
    repolish(widget)


def set_kind(widget: QWidget, name: str) -> None:
    """Give a button a kind of the sheet: primary, danger, quiet, inline, row, card, pill, round."""
    widget.setProperty("kind", name)
    repolish(widget)


def repolish(widget: QWidget) -> None:
    """Make the style sheet look at a widget's properties again."""
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)


def _use_colour_emoji() -> None:
    """Prefer a colour emoji font that is installed; text emoji otherwise turn into boxes."""
    installed = set(QFontDatabase.families())
    present = [family for family in _EMOJI_FAMILIES if family in installed]
    if present:
        QFontDatabase.setApplicationEmojiFontFamilies(present)
