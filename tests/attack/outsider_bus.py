"""Messages of another program with a password of its own, of an attacker who has read the manual only.

Each is a user of the server, a subject, and the content. None may stop a service, begin what no user asked for, or
speak for another part.
"""

from __future__ import annotations

import json
from typing import Any

START: dict[str, Any] = {"id": "x", "kind": "StartTurn", "session": "s", "turn": "t", "payload": {"text": "a report"}}


def message(**changes: Any) -> bytes:
    return json.dumps(START | changes).encode()


TAKEN: dict[str, tuple[str, str, bytes]] = {
    "a beginning that is answered by itself": (
        "reports",
        "cmd.v1.gateway.StartTurn",
        message(causation="x", node="classify", turn="self"),
    ),
    "a beginning whose attempt is negative": ("reports", "cmd.v1.gateway.StartTurn", message(turn="n", attempt=-7)),
    "a beginning with a hundred thousand fields": (
        "reports",
        "cmd.v1.gateway.StartTurn",
        message(turn="f", payload={f"f{n}": n for n in range(100_000)}),
    ),
    "a beginning with a name of control characters": (
        "web",
        "cmd.v1.gateway.StartTurn",
        message(turn="c", payload={"text": "a report", "name": "\x1b[2J\u202e"}),
    ),
    "a beginning with twelve thousand files": (
        "reports",
        "cmd.v1.gateway.StartTurn",
        message(
            turn="m",
            payload={
                "text": "x",
                "attachments": [{"name": "a.png", "content": {"key": "0" * 64, "media": "image/png", "size": 1}}]
                * 12_000,
            },
        ),
    ),
    "the end of a turn that never was": (
        "engine",
        "evt.v1.s.work.TemplateValidated",
        message(kind="TemplateValidated", causation="nobody", payload={"passed": True, "findings": []}),
    ),
    "the cancelling of all turns": (
        "web",
        "cmd.v1.gateway.CancelTurn",
        message(kind="CancelTurn", turn="*", payload={}),
    ),
}
"""The server takes them; a turn after them ends as always."""
REFUSED: dict[str, tuple[str, str]] = {
    "a schedule of the gateway's own": ("reports", "cmd.v1.gateway.ChangeRuns"),
    "the state of a session": ("web", "$KV.states.session-s"),
    "a purge of all events": ("reports", "$JS.API.STREAM.PURGE.EVT"),
}
"""The server refuses them by the user's permissions."""
