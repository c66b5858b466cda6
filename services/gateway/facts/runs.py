"""What a turn knows of scheduled runs: which there are, what is wanted of them, and what became of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from bandsmith.shared.model.document import Document
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import Delivery, Run, Times
from bandsmith.shared.model.run_request import RunChange, RunEdit, RunRequest, RunView

from .binding import BindingFacts
from .learning import INTERNAL


class RunFacts(BindingFacts):
    session_name: Annotated[str, INTERNAL] = ""
    after_runs: Annotated[bool, INTERNAL] = False
    """Whether the turn before was about scheduled runs."""
    known_runs: list[RunView] = []
    run_request: RunRequest | None = None
    run_step: str = ""
    """Whether the user is told something, asked for what is missing, or asked to agree to a change."""
    run_words: str = ""
    run_zone: str = ""
    run_begins: datetime | None = None
    changed_runs: list[RunView] = []
    run_refusal: str = ""

    @property
    def run_text(self) -> str:
        """What the user said of runs: the request, or the answer to the question about it."""
        return self.said or self.text

    @property
    def run_title(self) -> str:
        """Title of the report that a run would fill; empty if there is none."""
        return (self.session_name or "report") if self.saved else ""

    @property
    def has_rows(self) -> bool:
        """Whether a file of rows came with the message."""
        return self.data_file is not None

    @property
    def run_change(self) -> RunChange:
        """What the user agreed to."""
        assert self.run_request is not None
        new = self._new_run() if self.run_request.do == "add" else None
        edit = RunEdit.of(self.run_request.draft) if self.run_request.do == "change" else RunEdit()
        return RunChange(
            do=self.run_request.do,
            names=self.run_request.names,
            run=new,
            begins_paused=new is not None and self.run_request.draft.paused,
            edit=edit,
            at=self.began,
        )

    def _new_run(self) -> Run:
        assert self.run_request is not None and self.saved is not None and self.run_begins is not None
        draft, rows = self.run_request.draft, self.data_file
        filling = Filling(formats=draft.formats, sample=self.saved.data, each=draft.each)
        if rows is None:
            more = {"source": draft.source, "period": draft.period, "bindings": self.session_bindings}
            filling = filling.model_copy(update=more)
        return Run(
            name=draft.name,
            template=Document(name="report.jrxml", content=self.saved.template),
            data=rows,
            filling=filling,
            times=Times(rule=draft.rule, zone=self.run_zone, begins=self.run_begins, excluded=draft.excluded),
            delivery=Delivery(title=self.run_title, folder=draft.folder, mail=draft.mail),
            language=self.language,
            tell=draft.tell,
        )
