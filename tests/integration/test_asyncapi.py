"""The AsyncAPI document is complete and fresh, and real messages match it."""

from __future__ import annotations

import asyncio
import copy
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema import Draft7Validator, FormatChecker
from nats.aio.client import Client
from nats.aio.msg import Msg

from bandsmith import asyncapi
from bandsmith.cli import main
from bandsmith.shared.events import COMMANDS, KINDS
from tests.yaml_files import parse_yaml
from tools import docs
from tools.node import Node

from .conftest import BANDSMITH, Place, document

# --- whole and fresh -------------------------------------------------------------------------------------------------


def test_the_documented_copy_is_fresh():
    assert docs.ASYNCAPI.read_text(encoding="utf-8") == asyncapi.as_yaml(), (
        "docs/asyncapi.yaml is stale: run `make docs`"
    )


@pytest.mark.parametrize(("option", "read"), [([], parse_yaml), (["--json"], json.loads)])
def test_the_command_prints_the_document(option: list[str], read: Callable[[str], Any], monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["bandsmith", "asyncapi", *option])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code and read(capsys.readouterr().out) == document()


def test_every_message_has_one_channel_and_every_command_its_replies():
    channels = [kind for channel in document()["channels"].values() for kind in channel["messages"]]
    assert sorted(channels) == sorted([*KINDS, "Chunk", "Delta", "DeadLetter"])
    for kind, command in COMMANDS.items():
        [operation] = [one for one in document()["operations"].values() if kinds(one) == [kind]]
        replies = kinds(operation["reply"]) if "reply" in operation else []
        assert set(command.answers) <= set(replies), kind


def kinds(operation: dict[str, Any]) -> list[str]:
    return [message["$ref"].rpartition("/")[2] for message in operation["messages"]]


def test_every_reference_resolves_and_every_schema_is_used():
    references = set(everything(document(), "$ref"))
    for reference in references:
        found: Any = document()
        for name in reference.removeprefix("#/").split("/"):
            found = found[name]
    assert {f"#/components/schemas/{name}" for name in document()["components"]["schemas"]} <= references


def everything(part: Any, name: str) -> Iterator[Any]:
    """Yield every value of that name, at any depth."""
    if isinstance(part, dict):
        if isinstance(part.get(name), str):
            yield part[name]
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from everything(one, name)


def test_public_messages_have_descriptions_and_valid_examples():
    for kind in asyncapi.PUBLIC:
        message = document()["components"]["messages"][kind]
        assert message["summary"]
        [example] = message["examples"]
        assert wrong(kind, example["headers"], example["payload"]) == []


@pytest.mark.slow
def test_the_official_parser_reports_nothing(javascript: Node, npm_ci: Callable[[Path], Path]):
    folder = npm_ci(Path(__file__).parent / "asyncapi")
    result = subprocess.run(
        [javascript.node, "check.js", docs.ASYNCAPI], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


# --- true ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_messages_of_real_turns_match_the_document(place: Place):
    """Given running services, and a subscriber to every subject
    When there are turns that build, wait, change, ask, export, fail and are cancelled, and the session is
        renamed and its links are revoked
    Then each message is on a channel of the document, and its headers and content are valid for it."""
    heard: list[Msg] = []

    async def put(message: Msg) -> None:
        heard.append(message)

    async with place.client(BANDSMITH) as client, asyncio.timeout(300):
        for subject in ("cmd.>", "evt.>", "obj.>", "tok.>", "dead.>"):
            await client.subscribe(subject, cb=put)
        texts = [
            "a sales report with customer and amount",
            "make the title larger",
            "what is a band?",
            "export pdf",
            "",
        ]
        over = await client.subscribe("evt.v1.truth.turn.*")
        for number, text in enumerate(texts):
            await start(client, "truth", str(number), text)
        await cancel(client, "truth", str(len(texts) - 1))
        await ask(client, "truth", "RenameSession", name="Sales")
        await ask(client, "truth", "UnshareSession")
        ends = 0
        while ends < len(texts):
            ends += (await over.next_msg(timeout=300)).subject.endswith(("TurnFinished", "TurnFailed"))
        await client.flush()  # the subscriber to every subject has got the last messages, too

    for message in heard:
        name, kind = channel(message)
        if name == "objects":
            assert len(message.data) <= 512 * 1024
            assert re.fullmatch("[0-9a-f]{32}", message.headers["Nats-Msg-Id"])
        else:
            headers = {} if kind == "Delta" else dict(message.headers or {})
            assert wrong(kind, headers, orjson.loads(message.data)) == [], f"{message.subject}: {message.data!r}"
    travelled = {channel(message)[1] for message in heard}
    expected = {*asyncapi.PUBLIC, "Chunk", "GenerateReport", "TemplateValidated", "ReportExported"}
    assert expected - travelled == set()


async def start(client: Client, session: str, turn: str, text: str) -> None:
    """Build a command with the required fields only, as in the guide."""
    name = f"{session}-{turn}"
    command = {"id": name, "kind": "StartTurn", "session": session, "turn": name, "payload": {"text": text}}
    await client.jetstream().publish("cmd.v1.gateway.StartTurn", json.dumps(command).encode())


async def cancel(client: Client, session: str, turn: str) -> None:
    name = f"{session}-{turn}"
    command = {"id": f"{name}-cancel", "kind": "CancelTurn", "session": session, "turn": name, "payload": {}}
    await client.jetstream().publish("cmd.v1.gateway.CancelTurn", json.dumps(command).encode())


async def ask(client: Client, session: str, kind: str, **payload: str) -> None:
    """Ask the gateway for something that is no turn."""
    command = {"id": f"{session}-{kind}", "kind": kind, "session": session, "turn": "", "payload": payload}
    await client.jetstream().publish(f"cmd.v1.gateway.{kind}", json.dumps(command).encode())


def channel(message: Msg) -> tuple[str, str]:
    """Return the names of the channel and the message."""
    for name, one in document()["channels"].items():
        address = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^.]+)", re.escape(one["address"]).replace(">", ".+"))
        if not (found := re.fullmatch(address, message.subject)):
            continue
        parts = found.groupdict()
        if all(part in one["parameters"][key].get("enum", [part]) for key, part in parts.items()):
            return name, parts.get("kind") or next(iter(one["messages"]))
    raise AssertionError(f"no channel has {message.subject}")


def wrong(kind: str, headers: dict[str, str], payload: Any) -> list[str]:
    """Return where a message deviates from the document, undocumented fields included."""
    message = document()["components"]["messages"][kind]
    return [
        f"{part} {error.json_path}: {error.message}"
        for part, content in (("headers", headers), ("payload", payload))
        if part in message
        for error in Draft7Validator(
            {"$ref": f"#/components/messages/{kind}/{part}", **CLOSED}, format_checker=FormatChecker()
        ).iter_errors(content)
    ]


def closed(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with additional fields forbidden."""
    document = copy.deepcopy(document)
    for schema in document["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return document


CLOSED = closed(document())
