"""``bandsmith dead``: list and show dead letters, and replay them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

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

from ..locale import user_language
from .messages import message, print_json
from .own_store import with_bus
from .tables import table

T = TypeVar("T")
Effect = Literal["begins", "goes on", "again"]
"""What a replay causes: a turn begins, a waiting turn goes on, or the message is only handled again."""

PREVIEW_BYTES = 128
"""How much is shown of a message that is not an envelope."""
MAX_LISTED_NAMES = 5
"""Names that a sentence lists before it counts the others."""
GIVEN_UP = r"(\w+): given up after (\d+) deliveries"
"""A worker's reason for a dead letter: the code of the last error, and the number of deliveries."""

app = typer.Typer(rich_markup_mode="markdown")
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Kind = Annotated[str, typer.Option(metavar="KIND", help="Only messages of this kind, as `list` shows it.")]

LIST_EXAMPLES = """
**Examples**

    bandsmith dead list
    bandsmith dead list --kind ExtractLayout --json
"""
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


class DeadLetterSummary(Value):
    """A dead letter without its content."""

    name: str
    time: datetime
    service: str
    kind: str
    """The envelope's kind, or the subject's where the message is not an envelope."""
    session: str = ""
    turn: str = ""
    node: str = ""
    deliveries: int
    reason: str
    size: int
    """Size of the message in bytes."""
    kept: bool
    """Whether the original message still exists, so that it can be replayed."""


class Replayed(NamedTuple):
    """The result of a replay."""

    letters: list[tuple[DeadLetterSummary, Effect]]
    expired: list[str]
    """Names of the letters whose messages no longer exist."""
    running: set[str]
    """Services that have a replica."""


@app.command("list", epilog=LIST_EXAMPLES)
def list_command(kind: Kind = "", as_json: Json = False) -> None:
    """List the dead letters, the newest last."""

    async def ask(bus: Bus) -> list[DeadLetterSummary]:
        return [_summary(letter) for letter in await bus.dead_letters()]

    letters = [letter for letter in with_bus(ask) if kind in ("", letter.kind)]
    if as_json:
        print_json([letter.model_dump(mode="json") for letter in letters])
    elif letters:
        console = Console()
        console.print(_table(letters, console))
    else:
        print(_nothing(kind))


@app.command(epilog=SHOW_EXAMPLES)
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The dead letter, as `list` shows it.")],
    payload: Annotated[bool, typer.Option("--payload", help="Print the payload in full.")] = False,
    as_json: Json = False,
) -> None:
    """Show a dead letter; of its payload only names and sizes, unless --payload is given."""
    letter = with_bus(lambda bus: _find(bus, name))
    envelope = _envelope(letter)
    if as_json:
        summary = _summary(letter).model_dump(mode="json")
        print_json(summary | _tracing(envelope) | {"payload": _payload(letter, envelope, payload)})
        return
    console = Console()
    console.print(_properties(_summary(letter), envelope))
    console.print(_content(letter, envelope, payload), soft_wrap=True)


@app.command(epilog=REPLAY_EXAMPLES)
def replay(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Dead letters, as `list` shows them.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Replay all of them.")] = False,
    kind: Kind = "",
    as_json: Json = False,
) -> None:
    """Put dead letters back on their queues, once the cause of their failure is fixed."""
    if bool(names) == everything or (kind and not everything):
        raise BadInput.of("cli.dead.which", code=BadInput.code)
    replayed = with_bus(lambda bus: _replay(bus, names or [], everything, kind))
    if as_json:
        letters = [{"name": letter.name, "kind": letter.kind, "follows": effect} for letter, effect in replayed.letters]
        print_json({"replayed": letters, "gone": replayed.expired})
        return
    for line in _replay_report(replayed) or [_nothing(kind)]:
        print(line)


# --- the bus ----------------------------------------------------------------------------------------------------------


async def _find(bus: Bus, name: str) -> DeadLetter:
    for letter in await bus.dead_letters():
        if letter.name == name:
            return letter
    raise unknown_dead_letter()


