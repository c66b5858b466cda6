"""`bandsmith dead`: messages that could not be handled: what they are, why, and back to where they came from."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

import orjson
import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from bandsmith.shared.bus.base import Bus, DeadLetter, service_of, unknown_dead_letter
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import EVENTS, Envelope, StartTurn
from bandsmith.shared.llm.stream_guard import printable
from bandsmith.shared.model.base import Value
from bandsmith.shared.settings import HomeSettings

from .messages import chinese, either, quiet_log
from .tables import table

T = TypeVar("T")
Follows = Literal["begins", "goes on", "again"]
"""What happens when it is handled: its turn begins, or goes on, or nobody waits for it."""

PREVIEW = 128
"""Bytes that are shown of what is no envelope."""
LISTED = 5
"""Names in a sentence."""
GIVEN_UP = r"(\w+): given up after (\d+) deliveries"
"""A worker's reason: the last error's code, and how often it was tried."""

app = typer.Typer(
    help="Messages that could not be handled: list, show, and put them back to be handled again.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]
Kind = Annotated[str, typer.Option(metavar="KIND", help="Only messages of this kind, as `list` shows it.")]

SHOW_EXAMPLES = """
**Examples**

    bandsmith dead show CMD.17
    bandsmith dead show CMD.17 --payload
"""
REPLAY_EXAMPLES = """
**Examples**

    bandsmith dead replay CMD.17 CMD.23
    bandsmith dead replay --all
    bandsmith dead replay --all --kind ExtractLayout
