"""The validator: renders drafts, and validates templates."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import orjson

from shared.actor import Store
from shared.errors import TerminalError
from shared.events import Command, DraftRendered, Event, RenderDraft, TemplateValidated, ValidateTemplate
from shared.model.layout import Layout
from shared.model.plan import Data

from .engine import Engine, EngineDied, EngineRefused, EngineTimeout, Printout
from .pictures import PagePicture
from .settings import ValidatorSettings
from .validate import Validation, printed, read, validate

T = TypeVar("T")


class ValidatorActor:
    """One engine, one template at a time; whoever comes meanwhile waits."""

    def __init__(self, store: Store, settings: ValidatorSettings | None = None) -> None:
        self._store = store
        self._settings = settings or ValidatorSettings()
        self._engine = Engine(limit=self._settings.limit, heap_mb=self._settings.heap_mb)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="engine")

    async def start(self) -> None:
        """Start the JVM. Raises ``MissingPart`` when the engine is not set up."""
        await self._run(self._engine.start)

    async def stop(self) -> None:
        await self._run(self._engine.stop)
        self._thread.shutdown()

    async def handle(self, command: Command) -> Event:
        """Raises ``TerminalError`` for a draft that the engine will not print."""
        match command:
            case RenderDraft():
                return await self._render(command)
            case ValidateTemplate():
                return await self._validate(command)
        raise TerminalError(f"The validator does not take {command.kind()}.", message_zh="验证服务不处理此命令。")

    async def _render(self, command: RenderDraft) -> DraftRendered:
        content, raw = await asyncio.gather(self._store.get(command.template), self._store.get(command.data))
        data = Data.model_validate_json(raw)
        printout = await self._run(lambda: _draft(self._engine, content, data))
        elements = await self._run(lambda: printed(printout, PagePicture.of_png(printout.pictures[0])))
        page, items = await asyncio.gather(
            self._store.put(printout.pictures[0], "image/png"),
            self._store.put(orjson.dumps([item.model_dump() for item in elements]), "application/json"),
        )
        return DraftRendered(page=page, printed=items)

    async def _validate(self, command: ValidateTemplate) -> TemplateValidated:
        content, data, layout, form = await asyncio.gather(
            *(self._store.get(ref) for ref in (command.template, command.data, command.layout, command.form))
        )
        done = await self._run(
            lambda: validate(
                self._engine,
                self._settings,
                content,
                Data.model_validate_json(data),
                Layout.model_validate_json(layout),
                form,
            )
        )
        return await self._answer(done)

    async def _answer(self, done: Validation) -> TemplateValidated:
        put, printout = self._store.put, done.printout
        verdict = await put(done.verdict.model_dump_json().encode(), "application/json")
        pages = [await put(picture, "image/png") for picture in printout.pictures] if printout else []
        return TemplateValidated(
            passed=done.verdict.passed,
            findings=done.verdict.findings,
            likeness=done.verdict.likeness,
            pdf=await put(done.pdf, "application/pdf") if done.pdf else None,
            pages=pages,
            compare=await put(done.compare, "image/png") if done.compare else None,
            verdict=verdict,
        )

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _draft(engine: Engine, content: bytes, data: Data) -> Printout:
    """The draft's first page. Raises ``TerminalError`` where a check or the engine refuses it."""
    _, findings = read(content)
    if findings:
        first = findings[0]
        raise TerminalError(first.message, message_zh=first.message_zh, code=first.code)
    try:
        printout = engine.print(content, data, pages=1)
    except EngineRefused as refusal:
        raise TerminalError(
            f"The engine refuses the draft: {refusal.reasons[0]}",
            message_zh=f"引擎拒绝了草稿:{refusal.reasons[0]}",
            code=f"{refusal.stage}.failed",
        ) from None
    except EngineTimeout:
        raise TerminalError(
            "The engine did not finish the draft in time.", message_zh="引擎未能及时完成草稿。", code="fill.timeout"
        ) from None
    except EngineDied:
        raise TerminalError(
            "The engine ended while it worked.", message_zh="引擎在工作中意外结束。", code="fill.died"
        ) from None
    if not printout.pictures:
        raise TerminalError("The draft has no page.", message_zh="草稿没有任何页面。", code="fill.empty")
    return printout
