"""Read a sentence and the text files beside it as a ``ReportRequest``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import ClassifyIntent, ReadSpec
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask, schema_prompt
from bandsmith.shared.llm.answers.report import SpecAnswer
from bandsmith.shared.turns.request import ReportRequest

from ..text_files import decoded
from .change_requests import is_beside
from .from_model import from_model, reviewer
from .rule_reader import SpecReading, read
from .titles import is_question

MAX_PROMPT_CHARS = 6_000
"""Characters of each text file that a model is shown."""


async def read_spec_by_rules(store: Store, command: ClassifyIntent) -> tuple[ReportRequest, bool]:
    """Return the report that rules read in the command's sentence, and whether it is certain to have all of it.

    Raises ``TerminalError`` (code ``wish``) when it names nothing to go by, ``BadInput`` for a file that is no text.
    """
    reading = await asyncio.to_thread(_by_rules, command, await _texts(store, command))
    if isinstance(reading, TerminalError):
        raise reading
    return _request(reading), reading.is_certain(command.text)


async def describes_report(store: Store, command: ClassifyIntent) -> bool:
    """Whether rules read all of a sentence as a new report.

    Where there is a report, the sentence has to say that it is about another one and to describe that itself: a table
    beside it describes no report, since it may as well be about the change of the one that is there.
    """
    if command.has_page or is_question(command.text) or (command.has_template and not is_beside(command.text)):
        return False
    return await is_whole_report(store, command)


async def is_whole_report(store: Store, command: ClassifyIntent) -> bool:
    """Whether rules read all of a sentence as the description of a report, apart from whether one is asked for."""
    try:
        texts = [] if command.has_template else await _texts(store, command)
        reading = await asyncio.to_thread(_by_rules, command, texts)
    except BadInput:
        return False
    return (
        isinstance(reading, SpecReading) and reading.sure and bool(reading.spec.columns or reading.spec.header_fields)
    )


async def read_spec(store: Store, command: ReadSpec, model: Model | None) -> tuple[ReportRequest, Usage]:
    """Return the report that the command's sentence asks for, and what reading it cost.

    A model is asked where rules are unsure. Raises as ``read_spec_by_rules`` does, and ``TerminalError`` where a model
    says that the sentence describes no report.
    """
    texts = await _texts(store, command)
    reading = await asyncio.to_thread(_by_rules, command, texts)
    is_certain = isinstance(reading, SpecReading) and reading.is_certain(command.text)
    usage, notes = Usage(), list[str]()
    if model is not None and command.allowance.calls and not is_certain:
        try:
            return await _by_model(command, texts, model)
        except ModelFailed as failed:
            usage, notes = failed.usage, [failed.in_language(command.language)]
            if isinstance(reading, TerminalError):
                both = f"{failed.message} {reading.message}", f"{failed.message_zh}{reading.message_zh}"
                raise TerminalError(both[0], message_zh=both[1], code=reading.code) from None
    if isinstance(reading, TerminalError):
        raise reading
    return _request(reading, notes), usage


async def _by_model(command: ReadSpec, texts: Sequence[str], model: Model) -> tuple[ReportRequest, Usage]:
    """Return the report that a model reads, and what that cost. Raises as ``read_spec`` does, and ``ModelFailed``."""
    values = {
        "text": command.text,
        "texts": "\n\n".join(text[:MAX_PROMPT_CHARS] for text in texts),
        "language": command.language,
        "passages": "\n".join(command.passages),
        "spec": schema_prompt.spec(),
    }
    answer, usage = await ask(
        model, "initial_generation", values, SpecAnswer, allowance=command.allowance, review=reviewer(command.text)
    )
    if answer.spec is None:
        raise _no_report(answer)
    return await asyncio.to_thread(from_model, command.text, answer, command.language), usage


def _no_report(answer: SpecAnswer) -> TerminalError:
    """Return what the user is told where a model says that a message describes no report."""
    return TerminalError.of("language.not_a_report", code="wish", reason=" ".join(answer.no_report.split()))


def _request(reading: SpecReading, notes: Sequence[str] = ()) -> ReportRequest:
    return ReportRequest(spec=reading.spec, unread=reading.unread, notes=[*notes, *reading.notes])


async def _texts(store: Store, command: ClassifyIntent | ReadSpec) -> list[str]:
    return [decoded(await store.get(document.content)) for document in command.texts]


def _by_rules(command: ClassifyIntent | ReadSpec, texts: Sequence[str]) -> SpecReading | TerminalError:
    """Return what rules read, or the reason why they read nothing."""
    try:
        return read(command.text, command.language, texts)
    except TerminalError as error:
        return error
