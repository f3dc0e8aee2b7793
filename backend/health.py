"""What ``aico doctor`` and ``aico stats`` report: every store, model and file, read only."""

from __future__ import annotations

import importlib.metadata
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aico_desktop.contract.messages import DoctorCheck
from aico_desktop.paths import HomePaths, builtin_model_path
from backend.background_loading import BackgroundLoading
from backend.inference.embedding import Embedder
from backend.inference.engines import EngineManager
from backend.propositions.service import PropositionService
from backend.storage.conversations import ConversationRepository
from backend.storage.database import Database
from backend.storage.entity_rows import EntityRows
from backend.storage.errors import StorageError
from backend.storage.graph_rows import GraphRows
from backend.storage.jobs import JobRepository
from backend.storage.messages import MessageRepository
from backend.storage.outbox import changes_waiting
from backend.storage.scope import Scope
from backend.storage.vectors import VectorStore
from backend.understanding.reading import EXTRACTOR_VERSION

if TYPE_CHECKING:
    # Importing it loads the parser's library, which takes seconds: see service.py.
    from backend.understanding.pipeline import Understander

_LEAST_FREE_BYTES = 500_000_000
_LIBRARIES = ("libsql", "chromadb", "lmdb", "spacy", "xllamacpp", "pyzmq")


class StoreCounts:
    """Counts of everything stored, by name."""

    def __init__(self, database: Database, propositions: PropositionService) -> None:
        self._database = database
        self._propositions = propositions
        self._conversations = ConversationRepository(database)
        self._messages = MessageRepository(database)
        self._jobs = JobRepository(database)
        self._entities = EntityRows(database)
        self._graph = GraphRows(database)

    def counts(self, scope: Scope) -> dict[str, int]:
        """Names in the order in which they are shown."""
        jobs = self._jobs.counts(scope)
        facts = self._propositions.counts(scope)
        nodes, edges = self._graph.counts(scope)
        return {
            "conversations": self._conversations.count(scope),
            "messages": self._messages.count(scope),
            "facts": facts.get("ACTIVE", 0),
            **{f"facts {status.lower()}": n for status, n in facts.items() if status != "ACTIVE"},
            "entities": self._entities.count(scope),
            "graph nodes": nodes,
            "graph edges": edges,
            "memory jobs waiting": jobs.unfinished,
            "memory jobs failed": jobs.failed,
            "memory jobs done": jobs.done,
            "vectors to write": changes_waiting(self._database, scope.user_id),
        }


class Health:
    """Runs every check; one that fails itself is reported, and hides none of the others."""

    def __init__(
        self,
        home: HomePaths,
        database: Database,
        vectors: VectorStore,
        embedder: Embedder,
        understander: BackgroundLoading[Understander],
        engines: EngineManager,
        jobs: JobRepository,
    ) -> None:
        self._home = home
        self._database = database
        self._vectors = vectors
        self._embedder = embedder
        self._understander = understander
        self._engines = engines
        self._jobs = jobs

    def run(self, scope: Scope) -> Sequence[DoctorCheck]:
        """One line a check, in a fixed order."""
        return [
            _checked("home folder", self._home_folder),
            _checked("free disk space", self._disk),
            _checked("memory file", self._memory_file),
            _checked("vectors", lambda: self._vector_drift(scope)),
            _checked("sentence embeddings", self._embeddings),
            _checked("language understanding", self._understanding),
            _checked("built-in model", self._built_in_model),
            _checked("chat engine", self._engine),
            _checked("memory jobs", lambda: self._memory_jobs(scope)),
            _checked("libraries", _libraries),
        ]

    def _home_folder(self) -> tuple[bool, str]:
        mode = self._home.root.stat().st_mode & 0o777
        closed = mode & 0o077 == 0
        advice = "" if closed else " It is open to others: close it with chmod 700."
        return closed, f"{self._home.root}, mode {mode:o}.{advice}"

    def _disk(self) -> tuple[bool, str]:
        free = shutil.disk_usage(self._home.root).free
        return free > _LEAST_FREE_BYTES, f"{free // 1_000_000:,} MB free"

    def _memory_file(self) -> tuple[bool, str]:
        problems = self._database.integrity_check()
        size = _size(self._home.database)
        return not problems, f"{size}; " + ("; ".join(problems) if problems else "no damage found")

    def _vector_drift(self, scope: Scope) -> tuple[bool, str]:
        waiting = changes_waiting(self._database, scope.user_id)
        if not self._vectors.ready:
            return True, "still opening"
        facts = len(self._vectors.versions(scope.user_id, "kg_edges"))
        nodes = len(self._vectors.versions(scope.user_id, "kg_nodes"))
        return True, f"{facts} facts and {nodes} entities, {waiting} to write"

    def _embeddings(self) -> tuple[bool, str]:
        state = "loaded" if self._embedder.ready else "loads when it is needed"
        return True, f"{self._embedder.name}, {state}"

    def _understanding(self) -> tuple[bool, str]:
        if self._understander.failed:
            return False, "the parser could not be loaded; see the log"
        state = "loaded" if self._understander.ready else "still loading"
        return True, f"{EXTRACTOR_VERSION}, {state}"

    def _built_in_model(self) -> tuple[bool, str]:
        path = builtin_model_path(self._home)
        if path is None:
            return False, "its file is missing; run make setup"
        return True, f"{path.name}, {_size(path)}"

    def _engine(self) -> tuple[bool, str]:
        statuses = self._engines.statuses()
        chosen = next((status for status in statuses if status.selected), None)
        if chosen is None:
            return False, "none"
        return chosen.available, f"{chosen.engine} ({chosen.model or 'no model'}) {chosen.detail}"

    def _memory_jobs(self, scope: Scope) -> tuple[bool, str]:
        counts = self._jobs.counts(scope)
        return counts.failed == 0, (
            f"{counts.done} done, {counts.unfinished} waiting, {counts.failed} failed"
        )


def _checked(name: str, check: Callable[[], tuple[bool, str]]) -> DoctorCheck:
    try:
        ok, detail = check()
    except (StorageError, OSError) as error:
        ok, detail = False, f"could not be checked ({type(error).__name__})"
    return DoctorCheck(name=name, ok=ok, detail=detail)


def _libraries() -> tuple[bool, str]:
    found = [f"{name} {importlib.metadata.version(name)}" for name in _LIBRARIES]
    return True, ", ".join(found)


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1_000_000:.1f} MB"
