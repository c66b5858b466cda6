"""`bandsmith kb`: the knowledge that reports are built with: reports made before, fields, and mended errors."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput, RetryableError, TerminalError
from bandsmith.shared.events import (
    AddKnowledge,
    Command,
    Envelope,
    Event,
    KnowledgeAdded,
    KnowledgeFound,
    KnowledgeListed,
    KnowledgeRemoved,
    ListKnowledge,
    RemoveKnowledge,
    SearchKnowledge,
    StageFailed,
)
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.knowledge import FieldDefinition, KnowledgeEntry, KnownTemplate
from bandsmith.shared.settings import BusSettings, HomeSettings
from bandsmith.shared.telemetry import log

from .messages import chinese, either

T = TypeVar("T", bound=Event)
Make = Callable[[Bus], Awaitable[Command]]

PATIENCE = 60.0
"""Seconds to wait for an answer."""
LARGEST = 4_000_000
"""Bytes of a JRXML."""
LAYOUT = "layout.json"
"""What `bandsmith build` leaves beside a report: how its form looks is told from it."""
CLASSES = {
    name.rpartition(".")[2]: name
    for name in (
        "java.lang.String", "java.lang.Integer", "java.lang.Long", "java.lang.Double", "java.lang.Float",
        "java.lang.Boolean", "java.math.BigDecimal", "java.util.Date", "java.sql.Timestamp", "java.time.LocalDate",
        "java.time.LocalDateTime",
    )
}  # fmt: skip
"""What a field may be, by the name that needs no package."""

app = typer.Typer(
    help="What reports are built with: reports made before, fields by their labels, errors that were mended.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]

ADD_EXAMPLES = """
**Examples**

    bandsmith kb add out/report.jrxml
    bandsmith kb add --field "单价=unit_price:BigDecimal:#,##0.00"
    bandsmith kb add --field "Due date=due_date:java.util.Date:yyyy-MM-dd" --field "Customer=customer_name"
"""
LIST_EXAMPLES = """
**Examples**

    bandsmith kb list
    bandsmith kb list --json
"""
SEARCH_EXAMPLES = """
**Examples**

    bandsmith kb search 单价
    bandsmith kb search "sales report by customer" --json
"""
REMOVE_EXAMPLES = """
**Examples**

    bandsmith kb remove 3f2a9c01d4e7
"""


@app.command(epilog=ADD_EXAMPLES)
def add(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="JRXML files; a layout.json beside one says how its form looks."),
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL=NAME:CLASS[:PATTERN]", help="What a field with this label is called and how typed."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Keep reports and fields, to be used where a form or a request is like them."""
    if not files and not field:
        raise BadInput(
            "Name a JRXML file, or a field with --field.", message_zh="请给出 JRXML 文件，或用 --field 定义字段。"
        )
    fields = [definition(text) for text in field or []]
    read = [_read(path) for path in files or []]

    async def command(bus: Bus) -> AddKnowledge:
        return AddKnowledge(templates=[await _known(bus, *one) for one in read], fields=fields)

    entries = _answer(command, KnowledgeAdded).entries
    _show(entries, as_json, f"Kept: {len(entries)}.", f"已保存 {len(entries)} 条。")


@app.command("list", epilog=LIST_EXAMPLES)
def list_command(as_json: AsJson = False) -> None:
    """Show everything that is kept."""
    entries = _answer(_always(ListKnowledge()), KnowledgeListed).entries
    _show(entries, as_json, *(("", "") if entries else ("Nothing is kept yet.", "知识库为空。")))


@app.command(epilog=SEARCH_EXAMPLES)
def search(words: Annotated[list[str], typer.Argument(metavar="WORDS")], as_json: AsJson = False) -> None:
    """Find what is kept about WORDS, the best first."""
    entries = _answer(_always(SearchKnowledge(words=" ".join(words))), KnowledgeFound).entries
    _show(entries, as_json, *(("", "") if entries else ("Nothing was found.", "没有找到。")))


@app.command(epilog=REMOVE_EXAMPLES)
def remove(ids: Annotated[list[str], typer.Argument(metavar="ID")], as_json: AsJson = False) -> None:
    """Forget entries by the ids that `list` shows."""
    entries = _answer(_always(RemoveKnowledge(ids=ids)), KnowledgeRemoved).entries
    if entries or as_json:
        _show(entries, as_json, f"Removed: {len(entries)}.", f"已删除 {len(entries)} 条。")
    if unknown := sorted(set(ids) - {entry.id for entry in entries}):
        raise BadInput(
            f"There is no entry {', '.join(unknown)}; `bandsmith kb list` shows the ids.",
            message_zh=f"没有条目 {'、'.join(unknown)}；可用 `bandsmith kb list` 查看编号。",
        )


