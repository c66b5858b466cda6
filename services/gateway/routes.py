"""The workflow of a turn: one table of rows, and the pure function that reads it.

At a node, on an event, under a condition: go to a node and send a command. The first row that matches wins. A row with
a cap stops matching once what it costs no longer fits, so the row below it says what happens then.

    python -m bandsmith.services.gateway.workflow_docs         prints the table and the diagram of the README
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bandsmith.shared.events import (
    AnswerQuestion,
    ClassifyIntent,
    Command,
    CompressHistory,
    CorrectTemplate,
    DraftRendered,
    Event,
    ExplainFailure,
    ExportReport,
    ExtractLayout,
    FailureExplained,
    FieldsMapped,
    FixesRecalled,
    FixesRemembered,
    GenerateReport,
    GenerateSkeleton,
    HistoryCompressed,
    IntentClassified,
    JoinWindows,
    KnowledgeRecalled,
    LayoutExtracted,
    MapFields,
    Message,
    ModifyTemplate,
    QuestionAnswered,
    ReadTemplate,
    RecallFixes,
    RecallKnowledge,
    RefineWindow,
    RememberFixes,
    RenderDraft,
    ReportExported,
    ReportGenerated,
    SkeletonGenerated,
    StageFailed,
    StartTurn,
    TemplateCorrected,
    TemplateModified,
    TemplateRead,
    TemplateValidated,
    TurnFailed,
    TurnFinished,
    ValidateTemplate,
    WindowRefined,
    WindowsJoined,
)

from .state import ROUNDS, Turn

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


# --- conditions ------------------------------------------------------------------------------------------------------


def a_page_came(turn: Turn) -> bool:
    return turn.has_page


def a_page_is_unread(turn: Turn) -> bool:
    return turn.has_page and turn.layout is None


def a_template_is_unread(turn: Turn) -> bool:
    return turn.document is not None


def the_history_is_long(turn: Turn) -> bool:
    return sum(len(said.text) for said in turn.history) > LONG_HISTORY


def only_a_template_came(turn: Turn) -> bool:
    return turn.is_new and not turn.text.strip() and not turn.has_page


def it_is_answered(turn: Turn) -> bool:
    return bool(turn.answer)


def a_new_report_is_wanted(turn: Turn) -> bool:
    return turn.intent == "initial_generation"


def a_change_is_wanted(turn: Turn) -> bool:
    return turn.intent == "modify_report" and turn.has_template


def an_export_is_wanted(turn: Turn) -> bool:
    return turn.intent in ("preview_report", "export_pdf", "export_file") and turn.has_template


def the_template_is_wanted(turn: Turn) -> bool:
    return turn.intent == "export_jrxml" and turn.has_template


def there_is_nothing_to_show(turn: Turn) -> bool:
    return turn.intent in ("preview_report", "export_pdf", "export_file", "export_jrxml")


def a_question_is_asked(turn: Turn) -> bool:
    return turn.intent == "consult_question"


def undo_or_redo_is_wanted(turn: Turn) -> bool:
    return turn.intent in ("undo_modification", "redo_modification")


def a_reset_is_wanted(turn: Turn) -> bool:
    return turn.intent == "reset_session"


def there_is_a_template(turn: Turn) -> bool:
    return turn.has_template


def remarks_are_drawn(turn: Turn) -> bool:
    return bool(turn.remarks)


def the_template_is_new(turn: Turn) -> bool:
    return turn.is_new


def there_are_windows(turn: Turn) -> bool:
    return turn.windows > 0


def every_window_is_in(turn: Turn) -> bool:
    return not turn.awaiting


def something_changed(turn: Turn) -> bool:
    return turn.changed > 0


def another_round_is_of_use(turn: Turn) -> bool:
    """Where something moved; and where a model may be asked for what rules leave open, which is in the last round."""
    return turn.changed > 0 or turn.budget.calls > 0


def it_passed(turn: Turn) -> bool:
    return turn.latest is not None and turn.latest.said.passed


def a_version_was_validated(turn: Turn) -> bool:
    return turn.best is not None


def something_was_learned(turn: Turn) -> bool:
    return bool(turn.learned)


# --- the table -------------------------------------------------------------------------------------------------------

LONG_HISTORY = 4000
"""Characters under which a history needs no counting of its tokens."""
ROUND = Cap("rounds", ROUNDS)
CORRECTION = Cap("corrections", 5)
VAIN_CORRECTION = Cap("corrections", 5, cost=2)
"""One that changed nothing counts 2. It goes straight to the next: the same template has the same verdict."""

ROWS: tuple[Row, ...] = (
    Row("load_session", StartTurn, "process_input"),
    Row("process_input", AtOnce, "process_input", ExtractLayout, a_page_is_unread),
    Row("process_input", AtOnce, "process_input", ReadTemplate, a_template_is_unread),
    Row("process_input", AtOnce, "manage_context"),
    Row("process_input", LayoutExtracted, "process_input", ReadTemplate, a_template_is_unread),
    Row("process_input", LayoutExtracted, "manage_context"),
    Row("process_input", TemplateRead, "manage_context"),
    Row("process_input", StageFailed, TurnFailed),
    Row("manage_context", AtOnce, "manage_context", CompressHistory, the_history_is_long),
    Row("manage_context", AtOnce, "save_state_snapshot"),
    Row("manage_context", HistoryCompressed, "save_state_snapshot"),
    Row("manage_context", StageFailed, "save_state_snapshot"),
    Row("save_state_snapshot", AtOnce, "classify_intent", ClassifyIntent),
    Row("classify_intent", IntentClassified, "save_session", when=only_a_template_came),
    Row("classify_intent", IntentClassified, "retrieve", RecallKnowledge, a_new_report_is_wanted),
    Row("classify_intent", IntentClassified, "modify_jrxml", ModifyTemplate, a_change_is_wanted),
    Row("classify_intent", IntentClassified, "save_session", ExportReport, an_export_is_wanted),
    Row("classify_intent", IntentClassified, "save_session", when=the_template_is_wanted),
    Row("classify_intent", IntentClassified, "finalize", when=there_is_nothing_to_show),
    Row("classify_intent", IntentClassified, "handle_undo", when=undo_or_redo_is_wanted),
    Row("classify_intent", IntentClassified, "handle_reset", when=a_reset_is_wanted),
    Row("classify_intent", IntentClassified, "finalize", when=it_is_answered),
    Row("classify_intent", IntentClassified, "handle_consult", AnswerQuestion, a_question_is_asked),
    Row("classify_intent", IntentClassified, "modify_jrxml", ModifyTemplate, there_is_a_template),
    Row("classify_intent", IntentClassified, "retrieve", RecallKnowledge),
    Row("classify_intent", StageFailed, "modify_jrxml", ModifyTemplate, there_is_a_template),
    Row("classify_intent", StageFailed, "retrieve", RecallKnowledge),
    Row("retrieve", KnowledgeRecalled, "generate_skeleton", GenerateSkeleton, a_page_came),
    Row("retrieve", KnowledgeRecalled, "generate", GenerateReport),
    Row("retrieve", StageFailed, "generate_skeleton", GenerateSkeleton, a_page_came),
    Row("retrieve", StageFailed, "generate", GenerateReport),
    Row("generate", ReportGenerated, "save_session"),
    Row("generate", StageFailed, TurnFailed),
    Row("generate_skeleton", SkeletonGenerated, "refine_layout", RenderDraft, cap=ROUND),
    Row("generate_skeleton", StageFailed, TurnFailed),
    Row("refine_layout", DraftRendered, "refine_layout", RefineWindow, there_are_windows),
    Row("refine_layout", DraftRendered, "map_fields", MapFields),
    Row("refine_layout", WindowRefined, "refine_layout", JoinWindows, every_window_is_in),
    Row("refine_layout", WindowRefined, "refine_layout"),
    Row("refine_layout", WindowsJoined, "refine_layout", RenderDraft, another_round_is_of_use, ROUND),
    Row("refine_layout", WindowsJoined, "map_fields", MapFields),
    Row("refine_layout", StageFailed, "map_fields", MapFields),
    Row("map_fields", FieldsMapped, "modify_jrxml", ModifyTemplate, remarks_are_drawn),
    Row("map_fields", FieldsMapped, "save_session"),
    Row("map_fields", StageFailed, "save_session"),
    Row("modify_jrxml", TemplateModified, "save_session", when=the_template_is_new),
    Row("modify_jrxml", TemplateModified, "finalize"),
    Row("modify_jrxml", StageFailed, "save_session", when=the_template_is_new),
    Row("modify_jrxml", StageFailed, TurnFailed),
    Row("handle_consult", QuestionAnswered, "finalize"),
    Row("handle_consult", StageFailed, TurnFailed),
    Row("handle_undo", AtOnce, "save_session", when=the_template_is_new),
    Row("handle_undo", AtOnce, "finalize"),
    Row("handle_reset", AtOnce, "finalize"),
    Row("save_session", ReportExported, "finalize"),
    Row("save_session", StageFailed, TurnFailed),
    Row("save_session", AtOnce, "finalize", when=the_template_is_wanted),
    Row("save_session", AtOnce, "validate", ValidateTemplate),
    Row("validate", TemplateValidated, "finalize", when=it_passed),
    Row("validate", TemplateValidated, "explain_error", ExplainFailure, cap=CORRECTION),
    Row("validate", TemplateValidated, "finalize"),
    Row("validate", StageFailed, "finalize", when=a_version_was_validated),
    Row("validate", StageFailed, TurnFailed),
    Row("explain_error", FailureExplained, "explain_error", RecallFixes),
    Row("explain_error", FixesRecalled, "correct_jrxml", CorrectTemplate),
    Row("explain_error", StageFailed, "correct_jrxml", CorrectTemplate),
    Row("correct_jrxml", TemplateCorrected, "validate", ValidateTemplate, something_changed),
    Row("correct_jrxml", TemplateCorrected, "correct_jrxml", CorrectTemplate, cap=VAIN_CORRECTION),
    Row("correct_jrxml", TemplateCorrected, "finalize"),
    Row("correct_jrxml", StageFailed, "finalize"),
    Row("finalize", AtOnce, "finalize", RememberFixes, something_was_learned),
    Row("finalize", AtOnce, TurnFinished),
    Row("finalize", FixesRemembered, TurnFinished),
    Row("finalize", StageFailed, TurnFinished),
    Row(ANYWHERE, ANYTHING, TurnFailed),
)


class Workflow:
    """A table of rows, ready to be asked. Its first row's node begins a turn; its last row takes whatever is left."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self.rows = rows
        self.first = rows[0].at
        self.unrouted = rows[-1]
        """Whatever no row expects ends the turn and says so."""
        self._at = {node: [row for row in rows if row.at in (node, ANYWHERE)] for node in {row.at for row in rows}}

    def route(self, turn: Turn, on: type[Message]) -> Row:
        """The first row that matches, for a turn that has learned what the event says."""
        return next(row for row in self._at.get(turn.node, [self.unrouted]) if row.matches(turn, on))


WORKFLOW = Workflow(ROWS)
