"""The generator's actor: every change to a template, as an answer to a command."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from pydantic import TypeAdapter

from bandsmith.shared.actor import Store
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import (
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
    RefineWindow,
    SkeletonGenerated,
    WindowRefined,
    WindowsJoined,
)
from bandsmith.shared.fields.identifiers import report_name
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.llm import Usage, model_from
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.verdict import Printed
from bandsmith.shared.settings import ModelSettings

from .correct import correct
from .failure_explanation import explained
from .generate_report import generate_report
from .join import join
from .llm_field_mapping import map_form
from .llm_refinement import Refinement, refine_by_model, refine_by_rules
from .modify_template import modify_template
from .planning import plan
from .windows import windows

XML, JSON = "application/xml", "application/json"
_EDITS: TypeAdapter[list[AnyEdit]] = TypeAdapter(list[AnyEdit])
_PRINTED: TypeAdapter[list[Printed]] = TypeAdapter(list[Printed])


class GeneratorActor:
    """Windows of a page run side by side while a model thinks; what rules make of all of them is reckoned once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._model = model_from(ModelSettings())
        self._refining = asyncio.Lock()

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
            case RefineWindow():
                return await self._refine(command)
            case JoinWindows():
                return await self._join(command)
            case MapFields():
                return await self._map(command)
            case ExplainFailure():
                return await explained(command, self._model)
            case CorrectTemplate():
                return await correct(self._store, command, self._model)
        raise TerminalError(f"The generator does not take {command.kind()}.", message_zh="生成服务不处理此命令。")

    async def _skeleton(self, command: GenerateSkeleton) -> SkeletonGenerated:
        layout = Layout.model_validate_json(await self._store.get(command.layout))
        form = await self._store.get(command.form)
        report, data = await asyncio.to_thread(plan, layout, form, report_name(command.name))
        template = build_jrxml(report)
        return SkeletonGenerated(
            template=await self._store.put(template, XML),
            data=await self._store.put(data.model_dump_json().encode(), JSON),
            windows=len(windows(Editor(template))),
        )

    async def _refine(self, command: RefineWindow) -> WindowRefined:
        template, layout, printed = await asyncio.gather(
            *(self._store.get(ref) for ref in (command.template, command.layout, command.printed))
        )
        async with self._refining:  # the windows of a draft come all at once, and the first does the work of all
            editor, refinements = await asyncio.to_thread(_refined_windows, template, layout, printed)
        by_rules = refinements[command.window]
        edits, usage = by_rules.edits, Usage()
        if not by_rules.is_complete and self._model is not None and command.allowance.calls:
            edits, usage = await refine_by_model(editor, by_rules, self._model, command.allowance)
        kept = await self._store.put(_EDITS.dump_json(edits), JSON)
        return WindowRefined(window=command.window, edits=kept, usage=usage)

    async def _join(self, command: JoinWindows) -> WindowsJoined:
        parts = [_EDITS.validate_json(part) for part in await asyncio.gather(*map(self._store.get, command.edits))]
        template, changed = join(await self._store.get(command.template), parts)
        left = len(windows(Editor(template)))  # other numbers are longer or shorter, so there may be more or fewer
        return WindowsJoined(template=await self._store.put(template, XML), changed=changed, windows=left)

    async def _map(self, command: MapFields) -> FieldsMapped:
        layout = Layout.model_validate_json(await self._store.get(command.layout))
        data = Data.model_validate_json(await self._store.get(command.data))
        content = await self._store.get(command.template)
        template, mapped, usage = await map_form(content, data, layout, self._model, command.allowance)
        return FieldsMapped(
            template=await self._store.put(template, XML),
            data=await self._store.put(mapped.model_dump_json().encode(), JSON),
            usage=usage,
        )


@lru_cache(maxsize=4)
def _refined_windows(template: bytes, layout: bytes, printed: bytes) -> tuple[Editor, list[Refinement]]:
    """What rules make of each window of a draft; its editor is for looking only."""
    editor, form, items = Editor(template), Layout.model_validate_json(layout), _PRINTED.validate_json(printed)
    return editor, [refine_by_rules(editor, window.keys, form, items) for window in windows(editor)]
