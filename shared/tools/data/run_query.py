"""``run_query``: a query that only reads."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.errand import Errand, ErrandTurn
from bandsmith.shared.model.source import Asking

from ..errand import ErrandContext, ErrandTool, Prepared


class RunOwnQuery(ErrandTool):
    """Run a SELECT on a source of data, after the same checks as any query: it only reads what may be seen."""

    name = "run_query"
    domain = "data"

    query: str = Field(min_length=1, max_length=8_000)
    source: str = Field(default="", max_length=400)

    def prepare(self, context: ErrandContext) -> Prepared:
        if not self.query.lstrip().casefold().startswith(("select", "with")):
            raise BadInput.of("errands.no_select", code="query")
        return Prepared(Errand(turn=ErrandTurn(text=self.query, asking=Asking(source=context.sources(self.source)))))
