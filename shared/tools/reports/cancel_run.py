"""``cancel_run``: cancel a scheduled run."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.model.errand import Errand
from bandsmith.shared.model.run_request import RunChange

from ..errand import ErrandContext, ErrandTool, Prepared


class CancelRun(ErrandTool):
    """Remove a scheduled run for good."""

    name = "cancel_run"
    domain = "reports"
    writes = True

    run_name: str = Field(min_length=1, max_length=48)

    def prepare(self, context: ErrandContext) -> Prepared:
        change = RunChange(do="cancel", names=[self.run_name], at=context.now)
        return Prepared(Errand(run_change=change, looks_up=True))
