"""Scripted services behind the real command line.

As a program, ``python -m tests.cli.scripted chat ...`` is ``bandsmith chat ...`` on a real message server, with
services that take as many seconds for each command as the variable SECONDS says.
"""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Awaitable, Callable
from typing import Any

from bandsmith import local
from bandsmith.cli import main
from bandsmith.shared.actor import Store
from bandsmith.shared.events import (
    AnswerQuestion,
    ChangeRead,
    ClassifyIntent,
    Command,
    CompressHistory,
    Event,
    GenerateReport,
    HistoryCompressed,
    ModifyTemplate,
    QuestionAnswered,
    ReadChange,
    ReadSpec,
    ReportGenerated,
    SpecRead,
    TemplateModified,
    TemplateValidated,
    ValidateTemplate,
)
from bandsmith.shared.reply_stream import emit

from ..workflow.service_answers import successes
from ..workflow.service_events import wants

Script = dict[type, Callable[[Any], Event | Awaitable[Event]]]
"""Answers by command; other commands get their usual answer."""

WORDS = "A **field** is a column.\n\nA parameter is one value."


class ScriptedActor:
    def __init__(self, script: Script) -> None:
        self._script = script

    async def start(self) -> None: ...
    async def stop(self) -> None: ...

    async def handle(self, command: Command) -> Event:
        if type(command) not in self._script:
            return successes(type(command), command.model_dump(mode="json"))[0]
        result = self._script[type(command)](command)
        return await result if inspect.isawaitable(result) else result


class SlowActor(ScriptedActor):
    """Takes SECONDS for each command; a report is a line of text here, and so is a change of it."""

    def __init__(self, store: Store) -> None:
        super().__init__(
            {
                ClassifyIntent: self._classify,
                CompressHistory: lambda command: HistoryCompressed(history=command.history, archive=None),
                ReadSpec: self._read_spec,
                ReadChange: self._read_change,
                GenerateReport: self._generate,
                ModifyTemplate: self._modify,
                AnswerQuestion: self._answer,
                ValidateTemplate: self._validate,
            }
        )
        self._store = store

    async def handle(self, command: Command) -> Event:
        await asyncio.sleep(float(os.environ["SECONDS"]))
        return await super().handle(command)

    def _classify(self, command: ClassifyIntent) -> Event:
        if command.text.endswith("?"):
            return wants("consult_question")
        return wants("modify_report" if command.has_template else "initial_generation")

    async def _read_spec(self, command: ReadSpec) -> Event:
        return SpecRead(spec=await self._store.put(command.text.encode(), "text/plain"))

    async def _read_change(self, command: ReadChange) -> Event:
        return ChangeRead(change=await self._store.put(command.text.encode(), "text/plain"))

    async def _generate(self, command: GenerateReport) -> Event:
        data = await self._store.put(b"{}", "application/json")
        return ReportGenerated(template=command.spec, data=data)

    async def _modify(self, command: ModifyTemplate) -> Event:
        text = (await self._store.get(command.change)).decode()
        template = await self._store.put(text.encode(), "text/xml")
        edits = await self._store.put(b"[]", "application/json")
        return TemplateModified(template=template, data=command.data, changed=1, edits=edits, summary=f"Done: {text}.")

    async def _answer(self, command: Command) -> Event:
        for word in WORDS.split(" "):
            await emit(f"{word} ")
            await asyncio.sleep(0.05)
        return QuestionAnswered(answer=WORDS, sources=["Fields"])

    async def _validate(self, command: Command) -> Event:
        verdict = await self._store.put(b"{}", "application/json")
        return TemplateValidated(passed=True, pages=[await self._store.put(b"page", "image/png")], verdict=verdict)


if __name__ == "__main__":
    local.WIRING.update(dict.fromkeys(local.WIRING, f"{__spec__.name}:SlowActor"))
    main()