"""


class Letter(Value):
    """A dead letter without its content."""

    name: str
    time: datetime
    service: str
    kind: str
    """That of the envelope, or what the subject says where the bytes are none."""
    session: str = ""
    turn: str = ""
    node: str = ""
    deliveries: int
    reason: str
    size: int
    """Bytes of the message."""
    kept: bool
    """Whether its bytes are still there, to be put back."""


@app.command("list", epilog="**Example:** bandsmith dead list --json")
def list_command(kind: Kind = "", as_json: Json = False) -> None:
    """The dead letters, the newest last."""

    async def ask(bus: Bus) -> list[Letter]:
        return [_about(letter) for letter in await bus.dead_letters()]

    found = [letter for letter in _with_bus(ask) if kind in ("", letter.kind)]
    if as_json:
        _print([letter.model_dump(mode="json") for letter in found])
    elif found:
        console = Console()
        console.print(_table(found, console))
    else:
        print(_none(kind))


@app.command(epilog=SHOW_EXAMPLES)
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `list` shows it.")],
    payload: Annotated[bool, typer.Option("--payload", help="Print what it carries, in full.")] = False,
    as_json: Json = False,
) -> None:
    """All about one dead letter; of what it carries the names and sizes alone, unless it is asked for."""
    letter = _with_bus(lambda bus: _one(bus, name))
    envelope = _envelope(letter)
    if as_json:
        about = _about(letter).model_dump(mode="json")
        _print(about | _more(envelope) | {"payload": _carried(letter, envelope, payload)})
        return
    console = Console()
    console.print(_facts(_about(letter), envelope))
    console.print(_content(letter, envelope, payload), soft_wrap=True)


@app.command(epilog=REPLAY_EXAMPLES)
def replay(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="As `list` shows them.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
    kind: Kind = "",
    as_json: Json = False,
) -> None:
    """Put dead letters back where they came from, once what they died of is mended."""
    if bool(names) == everything or (kind and not everything):
        raise BadInput(
            "Name dead letters, or say --all, which --kind may narrow.",
            message_zh="请给出死信名称，或用 --all 表示全部（可用 --kind 限定种类）。",
        )

    async def ask(bus: Bus) -> tuple[list[tuple[Letter, Follows]], list[str], set[str]]:
        dead = [letter for letter in await bus.dead_letters() if not everything or kind in ("", _about(letter).kind)]
        wanted = [letter.name for letter in dead if letter.subject] if everything else names or []
        # A worker may be quicker than we are, so what follows is found out first.
        follows = {letter.name: await _follows(bus, letter) for letter in dead if letter.name in wanted}
        put_back = [(_about(letter), follows[letter.name]) for letter in await bus.replay(*wanted)]
        gone = [letter.name for letter in dead if everything and not letter.subject]
        return put_back, gone, {replica.service for replica in await bus.replicas()}

    put_back, gone, present = _with_bus(ask)
    if as_json:
        _print(
            {
                "replayed": [{"name": letter.name, "kind": letter.kind, "follows": how} for letter, how in put_back],
                "gone": gone,
            }
        )
        return
    for line in _result(put_back, gone, present) or [_none(kind)]:
        print(line)


# --- what they are ----------------------------------------------------------------------------------------------------


def _with_bus(ask: Callable[[Bus], Awaitable[T]]) -> T:
    """What the bus answers; nobody has to be at work on it."""
    from ..local import local  # noqa: PLC0415 - the help has to come at once

    async def run() -> T:
        async with local((), store=HomeSettings().bus) as bus:
            return await ask(bus)

    quiet_log()
    return asyncio.run(run())


async def _one(bus: Bus, name: str) -> DeadLetter:
    for letter in await bus.dead_letters():
        if letter.name == name:
            return letter
    raise unknown_dead_letter()


def _envelope(letter: DeadLetter) -> Envelope | None:
    """None: the bytes are no envelope."""
    try:
        return Envelope.model_validate_json(letter.data)
    except ValidationError:
        return None


def _about(letter: DeadLetter) -> Letter:
    envelope = _envelope(letter)
    facts: dict[str, str] = envelope.model_dump(include={"kind", "session", "turn", "node"}) if envelope else {}
    return Letter(
        **{"kind": letter.subject.rpartition(".")[2], **facts},  # type: ignore[arg-type]
        name=letter.name,
        time=letter.time,
        service=service_of(letter.subject) if letter.subject else "",
        deliveries=letter.deliveries,
        reason=letter.reason,
        size=len(letter.data),
        kept=bool(letter.subject),
    )


async def _follows(bus: Bus, letter: DeadLetter) -> Follows:
    from bandsmith.services.gateway.state import SessionState  # noqa: PLC0415

    envelope = _envelope(letter)
    stored = await bus.read_state(f"session-{envelope.session}") if envelope else None
    if envelope is None:
        return "again"
    session = SessionState(id=envelope.session)
    with suppress(ValueError):  # a state of another version
        session = SessionState.model_validate_json(stored[0]) if stored else session
    turn = session.turn
    if envelope.kind == StartTurn.kind():
        known = {*session.past, *(one.turn for one in session.waiting), turn.id if turn else ""}
        return "again" if envelope.turn in known else "begins"
    command = envelope.causation if envelope.kind in EVENTS else envelope.id
    if turn and (command in turn.awaiting or (turn.over and turn.lost and turn.lost.id == command)):
        return "goes on"
    return "again"


# --- what is shown ----------------------------------------------------------------------------------------------------


def _table(letters: Sequence[Letter], console: Console) -> Table:
    columns = {
        "name": Column(either("name", "名称"), no_wrap=True),
        "when": Column(either("when", "时间"), no_wrap=True),
        "service": Column(either("service", "服务"), no_wrap=True),
        "kind": Column(either("kind", "种类"), no_wrap=True),
        "session": Column(either("session", "会话"), no_wrap=True, max_width=12),  # one of a Chinese name is long
        "tries": Column(either("tries", "次数"), justify="right"),
        "reason": Column(either("reason", "原因"), overflow="fold"),
    }
    rows = [
        {
            "name": Text(one.name),
            "when": Text(_when(one.time)),
            "service": _text(one.service),
            "kind": _text(one.kind),
            "session": _text(one.session),
            "tries": Text(str(one.deliveries)),
            # How often it was tried stands beside it.
            "reason": _text(_reason(re.sub(GIVEN_UP, r"\1", one.reason))),
        }
        for one in letters
    ]
    return table(columns, rows, console, less=("tries", "service", "session", "when"))


def _when(time: datetime) -> str:
    time, now = time.astimezone(), datetime.now().astimezone()
    return f"{time:%H:%M:%S}" if time.date() == now.date() else f"{time:%m-%d %H:%M}"


def _facts(one: Letter, envelope: Envelope | None) -> Table:
    facts = Table(box=None, pad_edge=False, show_header=False)
    facts.add_column(style="bold", no_wrap=True)
    facts.add_column(overflow="fold")
    rows: list[tuple[str, str, object]] = [
        ("name", "名称", one.name),
        ("when", "时间", f"{one.time.astimezone():%Y-%m-%d %H:%M:%S}"),
        ("reason", "原因", _reason(one.reason)),
        ("tries", "次数", one.deliveries),
        ("service", "服务", one.service),
        ("kind", "种类", one.kind),
        ("session", "会话", one.session),
        ("turn", "轮次", one.turn),
        ("node", "节点", one.node),
        *((name, name, value) for name, value in _more(envelope).items()),
    ]
    for english, in_chinese, value in rows:
        if value not in ("", None):
            facts.add_row(either(english, in_chinese), _text(str(value)))
    return facts


def _more(envelope: Envelope | None) -> dict[str, Any]:
    return envelope.model_dump(mode="json", include={"id", "causation", "attempt", "traceparent"}) if envelope else {}


def _content(letter: DeadLetter, envelope: Envelope | None, whole: bool) -> Text:
    if not letter.subject:
        return Text(either("Its message is kept no longer.", "其原始消息已不再保存。"), style="yellow")
    if envelope is None:
        said = either(f"No envelope, {len(letter.data):,} bytes:", f"不是有效的消息，共 {len(letter.data):,} 字节：")
        return Text("\n".join(("", said, *_hex(letter.data if whole else letter.data[:PREVIEW]))))
    if whole:
        return Text("\n" + printable(json.dumps(envelope.payload, ensure_ascii=False, indent=2)))
    said = either("It carries, in bytes (--payload prints it):", "其内容（字节数；用 --payload 显示全文）：")
    sizes = _sizes(envelope)
    width = max(map(len, sizes), default=0)
    lines = [f"  {printable(name):<{width}}  {size:>9,}" for name, size in sizes.items()]
    return Text("\n".join(("", said, *lines)))


def _carried(letter: DeadLetter, envelope: Envelope | None, whole: bool) -> object:
    """The payload, or the sizes of its parts; of what is no envelope the bytes in hexadecimal."""
    if envelope is None:
        return (letter.data if whole else letter.data[:PREVIEW]).hex()
    return envelope.payload if whole else _sizes(envelope)


def _sizes(envelope: Envelope) -> dict[str, int]:
    return {name: len(orjson.dumps(value)) for name, value in envelope.payload.items()}


def _hex(data: bytes) -> list[str]:
    rows = [data[begin : begin + 16] for begin in range(0, len(data), 16)]
    return [f"  {row.hex(' '):<47}  {re.sub(r'[^ -~]', '.', row.decode('latin-1'))}" for row in rows]


def _result(put_back: Sequence[tuple[Letter, Follows]], gone: Sequence[str], present: Iterable[str]) -> list[str]:
    """What was put back, what follows, and what could not be."""
    said = []
    for how, one, many, in_chinese in (
        ("goes on", "the turn that waits for it goes on.", "the turns that wait for them go on.",
         "等待它的轮次将继续。"),
        ("begins", "the turn that it asks for begins.", "the turns that they ask for begin.", "所请求的轮次将开始。"),
        ("again", "it only runs again; no turn waits for it.", "they only run again; no turn waits for them.",
         "只是重新执行，没有轮次在等待。"),
    ):  # fmt: skip
        if names := [letter.name for letter, follows in put_back if follows == how]:
            english = one if len(names) == 1 else many
            said.append(either(f"Put back {_names(names)}: {english}", f"已放回 {_names(names)}：{in_chinese}"))
    for service in sorted({letter.service for letter, _ in put_back} - set(present)):
        said.append(
            either(
                f"Nobody works for {service} right now; what was put back waits until somebody does.",
                f"目前没有进程处理 {service}；放回的消息会等到有进程时再处理。",
            )
        )
    if gone:
        said.append(
            either(
                f"Not put back, for their messages are kept no longer: {_names(gone)}.",
                f"原始消息已不再保存，无法放回：{_names(gone)}。",
            )
        )
    return said


def _names(names: Sequence[str]) -> str:
    listed = ", ".join(names[:LISTED])
    more = len(names) - LISTED
    return f"{listed} " + either(f"and {more:,} more", f"等共 {len(names):,} 条") if more > 0 else listed


def _none(kind: str) -> str:
    if kind:
        return either("There are no dead letters of this kind.", "没有这种死信。")
    return either("There are no dead letters.", "没有死信。")


def _reason(reason: str) -> str:
    """A worker and a bus say it in English."""
    if not chinese():
        return reason
    if given_up := re.fullmatch(GIVEN_UP, reason):
        return f"投递 {given_up[2]} 次后放弃（{given_up[1]}）"
    return {"not an envelope": "不是有效的消息", "delivered too often": "投递次数过多"}.get(reason, reason)


def _text(text: str) -> Text:
    return Text(printable(text))


def _print(about: object) -> None:
    print(json.dumps(about, ensure_ascii=False, indent=2))
