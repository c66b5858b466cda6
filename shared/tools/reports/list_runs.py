"""``list_runs``: the scheduled runs of the user."""

from __future__ import annotations

from bandsmith.shared.model.errand import Errand

from ..errand import ErrandContext, ErrandTool, Prepared


class ListScheduledRuns(ErrandTool):
    """List the scheduled runs with their next times and how they ended."""

    name = "list_runs"
    domain = "reports"

    def prepare(self, context: ErrandContext) -> Prepared:
        return Prepared(Errand())
