"""The detail side of the panel: one fact, its correction, its forgetting, or one entity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from aico_desktop.contract.messages import FactDetail, FactView, Forgotten
from ui.knowledge.edit_form import EditForm
from ui.knowledge.entity_page import EntityPage
from ui.knowledge.fact_page import FactPage
from ui.knowledge.forget_page import ForgetPage
from ui.knowledge.notices import StatePage


class DetailPane(QWidget):
    """Shows one page at a time and hands on its wishes.

    Args:
        today: gives the day that "past" is told from.
        parent: owner of the pane.
    """

    detail_requested = Signal(str)
    #: The id of a fact to explain.
    forget_preview_requested = Signal(str)
    #: The target (fact id or name) whose forgetting shall be previewed.
    forget_requested = Signal(str)
    #: The target to forget for good.
    edit_requested = Signal(str, object, object, object)
    #: Fact id; object, valid from, valid until as text. None: unchanged, "": cleared.
    source_requested = Signal(str, str, int, int)
    #: Conversation, message id, start and end of a quote (half-open code points).
    centre_requested = Signal(str)
    #: The id of an entity to put into the middle of the graph.
    occupied_changed = Signal(bool)
    #: Whether something is shown or asked for.

    def __init__(self, today: Callable[[], date], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted = ""
        self._back_to_entity = False
        self.state_page = StatePage()
        self.fact_page = FactPage(today)
        self.edit_form = EditForm()
        self.forget_page = ForgetPage()
        self.entity_page = EntityPage(today)
        self.pages = QStackedWidget()
        for page in (
            self.state_page,
            self.fact_page,
            self.edit_form,
            self.forget_page,
            self.entity_page,
        ):
            self.pages.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)
        self._connect()
        self.show_nothing()

    @property
    def wanted_fact_id(self) -> str:
        """The fact that the pane shows or waits for, "" for none."""
        return self._wanted

    # ------------------------------------------------------------ what it is told

    def show_nothing(self) -> None:
        """Nothing is chosen."""
        self._wanted = ""
        self.state_page.show_state(
            "Nothing chosen yet",
            "Choose a fact, or someone in the graph. Here you see the sentence it came from, and "
            "can correct or forget it.",
        )
        self.pages.setCurrentWidget(self.state_page)
        self.occupied_changed.emit(False)

    def want_fact(self, fact_id: str, *, from_entity: bool = False) -> None:
        """Ask for a fact; what is shown stays until it is here."""
        self._wanted = fact_id
        self._back_to_entity = from_entity
        if self.pages.currentWidget() in (self.edit_form, self.forget_page):
            self._leave_form()
        if self.pages.currentWidget() is self.state_page:
            self.state_page.show_state("Reading…", "")
        self.occupied_changed.emit(True)
        self.detail_requested.emit(fact_id)

    def show_detail(self, detail: FactDetail) -> None:
        """Explain a fact, unless another one was asked for meanwhile."""
        corrected = self.pages.currentWidget() is self.edit_form
        if detail.fact.id != self._wanted and not corrected:
            return
        if corrected and self.edit_form.save_button.isEnabled():
            return
        self._wanted = detail.fact.id
        title = self.entity_page.title if self._back_to_entity else ""
        self.fact_page.show_detail(detail, back_to=title)
        if self.pages.currentWidget() is not self.forget_page:
            self.pages.setCurrentWidget(self.fact_page)
        if corrected:
            self.fact_page.edit_button.setFocus()

    def show_entity(
        self, entity_id: str, title: str, label: str, facts: Sequence[FactView]
    ) -> None:
        """List the facts about an entity."""
        self._wanted = ""
        self.entity_page.show_entity(entity_id, title, label, facts)
        self.pages.setCurrentWidget(self.entity_page)
        self.occupied_changed.emit(True)

    def show_forget_preview(self, preview: Forgotten) -> None:
        """Say what forgetting would take."""
        if self.pages.currentWidget() is self.forget_page:
            self.forget_page.show_preview(preview)

    def show_failure(self, human: str) -> None:
        """Say on the page in force why the last wish failed."""
        page = self.pages.currentWidget()
        if page is self.edit_form:
            self.edit_form.show_problem(human)
        elif page is self.forget_page:
            self.forget_page.show_problem(human)
        else:
            self.state_page.show_state("I could not read this fact", human, "Try again")
            self.pages.setCurrentWidget(self.state_page)

    # ------------------------------------------------------------ wishes

    def begin_edit(self) -> None:
        """Open the form for the fact that is shown."""
        detail = self.fact_page.detail
        if detail is not None and self.pages.currentWidget() is self.fact_page:
            self.pages.setCurrentWidget(self.edit_form)
            self.edit_form.edit(detail.fact)

    def begin_forget(self) -> None:
        """Open the preview for the fact that is shown."""
        detail = self.fact_page.detail
        if detail is not None and self.pages.currentWidget() is self.fact_page:
            self.pages.setCurrentWidget(self.forget_page)
            self.forget_page.ask(detail.fact.id, detail.fact.text)
            self.forget_preview_requested.emit(detail.fact.id)

    def _connect(self) -> None:
        self.state_page.action_chosen.connect(self._on_try_again)
        self.fact_page.edit_wished.connect(self.begin_edit)
        self.fact_page.forget_wished.connect(self.begin_forget)
        self.fact_page.fact_wished.connect(self.want_fact)
        self.fact_page.source_requested.connect(self.source_requested)
        self.fact_page.back_wished.connect(self._on_back)
        self.edit_form.save_wished.connect(self.edit_requested)
        self.edit_form.cancelled.connect(self._on_edit_cancelled)
        self.forget_page.kept.connect(self._on_kept)
        self.forget_page.forget_wished.connect(self._on_forget)
        self.entity_page.fact_wished.connect(self._on_entity_fact)
        self.entity_page.centre_wished.connect(self.centre_requested)

    def _leave_form(self) -> None:
        self.pages.setCurrentWidget(self.fact_page)

    def _on_try_again(self) -> None:
        if self._wanted:
            self.want_fact(self._wanted, from_entity=self._back_to_entity)

    def _on_back(self) -> None:
        self._wanted = ""
        self.pages.setCurrentWidget(self.entity_page)
        self.entity_page.tree.setFocus()

    def _on_edit_cancelled(self) -> None:
        self._leave_form()
        self.fact_page.edit_button.setFocus()

    def _on_kept(self) -> None:
        self._leave_form()
        self.fact_page.forget_button.setFocus()

    def _on_forget(self, target: str) -> None:
        self.forget_page.show_busy()
        self.forget_requested.emit(target)

    def _on_entity_fact(self, fact_id: str) -> None:
        self.want_fact(fact_id, from_entity=True)
