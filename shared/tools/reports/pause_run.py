"""``pause_run``: pause a scheduled run."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.model.errand import Errand
from bandsmith.shared.model.run_request import RunChange

from ..errand import ErrandContext, ErrandTool, Prepared


class PauseRun(ErrandTool):
    """Pause a scheduled run: nothing of it is started until it is resumed."""

    name = "pause_run"
    domain = "reports"
    writes = True

    run_name: str = Field(min_length=1, max_length=48)

    def prepare(self, context: ErrandContext) -> Prepared:
        change = RunChange(do="pause", names=[self.run_name], at=context.now)
        return Prepared(Errand(run_change=change, looks_up=True))
