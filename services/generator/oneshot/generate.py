"""A report from words: read by rules, by a model where they are unsure, then built with sample data."""

from __future__ import annotations

import asyncio
import codecs
import re
from contextlib import suppress

import structlog
from pydantic import ValidationError

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import GenerateReport, ReportGenerated
from bandsmith.shared.fields.identifiers import report_name
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask, schema_prompt
from bandsmith.shared.llm.answers import SpecAnswer
from bandsmith.shared.model.spec import ReportSpec

from .bounds import bounded
from .build import build_spec
from .read import Reading, assumptions, read

XML, JSON = "application/xml", "application/json"
MOST_BYTES = 512 * 1024
"""Of a text file, its beginning; a report's sample needs no more."""
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SHOWN = 6_000
"""Characters of each text file that a model is shown."""
log = structlog.get_logger(__name__)


async def generate(store: Store, command: GenerateReport, model: Model | None) -> ReportGenerated:
    """The report that is asked for, with sample data and what was assumed.

    A spec that was proposed already is built as it is. Raises ``TerminalError`` (code ``wish``) when the request names
    nothing to go by, ``BadInput`` for a text file that is none.
    """
    texts = [_decoded(await store.get(document.content)) for document in command.texts]
    reading, usage = await _wished(store, command, texts, model)
    name = report_name(reading.spec.title)
    plan, data = await asyncio.to_thread(build_spec, reading.spec, name)
    return ReportGenerated(
        template=await store.put(build_jrxml(plan), XML),
        data=await store.put(data.model_dump_json().encode(), JSON),
        notes=reading.notes,
        usage=usage,
    )


async def _wished(
    store: Store, command: GenerateReport, texts: list[str], model: Model | None
) -> tuple[Reading, Usage]:
    """What is wished for: what was proposed, else what rules read, else what a model does where they are unsure."""
    if command.proposed is not None and (spec := _proposed(await store.get(command.proposed))):
        return _taken(spec, command.language), Usage()
    by_rule = await asyncio.to_thread(_by_rule, command, texts)
    if model is None or command.allowance.calls < 1 or (isinstance(by_rule, Reading) and by_rule.sure):
        if isinstance(by_rule, TerminalError):
            raise by_rule
        return by_rule, Usage()
    values = {
        "text": command.text,
        "texts": "\n\n".join(text[:_SHOWN] for text in texts),
        "language": command.language,
        "passages": "\n".join(command.passages),
        "spec": schema_prompt.spec(),
    }
    try:
        answer, usage = await ask(model, "initial_generation", values, SpecAnswer, allowance=command.allowance)
    except ModelFailed as failed:
        if isinstance(by_rule, TerminalError):
            raise by_rule from failed
        return by_rule, failed.usage
    return _taken(answer.spec, command.language), usage


def _by_rule(command: GenerateReport, texts: list[str]) -> Reading | TerminalError:
    """What rules read, or why they read nothing."""
    try:
        return read(command.text, command.language, command.passages, texts)
    except TerminalError as nothing:
        return nothing


def _proposed(content: bytes) -> ReportSpec | None:
    """A spec as JSON; one that cannot be read is as none."""
    try:
        return ReportSpec.model_validate_json(content)
    except ValidationError:
        log.warning("generate.proposal_unreadable")
        return None


def _taken(spec: ReportSpec, language: Language) -> Reading:
    """A model's spec, as far as it may be built."""
    spec = bounded(spec)
    return Reading(spec, assumptions(spec, language), sure=True)


def _decoded(content: bytes) -> str:
    """Its beginning. Raises ``BadInput`` for what is no text."""
    begin = content[:MOST_BYTES]
    for encoding in ("utf-16",) if content.startswith(_UTF16) else ("utf-8-sig", "gb18030"):
        with suppress(UnicodeDecodeError):
            text = codecs.getincrementaldecoder(encoding)().decode(begin, final=len(begin) == len(content))
            if not _BINARY.search(text):
                return text
    raise BadInput(
        "The file's content is not what its name says; save it again as text (UTF-8).",
        message_zh="文件内容与其扩展名不符；请重新保存为文本（UTF-8）。",
        code="content",
    )
