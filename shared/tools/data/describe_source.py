"""``describe_source``: the tables of a source."""

from __future__ import annotations

from pydantic import Field

from ..errand import ErrandContext, ErrandTool, Prepared


class DescribeTables(ErrandTool):
    """State the tables and columns of a source of data. Leave the source out if there is only one."""

    name = "describe_source"
    domain = "data"

    source: str = Field(default="", max_length=400)

    def prepare(self, context: ErrandContext) -> Prepared:
        return Prepared(described=context.sources(self.source))
