"""`bandsmith dead`: dead letters are listed, shown and replayed."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from bandsmith import local
from bandsmith.cli import main
from bandsmith.services.gateway.reducer import advance
from bandsmith.services.gateway.state import SessionState
from bandsmith.shared.bus.base import DeadLetter, command_subject
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.events import Command, Envelope, ExtractLayout, StageFailed, StartTurn
from bandsmith.shared.model.document import Document
from bandsmith.shared.worker import answer
from tests.workflow.play import start
from tests.workflow.service_events import ref

Run = Callable[..., tuple[int, str, str]]

SECRET = "what the picture is called.png"


@pytest.fixture
def broker() -> Broker:
    return Broker()


@pytest.fixture
def run(broker: Broker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line on a bus in memory without services."""

    @asynccontextmanager
    async def bus(services: object, store: Path | None = None) -> AsyncIterator[MemoryBus]:
        yield MemoryBus(broker)

    monkeypatch.setattr(local, "local", bus)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bandsmith", "dead", *words])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return int(end.value.code or 0), printed.out, printed.err

    return run


def envelope(command: Command, session: str = "march", name: str = "c1") -> Envelope:
    payload = command.model_dump(mode="json")
    return Envelope(id=name, kind=command.kind(), session=session, turn="t1", node="process_input", payload=payload)


PAGE = envelope(ExtractLayout(document=Document(name=SECRET, content=ref("page"))))


def bury(broker: Broker, name: str, message: Envelope | bytes, reason: str = "internal: given up after 4 deliveries"):
    raw = isinstance(message, bytes)
    broker.dead_letters[name] = DeadLetter(
        name=name,
        subject="cmd.v1.ocr.ExtractLayout" if isinstance(message, bytes) else command_subject(message),
        data=message if isinstance(message, bytes) else message.model_dump_json().encode(),
        reason="not an envelope" if raw else reason,
        deliveries=1 if raw else 4,
        time=datetime.now(UTC),
    )


def lost(broker: Broker) -> Envelope:
    """Return the command whose failure ended the turn of session s."""
    session = start()
    assert session.turn is not None
    [command] = session.turn.awaiting.values()
    failed = StageFailed(command=command.kind, code="internal", message="It failed.")
    over = advance(session, answer(command, failed))
    while over is not None and over.turn is not None and not over.turn.over:
        [command] = over.turn.awaiting.values()
        over = advance(over, answer(command, failed.model_copy(update={"command": command.kind})))
    assert isinstance(over, SessionState) and over.turn is not None and over.turn.lost is not None
    broker.states["session-s"] = (over.model_dump_json().encode(), 1)
    return over.turn.lost


# --- list -----------------------------------------------------------------------------------------------------------


def test_list_shows_each_dead_letter_with_its_reason(run: Run, broker: Broker) -> None:
    bury(broker, "CMD.1", PAGE)
    bury(broker, "CMD.2", b"\x00\xff")

    lines = [line.split() for line in run("list")[1].splitlines()]

    assert lines[0] == ["name", "when", "service", "kind", "session", "tries", "reason"]
    assert [lines[1][0], *lines[1][2:]] == ["CMD.1", "ocr", "ExtractLayout", "march", "4", "internal"]
    assert [lines[2][0], *lines[2][2:]] == ["CMD.2", "ocr", "ExtractLayout", "1", "not", "an", "envelope"]


def test_list_as_json_can_be_filtered_and_has_no_payload(run: Run, broker: Broker) -> None:
    bury(broker, "CMD.1", PAGE)
    bury(broker, "CMD.2", envelope(StartTurn(text="hello")))

    [one] = json.loads(run("list", "--json", "--kind", "ExtractLayout")[1])

    assert (one["name"], one["turn"], one["node"], one["kept"]) == ("CMD.1", "t1", "process_input", True)
    assert SECRET not in json.dumps(one)


