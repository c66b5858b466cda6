"""``export_report``: the session's report as a file for the user."""

from __future__ import annotations

from bandsmith.shared.model.action import Action
from bandsmith.shared.model.errand import Errand, ErrandTurn, Workpiece
from bandsmith.shared.model.session import ExportFormat

from ..errand import ErrandContext, ErrandTool, Prepared


class ExportSessionReport(ErrandTool):
    """Give the user the report of the conversation as a file, printed with its sample data."""

    name = "export_report"
    domain = "reports"

    format: ExportFormat

    def prepare(self, context: ErrandContext) -> Prepared:
        workpiece = Workpiece.of(context.own_report().version)
        return Prepared(Errand(turn=ErrandTurn(action=Action(do="export", format=self.format), workpiece=workpiece)))
