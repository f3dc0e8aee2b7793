"""Draws the rows of the fact tree: group headings, and facts with their marks and confidence."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from aico_desktop.contract.messages import FactView
from ui.knowledge import colours
from ui.knowledge.fact_model import FACT_ROLE, GROUP_ROLE
from ui.knowledge.grouping import FactGroup
from ui.knowledge.wording import confidence_in_words, dates_in_words, marks_of

AnyIndex = QModelIndex | QPersistentModelIndex

_MOST_LINES = 2


def small_font(font: QFont) -> QFont:
    """The font of secondary lines: a tenth smaller than ``font``."""
    smaller = QFont(font)
    smaller.setPointSizeF(max(font.pointSizeF() * 0.9, 1.0))
    return smaller


def bold_font(font: QFont) -> QFont:
    """``font`` in a heavier weight, for headings."""
    heavier = QFont(font)
    heavier.setWeight(QFont.Weight.DemiBold)
    return heavier


class FactDelegate(QStyledItemDelegate):
    """Lays a row out from font metrics alone, so that it grows with the text size.

    Args:
        view: the tree whose width decides where lines break.
        today: gives the day that "past" is told from.
    """

    def __init__(self, view: QTreeView, today: Callable[[], date]) -> None:
        super().__init__(view)
        self._view = view
        self._today = today

    # ------------------------------------------------------------ sizes

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Height of a heading, or of one or two lines of text and one of marks."""
        metrics = QFontMetrics(self._view.font())
        width = self._view.viewport().width()
        pad = _pad(metrics)
        fact = index.data(FACT_ROLE)
        if not isinstance(fact, FactView):
            return QSize(width, metrics.height() + 2 * pad)
        lines = self._line_count(fact.text, metrics, width - 4 * pad)
        small = QFontMetrics(small_font(self._view.font()))
        return QSize(width, lines * metrics.height() + small.height() + int(2.4 * pad))

    @staticmethod
    def _line_count(text: str, metrics: QFontMetrics, width: int) -> int:
        return 1 if metrics.horizontalAdvance(text) <= width else _MOST_LINES

    # ------------------------------------------------------------ painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draw one row; painter state is given back as it came."""
        painter.save()
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_background(painter, option, index)
            fact, group = index.data(FACT_ROLE), index.data(GROUP_ROLE)
            if isinstance(fact, FactView):
                self._paint_fact(painter, option, fact)
            elif isinstance(group, FactGroup):
                self._paint_group(painter, option, group, self._view.isExpanded(index))
        finally:
            painter.restore()

    def _paint_background(
        self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex
    ) -> None:
        rect, palette, state = _parts(option)
        box = QRectF(rect).adjusted(3, 1.5, -3, -1.5)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if selected or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.tint(palette, 0.2 if selected else 0.07))
            painter.drawRoundedRect(box, 6, 6)
        if selected:
            painter.setBrush(colours.accent(palette))
            painter.drawRoundedRect(
                QRectF(box.left(), box.top() + 6, 3, box.height() - 12), 1.5, 1.5
            )
        if self._view.hasFocus() and index == self._view.currentIndex():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colours.accent(palette), 2))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6)

    def _paint_group(
        self, painter: QPainter, option: QStyleOptionViewItem, group: FactGroup, expanded: bool
    ) -> None:
        rect, palette, _ = _parts(option)
        font = bold_font(self._view.font())
        metrics = QFontMetrics(font)
        pad = _pad(metrics)
        middle = rect.center().y() + 0.5
        _paint_chevron(painter, palette, QPointF(rect.left() + 1.6 * pad, middle), pad, expanded)
        count = str(len(group.facts))
        count_width = metrics.horizontalAdvance(count) + pad
        line = QRect(rect)
        line.setLeft(rect.left() + 3 * pad)
        line.setRight(rect.right() - 2 * pad - count_width)
        painter.setFont(font)
        painter.setPen(colours.text_colour(palette))
        words = metrics.elidedText(group.title, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, words)
        painter.setFont(small_font(self._view.font()))
        painter.setPen(colours.muted(palette))
        painter.drawText(
            rect.adjusted(0, 0, -2 * pad, 0),
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
            count,
        )

    def _paint_fact(self, painter: QPainter, option: QStyleOptionViewItem, fact: FactView) -> None:
        rect, palette, _ = _parts(option)
        font = self._view.font()
        metrics = QFontMetrics(font)
        pad = _pad(metrics)
        inner = rect.adjusted(3 * pad, pad, -pad, -pad)
        marks = marks_of(fact, self._today())
        quiet = any(mark.word in ("Past", "Replaced") for mark in marks)
        painter.setFont(font)
        painter.setPen(colours.muted(palette) if quiet else colours.text_colour(palette))
        lines = _broken(fact.text, metrics, inner.width())
        for number, line in enumerate(lines):
            baseline = inner.top() + number * metrics.height() + metrics.ascent()
            painter.drawText(inner.left(), baseline, line)
        top = inner.top() + len(lines) * metrics.height() + int(0.4 * pad)
        self._paint_second_line(
            painter,
            palette,
            fact,
            QRect(inner.left(), top, inner.width(), QFontMetrics(small_font(font)).height()),
        )

    def _paint_second_line(
        self, painter: QPainter, palette: QPalette, fact: FactView, line: QRect
    ) -> None:
        font = small_font(self._view.font())
        metrics = QFontMetrics(font)
        painter.setFont(font)
        left = float(line.left())
        confidence = confidence_in_words(fact.confidence)
        dot = metrics.height() * 0.3
        for number in range(3):
            painter.setPen(QPen(colours.muted(palette), 1.2))
            painter.setBrush(
                colours.muted(palette) if number < confidence.filled else Qt.BrushStyle.NoBrush
            )
            painter.drawEllipse(QRectF(left, line.center().y() - dot / 2 + 0.5, dot, dot))
            left += dot * 1.5
        left += dot * 0.6
        pieces = [confidence.words, dates_in_words(fact, self._today())]
        words = "  ·  ".join(piece for piece in pieces if piece)
        marks = [mark.word for mark in marks_of(fact, self._today())]
        chips_width = sum(_chip_width(word, metrics) for word in marks)
        room = max(line.right() - left - chips_width, metrics.averageCharWidth() * 4)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(room))
        painter.setPen(colours.muted(palette))
        painter.drawText(QPointF(left, line.top() + metrics.ascent()), shown)
        left += metrics.horizontalAdvance(shown) + metrics.height() * 0.6
        for word in marks:
            width = _chip_width(word, metrics)
            if left + width > line.right() + metrics.height():
                break
            left = _paint_chip(painter, palette, word, QPointF(left, line.top()), metrics)


