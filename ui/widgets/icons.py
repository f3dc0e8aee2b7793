"""Line icons drawn for this app, painted in any colour and size so that both themes share them."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

IconName = Literal[
    "alert",
    "arrow_down",
    "attachment",
    "check",
    "close",
    "copy",
    "end",
    "engine",
    "hourglass",
    "memory",
    "menu",
    "panel",
    "pause",
    "plus",
    "question",
    "refresh",
    "send",
    "sidebar",
    "source",
    "speech",
    "stop",
]

_STROKES: dict[IconName, str] = {
    "alert": '<path d="M12 4 L21 20 H3 Z"/><path d="M12 10 V14.5"/><path d="M12 17.2 V17.3"/>',
    "arrow_down": '<path d="M12 5 V19"/><path d="M6 13 L12 19 L18 13"/>',
    "attachment": '<path d="M7 3.5 H14 L18.5 8 V20.5 H7 Z"/><path d="M14 3.5 V8 H18.5"/>'
    '<path d="M10 12.5 H15.5"/><path d="M10 16 H15.5"/>',
    "check": '<path d="M5 12.5 L10 17.5 L19.5 7"/>',
    "close": '<path d="M6 6 L18 18"/><path d="M18 6 L6 18"/>',
    "copy": '<rect x="9" y="9" width="11" height="11" rx="2"/>'
    '<path d="M15 9 V6 A2 2 0 0 0 13 4 H6 A2 2 0 0 0 4 6 V13 A2 2 0 0 0 6 15 H9"/>',
    "end": '<rect x="6" y="6" width="12" height="12" rx="1.5"/>',
    "engine": '<rect x="6" y="6" width="12" height="12" rx="2.5"/><path d="M10 10 H14 V14 H10 Z"/>'
    '<path d="M9.5 3 V6 M14.5 3 V6 M9.5 18 V21 M14.5 18 V21'
    ' M3 9.5 H6 M3 14.5 H6 M18 9.5 H21 M18 14.5 H21"/>',
    "hourglass": '<path d="M7 4 H17 M7 20 H17"/>'
    '<path d="M8 4 C8 9 12 10 12 12 C12 14 8 15 8 20"/>'
    '<path d="M16 4 C16 9 12 10 12 12 C12 14 16 15 16 20"/>',
    "memory": '<path d="M12 5.2 A3.1 3.1 0 0 0 6.2 6.6 A3.6 3.6 0 0 0 3.6 12'
    ' A3.6 3.6 0 0 0 6 17 A3.3 3.3 0 0 0 12 18.6"/>'
    '<path d="M12 5.2 A3.1 3.1 0 0 1 17.8 6.6 A3.6 3.6 0 0 1 20.4 12'
    ' A3.6 3.6 0 0 1 18 17 A3.3 3.3 0 0 1 12 18.6"/>'
    '<path d="M12 5.2 V18.6"/><path d="M7.5 12 H9.2"/><path d="M14.8 12 H16.5"/>',
    "menu": '<path d="M4.5 7 H19.5 M4.5 12 H19.5 M4.5 17 H19.5"/>',
    "panel": '<rect x="3.5" y="5" width="17" height="14" rx="2.5"/><path d="M14.5 5 V19"/>'
    '<path d="M17 9 H18 M17 12 H18"/>',
    "pause": '<path d="M9 6 V18 M15 6 V18"/>',
    "plus": '<path d="M12 5 V19 M5 12 H19"/>',
    "question": '<path d="M8.5 9 A3.5 3.5 0 1 1 13 12.4 C12.2 12.8 12 13.4 12 14.5"/>'
    '<path d="M12 18 V18.1"/>',
    "refresh": '<path d="M18.5 9 A7.2 7.2 0 1 0 19.2 13.5"/><path d="M19 4.5 V9.3 H14.2"/>',
    "send": '<path d="M12 19.5 V5"/><path d="M5.5 11.5 L12 5 L18.5 11.5"/>',
    "sidebar": '<rect x="3.5" y="5" width="17" height="14" rx="2.5"/><path d="M9.5 5 V19"/>',
    "source": '<path d="M4.5 6 H19.5 V16 H12 L8 19.5 V16 H4.5 Z"/><path d="M8.5 10 H15.5"/>'
    '<path d="M8.5 12.8 H13"/>',
    "speech": '<path d="M4.5 5.5 H19.5 V16 H12.5 L8.5 19.5 V16 H4.5 Z"/>',
    "stop": '<rect x="7" y="7" width="10" height="10" rx="2" fill="COLOUR"/>',
}

_DOCUMENT = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="none" stroke="{colour}" '
    'stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round">{strokes}</g></svg>'
)

_PIXMAP_RATIO = 2.0
"""Icons are drawn at twice their size, so that fractional screen scaling stays sharp."""


def icon_pixmap(name: IconName, colour: QColor | str, size: int, width: float = 1.8) -> QPixmap:
    """One icon, ``size`` pixels square, in strokes of ``width`` 24ths of its size."""
    shade = QColor(colour).name()
    strokes = _STROKES[name].replace("COLOUR", shade)
    document = _DOCUMENT.format(colour=shade, width=width, strokes=strokes)
    renderer = QSvgRenderer(QByteArray(document.encode()))
    pixmap = QPixmap(round(size * _PIXMAP_RATIO), round(size * _PIXMAP_RATIO))
    pixmap.setDevicePixelRatio(_PIXMAP_RATIO)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    try:
        renderer.render(painter, QRectF(0, 0, size, size))
    finally:
        painter.end()
    return pixmap


def icon(
    name: IconName, colour: QColor | str, size: int = 20, disabled: QColor | str | None = None
) -> QIcon:
    """An icon for a button or menu entry, with another colour while disabled if one is given."""
    picture = QIcon(icon_pixmap(name, colour, size))
    if disabled is not None:
        picture.addPixmap(icon_pixmap(name, disabled, size), QIcon.Mode.Disabled)
    return picture
