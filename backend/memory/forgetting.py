"""Forgets in every store: the truth in one transaction, then copies and bytes."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from aico_desktop.redaction import error_places
from backend.propositions.service import Forgetting, PropositionService
from backend.storage.database import Database
from backend.storage.errors import StorageError
from backend.storage.forgetting import Forgetter, ForgottenFact, ForgottenSpan
from backend.storage.scope import Scope

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ForgetResult:
    """What went; ``vectors_pending`` while bytes of it may still lie in a file."""

    forgetting: Forgetting
    vectors_pending: bool


class MemoryForgetting:
    """Joins the truth's forgetting with that of the files; a crash between loses neither."""

    def __init__(
        self, database: Database, propositions: PropositionService, forgetter: Forgetter
    ) -> None:
        self._database = database
        self._propositions = propositions
        self._forgetter = forgetter

    def preview(self, scope: Scope, fact_id: str | None, entity_id: str | None) -> Forgetting:
        """What would go. Raises FactNotFound."""
        return self._take(scope, fact_id, entity_id, preview=True)

    def forget(self, scope: Scope, fact_id: str | None, entity_id: str | None) -> ForgetResult:
        """Forget a fact, or all about an entity. Raises FactNotFound."""
        with self._database.transaction():
            forgetting = self._take(scope, fact_id, entity_id, preview=False)
            self._forgetter.note()
        try:
            self._forgetter.finish(
                scope,
                [ForgottenSpan(s.message_id, s.start, s.end, s.text) for s in forgetting.spans],
                [ForgottenFact(fact.id, fact.text) for fact in forgetting.facts],
                forgetting.words,
            )
        except StorageError as error:
            # It is forgotten all the same, and clients must hear of it; the bytes are noted as
            # due, and go at the next start.
            logger.error("files could not be cleared: %s", error_places(error))
        return ForgetResult(forgetting, self._forgetter.is_pending())

    def _take(
        self, scope: Scope, fact_id: str | None, entity_id: str | None, *, preview: bool
    ) -> Forgetting:
        if fact_id is not None:
            return self._propositions.forget_fact(scope, fact_id, preview=preview)
        return self._propositions.forget_entity(scope, entity_id or "", preview=preview)
