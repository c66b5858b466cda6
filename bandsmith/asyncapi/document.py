"""`bandsmith asyncapi`: what is on the bus, as an AsyncAPI 3.0 document made from the registry of messages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from typing import get_args

import yaml

from bandsmith.shared.bus.base import VERSION, DeadLetter, Delta
from bandsmith.shared.bus.nats.bus import CHUNK_BYTES
from bandsmith.shared.events import (
    COMMANDS,
    EVENTS,
    KINDS,
    Envelope,
    Message,
    NodeFinished,
    NodeStarted,
    Service,
    StageFailed,
    StartTurn,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnQueued,
    command_id,
)
from bandsmith.shared.llm.base import Usage
from bandsmith.shared.model.base import Ref
from bandsmith.shared.replies import text

from .schemas import Json, plain, schemas

DESCRIPTION = """\
Bandsmith makes JasperReports templates from words and pictures. Whoever may speak to its NATS server can begin a turn
and follow what becomes of it. Channels with the tag `public` keep their promise for as long as their subjects say
`{VERSION}`: fields and kinds are added, never removed or retyped. Channels with the tag `internal` are how the services
speak to each other; they are here to be looked at, and change as the program does. The guide is docs/integration.md.
"""
TAGS = {
    "public": f"Stable: what is there stays as it is for as long as the subject says {VERSION}.",
    "internal": "Between the services themselves; it may change with any version of the program.",
}
SESSION = "Key of the session: 1 to 128 ASCII letters, digits, '-' and '_'."
TURNS = [kind for kind, event in EVENTS.items() if issubclass(event, TurnEvent)]
WORK = [kind for kind in EVENTS if kind not in TURNS]
START = StartTurn.kind()
PUBLIC = [START, *TURNS]


def document() -> Json:
    """The whole document; it holds nothing but JSON's own types, and no object twice."""
    whole = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Bandsmith",
            "version": version("bandsmith"),
            "description": plain(DESCRIPTION.replace("{VERSION}", VERSION)),
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
            "tags": [{"name": name, "description": said} for name, said in TAGS.items()],
        },
        "defaultContentType": "application/json",
        "servers": {"nats": _server()},
        "channels": _channels(),
        "operations": _operations(),
        "components": {
            "messages": {kind: _message(kind) for kind in KINDS} | _other_messages(),
            "schemas": {"Headers": _headers(), **schemas()},
            "securitySchemes": {"user": {"type": "userPassword", "description": "A user of the NATS server."}},
        },
    }
    return json.loads(json.dumps(whole))  # type: ignore[no-any-return]


def as_yaml() -> str:
    """The document as it stands in docs/asyncapi.yaml."""
    text: str = yaml.safe_dump(document(), sort_keys=False, allow_unicode=True, width=120)
    return f"# Made by `bandsmith asyncapi` from shared/events; `make docs` makes it anew.\n{text}"


def as_json() -> str:
    return json.dumps(document(), ensure_ascii=False, indent=2)


# --- servers, channels, operations -----------------------------------------------------------------------------------


def _server() -> Json:
    return {
        "host": "{address}",
        "protocol": "nats",
        "description": "NATS with JetStream, the one that NATS_URL names.",
        "variables": {"address": {"default": "127.0.0.1:4222", "description": "Host and port."}},
        "security": [_ref("securitySchemes", "user")],
    }


