"""A real backend process with a service of a few lines, for tests of everything around it."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Mapping

from aico_desktop.contract.messages import (
    ConversationCreated,
    Conversations,
    ConversationView,
    CreateConversation,
    FactsChanged,
    Failure,
    ListConversations,
    Message,
    RetryJob,
    Snapshot,
    SnapshotReply,
    Stats,
    StatsReply,
)
from backend.process import ProcessParts, StartRefused, parse_arguments, run_backend
from backend.server.requests import Handler, RequestContext


class SmallService:
    """Names the process in ``stats``; a file in the home makes it busy, deaf or unwilling."""

    def __init__(self, parts: ProcessParts) -> None:
        self._parts = parts
        self._busy_file = parts.home.root / "busy"
        if (parts.home.root / "unwilling").exists():
            raise StartRefused("The small service does not want to start.")
        # Libraries print what they like, and must not spoil the ready line.
        sys.stdout.write("a library prints this\n")
        sys.stdout.flush()

    @property
    def handlers(self) -> Mapping[type[Message], Handler]:
        """The few things it can do."""
        return {
            ListConversations: lambda request, context: Conversations(conversations=()),
            CreateConversation: self._create,
            Stats: lambda request, context: StatsReply(counts={"pid": os.getpid()}),
            Snapshot: lambda request, context: SnapshotReply(turns=()),
            RetryJob: self._hang,
        }

    def explain(self, error: Exception) -> Failure | None:
        """Words for the one error that it knows."""
        return Failure(code="invalid", human="No.") if isinstance(error, KeyError) else None

    def start(self) -> None:
        """Nothing runs in the background."""

    def busy(self) -> bool:
        """Whether the test says so."""
        return self._busy_file.exists()

    def close(self) -> None:
        """Be slow to end if the test says so."""
        if (self._parts.home.root / "slow to end").exists():
            time.sleep(30)

    def _create(self, request: CreateConversation, context: RequestContext) -> ConversationCreated:
        """Emit as many events as the title says."""
        for number in range(int(request.title or "0")):
            self._parts.publisher.emit(FactsChanged(fact_ids=(str(number),)))
        view = ConversationView(conversation_id="c", title="", updated_at="", message_count=0)
        return ConversationCreated(conversation=view)

    def _hang(self, request: RetryJob, context: RequestContext) -> StatsReply:
        """Stop the whole process, as a bug in native code would."""
        os.kill(os.getpid(), signal.SIGSTOP)
        # The signal stops the other threads a moment later; none of them may answer before.
        time.sleep(60)
        return StatsReply(counts={})


if __name__ == "__main__":
    exit_code = run_backend(parse_arguments(sys.argv[1:]), SmallService)
    logging.shutdown()
    os._exit(exit_code)
