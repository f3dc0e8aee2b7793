"""Requests about the app itself: counts, health, engines and memory jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from aico_desktop.contract.messages import (
    Doctor,
    DoctorCheck,
    DoctorReply,
    Engines,
    EnginesReply,
    EngineView,
    Jobs,
    JobsReply,
    JobView,
    Message,
    RetryJob,
    SelectEngine,
    Stats,
    StatsReply,
)
from backend.inference.engines import EngineManager, EngineStatus
from backend.server.requests import Handler, Refused, RequestContext
from backend.storage.choices import ChoiceRepository
from backend.storage.errors import RecordNotFound
from backend.storage.jobs import JobRecord, JobRepository
from backend.storage.rejections import RejectionRepository
from backend.storage.scope import Scope


class Counts(Protocol):
    """Counts of everything stored, by name."""

    def counts(self, scope: Scope) -> dict[str, int]:
        """Names in the order in which they are shown."""


class HealthChecks(Protocol):
    """Looks at every store, model and file, and changes nothing."""

    def run(self, scope: Scope) -> Sequence[DoctorCheck]:
        """One line a check."""


class StatusHandlers:
    """Reports; ``wake_learning`` lets a retried job begin at once."""

    def __init__(
        self,
        scope: Scope,
        counts: Counts,
        health: HealthChecks,
        engines: EngineManager,
        jobs: JobRepository,
        rejections: RejectionRepository,
        choices: ChoiceRepository,
        wake_learning: Callable[[], None],
    ) -> None:
        self._scope = scope
        self._counts = counts
        self._health = health
        self._engines = engines
        self._jobs = jobs
        self._rejections = rejections
        self._choices = choices
        self._wake_learning = wake_learning

    def handlers(self) -> dict[type[Message], Handler]:
        """The requests that this class answers."""
        return {
            Stats: self._stats,
            Doctor: self._doctor,
            Engines: self._list_engines,
            SelectEngine: self._select_engine,
            Jobs: self._list_jobs,
            RetryJob: self._retry_job,
        }

    def _stats(self, request: Stats, context: RequestContext) -> StatsReply:
        del request, context
        return StatsReply(counts=self._counts.counts(self._scope), jobs=self._unfinished())

    def _doctor(self, request: Doctor, context: RequestContext) -> DoctorReply:
        del request, context
        return DoctorReply(
            checks=tuple(self._health.run(self._scope)),
            rejected=self._rejections.counts(self._scope),
        )

    def _list_engines(self, request: Engines, context: RequestContext) -> EnginesReply:
        del request, context
        return EnginesReply(engines=engine_views(self._engines.statuses()))

    def _select_engine(self, request: SelectEngine, context: RequestContext) -> EnginesReply:
        del context
        self._engines.select(request.engine, request.model)
        self._choices.keep("engine", msgspec.json.encode(request).decode())
        return EnginesReply(engines=engine_views(self._engines.statuses()))

    def _list_jobs(self, request: Jobs, context: RequestContext) -> JobsReply:
        del request, context
        return JobsReply(jobs=self._unfinished())

    def _retry_job(self, request: RetryJob, context: RequestContext) -> JobsReply:
        del context
        try:
            self._jobs.retry(self._scope, request.job_id)
        except RecordNotFound as error:
            raise Refused("not_found", "There is no failed memory job of this id.") from error
        self._wake_learning()
        return JobsReply(jobs=self._unfinished())

    def _unfinished(self) -> tuple[JobView, ...]:
        return tuple(job_view(record) for record in self._jobs.not_done(self._scope))


def chosen_engine(choices: ChoiceRepository) -> SelectEngine | None:
    """What the person chose last in the app; it goes before the settings file."""
    kept = choices.get("engine")
    if kept is None:
        return None
    try:
        return msgspec.json.decode(kept, type=SelectEngine)
    except msgspec.MsgspecError:
        return None  # written by another version: the settings hold


def job_view(record: JobRecord) -> JobView:
    """A memory job as clients see it."""
    return JobView(
        job_id=record.job_id,
        message_id=record.message_id,
        state=record.state,
        attempts=record.attempts,
        reason=record.reason,
    )


def engine_views(statuses: Sequence[EngineStatus]) -> tuple[EngineView, ...]:
    """Engines as clients see them."""
    return tuple(
        EngineView(
            engine=status.engine,
            available=status.available,
            selected=status.selected,
            model=status.model,
            models=status.models,
            address=status.address,
            detail=status.detail,
        )
        for status in statuses
    )