async def _replay(bus: Bus, names: Sequence[str], everything: bool, kind: str) -> Replayed:
    letters = [letter for letter in await bus.dead_letters() if not everything or kind in ("", _summary(letter).kind)]
    wanted = [letter.name for letter in letters if letter.subject] if everything else names
    # The effect is determined first: a worker may handle the message before the replay returns.
    effects = {letter.name: await _effect(bus, letter) for letter in letters if letter.name in wanted}
    replayed = [(_summary(letter), effects[letter.name]) for letter in await bus.replay(*wanted)]
    expired = [letter.name for letter in letters if everything and not letter.subject]
    return Replayed(replayed, expired, {replica.service for replica in await bus.replicas()})


async def _effect(bus: Bus, letter: DeadLetter) -> Effect:
    """Determine from the session's state what the replay of a letter causes."""
    from bandsmith.services.gateway.state import SessionState  # noqa: PLC0415 - slow

    envelope = _envelope(letter)
    if envelope is None:
        return "again"
    stored = await bus.read_state(f"session-{envelope.session}")
    session = SessionState(id=envelope.session)
    with suppress(ValueError):  # a state of another version
        session = SessionState.model_validate_json(stored[0]) if stored else session
    turn = session.turn
    if envelope.kind == StartTurn.kind():
        known = {*session.past, *(waiting.turn for waiting in session.waiting), turn.id if turn else ""}
        return "again" if envelope.turn in known else "begins"
    command = envelope.causation if envelope.kind in EVENTS else envelope.id
    if turn and (command in turn.awaiting or (turn.over and turn.lost and turn.lost.id == command)):
        return "goes on"
    return "again"


# --- dead letters -----------------------------------------------------------------------------------------------------


def _envelope(letter: DeadLetter) -> Envelope | None:
    """Return the letter's envelope, or None if its bytes are not one."""
    try:
        return Envelope.model_validate_json(letter.data)
    except ValidationError:
        return None


def _summary(letter: DeadLetter) -> DeadLetterSummary:
    envelope = _envelope(letter)
    fields: dict[str, str] = envelope.model_dump(include={"kind", "session", "turn", "node"}) if envelope else {}
    return DeadLetterSummary(
        **{"kind": letter.subject.rpartition(".")[2], **fields},  # type: ignore[arg-type]
        name=letter.name,
        time=letter.time,
        service=service_of(letter.subject) if letter.subject else "",
        deliveries=letter.deliveries,
        reason=letter.reason,
        size=len(letter.data),
        kept=bool(letter.subject),
    )


def _tracing(envelope: Envelope | None) -> dict[str, Any]:
    return envelope.model_dump(mode="json", include={"id", "causation", "attempt", "traceparent"}) if envelope else {}


def _payload(letter: DeadLetter, envelope: Envelope | None, whole: bool) -> object:
    """Return the payload or the sizes of its fields; bytes in hexadecimal for a message that is not an envelope."""
    if envelope is None:
        return (letter.data if whole else letter.data[:PREVIEW_BYTES]).hex()
    return envelope.payload if whole else _field_sizes(envelope)


def _field_sizes(envelope: Envelope) -> dict[str, int]:
    return {name: len(orjson.dumps(value)) for name, value in envelope.payload.items()}


# --- output -----------------------------------------------------------------------------------------------------------


def _table(letters: Sequence[DeadLetterSummary], console: Console) -> Table:
    columns = {
        "name": Column(message("cli.dead.columns.name"), no_wrap=True),
        "when": Column(message("cli.dead.columns.when"), no_wrap=True),
        "service": Column(message("cli.dead.columns.service"), no_wrap=True),
        "kind": Column(message("cli.dead.columns.kind"), no_wrap=True),
        "session": Column(message("cli.dead.columns.session"), no_wrap=True, max_width=12),  # keys may be long hashes
        "tries": Column(message("cli.dead.columns.tries"), justify="right"),
        "reason": Column(message("cli.dead.columns.reason"), overflow="fold"),
    }
    rows = [
        {
            "name": Text(letter.name),
            "when": Text(_short_time(letter.time)),
            "service": _visible(letter.service),
            "kind": _visible(letter.kind),
            "session": _visible(letter.session),
            "tries": Text(str(letter.deliveries)),
            "reason": _visible(_reason(re.sub(GIVEN_UP, r"\1", letter.reason))),  # the count has its own column
        }
        for letter in letters
    ]
    return table(columns, rows, console, optional=("tries", "service", "session", "when"))