def test_an_empty_list_is_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("list") == (0, "There are no dead letters.\n", "")
    assert run("replay", "--all") == (0, "There are no dead letters.\n", "")
    assert run("replay", "--all", "--kind", "X") == (0, "There are no dead letters of this kind.\n", "")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert run("list") == (0, "没有死信。\n", "")


# --- show -----------------------------------------------------------------------------------------------------------


def test_show_prints_the_payload_on_request_only(run: Run, broker: Broker) -> None:
    bury(broker, "CMD.1", PAGE)

    _, shown, _ = run("show", "CMD.1")
    assert "given up after 4 deliveries" in shown and "document" in shown and SECRET not in shown
    sizes = {name: len(orjson.dumps(value)) for name, value in PAGE.payload.items()}
    assert json.loads(run("show", "CMD.1", "--json")[1])["payload"] == sizes

    assert SECRET in run("show", "CMD.1", "--payload")[1]
    assert json.loads(run("show", "CMD.1", "--payload", "--json")[1])["payload"] == PAGE.payload


def test_show_prints_a_hex_preview_of_invalid_messages(run: Run, broker: Broker) -> None:
    bury(broker, "CMD.1", b"\x1b[31mred" * 1_000)

    _, shown, _ = run("show", "CMD.1")
    assert "Not an envelope, 8,000 bytes:" in shown and "1b 5b 33 31 6d 72 65 64" in shown
    assert len(shown.splitlines()) < 20 and "\x1b" not in shown

    assert len(run("show", "CMD.1", "--payload")[1].splitlines()) > 500


# --- replay ---------------------------------------------------------------------------------------------------------


def test_replay_puts_letters_on_their_queues_and_tells_the_effect(run: Run, broker: Broker) -> None:
    bury(broker, "CMD.1", PAGE)
    bury(broker, "CMD.2", envelope(StartTurn(text="hello")))
    bury(broker, "CMD.3", lost(broker))

    code, shown, _ = run("replay", "CMD.1", "CMD.2", "CMD.3")

    assert code == 0
    assert shown.splitlines() == [
        "Replayed CMD.3: the turn that waits for it continues.",
        "Replayed CMD.2: the turn that it requests begins.",
        "Replayed CMD.1: it is only handled again; no turn waits for it.",
        "No replica of gateway is running; replayed messages wait for one.",
        "No replica of ocr is running; replayed messages wait for one.",
    ]
    waiting = {service: queue.qsize() for service, queue in broker.command_queues.items()}
    assert broker.dead_letters == {} and waiting["ocr"] == 2 and waiting["gateway"] == 1


def test_replay_of_all_letters_of_a_kind(run: Run, broker: Broker) -> None:
    for number in range(7):
        bury(broker, f"CMD.{number}", b"x")
    bury(broker, "CMD.9", envelope(StartTurn(text="hello")))

    _, shown, _ = run("replay", "--all", "--kind", "ExtractLayout")

    assert shown.startswith("Replayed CMD.0, CMD.1, CMD.2, CMD.3, CMD.4 and 2 more: they are only handled again")
    assert list(broker.dead_letters) == ["CMD.9"]
    assert json.loads(run("replay", "--all", "--json")[1]) == {
        "replayed": [{"name": "CMD.9", "kind": "StartTurn", "follows": "begins"}], "gone": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (("show", "CMD.9"), "There is no dead letter with this name"),
        (("replay", "CMD.1", "CMD.9"), "There is no dead letter with this name"),
        (("replay",), "Name the dead letters, or use --all"),
        (("replay", "CMD.1", "--all"), "Name the dead letters, or use --all"),
        (("replay", "CMD.1", "--kind", "ExtractLayout"), "Name the dead letters, or use --all"),
    ],
)
def test_an_invalid_replay_replays_nothing(run: Run, broker: Broker, words: tuple[str, ...], result: str) -> None:
    bury(broker, "CMD.1", PAGE)

    code, out, err = run(*words)

    assert (code, out) == (2, "") and err.startswith(result) and err.count("\n") == 1
    assert list(broker.dead_letters) == ["CMD.1"]
