"""The planner's actor: dispatches each command to the function that handles it."""

from __future__ import annotations

import asyncio
from datetime import date

from pydantic import BaseModel, ValidationError

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import (
    AddKnowledge,
    AnswerQuestion,
    AnswerRead,
    AskServer,
    AssessQuestion,
    BindData,
    CarryOutCall,
    ChangeRead,
    ClassifyIntent,
    Command,
    CommitCalendar,
    CompressHistory,
    DataBound,
    DeliverFiles,
    DeliverWork,
    DescribeSource,
    EnhanceQuestion,
    Event,
    FetchRows,
    FillingRead,
    FixesRecalled,
    FixesRemembered,
    GetColumns,
    IntentClassified,
    JudgeQuery,
    KnowledgeAdded,
    KnowledgeFound,
    KnowledgeListed,
    KnowledgeRecalled,
    KnowledgeRemoved,
    ListKnowledge,
    LookUpCalendar,
    PlanAnalysis,
    PlanWork,
    PrepareErrand,
    ReadAnswer,
    ReadChange,
    ReadFilling,
    ReadForm,
    ReadPlaceholders,
    ReadRunRequest,
    ReadSpec,
    RecallFixes,
    RecallKnowledge,
    RecallSources,
    RecallTables,
    RelateTables,
    RememberFixes,
    RememberQuestion,
    RemoveKnowledge,
    ReviewOutcome,
    RunQuery,
    SearchKnowledge,
    SendNotice,
    SpecRead,
    StoreBindings,
    TakeStep,
    TryBinding,
)
from bandsmith.shared.llm import model_from
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.filling import JSON_LINES, BoundPart
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.replies import text
from bandsmith.shared.settings import ModelSettings

from . import own_report
from .answer_question import consult
from .filling import bind_data, bind_parts
from .history import compress
from .knowledge import fields, templates
from .knowledge.base import Knowledge
from .language import read_sentence
from .language.answer_report import asks_for_answer_as_report
from .language.calendar_sentences import read_calendar_question
from .language.change import read_change
from .language.change.given_edits import read_edits
from .language.confirmation import read_confirmation, says_all, says_right, says_stop
from .language.filling_sentences import read_filling
from .language.spec import read_spec
from .outcome import review_outcome
from .read_form import read_form
from .settings import HistorySettings

_OF_DATA = (
    RecallSources,
    EnhanceQuestion,
    RecallTables,
    RelateTables,
    AssessQuestion,
    PlanAnalysis,
    JudgeQuery,
    RunQuery,
    RememberQuestion,
    DescribeSource,
)
"""The commands about questions to a source of data."""
_OF_TASKS = (
    PlanWork,
    TakeStep,
    AskServer,
    CarryOutCall,
    CommitCalendar,
    LookUpCalendar,
    DeliverWork,
    PrepareErrand,
)
"""The commands about work to plan and to carry out."""


