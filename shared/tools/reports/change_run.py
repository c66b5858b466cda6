"""``change_run``: other times or places of a scheduled run."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.errand import Errand
from bandsmith.shared.model.run import MAX_EXCLUDED, MAX_MAILS, MailAddress
from bandsmith.shared.model.run_request import RunChange, RunEdit
from bandsmith.shared.model.session_parts import Format

from ..errand import ErrandContext, ErrandTool, Prepared


class ChangeRun(ErrandTool):
    """Change a scheduled run: its rule as a whole, further days on which nothing is due, where its files go.

    What is left out stays. list_runs states the names and the times.
    """

    name = "change_run"
    domain = "reports"
    writes = True

    run_name: str = Field(min_length=1, max_length=48)
    rule: str = Field(default="", max_length=500, description="As that of schedule_run.")
    excluded: list[date] = Field(default=[], max_length=MAX_EXCLUDED)
    period: str = Field(default="", max_length=60)
    formats: list[Format] = Field(default=[], max_length=6)
    folder: str = Field(default="", max_length=500)
    mail: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)
    tell: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)

    def prepare(self, context: ErrandContext) -> Prepared:
        edit = RunEdit.model_validate(self.model_dump(include=set(RunEdit.model_fields)))
        if not edit:
            raise BadInput.of("runs.talk.nothing_to_change", code="run")
        if edit.folder:
            edit = edit.model_copy(update={"folder": context.folder(edit.folder)})
        change = RunChange(do="change", names=[self.run_name], edit=edit, at=context.now)
        return Prepared(Errand(run_change=change, looks_up=True))
