"""The generator's actor: every change to a template, as an answer to a command."""

from __future__ import annotations

import asyncio

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import (
    AnalysePython,
    Command,
    CorrectTemplate,
    Event,
    ExplainFailure,
    FieldsMapped,
    GenerateReport,
    GenerateSkeleton,
    JoinWindows,
    MapFields,
    ModifyTemplate,
    RefineLayout,
    RefineWindow,
    RunTool,
    SkeletonGenerated,
    WriteAnalysis,
    WriteBinding,
    WritePython,
    WriteQuery,
)
from bandsmith.shared.fields.identifiers import report_name
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.llm import model_from
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.stacked_pages import stacked
from bandsmith.shared.settings import ModelSettings

from .correct import correct
from .failure_explanation import explain_failure
from .generate_report import generate_report
from .mapping.llm_field_mapping import map_form
from .modify_template import modify_template
from .planning import plan
from .refinement.refine_layout import join_windows, refine_layout, refine_window

XML, JSON = "application/xml", "application/json"


class GeneratorActor:
    """Handles the generator's commands; many at the same time, since most of them wait for a model."""

    def __init__(self, store: Store) -> None:
        self._store = store
        settings = ModelSettings()
        self._model, self._judges = model_from(settings), settings.judge

    async def start(self) -> None:
        """Nothing to load."""

    async def stop(self) -> None:
        if self._model:
            await self._model.close()

    async def handle(self, command: Command) -> Event:
        match command:
            case ModifyTemplate():
                return await modify_template(self._store, command)
            case GenerateReport():
                return await generate_report(self._store, command)
            case GenerateSkeleton():
                return await self._skeleton(command)
            case RefineLayout():
                return await refine_layout(self._store, command)
            case RefineWindow():
                return await refine_window(self._store, command, self._model)
            case JoinWindows():
                return await join_windows(self._store, command)
            case MapFields():
                return await self._map(command)
            case ExplainFailure():
                return await explain_failure(command, self._model)
            case CorrectTemplate():
                return await correct(self._store, command, self._model)
            case RunTool():
                from .run_tool import run_tool  # noqa: PLC0415 - slow, for it loads the solver

                return await run_tool(self._store, command)
            case WriteQuery() | WriteBinding() | WriteAnalysis() | WritePython() | AnalysePython():
                return await self._write(command)
        raise TerminalError.of("generator.unknown_command", code="failed", kind=command.kind())

    async def _write(self, command: WriteQuery | WriteBinding | WriteAnalysis | WritePython | AnalysePython) -> Event:
        """Have the model write about data."""
        match command:
            case WriteQuery():
                from .write_query import write_query  # noqa: PLC0415 - slow; most talks ask for no data

                return await write_query(self._store, command, self._model)
            case WriteBinding():
                from .write_binding import write_binding  # noqa: PLC0415 - as above

                return await write_binding(self._store, command, self._model)
            case WritePython():
                from .analysis.write_python import write_python  # noqa: PLC0415 - as above

                return await write_python(self._store, command, self._model)
            case AnalysePython():
                from .analysis.analyse_python import analyse_python  # noqa: PLC0415 - as above

                return await analyse_python(self._store, command, self._model if self._judges else None)
            case WriteAnalysis():
                from .analysis.write_analysis import write_analysis  # noqa: PLC0415 - slow; most talks need none

                return await write_analysis(self._store, command, self._model)

    async def _skeleton(self, command: GenerateSkeleton) -> SkeletonGenerated:
        layout = Layout.model_validate_json(await self._store.get(command.layout))
        form = await self._store.get(command.form)
        report, data = await asyncio.to_thread(plan, layout, form, report_name(command.name))
        template = build_jrxml(report)
        return SkeletonGenerated(
            template=await self._store.put(template, XML),
            data=await self._store.put(data.model_dump_json().encode(), JSON),
        )

    async def _map(self, command: MapFields) -> FieldsMapped:
        read = Layout.model_validate_json(await self._store.get(command.layout))
        layout = stacked(read.whole, read.later)
        data = Data.model_validate_json(await self._store.get(command.data))
        content = await self._store.get(command.template)
        mapped = await map_form(content, data, layout, self._model, command.allowance, command.known_fields)
        return FieldsMapped(
            template=await self._store.put(mapped.template, XML),
            data=await self._store.put(mapped.data.model_dump_json().encode(), JSON),
            notes=[note.in_language(command.language) for note in mapped.notes],
            usage=mapped.usage,
        )
