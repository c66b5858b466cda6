"""``preview_report``: pictures of the session's report."""

from __future__ import annotations

from bandsmith.shared.model.action import Action
from bandsmith.shared.model.errand import Errand, ErrandTurn, Workpiece

from ..errand import ErrandContext, ErrandTool, Prepared


class PreviewReport(ErrandTool):
    """Print the report of the conversation with its sample data, as pictures of its pages for the user."""

    name = "preview_report"
    domain = "reports"

    def prepare(self, context: ErrandContext) -> Prepared:
        workpiece = Workpiece.of(context.own_report().version)
        return Prepared(Errand(turn=ErrandTurn(action=Action(do="export", format="png"), workpiece=workpiece)))
