"""``build_report``: a new report from words."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.model.errand import Errand, ErrandTurn
from bandsmith.shared.replies import text

from ..errand import ErrandContext, ErrandTool, Prepared


class BuildReport(ErrandTool):
    """Build a new report from a description: its kind, its columns, what stands above and below, totals, groups, paper.

    It becomes the report of the conversation; the one before can be restored.
    """

    name = "build_report"
    domain = "reports"
    writes = True

    description: str = Field(min_length=1, max_length=4_000)

    def prepare(self, context: ErrandContext) -> Prepared:
        lines = [text("errands.build", context.language, description=self.description)]
        if context.report is not None:
            lines.append(text("errands.replaces", context.language, number=context.report.version.number))
        return Prepared(Errand(turn=ErrandTurn(text=self.description, makes_report=True)), "\n".join(lines))
