"""Stores the rows of an import file as messages, with the memory jobs that will read them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo

from aico_desktop.contract.messages import (
    Ingest,
    Ingested,
    IngestProgress,
    IngestRow,
    IngestStatus,
    RowProblem,
)
from backend.storage.batches import BatchRepository
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.imports import ImportRepository
from backend.storage.jobs import JobRepository
from backend.storage.messages import AddedMessage, MessageRepository, NewMessage
from backend.storage.scope import Scope
from backend.storage.text_boundary import repair_text

LEARNING_JOB = "learn"
TROUBLE_IN_WORDS = {
    "disk_full": "The disk is full.",
    "read_only": "The memory file is read-only.",
}
OTHER_TROUBLE = "The memory file cannot be written."
_TEACHES = ("user", "other")


class RowImporter:
    """Takes batches of rows; each batch is one transaction, and a bad row spoils only itself.

    A row whose ``id`` is known is not stored again. ``wake_learning`` is called after each commit;
    ``trouble_of_learning`` gives the code of what keeps the memory from being built, if anything.
    ``zone`` is the person's: it gives times without an offset their meaning.
    """

    def __init__(
        self,
        database: Database,
        scope: Scope,
        zone: tzinfo,
        zone_name: str,
        wake_learning: Callable[[], None],
        trouble_of_learning: Callable[[], str],
    ) -> None:
        self._database = database
        self._scope = scope
        self._zone = zone
        self._zone_name = zone_name
        self._wake_learning = wake_learning
        self._trouble_of_learning = trouble_of_learning
        self._imports = ImportRepository(database)
        self._conversations = ConversationRepository(database)
        self._messages = MessageRepository(database)
        self._jobs = JobRepository(database)
        self._batches = BatchRepository(database)

    def ingest(self, request: Ingest, context: object = None) -> Ingested:
        """Store a batch; the reply does not wait for the memory. Raises StorageError."""
        del context
        problems: list[RowProblem] = []
        notes: list[RowProblem] = []
        stored = known = 0
        with self._database.transaction():
            import_id = self._imports.of_source(self._scope, request.source).import_id
            for row in request.rows:
                said_at, problem = self._moment(row)
                if problem is None and not (row.text.strip() or (row.image_caption or "").strip()):
                    problem = "there is no text"
                if problem is not None or said_at is None:
                    problems.append(RowProblem(line=row.line, reason=problem or ""))
                    continue
                added = self._store(row, said_at, import_id)
                if added.created:
                    stored += 1
                    continue
                known += 1
                if not _same_or_blanked(added.message.text, repair_text(row.text)[0]):
                    notes.append(RowProblem(line=row.line, reason=_other_text(row)))
        if stored:
            self._wake_learning()
        return Ingested(
            import_id=import_id,
            stored=stored,
            already_known=known,
            problems=tuple(problems),
            notes=tuple(notes),
        )

    def progress(self, request: IngestStatus, context: object = None) -> IngestProgress:
        """How far the memory of an import is, and what it brought so far."""
        del context
        jobs = self._jobs.counts(self._scope, request.import_id)
        operations = self._batches.operations_of_import(self._scope, request.import_id)
        return IngestProgress(
            pending=jobs.unfinished,
            messages=self._messages.count_of_import(self._scope, request.import_id),
            facts_added=operations.get("added", 0),
            facts_confirmed=operations.get("confirmed", 0),
            facts_changed=operations.get("changed", 0) + operations.get("ended", 0),
            failed=jobs.failed,
            problem=self._trouble_in_words() if jobs.unfinished else "",
        )

    def _trouble_in_words(self) -> str:
        trouble = self._trouble_of_learning()
        return TROUBLE_IN_WORDS.get(trouble, OTHER_TROUBLE) if trouble else ""

    def _moment(self, row: IngestRow) -> tuple[datetime | None, str | None]:
        try:
            moment = datetime.fromisoformat(row.time)
            aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=self._zone)
            aware.astimezone(self._zone)
        except (ValueError, OverflowError):
            return None, "the time is not a date and time in ISO 8601"
        return aware, None

    def _store(self, row: IngestRow, said_at: datetime, import_id: str) -> AddedMessage:
        """The row's message, new or stored before."""
        name, _ = repair_text(row.conversation)
        conversation = self._conversations.for_import(self._scope, name)
        text, _ = repair_text(row.text)
        added = self._messages.add(
            self._scope,
            NewMessage(
                conversation_id=conversation.conversation_id,
                role=row.role,
                speaker=repair_text(row.speaker)[0],
                text=text,
                said_at=said_at.isoformat(),
                zone=self._zone_name,
                caption=repair_text(row.image_caption or "")[0],
                external_id=None if row.id is None else repair_text(row.id)[0],
                import_id=import_id,
            ),
        )
        if added.created and row.role in _TEACHES and text.strip():
            self._jobs.enqueue(
                self._scope, LEARNING_JOB, added.message.message_id, import_id=import_id
            )
        return added


def _same_or_blanked(stored: str, given: str) -> bool:
    """Whether the texts are the same but for passages that were forgotten, which are spaces."""
    return len(stored) == len(given) and all(
        old in (new, " ") for old, new in zip(stored, given, strict=True)
    )


def _other_text(row: IngestRow) -> str:
    return f"id {row.id} is stored with other text; the stored one was kept"