def _channels() -> Json:
    session = {"session": {"description": SESSION, "location": "$message.payload#/session"}}
    commands = [kind for kind in COMMANDS if kind != START]
    services = [service for service in get_args(Service) if service != "gateway"]
    return {
        "start": _channel(
            f"cmd.{VERSION}.{COMMANDS[START].service}.{START}",
            [START],
            "A turn begins: stored in the JetStream stream CMD until a gateway took it.",
        ),
        "turns": _channel(
            f"evt.{VERSION}.{{session}}.turn.{{kind}}",
            TURNS,
            "How turns get on, in order for each session: kept in the JetStream stream EVT for BANDSMITH_KEEP_DAYS. "
            "What a finding says of edits that would mend it is Bandsmith's own and not promised.",
            session | _kind(TURNS),
        ),
        "objects": _channel(
            "obj.{key}.{number}",
            ["Chunk"],
            f"The bytes of files: chunks of {CHUNK_BYTES} bytes, the last one shorter, in the JetStream stream OBJ; "
            "the newest message of a subject is the one that counts.",
            {
                "key": {"description": "SHA-256 of the whole file in hexadecimal digits: the key of its Ref."},
                "number": {"description": "Counts the pieces from 0; a file without bytes has one piece without any."},
            },
        ),
        "commands": _channel(
            f"cmd.{VERSION}.{{service}}.{{kind}}",
            commands,
            "What services are asked for: a queue each, in the JetStream stream CMD.",
            {"service": {"enum": services, "description": "Whom it is for."}, **_kind(commands)},
        ),
        "answers": _channel(
            f"evt.{VERSION}.{{session}}.work.{{kind}}",
            WORK,
            "What services answer, in the JetStream stream EVT.",
            session | _kind(WORK),
        ),
        "deltas": _channel(
            "tok.{session}",
            ["Delta"],
            "Replies while they are written, for whoever listens right now: nothing is kept.",
            {"session": {"description": SESSION, "location": "$message.payload#/session"}},
        ),
        "dead": _channel(
            "dead.>",
            ["DeadLetter"],
            "What could not be handled, in the JetStream stream DEAD: see `bandsmith dead`.",
        ),
    }


def _channel(address: str, kinds: list[str], said: str, parameters: Json | None = None) -> Json:
    channel: Json = {
        "address": address,
        "description": said,
        "servers": [{"$ref": "#/servers/nats"}],
        "messages": {kind: _ref("messages", kind) for kind in kinds},
        "tags": [{"name": "public" if {*kinds} <= {*PUBLIC, "Chunk"} else "internal"}],
    }
    return channel | ({"parameters": parameters} if parameters else {})


def _kind(kinds: list[str]) -> Json:
    return {"kind": {"enum": kinds, "description": "What it says.", "location": "$message.payload#/kind"}}


def _operations() -> Json:
    """From the program's side: it receives commands and answers them with events."""
    return {
        "tellHowTurnsGetOn": _operation("send", "turns", TURNS),
        "keepFiles": _operation("send", "objects", ["Chunk"]),
        "readAttachments": _operation("receive", "objects", ["Chunk"]),
        **{kind[0].lower() + kind[1:]: _request(kind) for kind in COMMANDS},
        "sayReplies": _operation("send", "deltas", ["Delta"]),
        "buryDeadLetters": _operation("send", "dead", ["DeadLetter"]),
    }


def _request(kind: str) -> Json:
    answers = COMMANDS[kind].answers
    if kind == START:
        return _operation("receive", "start", [kind]) | {"reply": _on("turns", answers)}
    return _operation("receive", "commands", [kind]) | {"reply": _on("answers", [*answers, StageFailed.kind()])}


def _operation(action: str, channel: str, kinds: Iterable[str]) -> Json:
    return {"action": action, **_on(channel, kinds)}


def _on(channel: str, kinds: Iterable[str]) -> Json:
    return {
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{kind}"} for kind in kinds],
    }


# --- messages --------------------------------------------------------------------------------------------------------


def _message(kind: str) -> Json:
    said = plain(KINDS[kind].__doc__ or "")
    examples = [_example(message) for message in _examples() if message.kind() == kind]
    headers: Json = {"type": "object", "properties": {"ce-type": {"const": f"bandsmith.{VERSION}.{kind}"}}}
    if kind != START:  # whoever begins a turn may leave them out
        headers["required"] = [name for name in _headers()["properties"] if name != "traceparent"]
    envelope = {"type": "object", "properties": {"kind": {"const": kind}, "payload": _ref("schemas", kind)}}
    return {
        "name": kind,
        "title": kind,
        **({"summary": said} if said else {}),
        "contentType": "application/json",
        "headers": {"type": "object", "allOf": [_ref("schemas", "Headers"), headers]},
        "payload": {"allOf": [_ref("schemas", "Envelope"), envelope]},
        "tags": [{"name": "public" if kind in PUBLIC else "internal"}],
        **({"examples": examples} if examples else {}),
    }


