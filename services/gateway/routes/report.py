"""The part of the table that makes, changes and shows reports, and answers questions about them.

It comes after the rows of other flows, since it takes what none of them is meant for: a change where there is a
report, else a new one.
"""

from __future__ import annotations

from bandsmith.shared.events import (
    AnswerQuestion,
    ApplyReading,
    ChangeRead,
    CorrectTemplate,
    DraftRendered,
    ExplainFailure,
    ExportReport,
    FailureExplained,
    FieldsMapped,
    FixesRecalled,
    FormRead,
    GenerateReport,
    GenerateSkeleton,
    IntentClassified,
    JoinWindows,
    KnowledgeRecalled,
    LayoutRefined,
    MapFields,
    ModifyTemplate,
    OutcomeReviewed,
    QuestionAnswered,
    ReadChange,
    ReadForm,
    ReadingApplied,
    ReadSpec,
    RecallFixes,
    RecallKnowledge,
    RefineLayout,
    RefineWindow,
    RenderDraft,
    ReportExported,
    ReportGenerated,
    ReviewOutcome,
    SkeletonGenerated,
    SpecRead,
    StageFailed,
    TemplateCorrected,
    TemplateModified,
    TemplateValidated,
    TurnFailed,
    ValidateTemplate,
    WindowRefined,
    WindowsJoined,
)
from bandsmith.shared.model.session_parts import ExportFormat

from ..facts.report import MAX_ROUNDS
from ..state import Turn
from ..workflow import AtOnce, Cap, Row
from .head import (
    an_earlier_version_is_wanted,
    an_export_is_wanted,
    the_formats,
    there_is_nothing_to_show,
    undo_or_redo_is_wanted,
)

# --- conditions ------------------------------------------------------------------------------------------------------


def a_page_came(turn: Turn) -> bool:
    return turn.has_page


def only_a_template_came(turn: Turn) -> bool:
    came = any(document.kind == "template" for document in turn.attachments)
    return came and not turn.text.strip() and not turn.has_page


def a_model_may_read_the_page(turn: Turn) -> bool:
    return turn.has_page and turn.allowance.calls > 0


def the_page_is_read_otherwise(turn: Turn) -> bool:
    return turn.reading is not None


def it_is_answered(turn: Turn) -> bool:
    return bool(turn.answer)


def a_new_report_is_wanted(turn: Turn) -> bool:
    return turn.intent == "initial_generation"


def it_has_to_be_confirmed(turn: Turn) -> bool:
    """A report and a conversation are not lost by a guess."""
    if turn.intent == "reset_session":
        return turn.saved is not None or bool(turn.history)
    return turn.intent == "initial_generation" and turn.saved is not None and not turn.replaces


def a_change_was_read(turn: Turn) -> bool:
    return turn.change is not None and turn.has_template


def a_spec_was_read(turn: Turn) -> bool:
    return turn.spec is not None


def a_part_was_not_read(turn: Turn) -> bool:
    return bool(turn.remainder)


def every_file_is_exported(turn: Turn) -> bool:
    return not turn.awaiting


def the_template_is_wanted(turn: Turn) -> bool:
    return turn.intent == "export_jrxml" and turn.has_template


def a_question_is_asked(turn: Turn) -> bool:
    return turn.intent == "consult_question"


def a_repair_is_wanted(turn: Turn) -> bool:
    return turn.intent == "fix_report" and turn.has_template


def a_reset_is_wanted(turn: Turn) -> bool:
    return turn.intent == "reset_session"


def there_is_a_template(turn: Turn) -> bool:
    return turn.has_template


def a_change_came_along(turn: Turn) -> bool:
    """Remarks are drawn on the page, or words beside it ask for more than to build it."""
    return bool(turn.remarks or turn.wording)


def the_template_is_new(turn: Turn) -> bool:
    return turn.is_new


def the_unresolved_windows(turn: Turn) -> list[int]:
    return turn.unresolved


def a_model_may_help(turn: Turn) -> bool:
    """Rules come first: a model sees the last draft that they make, or one that they leave as it is."""
    last = not turn.changed or turn.attempts.get("refine_layout") == MAX_ROUNDS
    return last and bool(turn.unresolved) and turn.allowance.calls > 0


def every_window_is_done(turn: Turn) -> bool:
    return not turn.awaiting


def something_changed(turn: Turn) -> bool:
    return turn.changed > 0