class PlannerActor:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._knowledge = Knowledge()
        settings = ModelSettings()
        self._model = model_from(settings)
        self._reviews = settings.review
        self._history = HistorySettings()

    async def start(self) -> None:
        """Nothing to load: the knowledge base is opened when it is first needed."""

    async def warm_up(self) -> None:
        """Load what the first question needs, while nothing else is to be done."""
        await self._knowledge.warm_up()

    async def stop(self) -> None:
        await self._knowledge.close()
        if self._model:
            await self._model.close()

    async def handle(self, command: Command) -> Event:
        if isinstance(command, _OF_DATA):
            from .data.questions import answer_from_source  # noqa: PLC0415 - slow; most talks ask for no data

            return await answer_from_source(self._store, command, self._model)
        if isinstance(command, _OF_TASKS):
            from .tasks.calendars import handle_task  # noqa: PLC0415 - slow, for it loads the solver

            return await handle_task(self._store, command, self._model)
        match command:
            case CompressHistory():
                return await compress(command, self._store, self._model, self._history)
            case ClassifyIntent():
                return await self._classify(command)
            case ReadAnswer() | ReadFilling():
                return _read_by_rules(command)
            case BindData():
                return await self._bind(command)
            case ReadForm():
                return await read_form(self._store, command, self._model)
            case ReadChange():
                return await self._read_change(command)
            case ReadSpec():
                spec, usage = await read_spec(self._store, command, self._model)
                return SpecRead(spec=await self._put(spec), usage=usage)
            case RecallKnowledge():
                return await self._recall(command)
            case AnswerQuestion():
                return await self._answer(command)
            case _:
                return await self._other_command(command)

    async def _classify(self, command: ClassifyIntent) -> IntentClassified:
        if asks_for_answer_as_report(command):
            from .binding.answer_spec import answer_as_report  # noqa: PLC0415 - slow; few turns ask for it

            if report := await answer_as_report(command, self._store):
                return report
        return await read_sentence(command, self._store, self._model, own_report.is_answered)

    async def _read_change(self, command: ReadChange) -> ChangeRead:
        if command.edits:
            return ChangeRead(change=await self._put(await read_edits(self._store, command)))
        change, usage = await read_change(self._store, command, self._model, command.allowance)
        notes = [change.trouble.in_language(command.language)] if change.trouble else []
        return ChangeRead(change=await self._put(change), notes=notes, usage=usage)

    async def _answer(self, command: AnswerQuestion) -> Event:
        template = await self._store.get(command.template) if command.template else None
        report = await own_report.load(self._store, command)
        return await consult(command, self._knowledge, self._model, template, report)

    async def _bind(self, command: BindData) -> DataBound:
        template, table = await asyncio.gather(self._store.get(command.template), self._store.get(command.table))
        sample = await self._store.get(command.sample) if command.sample else None
        if command.filling.each:
            divided = await asyncio.to_thread(bind_parts, template, table, command.filling, sample)
            refs = [await self._store.put(part.lines, JSON_LINES) for part in divided.parts.values()]
            return DataBound(
                rows=refs[0],
                row_count=divided.row_count,
                parts=[BoundPart(name=name, rows=ref) for name, ref in zip(divided.parts, refs, strict=True)],
                left_out=divided.left_out,
                without_value=divided.without_value,
                notes=[note.in_language(command.language) for note in divided.notes],
            )
        bound = await asyncio.to_thread(bind_data, template, table, command.filling, sample)
        return DataBound(
            rows=await self._store.put(bound.lines, JSON_LINES),
            row_count=bound.row_count,
            left_out=bound.left_out,
            without_value=bound.without_value,
            notes=[note.in_language(command.language) for note in bound.notes],
        )

    async def _other_command(self, command: Command) -> Event:
        """Handle a command about outcomes, filling from a source, runs, deliveries, fixes, or one of `bandsmith kb`."""
        match command:
            case ReviewOutcome():
                return await review_outcome(self._store, command, self._model if self._reviews else None)
            case ReadRunRequest():
                from .runs import read_run_request  # noqa: PLC0415 - slow; most talks are about no run

                return await read_run_request(command, self._store, self._model)
            case DeliverFiles() | SendNotice():
                from .delivery import deliver, notify  # noqa: PLC0415 - slow; most talks deliver nothing

                return await (notify(command) if isinstance(command, SendNotice) else deliver(self._store, command))
            case ReadPlaceholders() | GetColumns() | TryBinding() | StoreBindings() | FetchRows():
                from .binding import handle_binding  # noqa: PLC0415 - slow; most talks ask for no data

                return await handle_binding(self._store, command)
            case RecallFixes():
                return FixesRecalled(fixes=await self._knowledge.recall(command.findings))
            case RememberFixes():
                return FixesRemembered(count=await self._knowledge.remember(command.fixes))
            case AddKnowledge():
                return await self._add(command)
            case ListKnowledge():
                return KnowledgeListed(entries=await self._knowledge.entries())
            case SearchKnowledge():
                return KnowledgeFound(entries=await self._knowledge.search(command.words))
            case RemoveKnowledge():
                return KnowledgeRemoved(entries=await self._knowledge.remove(command.ids))
        raise TerminalError.of("planner.unknown_command", code="failed", kind=command.kind())

    async def _put(self, value: BaseModel) -> Ref:
        return await self._store.put(value.model_dump_json().encode(), "application/json")

    async def _recall(self, command: RecallKnowledge) -> KnowledgeRecalled:
        known = await self._knowledge.known(command.text, await self._layout(command.layout))
        notes = [text("planner.knowledge.similar", command.language, title=known.similar)] if known.similar else []
        return KnowledgeRecalled(passages=known.passages, known_fields=known.fields, notes=notes)

    async def _add(self, command: AddKnowledge) -> KnowledgeAdded:
        reports = []
        for known in command.templates:
            jrxml = await self._store.get(known.document.content)
            reports.append(templates.record(known.document.name, jrxml, await self._layout(known.layout)))
        added = await self._knowledge.add(templates=reports, fields=[fields.record(field) for field in command.fields])
        return KnowledgeAdded(entries=added)

    async def _layout(self, ref: Ref | None) -> Layout | None:
        if ref is None:
            return None
        try:
            return Layout.model_validate_json(await self._store.get(ref))
        except ValidationError:
            raise BadInput.of("planner.knowledge.layout", code="kb.layout") from None


def _read_by_rules(command: ReadAnswer | ReadFilling) -> Event:
    if isinstance(command, ReadAnswer):
        said = command.text
        return AnswerRead(
            agrees=read_confirmation(said),
            says_right=says_right(said),
            drops=says_stop(said),
            agrees_to_all=says_all(said),
            asks_calendar=read_calendar_question(said, date.today()) is not None,
        )
    return FillingRead(filling=read_filling(command.text))
