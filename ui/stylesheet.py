"""The application style sheet, built from the tokens and the text size."""

from __future__ import annotations

from string import Template

from ui.tokens import Tokens

_SHEET = Template(
    """
QToolTip { background: $surface_raised; color: $text; border: 1px solid $border_strong;
  padding: ${s}px ${m}px; }

QLabel[textRole="title"] { font-size: ${title}pt; font-weight: 600; }
QLabel[textRole="heading"] { font-size: ${heading}pt; font-weight: 600; }
QLabel[textRole="strong"] { font-weight: 600; }
QLabel[textRole="muted"] { color: $text_muted; }
QLabel[textRole="small"] { font-size: ${small}pt; color: $text_muted; }
QLabel[textRole="danger"] { color: $danger; }

QPushButton { background: $surface; color: $text; border: 1px solid $border_strong;
  border-radius: ${radius}px; padding: ${s}px ${m}px; min-height: ${target}px; }
QPushButton:hover { background: $accent_soft; color: $on_accent_soft; }
QPushButton:pressed { background: $accent_soft; border-color: $accent; }
QPushButton:disabled { color: $text_muted; border-color: $border; background: transparent; }
QPushButton:focus { border: 2px solid $focus; padding: ${s1}px ${m1}px; }
QPushButton[kind="primary"] { background: $accent; color: $on_accent; border-color: $accent;
  font-weight: 600; }
QPushButton[kind="primary"]:hover { background: $accent_hover; color: $on_accent; }
QPushButton[kind="primary"]:disabled { background: $border; color: $text_muted;
  border-color: $border; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; }
QPushButton[kind="danger"] { color: $danger; border-color: $danger; background: transparent; }
QPushButton[kind="danger"]:hover { background: $danger_soft; color: $danger; }
QPushButton[kind="quiet"] { background: transparent; border: 2px solid transparent;
  color: $accent; padding: ${xs}px ${s}px; min-height: ${target_small}px; font-weight: 600; }
QPushButton[kind="quiet"]:hover { background: $accent_soft; color: $on_accent_soft; }
QPushButton[kind="quiet"]:focus { border: 2px solid $focus; }
QPushButton[kind="quiet"]:disabled { color: $text_muted; }
QPushButton[kind="inline"] { background: transparent; border: 2px solid transparent;
  color: $accent; padding: ${xs}px 0px; min-height: ${target_small}px; font-weight: 600; }
QPushButton[kind="inline"]:hover { text-decoration: underline; }
QPushButton[kind="inline"]:focus { border: 2px solid $focus; }
QPushButton[kind="row"] { background: transparent; border: 2px solid transparent; color: $text;
  text-align: left; padding: ${s}px ${m}px; }
QPushButton[kind="row"]:hover { background: $accent_soft; color: $on_accent_soft; }
QPushButton[kind="row"]:focus { border: 2px solid $focus; }
QPushButton[kind="card"] { background: $surface; border: 1px solid $border; color: $text;
  text-align: left; padding: ${m}px ${l}px; border-radius: ${radius_large}px; }
QPushButton[kind="card"]:hover { border-color: $accent; background: $surface; color: $text; }
QPushButton[kind="card"]:focus { border: 2px solid $focus; padding: ${m1}px ${l1}px; }

QToolButton { background: transparent; color: $text; border: 2px solid transparent;
  border-radius: ${radius}px; padding: ${xs}px; }
QToolButton:hover { background: $accent_soft; color: $on_accent_soft; }
QToolButton:pressed, QToolButton:checked { background: $accent_soft; color: $on_accent_soft; }
QToolButton:focus { border: 2px solid $focus; }
QToolButton:disabled { color: $text_muted; }
QToolButton::menu-indicator { image: none; width: 0; }
QToolButton[kind="pill"] { border: 1px solid $border; border-radius: ${pill}px;
  padding: ${xs}px ${xs}px ${xs}px ${s}px; }
QToolButton[kind="pill"]:focus { border: 2px solid $focus; }

QToolButton[kind="round"] { background: $accent; }
QToolButton[kind="round"]:hover { background: $accent_hover; }
QToolButton[kind="round"]:disabled { background: $border; }
QToolButton[kind="round"]:focus { border: 2px solid $text; }

QLineEdit, QComboBox, QDateEdit, QSpinBox { background: $surface; color: $text;
  border: 1px solid $border_strong; border-radius: ${radius}px; padding: ${s}px ${m}px; }
QLineEdit:focus, QComboBox:focus, QDateEdit:focus, QSpinBox:focus {
  border: 2px solid $focus; padding: ${s1}px ${m1}px; }
QLineEdit:disabled, QComboBox:disabled { color: $text_muted; border-color: $border; }
QComboBox::drop-down { border: none; width: ${l}px; }
QComboBox QAbstractItemView { background: $surface_raised; color: $text;
  border: 1px solid $border_strong; }

QListView, QTreeView, QTableView { background: transparent; border: none; color: $text;
  outline: none; }
QTreeView::item, QTableView::item { padding: ${xs}px; border-radius: ${radius}px; }
QTreeView::item:hover, QTableView::item:hover { background: $accent_soft;
  color: $on_accent_soft; }
QTreeView::item:selected, QTableView::item:selected { background: $accent_soft;
  color: $on_accent_soft; }
QTreeView::item:focus, QTableView::item:focus { border: 2px solid $focus; }
QHeaderView::section { background: transparent; color: $text_muted; border: none;
  border-bottom: 1px solid $border; padding: ${xs}px ${s}px; }

QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: $text_muted; border: none;
  border-bottom: 3px solid transparent; padding: ${s}px ${m}px; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; font-weight: 600; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:focus { background: $accent_soft; color: $on_accent_soft; }
QTabWidget::pane { border: none; border-top: 1px solid $border; }

QMenu { background: $surface_raised; color: $text; border: 1px solid $border_strong;
  padding: ${xs}px; }
QMenu::item { padding: ${s}px ${l}px; border-radius: ${radius}px; }
QMenu::item:selected { background: $accent_soft; color: $on_accent_soft; }
QMenu::item:disabled { color: $text_muted; }
QMenu::separator { height: 1px; background: $border; margin: ${xs}px ${s}px; }
QMenu::icon { padding-left: ${s}px; }

QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: ${bar}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${bar}px; margin: 0; }
QScrollBar::handle { background: $scroll_handle; border-radius: ${bar_radius}px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 36px; }
QScrollBar::handle:horizontal { min-width: 36px; }
QScrollBar::handle:disabled { background: transparent; }
QScrollBar::handle:hover { background: $border_strong; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QSplitter::handle { background: $border; }
QSplitter::handle:hover { background: $accent; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QDialog, QMainWindow { background: $background; }
QCheckBox, QRadioButton { spacing: ${s}px; }
QCheckBox:focus, QRadioButton:focus { border: 2px solid $focus; border-radius: ${xs}px; }
"""
)


def stylesheet(tokens: Tokens, points: float) -> str:
    """Style sheet text for ``tokens`` at a base text size of ``points`` pt.

    Spaces grow with the text, so that 200 % text keeps its air and its click targets.
    """
    unit = max(1, round(points * 0.4))
    sizes: dict[str, object] = {
        "xs": unit,
        "s": round(unit * 1.5),
        "s1": max(0, round(unit * 1.5) - 1),
        "m": unit * 3,
        "m1": unit * 3 - 1,
        "l": unit * 4,
        "l1": unit * 4 - 1,
        "radius": round(unit * 2),
        "radius_large": unit * 3,
        "pill": round(points * 1.1),
        "bar": max(12, unit * 3),
        "bar_radius": max(3, (max(12, unit * 3) - 6) // 2),
        "target": max(16, round(points * 1.5)),
        "target_small": max(14, round(points * 1.35)),
        "title": round(points * 1.5, 1),
        "heading": round(points * 1.15, 1),
        "small": round(points * 0.9, 1),
    }
    colours = {name: getattr(tokens, name) for name in tokens.__dataclass_fields__}
    return _SHEET.substitute(colours | sizes)