def it_passed(turn: Turn) -> bool:
    return turn.latest is not None and turn.latest.verdict.passed


def a_review_is_due(turn: Turn) -> bool:
    """A model had a part in what was made of the user's words, so it may also say what is not as they asked."""
    return it_passed(turn) and turn.is_by_a_model and turn.allowance.calls > 0


def files_are_wanted_besides(turn: Turn) -> bool:
    """A change, an undo or a restore is to be followed by files that do not come with every report."""
    return it_passed(turn) and bool(turn.formats_besides)


def the_formats_besides(turn: Turn) -> list[ExportFormat]:
    return turn.formats_besides


def it_is_as_it_came(turn: Turn) -> bool:
    return turn.is_as_it_came


def a_version_was_validated(turn: Turn) -> bool:
    return turn.best is not None


# --- rows ------------------------------------------------------------------------------------------------------------

ROUND = Cap("rounds", MAX_ROUNDS)
CORRECTION = Cap("corrections", 5)
VAIN_CORRECTION = Cap("corrections", 5, cost=2)
"""A correction that changed nothing costs 2. The next one follows at once: the same template has the same verdict."""

ROWS: tuple[Row, ...] = (
    Row("classify_intent", IntentClassified, "save_session", when=only_a_template_came),
    Row("classify_intent", IntentClassified, "ask_user", when=it_has_to_be_confirmed),
    Row("classify_intent", IntentClassified, "retrieve", RecallKnowledge, a_new_report_is_wanted),
    Row("classify_intent", IntentClassified, "modify_jrxml", ModifyTemplate, a_change_was_read),
    Row("classify_intent", IntentClassified, "save_session", ExportReport, an_export_is_wanted, each=the_formats),
    Row("classify_intent", IntentClassified, "save_session", when=the_template_is_wanted),
    Row("classify_intent", IntentClassified, "finalize", when=there_is_nothing_to_show),
    Row("classify_intent", IntentClassified, "validate", ValidateTemplate, a_repair_is_wanted),
    Row("classify_intent", IntentClassified, "handle_undo", when=undo_or_redo_is_wanted),
    Row("classify_intent", IntentClassified, "handle_restore", when=an_earlier_version_is_wanted),
    Row("classify_intent", IntentClassified, "handle_reset", when=a_reset_is_wanted),
    Row("classify_intent", IntentClassified, "finalize", when=it_is_answered),
    Row("classify_intent", IntentClassified, "handle_consult", AnswerQuestion, a_question_is_asked),
    Row("classify_intent", IntentClassified, "modify_jrxml", ReadChange, there_is_a_template),
    Row("classify_intent", IntentClassified, "retrieve", RecallKnowledge),
    Row("classify_intent", StageFailed, "modify_jrxml", ReadChange, there_is_a_template),
    Row("classify_intent", StageFailed, "retrieve", RecallKnowledge),
    Row("ask_user", AtOnce, "finalize"),
    Row("resume_turn", AtOnce, "handle_reset", when=a_reset_is_wanted),
    Row("resume_turn", AtOnce, "retrieve", RecallKnowledge),
    Row("retrieve", KnowledgeRecalled, "read_form", ReadForm, a_model_may_read_the_page),
    Row("retrieve", KnowledgeRecalled, "generate_skeleton", GenerateSkeleton, a_page_came),
    Row("retrieve", KnowledgeRecalled, "generate", GenerateReport, a_spec_was_read),
    Row("retrieve", KnowledgeRecalled, "generate", ReadSpec),
    Row("retrieve", StageFailed, "read_form", ReadForm, a_model_may_read_the_page),
    Row("retrieve", StageFailed, "generate_skeleton", GenerateSkeleton, a_page_came),
    Row("retrieve", StageFailed, "generate", GenerateReport, a_spec_was_read),
    Row("retrieve", StageFailed, "generate", ReadSpec),
    Row("read_form", FormRead, "read_form", ApplyReading, the_page_is_read_otherwise),
    Row("read_form", FormRead, "generate_skeleton", GenerateSkeleton),
    Row("read_form", ReadingApplied, "generate_skeleton", GenerateSkeleton),
    Row("read_form", StageFailed, "generate_skeleton", GenerateSkeleton),
    Row("generate", SpecRead, "generate", GenerateReport),
    Row("generate", ReportGenerated, "modify_jrxml", ReadChange, a_part_was_not_read),
    Row("generate", ReportGenerated, "save_session"),
    Row("generate", StageFailed, TurnFailed),
    Row("generate_skeleton", SkeletonGenerated, "refine_layout", RenderDraft, cap=ROUND),
    Row("generate_skeleton", StageFailed, TurnFailed),
    Row("refine_layout", DraftRendered, "refine_layout", RefineLayout),
    Row("refine_layout", LayoutRefined, "refine_layout", RefineWindow, a_model_may_help, each=the_unresolved_windows),
    Row("refine_layout", LayoutRefined, "refine_layout", RenderDraft, something_changed, ROUND),
    Row("refine_layout", LayoutRefined, "map_fields", MapFields),
    Row("refine_layout", WindowRefined, "refine_layout", JoinWindows, every_window_is_done),
    Row("refine_layout", WindowRefined, "refine_layout"),
    Row("refine_layout", WindowsJoined, "map_fields", MapFields),
    Row("refine_layout", StageFailed, "map_fields", MapFields),
    Row("map_fields", FieldsMapped, "modify_jrxml", ReadChange, a_change_came_along),
    Row("map_fields", FieldsMapped, "save_session"),
    Row("map_fields", StageFailed, "modify_jrxml", ReadChange, a_change_came_along),
    Row("map_fields", StageFailed, "save_session"),
    Row("modify_jrxml", ChangeRead, "modify_jrxml", ModifyTemplate),
    Row("modify_jrxml", TemplateModified, "save_session", when=the_template_is_new),
    Row("modify_jrxml", TemplateModified, "finalize"),
    Row("modify_jrxml", StageFailed, "save_session", when=the_template_is_new),
    Row("modify_jrxml", StageFailed, TurnFailed),
    Row("handle_consult", QuestionAnswered, "finalize"),
    Row("handle_consult", StageFailed, TurnFailed),
    Row("handle_undo", AtOnce, "save_session", when=the_template_is_new),
    Row("handle_undo", AtOnce, "finalize"),
    Row("handle_restore", AtOnce, "save_session", when=the_template_is_new),
    Row("handle_restore", AtOnce, "finalize"),
    Row("handle_reset", AtOnce, "finalize"),
    Row("save_session", ReportExported, "finalize", when=every_file_is_exported),
    Row("save_session", ReportExported, "save_session"),
    Row("save_session", StageFailed, TurnFailed),
    Row("save_session", AtOnce, "finalize", when=the_template_is_wanted),
    Row("save_session", AtOnce, "validate", ValidateTemplate),
    Row("validate", TemplateValidated, "review_outcome", ReviewOutcome, a_review_is_due),
    Row("validate", TemplateValidated, "export", ExportReport, files_are_wanted_besides, each=the_formats_besides),
    Row("validate", TemplateValidated, "finalize", when=it_passed),
    Row("validate", TemplateValidated, "finalize", when=it_is_as_it_came),
    Row("validate", TemplateValidated, "explain_error", ExplainFailure, cap=CORRECTION),
    Row("validate", TemplateValidated, "finalize"),
    Row("validate", StageFailed, "finalize", when=a_version_was_validated),
    Row("validate", StageFailed, TurnFailed),
    Row("review_outcome", OutcomeReviewed, "export", ExportReport, files_are_wanted_besides, each=the_formats_besides),
    Row("review_outcome", OutcomeReviewed, "finalize"),
    Row("review_outcome", StageFailed, "export", ExportReport, files_are_wanted_besides, each=the_formats_besides),
    Row("review_outcome", StageFailed, "finalize"),
    Row("export", ReportExported, "finalize", when=every_file_is_exported),
    Row("export", ReportExported, "export"),
    Row("export", StageFailed, "finalize"),
    Row("explain_error", FailureExplained, "explain_error", RecallFixes),
    Row("explain_error", FixesRecalled, "correct_jrxml", CorrectTemplate),
    Row("explain_error", StageFailed, "correct_jrxml", CorrectTemplate),
    Row("correct_jrxml", TemplateCorrected, "validate", ValidateTemplate, something_changed),
    Row("correct_jrxml", TemplateCorrected, "correct_jrxml", CorrectTemplate, cap=VAIN_CORRECTION),
    Row("correct_jrxml", TemplateCorrected, "finalize"),
    Row("correct_jrxml", StageFailed, "finalize"),
)
