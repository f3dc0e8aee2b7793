"""All wishes that the parts of a transcript can have, in one place to connect to."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class TranscriptWishes(QObject):
    """Rows come and go with the window of the transcript; this object stays and hands on."""

    action_requested = Signal(str, str)
    #: arg 0: message id, arg 1: verb of a state or failure line.
    copy_requested = Signal(str)
    #: arg 0: message id whose whole text goes to the clipboard.
    sources_requested = Signal(str)
    #: arg 0: message id of an answer whose sources are wanted.
    undo_requested = Signal(str)
    #: arg 0: batch id.
    edit_started = Signal(str)
    #: arg 0: fact id.
    edit_requested = Signal(str, str)
    #: arg 0: fact id, arg 1: new object.
    forget_started = Signal(str)
    #: arg 0: fact id.
    forget_requested = Signal(str)
    #: arg 0: fact id.
    fact_requested = Signal(str)
    #: arg 0: fact id to show in "What I know about you".
    older_requested = Signal()
    #: The reader comes near the oldest loaded message.
    oldest_requested = Signal()
    #: The reader wants the very first message.
