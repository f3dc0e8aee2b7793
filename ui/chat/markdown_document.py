"""Fills a text document from a model's Markdown: no HTML, no images, and the theme's type."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextTable,
)

from ui.theme import ThemeManager

SAFE_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownNoHTML
    | QTextDocument.MarkdownFeature.MarkdownDialectGitHub
)
"""Default features lose the text after ``<tag>`` (reference/desktop §4.4, gpt4all#1027)."""

_ALLOWED_SCHEMES = frozenset({"https", "mailto", "app"})

_HEADING_FACTORS = {1: 1.3, 2: 1.2, 3: 1.1}

_LINE_HEIGHT_PERCENT = 125.0


def is_allowed_link(url: QUrl) -> bool:
    """Whether a link in a message may be opened; file: and http: could leak or mislead."""
    return url.scheme() in _ALLOWED_SCHEMES


def fill_markdown(document: QTextDocument, text: str, theme: ThemeManager) -> None:
    """Replace the document's content by ``text`` read as Markdown without HTML."""
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(theme.font())
    document.setMarkdown(text, SAFE_FEATURES)
    _replace_images(document)
    _style(document, theme)


def fill_plain(document: QTextDocument, text: str, theme: ThemeManager) -> None:
    """Replace the document's content by ``text`` exactly as it was written."""
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(theme.font())
    document.setPlainText(text)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(_line_height())


def _line_height() -> QTextBlockFormat:
    spacing = QTextBlockFormat()
    kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight
    spacing.setLineHeight(_LINE_HEIGHT_PERCENT, kind.value)
    return spacing


def _replace_images(document: QTextDocument) -> None:
    """Put words in the place of pictures: nothing is ever fetched for a message."""
    found: list[tuple[int, str]] = []
    block = document.begin()
    while block.isValid():
        for position, style in _fragments(block):
            if style.isImageFormat():
                alt = str(style.property(QTextFormat.Property.ImageAltText) or "")
                found.append((position, alt or style.toImageFormat().name()))
        block = block.next()
    cursor = QTextCursor(document)
    for position, words in reversed(found):
        cursor.setPosition(position)
        cursor.deleteChar()
        cursor.insertText(f"[picture not loaded: {words}]", QTextCharFormat())


def _fragments(block: QTextBlock) -> list[tuple[int, QTextCharFormat]]:
    fragments = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        fragments.append((fragment.position(), fragment.charFormat()))
        iterator += 1
    return fragments


def _style(document: QTextDocument, theme: ThemeManager) -> None:
    block = document.begin()
    while block.isValid():
        _style_block(document, block, theme)
        block = block.next()
    _style_tables(document.rootFrame(), theme)
    root = document.rootFrame().frameFormat()
    root.setMargin(0)
    document.rootFrame().setFrameFormat(root)


def _style_block(document: QTextDocument, block: QTextBlock, theme: ThemeManager) -> None:
    cursor = QTextCursor(block)
    space = theme.em(0.28)
    spacing = _line_height()
    old = block.blockFormat()
    first = block == document.begin()
    last = not block.next().isValid()
    in_table = cursor.currentTable() is not None
    heading = old.headingLevel()
    if in_table:
        spacing = QTextBlockFormat()
    spacing.setTopMargin(0 if first or in_table else theme.em(0.6) if heading else space)
    spacing.setBottomMargin(0 if last or in_table else space)
    if old.intProperty(QTextFormat.Property.BlockQuoteLevel):
        spacing.setLeftMargin(theme.em(0.9) * old.intProperty(QTextFormat.Property.BlockQuoteLevel))
    cursor.mergeBlockFormat(spacing)
    if old.intProperty(QTextFormat.Property.BlockQuoteLevel):
        muted = QTextCharFormat()
        muted.setForeground(QBrush(theme.colour("text_muted")))
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.mergeCharFormat(muted)
    if heading:
        bigger = QTextCharFormat()
        bigger.setFontPointSize(theme.points * _HEADING_FACTORS.get(heading, 1.0))
        bigger.setProperty(QTextFormat.Property.FontSizeAdjustment, 0)
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.mergeCharFormat(bigger)
    _style_code(block, theme)


def _style_code(block: QTextBlock, theme: ThemeManager) -> None:
    code = QTextCharFormat()
    code.setFontFamilies(theme.code_font().families() or [theme.code_font().family()])
    code.setBackground(QBrush(theme.colour("inline_code_ground")))
    code.setFontPointSize(theme.points * 0.95)
    cursor = QTextCursor(block)
    iterator = block.begin()
    spans: list[tuple[int, int]] = []
    while not iterator.atEnd():
        fragment = iterator.fragment()
        if fragment.charFormat().fontFixedPitch():
            spans.append((fragment.position(), fragment.length()))
        iterator += 1
    for position, length in spans:
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(code)


def _style_tables(frame: QTextFrame, theme: ThemeManager) -> None:
    for child in frame.childFrames():
        if isinstance(child, QTextTable):
            style = child.format().toTableFormat()
            style.setBorder(1)
            style.setBorderBrush(QBrush(QColor(theme.tokens.border_strong)))
            style.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            style.setBorderCollapse(True)
            style.setCellPadding(theme.em(0.3))
            style.setCellSpacing(0)
            style.setTopMargin(theme.em(0.4))
            style.setBottomMargin(theme.em(0.4))
            child.setFormat(style)
        _style_tables(child, theme)
