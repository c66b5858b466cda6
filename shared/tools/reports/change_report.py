"""``change_report``: a change of the session's report, asked for in words."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.model.errand import Errand, ErrandTurn, Workpiece
from bandsmith.shared.replies import text

from ..errand import ErrandContext, ErrandTool, Prepared


class ChangeReport(ErrandTool):
    """Change the report of the conversation as a sentence says: texts, colours, columns, totals. One wish a call."""

    name = "change_report"
    domain = "reports"
    writes = True

    request: str = Field(min_length=1, max_length=2_000)

    def prepare(self, context: ErrandContext) -> Prepared:
        workpiece = Workpiece.of(context.own_report().version)
        turn = ErrandTurn(text=self.request, workpiece=workpiece, makes_report=True)
        return Prepared(Errand(turn=turn), text("errands.change", context.language, request=self.request))
