"""The workflow of a turn: one table of rows, and the pure function that reads it.

At a node, on an event, under a condition: go to a node and send a command. The first row that matches wins. A row with
a cap stops matching once what it costs no longer fits, so the row below it says what happens then.

    python -m services.gateway.chart         prints the table and the diagram of the README
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shared.events import (
    Command,
    CorrectTemplate,
    DraftRendered,
    Event,
    ExplainFailure,
    ExtractLayout,
    FailureExplained,
    FieldsMapped,
    GenerateSkeleton,
    JoinWindows,
    KnowledgeRecalled,
    LayoutExtracted,
    MapFields,
    Message,
    RecallKnowledge,
    RefineWindow,
    RenderDraft,
    SkeletonGenerated,
    StageFailed,
    StartTurn,
    TemplateCorrected,
    TemplateValidated,
    TurnFailed,
    TurnFinished,
    ValidateTemplate,
    WindowRefined,
    WindowsJoined,
)

from .state import Turn

Condition = Callable[[Turn], bool]


@dataclass(frozen=True)
class Cap:
    """A row is taken only while what it costs still fits under the limit; rows of one name share what is spent."""

    name: str
    limit: int
    cost: int = 1


@dataclass(frozen=True)
class Row:
    at: str
    on: type[Message]
    go: str | type[Event]
    """The next node, or the event that ends the turn. The same node without a cap is the same visit going on."""
    send: type[Command] | None = None
    when: Condition | None = None
    cap: Cap | None = None

    def matches(self, turn: Turn, on: type[Message]) -> bool:
        return (
            self.at in (turn.node, ANYWHERE)
            and issubclass(on, self.on)
            and (self.when is None or self.when(turn))
            and (self.cap is None or turn.spent.get(self.cap.name, 0) + self.cap.cost <= self.cap.limit)
        )

    @property
    def enters(self) -> bool:
        """Whether it begins another attempt: a node is entered, or entered again."""
        return self.go != self.at or self.cap is not None

    @property
    def stays(self) -> bool:
        """Whether it only waits for the answers that are still missing."""
        return self.go == self.at and self.send is None

    @property
    def outcome(self) -> str:
        """How its node ended, in words."""
        if self.on is StageFailed:
            return "failed"
        return self.when.__name__.replace("_", " ") if self.when else ""


class AtOnce(Message):
    """What happens at a node of the gateway's own, where nothing is asked and nothing awaited."""


ANYWHERE = "*"
ANYTHING = Message


def there_are_windows(turn: Turn) -> bool:
    return turn.windows > 0


def every_window_is_in(turn: Turn) -> bool:
    return not turn.awaiting


def something_changed(turn: Turn) -> bool:
    return turn.changed > 0


def it_passed(turn: Turn) -> bool:
    return turn.latest is not None and turn.latest.said.passed


def a_version_was_validated(turn: Turn) -> bool:
    return turn.best is not None


ROUND = Cap("rounds", 2)
CORRECTION = Cap("corrections", 5)
VAIN_CORRECTION = Cap("corrections", 5, cost=2)
"""One that changed nothing counts 2. It goes straight to the next: the same template has the same verdict."""

ROWS: tuple[Row, ...] = (
    Row("load_session", StartTurn, "process_input", ExtractLayout),
    Row("process_input", LayoutExtracted, "retrieve", RecallKnowledge),
    Row("process_input", StageFailed, TurnFailed),
    Row("retrieve", KnowledgeRecalled, "generate_skeleton", GenerateSkeleton),
    Row("retrieve", StageFailed, "generate_skeleton", GenerateSkeleton),
    Row("generate_skeleton", SkeletonGenerated, "refine_layout", RenderDraft, cap=ROUND),
    Row("generate_skeleton", StageFailed, TurnFailed),
    Row("refine_layout", DraftRendered, "refine_layout", RefineWindow, there_are_windows),
    Row("refine_layout", DraftRendered, "map_fields", MapFields),
    Row("refine_layout", WindowRefined, "refine_layout", JoinWindows, every_window_is_in),
    Row("refine_layout", WindowRefined, "refine_layout"),
    Row("refine_layout", WindowsJoined, "refine_layout", RenderDraft, something_changed, ROUND),
    Row("refine_layout", WindowsJoined, "map_fields", MapFields),
    Row("refine_layout", StageFailed, "map_fields", MapFields),
    Row("map_fields", FieldsMapped, "save_session"),
    Row("map_fields", StageFailed, "save_session"),
    Row("save_session", AtOnce, "validate", ValidateTemplate),
    Row("validate", TemplateValidated, "finalize", when=it_passed),
    Row("validate", TemplateValidated, "explain_error", ExplainFailure, cap=CORRECTION),
    Row("validate", TemplateValidated, "finalize"),
    Row("validate", StageFailed, "finalize", when=a_version_was_validated),
    Row("validate", StageFailed, TurnFailed),
    Row("explain_error", FailureExplained, "correct_jrxml", CorrectTemplate),
    Row("explain_error", StageFailed, "correct_jrxml", CorrectTemplate),
    Row("correct_jrxml", TemplateCorrected, "validate", ValidateTemplate, something_changed),
    Row("correct_jrxml", TemplateCorrected, "correct_jrxml", CorrectTemplate, cap=VAIN_CORRECTION),
    Row("correct_jrxml", TemplateCorrected, "finalize"),
    Row("correct_jrxml", StageFailed, "finalize"),
    Row("finalize", AtOnce, TurnFinished),
    Row(ANYWHERE, ANYTHING, TurnFailed),
)

FIRST = ROWS[0].at
UNROUTED = ROWS[-1]
"""Whatever no row expects ends the turn and says so."""


def route(turn: Turn, on: type[Message]) -> Row:
    """The first row that matches, for a turn that has learned what the event says."""
    return next(row for row in ROWS if row.matches(turn, on))