def definition(text: str) -> FieldDefinition:
    """A field from ``LABEL=NAME[:CLASS[:PATTERN]]``; a class may go without its package. Raises ``BadInput``."""
    label, _, rest = text.partition("=")
    name, java_class, pattern = (*(part.strip() for part in rest.split(":", 2)), "", "")[:3]
    known = CLASSES.get(java_class.rpartition(".")[2] or "String")
    try:
        if known is None or java_class not in ("", known, known.rpartition(".")[2]):
            raise ValueError
        return FieldDefinition(label=label.strip(), name=name, java_class=known, pattern=pattern or None)
    except ValueError:  # pydantic's is one
        raise BadInput(
            f"A field is LABEL=NAME:CLASS[:PATTERN], its name letters, digits and _, its class one of "
            f"{', '.join(CLASSES)}: 单价=unit_price:BigDecimal:#,##0.00.",
            message_zh="字段的写法是 标签=名称:类[:格式]，名称由英文字母、数字和 _ 组成，类为 "
            f"{', '.join(CLASSES)} 之一，例如 单价=unit_price:BigDecimal:#,##0.00。",
            code="kb.field",
        ) from None


def _read(path: Path) -> tuple[str, bytes, bytes | None]:
    """A JRXML's name and content, and the layout beside it. Raises ``BadInput``."""
    if path.suffix.lower() != ".jrxml":
        raise BadInput(
            "Only JRXML files can be kept; fields are given with --field.",
            message_zh="只能保存 JRXML 文件；字段请用 --field 给出。",
            code="suffix",
        )
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(
                f"The file is larger than {LARGEST:,} bytes.", message_zh=f"文件超过 {LARGEST:,} 字节。", code="kb.size"
            )
        layout = path.with_name(LAYOUT)
        return path.name, path.read_bytes(), layout.read_bytes() if layout.is_file() else None
    except OSError:
        raise BadInput(
            "There is no such file that can be read; check its name and folder.",
            message_zh="找不到或无法读取该文件，请检查文件名和文件夹。",
            code="file",
        ) from None


async def _known(bus: Bus, name: str, jrxml: bytes, layout: bytes | None) -> KnownTemplate:
    return KnownTemplate(
        document=Document(name=name, content=await bus.put(jrxml, "application/xml")),
        layout=await bus.put(layout, "application/json") if layout else None,
    )


# --- asking the planner ----------------------------------------------------------------------------------------------


def _always(command: Command) -> Make:
    async def make(bus: Bus) -> Command:
        return command

    return make


def _answer(make: Make, answer: type[T]) -> T:
    """Raises ``TerminalError`` with what the planner says, ``RetryableError`` when it says nothing."""
    log.configure()
    event = asyncio.run(_ask(make))
    assert isinstance(event, answer)
    return event


async def _ask(make: Make) -> Event:
    """Ask a planner of our own, or where another program of this user runs one, that one."""
    from ..local import local  # noqa: PLC0415 - the help has to come at once

    async with local([] if BusSettings().nats_url else ["planner"], HomeSettings().bus) as bus:
        return await ask(bus, await make(bus))


async def ask(bus: Bus, command: Command) -> Event:
    """Send a command outside of any turn, and wait for the event that answers it."""
    session = f"kb-{uuid.uuid4().hex}"
    envelope = Envelope(
        id=uuid.uuid4().hex, kind=command.kind(), session=session, turn=session, payload=command.model_dump(mode="json")
    )
    await bus.send(envelope)
    # Silence, and a bus that was closed, are both told below.
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE), aclosing(bus.follow(session)) as events:
            async for event in events:
                if event.causation == envelope.id:
                    return _said(event)
    raise RetryableError(
        "The planner does not answer; is one running?", message_zh="planner 没有响应，请检查它是否在运行。"
    )


def _said(envelope: Envelope) -> Event:
    message = envelope.message()
    if isinstance(message, StageFailed):
        raise TerminalError(message.message, message_zh=message.message_zh, code=message.code)
    assert isinstance(message, Event)
    return message


# --- what is shown ---------------------------------------------------------------------------------------------------


def _show(entries: list[KnowledgeEntry], as_json: bool, english: str, in_chinese: str) -> None:
    if as_json:
        print(json.dumps({"entries": [entry.model_dump() for entry in entries]}, ensure_ascii=False, indent=2))
        return
    console = Console()
    if entries:
        table = Table(box=None, pad_edge=False, header_style="bold")
        names = ("编号", "种类", "标题", "内容") if chinese() else ("id", "kind", "title", "text")
        for name, least in zip(names, (12, 8, 12, 20), strict=True):
            table.add_column(name, overflow="ellipsis", no_wrap=True, min_width=least)
        for entry in entries:
            table.add_row(entry.id, entry.kind, escape(entry.title), escape(entry.text))
        console.print(table)
    if said := either(english, in_chinese):
        console.print(said, highlight=False, markup=False)
