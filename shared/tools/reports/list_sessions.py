"""``list_sessions``: the user's conversations."""

from __future__ import annotations

from bandsmith.shared.model.errand import Errand

from ..errand import ErrandContext, ErrandTool, Prepared


class ListSessions(ErrandTool):
    """List the user's conversations: whether each has a report, and when it was changed last."""

    name = "list_sessions"
    domain = "reports"

    def prepare(self, context: ErrandContext) -> Prepared:
        return Prepared(Errand(lists="sessions"))
