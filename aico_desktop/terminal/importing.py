"""Sends the rows of an import file to the backend and waits until their memory is built."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from aico_desktop.contract.client import (
    BackendClient,
    BackendUnreachable,
    ReplyType,
    RequestFailed,
)
from aico_desktop.contract.messages import (
    Ingest,
    Ingested,
    IngestProgress,
    IngestRow,
    IngestStatus,
    RowProblem,
)

BATCH_ROWS = 100
BATCH_CHARACTERS = 500_000
"""Escaped and encoded, that many characters stay below the largest request of 8 MB."""

REQUEST_TIMEOUT_S = 120.0
FIRST_LOOK_S = 0.05
LONGEST_LOOK_S = 1.0
PATIENCE_S = 900.0
"""So long may the memory of an import stand still before waiting on is pointless."""

PROBLEM_PATIENCE_S = 8.0
"""A problem of the memory that lasts longer than this does not go away by itself."""

MOST_RECONNECTIONS = 5


class ImportStalled(Exception):
    """The backend builds no memory any more; the message is for the person."""


@dataclass
class ImportReport:
    """What an import did. Counts of facts are those of the rows that this run sent."""

    stored: int = 0
    already_known: int = 0
    facts_added: int = 0
    facts_confirmed: int = 0
    facts_changed: int = 0
    failed_jobs: int = 0
    problems: list[RowProblem] = field(default_factory=list)
    notes: list[RowProblem] = field(default_factory=list)


Progress = Callable[[str, int, int], None]
"""Told what is done (a verb), how many messages of it, and of how many (0 when unknown)."""


class Importer:
    """Stores rows and waits for their memory, across a backend that dies and comes back.

    Rows carry ids, so sending a batch again after a lost reply stores nothing twice.

    Params: ``connect`` gives a connected client and starts a backend if there is none; ``progress``
    is called often; ``source`` names this import.
    """

    def __init__(
        self, connect: Callable[[], BackendClient], source: str, progress: Progress
    ) -> None:
        self._connect = connect
        self._source = source
        self._progress = progress
        self._client: BackendClient | None = None
        self._reconnections = 0

    def run(self, rows: Iterable[IngestRow]) -> ImportReport:
        """Import ``rows``.

        Raises :class:`RequestFailed` when the backend refuses for a reason that concerns all rows,
        :class:`BackendUnreachable` when none can be kept running, and :class:`ImportStalled`.
        """
        report = ImportReport()
        import_id = None
        try:
            for batch in batches(rows):
                reply = self._store(batch, report)
                import_id = reply.import_id if reply else import_id
            if import_id is not None:
                self._wait_for_memory(import_id, report)
        finally:
            if self._client is not None:
                self._client.close()
        return report

    def _store(self, batch: tuple[IngestRow, ...], report: ImportReport) -> Ingested | None:
        try:
            reply = self._request(Ingested, Ingest(source=self._source, rows=batch))
        except RequestFailed as refusal:
            if refusal.failure.code not in ("invalid", "too_large") or len(batch) > 1:
                raise
            reason = refusal.failure.human
            report.problems.append(RowProblem(line=batch[0].line, reason=reason))
            return None
        report.stored += reply.stored
        report.already_known += reply.already_known
        report.problems.extend(reply.problems)
        report.notes.extend(reply.notes)
        self._progress("stored", report.stored + report.already_known, 0)
        return reply

    def _wait_for_memory(self, import_id: str, report: ImportReport) -> None:
        """Ask more and more seldom: a small import is done in a moment, a large one takes long."""
        pause, moved_at = FIRST_LOOK_S, time.monotonic()
        fewest: int | None = None
        while True:
            now = self._request(IngestProgress, IngestStatus(import_id=import_id))
            self._progress("remembered", now.messages - now.pending, now.messages)
            if now.pending == 0:
                break
            if fewest is None or now.pending < fewest:
                fewest, moved_at = now.pending, time.monotonic()
            still_for = time.monotonic() - moved_at
            if now.problem and still_for > PROBLEM_PATIENCE_S:
                raise ImportStalled(
                    f"{now.problem} The memory of {now.pending} messages is not built yet."
                    " What is stored stays, and its memory goes on by itself once this is solved."
                )
            if still_for > PATIENCE_S:
                raise ImportStalled(
                    f"The memory of {now.pending} messages is still not built, and nothing moves. "
                    "They are stored; `aico stats` shows what they wait for."
                )
            time.sleep(pause)
            pause = min(pause * 1.5, LONGEST_LOOK_S)
        report.facts_added = now.facts_added
        report.facts_confirmed = now.facts_confirmed
        report.facts_changed = now.facts_changed
        report.failed_jobs = now.failed

    def _request(self, expected: type[ReplyType], body: Ingest | IngestStatus) -> ReplyType:
        """Ask, and when the backend is gone start one again and ask once more."""
        while True:
            try:
                if self._client is None:
                    self._client = self._connect()
                return self._client.request_as(expected, body, REQUEST_TIMEOUT_S)
            except BackendUnreachable:
                self._reconnections += 1
                if self._reconnections > MOST_RECONNECTIONS:
                    raise
                if self._client is not None:
                    self._client.close()
                    self._client = None


def batches(rows: Iterable[IngestRow]) -> Iterator[tuple[IngestRow, ...]]:
    """Group rows, in order, into requests of bearable size."""
    batch: list[IngestRow] = []
    characters = 0
    for row in rows:
        size = len(row.text) + len(row.image_caption or "")
        if batch and (len(batch) >= BATCH_ROWS or characters + size > BATCH_CHARACTERS):
            yield tuple(batch)
            batch, characters = [], 0
        batch.append(row)
        characters += size
    if batch:
        yield tuple(batch)
