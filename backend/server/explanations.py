"""Words for the errors of the rooms, so that a client never sees an exception."""

from __future__ import annotations

from aico_desktop.contract.messages import Failure
from backend.conversation.errors import ConversationError
from backend.propositions.service import FactNotFound, InvalidEdit
from backend.storage.errors import (
    DatabaseCorrupt,
    DiskFull,
    ReadOnlyDatabase,
    RecordNotFound,
    StorageError,
)

_STORAGE_CODES: tuple[tuple[type[StorageError], str, str], ...] = (
    (DiskFull, "disk_full", "Not saved: the disk is full. Free some space and try again."),
    (
        ReadOnlyDatabase,
        "read_only",
        "Not saved: the folder of your memory cannot be written to. Check its permissions.",
    ),
    (
        DatabaseCorrupt,
        "internal",
        "The memory file is damaged. Run “aico doctor”, and keep a copy of the folder.",
    ),
    (RecordNotFound, "not_found", "This does not exist any more."),
)


def explain(error: Exception) -> Failure | None:
    """The Failure for an error that somebody foresaw; None for any other."""
    match error:
        case ConversationError():
            return Failure(code=error.code, human=error.human)
        case FactNotFound():
            return Failure(code="not_found", human="There is no such fact any more.")
        case InvalidEdit():
            return Failure(code="invalid", human=str(error))
        case StorageError():
            for kind, code, human in _STORAGE_CODES:
                if isinstance(error, kind):
                    return Failure(code=code, human=human, technical=kind.__name__)
            return None
        case _:
            return None