def _other_messages() -> Json:
    """Those that travel without an envelope."""
    return {
        "Chunk": {
            "name": "Chunk",
            "title": "A piece of a file",
            "contentType": "application/octet-stream",
            "headers": {
                "type": "object",
                "properties": {
                    "Nats-Msg-Id": {"type": "string", "description": "`<key>.<number>`, as in the subject."}
                },
            },
            "payload": {"type": "string", "format": "binary", "maxLength": CHUNK_BYTES},
            "tags": [{"name": "public"}],
        },
        **{
            model.__name__: {
                "name": model.__name__,
                "title": model.__name__,
                "summary": plain(model.__doc__ or ""),
                "contentType": "application/json",
                "payload": _ref("schemas", model.__name__),
                "tags": [{"name": "internal"}],
            }
            for model in (Delta, DeadLetter)
        },
    }


def _headers() -> Json:
    """Of CloudEvents 1.0 in the binary mode of its NATS binding, of JetStream and of W3C Trace Context."""
    properties: Json = {
        "Nats-Msg-Id": {"description": "The envelope's id: what was published under an id before changes nothing."},
        "content-type": {"const": "application/json"},
        "ce-datacontenttype": {"const": "application/json"},
        "ce-specversion": {"const": "1.0"},
        "ce-id": {"description": "The envelope's id."},
        "ce-source": {"description": "Who said it: `/bandsmith/<service>`."},
        "ce-type": {"description": f"`bandsmith.{VERSION}.<kind>`."},
        "ce-subject": {"description": "The session."},
        "ce-time": {"description": "When it was said.", "format": "date-time"},
        "traceparent": {"description": "The trace that it belongs to, where one is kept."},
    }
    return {
        "type": "object",
        "description": "The headers of a message in an envelope.",
        "properties": {name: {"type": "string", **one} for name, one in properties.items()},
    }


# --- examples --------------------------------------------------------------------------------------------------------

TURN = "4f9d6a2c1b7e4c55a0d3e8f7b6c5d4e3"


def _examples() -> list[Message]:
    files = {
        name: Ref(key=f"{number:064x}", media=media, size=size)
        for number, (name, media, size) in enumerate(
            [("report.jrxml", "application/xml", 6210), ("report.pdf", "application/pdf", 14803)], start=1
        )
    }
    return [
        StartTurn(text="a sales report with customer and amount", name="march"),
        TurnQueued(before=1),
        NodeStarted(node="generate"),
        NodeFinished(node="generate", seconds=0.04),
        TurnFinished(
            status="done",
            intent="initial_generation",
            reply="Built a report with 2 columns.",
            files=files,
            version=1,
            passed=True,
            usage=Usage(),
        ),
        TurnFailed(
            code="empty",
            message=text("turn.refused.empty", "en"),
            message_zh=text("turn.refused.empty", "zh"),
        ),
    ]


def _example(message: Message) -> Json:
    kind, session, time = message.kind(), "march", datetime(2026, 11, 21, 8, 30, tzinfo=UTC)
    envelope = Envelope(
        id=command_id(session, TURN, kind, 1),
        kind=kind,
        session=session,
        turn=TURN,
        time=time,
        payload=message.model_dump(mode="json"),
    )
    headers = {
        "Nats-Msg-Id": envelope.id,
        "content-type": "application/json",
        "ce-datacontenttype": "application/json",
        "ce-specversion": "1.0",
        "ce-id": envelope.id,
        "ce-source": "/reports/orders" if kind == START else "/bandsmith/gateway",
        "ce-type": f"bandsmith.{VERSION}.{kind}",
        "ce-subject": envelope.session,
        "ce-time": time.isoformat(),
    }
    return {"name": kind, "headers": headers, "payload": envelope.model_dump(mode="json")}


def _ref(room: str, name: str) -> Json:
    return {"$ref": f"#/components/{room}/{name}"}
