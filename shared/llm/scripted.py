"""A scripted model: a server on this machine that speaks OpenAI's chat completions and says what it was told to.

    with ScriptedModel(["Hello.", ScriptedReply("cut off he", finish="length")]) as server:
        model = model_from(server.settings())

It runs in threads of its own, so that tests, benchmarks and demonstrations may use it, whatever they run in.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from pydantic import SecretStr

from ..settings import ModelSettings
from .base import Usage
from .tokens import estimate

_FENCED = re.compile(r"<data (\w+)>\n(.*?)\n</data \1>", re.DOTALL)


@dataclass(frozen=True)
class ScriptedRequest:
    """One request, as it came in."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def messages(self) -> list[dict[str, str]]:
        return list(self.body["messages"])

    @property
    def text(self) -> str:
        """All that its messages say."""
        return "\n".join(message["content"] for message in self.messages)

    @property
    def prompt(self) -> str:
        """The name of the prompt that it was made from, where its reply has a schema."""
        wanted = self.body.get("response_format", {}).get("json_schema", {})
        return str(wanted.get("name", ""))

    @property
    def fenced(self) -> list[str]:
        """The data in it, in order."""
        return [found[2] for found in _FENCED.finditer(self.text)]

    @property
    def tokens(self) -> int:
        """Of its messages and its schema, by the estimate."""
        schema = self.body.get("response_format")
        return estimate(self.text) + (estimate(json.dumps(schema)) if schema else 0)


@dataclass(frozen=True)
class ScriptedReply:
    """One reply, and how it is given."""

    text: str = ""
    finish: Literal["stop", "length"] | None = "stop"
    delay: float = 0.0
    """Seconds before it begins."""
    pause: float = 0.0
    """Seconds between two pieces."""
    piece: int = 60
    """Characters of each."""
    status: int = 200
    """Another one is an error, with the text in its body."""
    headers: dict[str, str] = field(default_factory=dict)
    breaks_after: int | None = None
    """Pieces after which the connection is closed."""
    hangs_after: int | None = None
    """Pieces after which nothing comes any more, for as long as the server runs."""
    garbage: bool = False
    """The text is sent as it is, instead of in the protocol's form."""
    usage: bool = True
    """Whether the reply says what it cost."""


Script = Callable[[ScriptedRequest], ScriptedReply | str] | Sequence[ScriptedReply | str]


class ScriptedModel:
    """Answers by a function, or from a list whose last reply is given again and again."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self.asked: list[ScriptedRequest] = []
        """Every request, refused ones as well."""
        self.usage = Usage()
        """Of the replies that were given."""
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def settings(self, **others: Any) -> ModelSettings:
        """Those of a client of it."""
        mine = {"url": self.url, "name": "scripted", "key": SecretStr("sk-scripted")}
        return ModelSettings.model_validate(mine | others)

    def __enter__(self) -> ScriptedModel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()

    def forget(self) -> None:
        """Count anew."""
        with self._lock:
            self.asked, self.usage = [], Usage()

    def wait(self, seconds: float | None) -> None:
        """Wait that long, or until the server stops."""
        self._stopped.wait(seconds)

    def reply_to(self, asked: ScriptedRequest) -> ScriptedReply:
        with self._lock:
            self.asked.append(asked)
            number = len(self.asked) - 1
        said = self._script(asked) if callable(self._script) else self._script[min(number, len(self._script) - 1)]
        return ScriptedReply(said) if isinstance(said, str) else said

    def spent(self, asked: ScriptedRequest, said: ScriptedReply) -> Usage:
        usage = Usage(calls=1, tokens_in=asked.tokens, tokens_out=estimate(said.text))
        with self._lock:
            self.usage += usage
        return usage


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no event."""


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: Any) -> None:
            """Silent."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = ScriptedRequest(body, {name.lower(): value for name, value in self.headers.items()})
            said = model.reply_to(asked)
            model.wait(said.delay) if said.delay else None
            if said.status != 200:
                self._send(said, {"error": {"message": said.text, "type": "scripted"}})
            elif body.get("stream"):
                self._stream(said, _chunks(said, model.spent(asked, said)))
            else:
                self._send(said, _completion(said, model.spent(asked, said)))

        def _send(self, said: ScriptedReply, content: dict[str, Any]) -> None:
            data = said.text.encode() if said.garbage else json.dumps(content).encode()
            self._begin(said, "application/json", str(len(data)))
            self.wfile.write(data)

        def _stream(self, said: ScriptedReply, chunks: Iterator[dict[str, Any]]) -> None:
            self._begin(said, "text/event-stream", None)
            for number, chunk in enumerate(chunks):
                if number == said.breaks_after:
                    self.close_connection = True
                    return
                if number == said.hangs_after:
                    model.wait(None)
                    return
                if number and said.pause:
                    model.wait(said.pause)
                self._chunk(b"data: " + json.dumps(chunk).encode() + b"\n\n")
            self._chunk(said.text.encode() if said.garbage else b"data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")

        def _begin(self, said: ScriptedReply, media: str, length: str | None) -> None:
            self.send_response(said.status)
            self.send_header("Content-Type", media)
            self.send_header(*(("Content-Length", length) if length else ("Transfer-Encoding", "chunked")))
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

    return Handler


def _head(kind: str) -> dict[str, Any]:
    return {"id": "scripted", "object": kind, "created": int(time.time()), "model": "scripted"}


def _spent(said: ScriptedReply, usage: Usage) -> dict[str, int] | None:
    if not said.usage:
        return None
    return {"prompt_tokens": usage.tokens_in, "completion_tokens": usage.tokens_out, "total_tokens": usage.tokens}


def _chunks(said: ScriptedReply, usage: Usage) -> Iterator[dict[str, Any]]:
    if said.garbage:
        return
    head = _head("chat.completion.chunk")
    for start in range(0, len(said.text), said.piece):
        delta = {"role": "assistant", "content": said.text[start : start + said.piece]}
        yield head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield head | {"choices": [{"index": 0, "delta": {}, "finish_reason": said.finish}]}
    yield head | {"choices": [], "usage": _spent(said, usage)}


def _completion(said: ScriptedReply, usage: Usage) -> dict[str, Any]:
    message = {"role": "assistant", "content": said.text}
    choice = {"index": 0, "message": message, "finish_reason": said.finish}
    return _head("chat.completion") | {"choices": [choice], "usage": _spent(said, usage)}
