"""One shown message with what stands beside it, and the changes that views are told of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from aico_desktop.contract.messages import MemoryBatchView, MessageView

ChangeKind = Literal["reset", "older", "appended", "removed", "message", "text", "turn"]


@dataclass(frozen=True)
class Change:
    """What became different: ``index`` of the item, or ``count`` of items that came at an end."""

    kind: ChangeKind
    index: int = -1
    count: int = 0


@dataclass
class Item:
    """One message with what the window shows beside it.

    ``delivery`` is ``sent`` once the backend has committed the message; a ``failed`` one says why
    in ``failure`` and is kept with its ``client_key``, so that trying again cannot double it.
    """

    message: MessageView
    delivery: Literal["sent", "sending", "failed"] = "sent"
    client_key: str = ""
    attachments: tuple[str, ...] = ()
    failure: str = ""
    notice: str = ""
    batch: MemoryBatchView | None = None
    sent_at: float = field(default=0.0, compare=False)