def _short_time(time: datetime) -> str:
    time, now = time.astimezone(), datetime.now().astimezone()
    return f"{time:%H:%M:%S}" if time.date() == now.date() else f"{time:%m-%d %H:%M}"


def _properties(letter: DeadLetterSummary, envelope: Envelope | None) -> Table:
    properties = Table(box=None, pad_edge=False, show_header=False)
    properties.add_column(style="bold", no_wrap=True)
    properties.add_column(overflow="fold")
    rows: dict[str, object] = {
        message("cli.dead.columns.name"): letter.name,
        message("cli.dead.columns.when"): f"{letter.time.astimezone():%Y-%m-%d %H:%M:%S}",
        message("cli.dead.columns.reason"): _reason(letter.reason),
        message("cli.dead.columns.tries"): letter.deliveries,
        message("cli.dead.columns.service"): letter.service,
        message("cli.dead.columns.kind"): letter.kind,
        message("cli.dead.columns.session"): letter.session,
        message("cli.dead.columns.turn"): letter.turn,
        message("cli.dead.columns.node"): letter.node,
        **_tracing(envelope),
    }
    for name, value in rows.items():
        if value not in ("", None):
            properties.add_row(name, _visible(str(value)))
    return properties


def _content(letter: DeadLetter, envelope: Envelope | None, whole: bool) -> Text:
    if not letter.subject:
        return Text(message("cli.dead.message_expired"), style="yellow")
    if envelope is None:
        heading = message("cli.dead.not_an_envelope", size=len(letter.data))
        return Text("\n".join(("", heading, *_hex_dump(letter.data if whole else letter.data[:PREVIEW_BYTES]))))
    if whole:
        return Text("\n" + printable(json.dumps(envelope.payload, ensure_ascii=False, indent=2)))
    sizes = _field_sizes(envelope)
    width = max(map(len, sizes), default=0)
    lines = [f"  {printable(name):<{width}}  {size:>9,}" for name, size in sizes.items()]
    return Text("\n".join(("", message("cli.dead.payload_sizes"), *lines)))


def _hex_dump(data: bytes) -> list[str]:
    rows = [data[start : start + 16] for start in range(0, len(data), 16)]
    return [f"  {row.hex(' '):<47}  {re.sub(r'[^ -~]', '.', row.decode('latin-1'))}" for row in rows]


def _replay_report(replayed: Replayed) -> list[str]:
    """Describe what was replayed, what it causes, and what could not be replayed."""
    lines = []
    codes: dict[Effect, str] = {
        "goes on": "cli.dead.replayed_turn_continues",
        "begins": "cli.dead.replayed_turn_begins",
        "again": "cli.dead.replayed_without_turn",
    }
    for effect, code in codes.items():
        if names := [letter.name for letter, caused in replayed.letters if caused == effect]:
            lines.append(message(code, count=len(names), names=_shortened(names)))
    for service in sorted({letter.service for letter, _ in replayed.letters} - replayed.running):
        lines.append(message("cli.dead.no_replica", service=service))
    if replayed.expired:
        lines.append(message("cli.dead.not_replayed", names=_shortened(replayed.expired)))
    return lines


def _shortened(names: Iterable[str]) -> str:
    names = list(names)
    listed = ", ".join(names[:MAX_LISTED_NAMES])
    more = len(names) - MAX_LISTED_NAMES
    return message("cli.dead.and_more", names=listed, more=more) if more > 0 else listed


def _nothing(kind: str) -> str:
    return message("cli.dead.none_of_kind" if kind else "cli.dead.none")


def _reason(reason: str) -> str:
    """Translate a reason, which workers and the bus record in English."""
    if user_language() == "en":
        return reason
    if given_up := re.fullmatch(GIVEN_UP, reason):
        return message("cli.dead.reasons.given_up", error=given_up[1], deliveries=given_up[2])
    codes = {
        "not an envelope": "cli.dead.reasons.not_an_envelope",
        "sent to another subject": "cli.dead.reasons.other_subject",
        "delivered too often": "cli.dead.reasons.max_deliveries",
    }
    return message(codes[reason]) if reason in codes else reason


def _visible(text: str) -> Text:
    return Text(printable(text))
