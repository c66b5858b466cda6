"""``describe_report``: what the session's report contains."""

from __future__ import annotations

from ..errand import ErrandContext, ErrandTool, Prepared


class DescribeReport(ErrandTool):
    """State what the report of the conversation contains: title, page, columns, groups, totals, single values."""

    name = "describe_report"
    domain = "reports"

    def prepare(self, context: ErrandContext) -> Prepared:
        return Prepared(answer=context.own_report().contents)
