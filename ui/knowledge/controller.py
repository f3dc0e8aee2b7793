"""Carries out the wishes of the panel "What I know about you"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from aico_desktop.contract.messages import (
    Event,
    FactDetail,
    Facts,
    FactsChanged,
    FactView,
    Failure,
    Forgotten,
    Graph,
    GraphView,
    MemoryEdit,
    MemoryForget,
    MemoryList,
    MemoryWhy,
)
from ui.client.requests import BackendRequests
from ui.knowledge.panel import KnowledgePanel, Wish


class KnowledgeController(QObject):
    """Connects one panel with the backend; only the newest list, graph or detail is shown."""

    words_forgotten = Signal()
    #: Words were blanked in messages.

    def __init__(
        self, requests: BackendRequests, panel: KnowledgePanel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._requests = requests
        self._panel = panel
        self._running: dict[str, str] = {}
        panel.facts_requested.connect(self._on_facts_requested)
        panel.detail_requested.connect(self._on_detail_requested)
        panel.graph_requested.connect(self._on_graph_requested)
        panel.forget_preview_requested.connect(self._on_forget_preview_requested)
        panel.forget_requested.connect(self._on_forget_requested)
        panel.edit_requested.connect(self._on_edit_requested)

    def refresh(self) -> None:
        """Facts may be others now, for example after a reconnection."""
        self._panel.facts_changed()

    def on_events(self, events: Sequence[Event]) -> None:
        """Hear that facts changed; many changes are one reading."""
        if any(isinstance(event, FactsChanged) for event in events):
            self._panel.facts_changed()

    def _on_facts_requested(self, about: str | None, query: str | None) -> None:
        self._replace_running("facts")
        self._ask_for_facts(about, query, ())

    def _ask_for_facts(
        self, about: str | None, query: str | None, so_far: tuple[FactView, ...]
    ) -> None:
        """Read the list page by page, and show it when it is whole."""

        def take(reply: Facts) -> None:
            facts = (*so_far, *reply.facts)
            if reply.facts and len(facts) < reply.total:
                self._ask_for_facts(about, query, facts)
            else:
                self._panel.show_facts(facts)

        self._running["facts"] = self._requests.ask(
            MemoryList(about=about, query=query, offset=len(so_far)),
            Facts,
            take,
            self._failing("facts"),
        )

    def _on_detail_requested(self, fact_id: str) -> None:
        self._replace_running("detail")
        self._running["detail"] = self._requests.ask(
            MemoryWhy(fact_id=fact_id), FactDetail, self._panel.show_detail, self._failing("detail")
        )

    def _on_graph_requested(self, center_id: str | None, depth: int) -> None:
        self._replace_running("graph")
        self._running["graph"] = self._requests.ask(
            GraphView(center_id=center_id, depth=depth),
            Graph,
            self._panel.show_graph,
            self._failing("graph"),
        )

    def _on_forget_preview_requested(self, target: str) -> None:
        self._requests.ask(
            MemoryForget(target=target, preview=True),
            Forgotten,
            self._panel.show_forget_preview,
            self._failing("forget_preview"),
        )

    def _on_forget_requested(self, target: str) -> None:
        def forgotten(reply: Forgotten) -> None:
            self._panel.show_forgotten(reply)
            self.words_forgotten.emit()

        self._requests.ask(
            MemoryForget(target=target), Forgotten, forgotten, self._failing("forget")
        )

    def _on_edit_requested(
        self, fact_id: str, value: str | None, valid_from: str | None, valid_until: str | None
    ) -> None:
        body = MemoryEdit(
            fact_id=fact_id, object=value, valid_from=valid_from, valid_until=valid_until
        )
        self._requests.ask(body, FactDetail, self._panel.show_detail, self._failing("edit"))

    def _replace_running(self, wish: str) -> None:
        """An older answer of the same kind must not overwrite a newer one."""
        if wish in self._running:
            self._requests.cancel(self._running.pop(wish))

    def _failing(self, wish: Wish) -> Callable[[Failure], None]:
        def fail(failure: Failure) -> None:
            self._panel.show_failure(wish, failure.human)

        return fail
