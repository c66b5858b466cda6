"""What the gateway knows of a session: one value, stored under one key, changed only by compare-and-set.

An answer's fields are kept in the turn as facts of the same names, and a command is filled from the facts of its own
fields' names. So a new node needs a fact for each thing that it brings (`facts/`), and nothing else here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bandsmith.shared.events import Command, Envelope, Message
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.base import Ref
from bandsmith.shared.turns.session import Session

from .facts.analysis import AnalysisFacts
from .facts.learning import changes
from .facts.runs import RunFacts
from .facts.task import TaskFacts

RENAMED = {
    ("BindData", "filling"): "fill_request",
    ("DeliverFiles", "files"): "filled_files",
    ("DeliverFiles", "key"): "delivery_key",
    ("ReadPlaceholders", "filling"): "fill_request",
    ("ReadPlaceholders", "bindings"): "known_bindings",
    ("WriteBinding", "work"): "part",
    ("CheckBinding", "work"): "part",
    ("TryBinding", "work"): "part",
    ("ExportReport", "format"): "part",
    ("FillReport", "format"): "part.format",
    ("FillReport", "name"): "part.name",
    ("FillReport", "rows"): "part.rows",
    ("ReadChange", "text"): "request",
    ("ReadChange", "edits"): "given_edits",
    ("ReadTable", "document"): "data_file",
    ("RefineWindow", "window"): "part",
    ("ValidateTemplate", "form"): "original",
    ("ValidateTemplate", "before"): "previous",
    ("RememberFixes", "fixes"): "learned",
    ("ReviewOutcome", "before"): "changed_version",
    ("ReviewOutcome", "undone"): "not_done",
    ("ReadRunRequest", "text"): "run_text",
    ("ReadRunRequest", "bindings"): "filled_by",
    ("PrepareErrand", "bindings"): "filled_by",
    ("LookUpCalendar", "planning"): "looked_up_in",
    ("PlanWork", "planning"): "planned_in",
    ("CommitCalendar", "planning"): "planned_in",
    ("WriteQuery", "question"): "task",
    ("RunQuery", "query"): "permitted",
    ("WriteQuery", "evidence"): "step_evidence",
    ("PlanAnalysis", "evidence"): "known",
    ("JudgeQuery", "question"): "task",
    ("JudgeQuery", "evidence"): "step_evidence",
    ("CheckQuery", "question"): "named_in_query",
}
"""Fields of commands that are filled from a fact of another name."""


class Turn(RunFacts, AnalysisFacts, TaskFacts):
    """A turn under way, or the last one: the facts of every flow."""

    def learn(self, event: Message, **updates: object) -> Turn:
        """Return the turn with the facts of `event`, and with other `updates`."""
        news: dict[str, Any] = {name: change(self, event) for name, change in changes(Turn, type(event)).items()}
        return self.model_copy(update=news | updates)

    @property
    def filled_by(self) -> Ref | None:
        """The queries of the last filling of the session's report, in this question, in this task or before it."""
        return self.shown_bindings or self.work_bindings or self.session_bindings

    @property
    def allowance(self) -> Allowance:
        """What is left to spend on a model."""
        return self.budget.less(self.usage)

    def ask(self, command: type[Command], parts: Sequence[object] = (None,)) -> list[Command]:
        """Return a command for each of the `parts`, filled with facts; they share what may be spent on a model."""
        facts = {name: RENAMED.get((command.kind(), name), name) for name in command.model_fields}
        known = {name: getattr(self, fact, None) for name, fact in facts.items()}
        left, commands = self.allowance, []
        for number, part in enumerate(parts):
            given = {"part": part, "allowance": _share(left, number, len(parts))}
            news = {name: given[fact] for name, fact in facts.items() if fact in given}
            news |= {name: getattr(part, fact[5:], None) for name, fact in facts.items() if fact.startswith("part.")}
            commands.append(command.model_validate(known | news))
        return commands


def _share(left: Allowance, number: int, parts: int) -> Allowance:
    """What one of several parts that ask a model at the same time may spend."""
    calls, remainder = divmod(left.calls, parts)
    return Allowance(calls=calls + (number < remainder), tokens=left.tokens // parts)


class SessionState(Session):
    """A session with the turn that is under way, and the turns that wait for it."""

    turn: Turn | None = None
    waiting: list[Envelope] = []
    """The beginnings of the next turns, in order."""
    suspended: dict[str, Any] | None = None
    """What the turn that asked for a confirmation knew; the next turn continues it, or goes on to something else."""
    past: list[str] = []
    """Ids of the last finished and refused turns: a late copy of their first command starts nothing."""
    events: list[Envelope] = []
    """The events of the last step."""
