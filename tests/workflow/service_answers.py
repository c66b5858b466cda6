"""Every answer that each command may have, as the services give them."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_origin

from bandsmith.shared.events import (
    COMMANDS,
    EVENTS,
    AnalysePython,
    AnalysisPlanned,
    AnswerQuestion,
    AnswerRead,
    AskServer,
    AssessQuestion,
    BindData,
    BindingChecked,
    BindingsStored,
    BindingTried,
    BindingWritten,
    CalendarCommitted,
    CarryOutCall,
    ChangeRead,
    ChangeRuns,
    CheckBinding,
    CheckQuery,
    ClassifyIntent,
    ColumnsRead,
    Command,
    CommitCalendar,
    CompressHistory,
    CorrectTemplate,
    DataBound,
    DraftRendered,
    EnhanceQuestion,
    Envelope,
    ErrandEnded,
    ErrandPrepared,
    Event,
    ExplainFailure,
    ExportReport,
    ExtractLayout,
    FailureExplained,
    FieldsMapped,
    FillingRead,
    FillReport,
    FixesRecalled,
    FixesRemembered,
    FormRead,
    GenerateReport,
    GenerateSkeleton,
    GetColumns,
    HistoryCompressed,
    JoinWindows,
    JudgeQuery,
    ListRuns,
    MapFields,
    ModifyTemplate,
    OutcomeReviewed,
    PlaceholdersRead,
    PlanAnalysis,
    PlanWork,
    PrepareErrand,
    PythonAnalysed,
    PythonRun,
    QueryChecked,
    QueryJudged,
    QueryRun,
    QuestionAnswered,
    QuestionAssessed,
    QuestionEnhanced,
    ReadAnswer,
    ReadChange,
    ReadFilling,
    ReadForm,
    ReadPlaceholders,
    ReadRunRequest,
    ReadSpec,
    ReadTemplate,
    RecallFixes,
    RecallSources,
    RefineLayout,
    RefineWindow,
    RememberFixes,
    RenderDraft,
    ReportExported,
    ReportFilled,
    ReportGenerated,
    ReviewOutcome,
    RunErrand,
    RunPython,
    RunQuery,
    RunRequestRead,
    RunsChanged,
    RunsListed,
    RunTool,
    ServerAnswered,
    SkeletonGenerated,
    SourcesRecalled,
    SpecRead,
    StepTaken,
    StoreBindings,
    TakeStep,
    TemplateRead,
    ToolRan,
    TryBinding,
    ValidateTemplate,
    WindowRefined,
    WindowsJoined,
    WriteBinding,
)
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.binding import (
    BindingTrial,
    CheckedBinding,
    WrittenBinding,
)
from bandsmith.shared.model.errand import Errand
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run_request import RunRequest
from bandsmith.shared.model.task import PlanStep

from .service_events import (
    ANSWERED,
    BUILDS,
    CALL,
    DEPENDENT_CALLS,
    ERRAND_CALL,
    FOREIGN_CALL,
    NOW,
    REVIEWED,
    ROWS_KNOWN,
    ROWS_OPEN,
    ROWS_OUTDATED,
    RUN,
    SEVERAL_CALLS,
    TITLE_OPEN,
    VERSION,
    corrected,
    extracted,
    failed,
    modified,
    planned,
    ref,
    refined,
    step,
    unread,
    validated,
    wants,
)

INTENTS: list[Event] = [
    wants("initial_generation", spec=ref("spec")),
    wants("initial_generation"),
    wants("initial_generation", replaces=True),
    wants("initial_generation", wording="leave out the price"),
    wants("modify_report", change=ref("change")),
    wants("modify_report"),
    wants("preview_report", format="png"),
    wants("export_pdf", format="pdf"),
    wants("export_jrxml"),
    wants("export_file", format="xlsx"),
    wants("export_file", format="pdf", formats=["pdf", "xlsx"], with_jrxml=True),
    wants("consult_question"),
    wants("consult_question", answer="$F is a field."),
    wants("fill_report"),
    wants("fill_report", filling=Filling(source="shop")),
    wants("undo_modification"),
    wants("redo_modification"),
    wants("undo_modification", format="xlsx"),
    wants("undo_modification", formats=["xlsx", "csv"]),
    wants("modify_report", change=ref("change"), format="docx"),
    wants("restore_version", version=1),
    wants("restore_version", version=99),
    wants("reset_session"),
    wants("fix_report"),
    wants("ask_data"),
    wants("unknown"),
    wants("plan_work"),
    wants("manage_runs"),
]

ANSWERS: dict[type, Callable[[dict], list[Event]]] = {
    ExtractLayout: lambda _: [extracted(), extracted(remarks=1)],
    ReadTemplate: lambda _: [TemplateRead(template=ref("read"), data=ref("data"), upload=ref("read"))],
    CompressHistory: lambda asked: [HistoryCompressed(history=asked["history"][-1:], archive=ref("archive"))],
    ClassifyIntent: lambda _: INTENTS,
    ReadAnswer: lambda _: [
        *(AnswerRead(agrees=agrees) for agrees in (True, False, None)),
        AnswerRead(agrees=False, drops=True),
        AnswerRead(agrees=True, says_right=True),
        AnswerRead(agrees=None, asks_calendar=True),
    ],
    ReadForm: lambda _: [FormRead(reading=ref("reading")), FormRead(reading=None)],
    ReadSpec: lambda _: [SpecRead(spec=ref("spec"))],
    GenerateReport: lambda _: [
        ReportGenerated(template=ref("generated"), data=ref("data"), remainder=remainder)
        for remainder in ("", "in red")
    ],
    GenerateSkeleton: lambda _: [SkeletonGenerated(template=ref("skeleton"), data=ref("data"))],
    RenderDraft: lambda _: [DraftRendered(page=ref("page"), printed=ref("printed"))],
    RefineLayout: lambda _: [refined(), refined(changed=3), refined(unresolved=0)],
    RefineWindow: lambda asked: [WindowRefined(window=asked["window"], edits=ref(f"edits-{asked['window']}"))],
    JoinWindows: lambda _: [WindowsJoined(template=ref("joined"), changed=1)],
    MapFields: lambda _: [FieldsMapped(template=ref("mapped"), data=ref("mapped-data"))],
    ReadChange: lambda _: [ChangeRead(change=ref("change"), usage=ANSWERED)],
    ModifyTemplate: lambda asked: [modified(), unread(asked["template"])],
    AnswerQuestion: lambda _: [QuestionAnswered(answer="A field is a column.", sources=["Fields"])],
    ReadFilling: lambda _: [FillingRead(filling=None), FillingRead(filling=Filling(formats=["pdf", "xlsx"]))],
    BindData: lambda _: [DataBound(rows=ref("rows"), row_count=12)],
    FillReport: lambda asked: [
        ReportFilled(format=asked["format"], name=asked["name"], files=[ref("filled")], pages=2)
    ],
    ExportReport: lambda asked: [ReportExported(format=asked["format"], files=[ref("exported")], pages=1)],
    ValidateTemplate: lambda _: [validated(0), validated(1)],
    ExplainFailure: lambda _: [FailureExplained(explanation="Two elements overlap.")],
    RecallFixes: lambda _: [FixesRecalled(fixes=[])],
    CorrectTemplate: lambda _: [corrected(), corrected(changed=False), corrected("by-model", by="model")],
    ReviewOutcome: lambda _: [OutcomeReviewed(), OutcomeReviewed(not_as_asked=["It is at the left."])],
    RecallSources: lambda _: [
        SourcesRecalled(source="shop", database=ref("database"), question="How many?"),
        SourcesRecalled(source="shop", database=ref("database"), question="", query="SELECT 1"),
    ],
    EnhanceQuestion: lambda _: [
        QuestionEnhanced(question="How many?"),
        QuestionEnhanced(question="How many?", query="SELECT 1", verified="How many?"),
        QuestionEnhanced(question="And those?", answer="Which ones?"),
    ],
    AssessQuestion: lambda _: [QuestionAssessed(), QuestionAssessed(answer="There is no weather here.")],
    CheckQuery: lambda _: [
        QueryChecked(query="SELECT 1", statement=ref("statement")),
        QueryChecked(query="SELECT 2", problem="There is no such table.", reason="There is no such table."),
    ],
    JudgeQuery: lambda _: [
        QueryJudged(),
        QueryJudged(doubt="It counts orders.", doubted_part="How many", reason="It counts orders."),
    ],
    RunQuery: lambda _: [
        QueryRun(result=ref("result"), rows_as_csv=ref("rows"), preview="| 1 |", row_count=1),
        QueryRun(problem="It took too long.", reason="It took too long."),
    ],
    RunPython: lambda _: [
        PythonRun(result=ref("result"), rows_as_csv=ref("rows"), row_count=1),
        PythonRun(problem="It took too long.", reason="It took too long."),
    ],
    AnalysePython: lambda _: [
        PythonAnalysed(step_explanation="It is {{forecast.rows}}."),
        PythonAnalysed(doubt="It is no forecast.", reason="It is no forecast."),
    ],
    PlanAnalysis: lambda _: [
        AnalysisPlanned(question="How many?", plan=[step("first"), step("second", uses=["first"])]),
        AnalysisPlanned(question="How many?", plan=[step("first"), step("forecast", uses=["first"], kind="python")]),
        AnalysisPlanned(question="How many?", plan=[step("first", uses=["none"])]),
        AnalysisPlanned(question="How many?", plan=[], answer="Of what?"),
    ],
    PlanWork: lambda _: [
        planned("plan", work_steps=[PlanStep(content="Place it."), PlanStep(content="Check it.")]),
        *(planned(action) for action in ("continue", "ask", "nothing", "unusable")),
        planned("think", work_thinks=True, work_steps=[PlanStep(content="Place it.")]),
        planned("plan", work_steps=[PlanStep(content="Look it up.")]),
        planned("answered", work_words="You are free."),
    ],
    TakeStep: lambda _: [
        StepTaken(work_action="call", work_reply="{}", work_call=CALL),
        StepTaken(work_action="call", work_reply="{}", work_call=FOREIGN_CALL),
        StepTaken(work_action="call", work_reply="{}", work_call=ERRAND_CALL),
        *(StepTaken(work_action=action, work_reply="{}") for action in ("say", "next", "done", "unusable")),
        StepTaken(work_action="ask", work_reply="{}", work_words="Which week?"),
        StepTaken(work_action="abort", work_reply="{}", work_reason="It does not fit."),
        *(StepTaken(work_action="call", work_reply="{}", work_call=call) for call in (SEVERAL_CALLS, DEPENDENT_CALLS)),
    ],
    RunTool: lambda _: [
        ToolRan(work_result="Free.", work_packs=["schedule.core"]),
        ToolRan(work_result="There is no day 99.", work_refused=True, work_packs=[]),
        ToolRan(
            work_result="Placed.",
            work_packs=[],
            work_change=ref("change"),
            work_change_id="1",
            work_shown="- Algebra",
            work_may_repeat=True,
        ),
    ],
    PrepareErrand: lambda _: [
        ErrandPrepared(work_outcome="shown", work_shown="Fill it.", work_errand=Errand()),
        ErrandPrepared(work_outcome="ready", work_errand=Errand()),
        ErrandPrepared(work_outcome="refused", work_result="There is no report."),
        ErrandPrepared(work_outcome="shown", work_shown="Build it.", work_errand=BUILDS),
    ],
    RunErrand: lambda _: [
        ErrandEnded(work_outcome="carried_out", work_result="It is filled."),
        ErrandEnded(work_outcome="shown", work_shown="SELECT 1", work_errand=REVIEWED),
        ErrandEnded(work_outcome="carried_out", work_result="It is built.", work_report=VERSION),
    ],
    AskServer: lambda _: [
        ServerAnswered(work_outcome="read", work_result="12:00", work_packs=[], work_tools=[]),
        ServerAnswered(work_outcome="refused", work_result="It is away.", work_packs=[], work_tools=[]),
        ServerAnswered(work_outcome="shown", work_shown="Call it.", work_packs=[], work_tools=[]),
    ],
    CarryOutCall: lambda _: [
        ServerAnswered(work_outcome="carried_out", work_result="Sent.", work_packs=[], work_tools=[]),
        ServerAnswered(work_outcome="refused", work_result="It is away.", work_packs=[], work_tools=[]),
    ],
    CommitCalendar: lambda _: [
        CalendarCommitted(work_draft=ref("stored")),
        CalendarCommitted(work_draft=ref("stored"), work_refusal="It collides."),
    ],
    ListRuns: lambda _: [RunsListed(known_runs=[RUN])],
    ReadRunRequest: lambda _: [
        RunRequestRead(run_step="tell", run_words="There is one run.", run_request=RunRequest(do="list")),
        RunRequestRead(run_step="ask", run_words="When?", run_request=RunRequest(do="add", gap="when")),
        RunRequestRead(run_step="confirm", run_words="Pause it?", run_request=RunRequest(do="pause", names=["sales"])),
        RunRequestRead(run_step="confirm", run_words="At 9?", run_request=RunRequest(do="change", names=["sales"])),
        RunRequestRead(run_step="other", run_words="What is meant?", run_request=None),
        RunRequestRead(
            run_step="fill", run_words="", run_request=RunRequest(do="add", gap="fill"), work_errand=REVIEWED
        ),
    ],
    ChangeRuns: lambda _: [
        RunsChanged(changed_runs=[RUN.model_copy(update={"paused": True})]),
        RunsChanged(changed_runs=[], run_refusal="There is no such run."),
    ],
    ReadPlaceholders: lambda asked: [
        PlaceholdersRead(
            source="shop", database=ref("database"), works=[ROWS_OPEN, TITLE_OPEN], filling=asked["filling"]
        ),
        PlaceholdersRead(source="shop", database=ref("database"), works=[ROWS_KNOWN], filling=asked["filling"]),
        PlaceholdersRead(source="shop", database=ref("database"), works=[ROWS_OUTDATED], filling=asked["filling"]),
    ],
    GetColumns: lambda _: [ColumnsRead(columns=ref("database")), ColumnsRead()],
    WriteBinding: lambda asked: [
        BindingWritten(name=asked["work"]["placeholder"]["name"], written=written)
        for written in (WrittenBinding(query="SELECT 1"), WrittenBinding(reason="There are no customers."))
    ],
    CheckBinding: lambda asked: [
        BindingChecked(name=asked["work"]["placeholder"]["name"], checked=checked)
        for checked in (
            CheckedBinding(query="SELECT 1", permitted="SELECT 1"),
            CheckedBinding(query="SELECT 1", reason="There is no such column.", error_class="unknown_name"),
        )
    ],
    TryBinding: lambda asked: [
        BindingTried(name=asked["work"]["placeholder"]["name"], trial=trial)
        for trial in (
            BindingTrial(time=NOW),
            BindingTrial(reason="There is no such column.", error_class="unknown_name"),
            BindingTrial(reason="It cannot be opened.", error_class="connection"),
        )
    ],
    StoreBindings: lambda _: [BindingsStored(bindings=ref("bindings"), bindings_shown="SELECT 1")],
    RememberFixes: lambda asked: [FixesRemembered(count=len(asked["fixes"]))],
}
"""The answers that matter for the way of a turn, the usual first. Other commands are answered with ``least``."""


def least(event: type[Event]) -> Event:
    """An event with the least that it needs: references by its fields' names, empty texts, numbers and lists."""
    empty: dict[object, Callable[[str], object]] = {Ref: ref, str: lambda _: "", int: lambda _: 0, list: lambda _: []}
    needed = {name: field.annotation for name, field in event.model_fields.items() if field.is_required()}
    unknown = [name for name, type in needed.items() if (get_origin(type) or type) not in empty]
    assert not unknown, (
        f"tests/workflow/service_answers.py needs an entry in ANSWERS: it cannot make up {event.kind()}.{unknown}"
    )
    return event.model_validate({name: empty[get_origin(type) or type](name) for name, type in needed.items()})


def successes(command: type[Command], payload: dict) -> list[Event]:
    """What a command may be answered with if it does not fail."""
    if command in ANSWERS:
        return ANSWERS[command](payload)
    return [least(EVENTS[kind]) for kind in command.answers]


def answers(command: Envelope) -> list[Event]:
    return [*successes(COMMANDS[command.kind], command.payload), failed(command.kind)]