def _pad(metrics: QFontMetrics) -> int:
    return max(4, metrics.height() // 2 - 1)


def _parts(option: QStyleOptionViewItem) -> tuple[QRect, QPalette, QStyle.StateFlag]:
    """Place, colours and state of a row; a style sheet makes the option's own base see-through."""
    return option.rect, QApplication.palette(), option.state


def _broken(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """``text`` in at most two lines, broken at a space, the last one elided."""
    if metrics.horizontalAdvance(text) <= width:
        return [text]
    words = text.split(" ")
    first = ""
    while words and metrics.horizontalAdvance(f"{first} {words[0]}".strip()) <= width:
        first = f"{first} {words.pop(0)}".strip()
    if not first:
        return [metrics.elidedText(text, Qt.TextElideMode.ElideRight, width), ""]
    return [first, metrics.elidedText(" ".join(words), Qt.TextElideMode.ElideRight, width)]


def _paint_chevron(
    painter: QPainter, palette: QPalette, middle: QPointF, pad: int, expanded: bool
) -> None:
    size = pad * 0.5
    points = (
        [(-size, -size / 2), (0, size / 2), (size, -size / 2)]
        if expanded
        else [(-size / 2, -size), (size / 2, 0), (-size / 2, size)]
    )
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colours.muted(palette), 1.6))
    painter.drawPolyline(QPolygonF([middle + QPointF(x, y) for x, y in points]))


def _chip_width(word: str, metrics: QFontMetrics) -> float:
    return metrics.horizontalAdvance(word) + metrics.height() * 1.2


def _paint_chip(
    painter: QPainter, palette: QPalette, word: str, corner: QPointF, metrics: QFontMetrics
) -> float:
    """Draw an outlined word; returns where the next one may begin."""
    width = metrics.horizontalAdvance(word) + metrics.height() * 0.8
    box = QRectF(corner.x(), corner.y() + 0.5, width, metrics.height() - 1)
    painter.setPen(QPen(colours.muted(palette), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, word)
    return corner.x() + _chip_width(word, metrics)


def focus_ring(painter: QPainter, widget: QWidget) -> None:
    """Draw the ring that shows where the keyboard is."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colours.accent(widget.palette()), 2))
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(1, 1, -1, -1), 6, 6)
