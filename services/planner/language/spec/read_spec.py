"""Read a sentence and the text files beside it as a ``ReportRequest``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import ClassifyIntent, ReadSpec
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask, schema_prompt
from bandsmith.shared.llm.answers import SpecAnswer
from bandsmith.shared.model.request import ReportRequest
from bandsmith.shared.model.spec import ReportSpec

from .bounds import bounded
from .rule_reader import SpecReading, assumptions, read
from .text_files import decoded

MAX_PROMPT_CHARS = 6_000
"""Characters of each text file that a model is shown."""


async def read_spec_by_rules(store: Store, command: ClassifyIntent) -> tuple[ReportRequest, bool]:
    """Return the report that rules read in the command's sentence, and whether they read all of it.

    Raises ``TerminalError`` (code ``wish``) when it names nothing to go by, ``BadInput`` for a file that is no text.
    """
    reading = await asyncio.to_thread(_by_rules, command, await _texts(store, command))
    if isinstance(reading, TerminalError):
        raise reading
    return ReportRequest(spec=reading.spec, notes=reading.notes), reading.sure


async def read_spec(store: Store, command: ReadSpec, model: Model | None) -> tuple[ReportRequest, Usage]:
    """Return the report that the command's sentence asks for, and what reading it cost.

    A model is asked where rules are unsure. Raises as ``read_spec_by_rules`` does.
    """
    texts = await _texts(store, command)
    reading = await asyncio.to_thread(_by_rules, command, texts)
    usage = Usage()
    if model is not None and command.allowance.calls and not (isinstance(reading, SpecReading) and reading.sure):
        values = {
            "text": command.text,
            "texts": "\n\n".join(text[:MAX_PROMPT_CHARS] for text in texts),
            "language": command.language,
            "passages": "\n".join(command.passages),
            "spec": schema_prompt.spec(),
        }
        try:
            answer, usage = await ask(model, "initial_generation", values, SpecAnswer, allowance=command.allowance)
            return from_model(answer.spec, command.language), usage
        except ModelFailed as failed:
            usage = failed.usage
    if isinstance(reading, TerminalError):
        raise reading
    return ReportRequest(spec=reading.spec, notes=reading.notes), usage


def from_model(spec: ReportSpec, language: Language) -> ReportRequest:
    """Return a model's spec, as far as it may be built."""
    spec = bounded(spec)
    return ReportRequest(spec=spec, notes=assumptions(spec, language))


async def _texts(store: Store, command: ClassifyIntent | ReadSpec) -> list[str]:
    return [decoded(await store.get(document.content)) for document in command.texts]


def _by_rules(command: ClassifyIntent | ReadSpec, texts: Sequence[str]) -> SpecReading | TerminalError:
    """Return what rules read, or the reason why they read nothing."""
    try:
        return read(command.text, command.language, texts)
    except TerminalError as error:
        return error
