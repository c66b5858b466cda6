"""A scripted model: a local server with OpenAI's chat completions API that gives predefined replies.

    with ScriptedModel(["Hello.", ScriptedReply("cut off he", finish="length")]) as server:
        model = model_from(server.settings())

It runs in its own threads, so tests, benchmarks and demos can use it from any context.
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

from ..model.allowance import Usage
from ..settings import ModelSettings
from ..tokens import estimate

_FENCED = re.compile(r"<data (\w+)>\n(.*?)\n</data \1>", re.DOTALL)


@dataclass(frozen=True)
class ScriptedRequest:
    """A request as it was received."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body["messages"])

    @property
    def text(self) -> str:
        """The text of all messages."""
        return "\n".join(_text_of(message["content"]) for message in self.messages)

    @property
    def pictures(self) -> list[str]:
        """The addresses of the pictures that came with the messages."""
        contents = [message["content"] for message in self.messages if isinstance(message["content"], list)]
        return [part["image_url"]["url"] for parts in contents for part in parts if part["type"] == "image_url"]

    @property
    def prompt(self) -> str:
        """The name of its prompt, if the reply has a schema."""
        schema = self.body.get("response_format", {}).get("json_schema", {})
        return str((self.function or schema).get("name", ""))

    @property
    def function(self) -> dict[str, Any] | None:
        """The function whose call is the reply, if one is asked for."""
        tools = self.body.get("tools")
        return dict(tools[0]["function"]) if tools else None

    @property
    def fenced(self) -> list[str]:
        """The fenced data, in order."""
        return [match[2] for match in _FENCED.finditer(self.text)]

    @property
    def tokens(self) -> int:
        """Estimated tokens of the messages and the schema."""
        schema = self.body.get("response_format")
        return estimate(self.text) + (estimate(json.dumps(schema)) if schema else 0)


def _text_of(content: str | list[dict[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part["type"] == "text")


@dataclass(frozen=True)
class ScriptedReply:
    """A reply and how it is delivered."""

    text: str = ""
    finish: Literal["stop", "length"] | None = "stop"
    delay: float = 0.0
    """Seconds before the reply begins."""
    chunk_delay: float = 0.0
    """Seconds between two chunks."""
    chunk_chars: int = 60
    """Characters per chunk."""
    status: int = 200
    """HTTP status; other than 200 the text becomes the error message."""
    headers: dict[str, str] = field(default_factory=dict)
    breaks_after: int | None = None
    """Number of chunks after which the connection is closed."""
    hangs_after: int | None = None
    """Number of chunks after which nothing more is sent while the server runs."""
    garbage: bool = False
    """Whether the text is sent raw, outside the protocol."""
    usage: bool = True
    """Whether the reply reports its token usage."""


Script = Callable[[ScriptedRequest], ScriptedReply | str] | Sequence[ScriptedReply | str]


class ScriptedModel:
    """Replies by calling a function, or from a list whose last reply is repeated."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self.requests: list[ScriptedRequest] = []
        """All requests, including rejected ones."""
        self.usage = Usage()
        """Total of all replies."""
        self._server = _HttpServer(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def settings(self, **overrides: Any) -> ModelSettings:
        """Return a client's settings."""
        defaults = {"url": self.url, "name": "scripted", "key": SecretStr("sk-scripted")}
        return ModelSettings.model_validate(defaults | overrides)

    def __enter__(self) -> ScriptedModel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()

    def reset(self) -> None:
        """Clear the recorded requests and the usage."""
        with self._lock:
            self.requests, self.usage = [], Usage()

    def wait(self, seconds: float | None) -> None:
        """Wait for so many seconds, or until the server stops."""
        self._stopped.wait(seconds)

    def reply_to(self, request: ScriptedRequest) -> ScriptedReply:
        with self._lock:
            self.requests.append(request)
            number = len(self.requests) - 1
        script = self._script
        reply = script(request) if callable(script) else script[min(number, len(script) - 1)]
        return ScriptedReply(reply) if isinstance(reply, str) else reply

    def add_usage(self, request: ScriptedRequest, reply: ScriptedReply) -> Usage:
        usage = Usage(calls=1, tokens_in=request.tokens, tokens_out=estimate(reply.text))
        with self._lock:
            self.usage += usage
        return usage


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, model: ScriptedModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect."""


class _Handler(BaseHTTPRequestHandler):
    server: _HttpServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = ScriptedRequest(body, {name.lower(): value for name, value in self.headers.items()})
        reply = self.server.model.reply_to(request)
        self.server.model.wait(reply.delay) if reply.delay else None
        if reply.status != 200:
            self._send(reply, {"error": {"message": reply.text, "type": "scripted"}})
        elif body.get("stream"):
            self._stream(reply, _chunks(request, reply, self.server.model.add_usage(request, reply)))
        else:
            self._send(reply, _completion(reply, self.server.model.add_usage(request, reply)))

    def _send(self, reply: ScriptedReply, content: dict[str, Any]) -> None:
        data = reply.text.encode() if reply.garbage else json.dumps(content).encode()
        self._begin(reply, "application/json", str(len(data)))
        self.wfile.write(data)

    def _stream(self, reply: ScriptedReply, chunks: Iterator[dict[str, Any]]) -> None:
        self._begin(reply, "text/event-stream", None)
        for number, chunk in enumerate(chunks):
            if number == reply.breaks_after:
                self.close_connection = True
                return
            if number == reply.hangs_after:
                self.server.model.wait(None)
                return
            if number and reply.chunk_delay:
                self.server.model.wait(reply.chunk_delay)
            self._chunk(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self._chunk(reply.text.encode() if reply.garbage else b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _begin(self, reply: ScriptedReply, media: str, length: str | None) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", media)
        self.send_header(*(("Content-Length", length) if length else ("Transfer-Encoding", "chunked")))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


def _head(kind: str) -> dict[str, Any]:
    return {"id": "scripted", "object": kind, "created": int(time.time()), "model": "scripted"}


def _usage(reply: ScriptedReply, usage: Usage) -> dict[str, int] | None:
    if not reply.usage:
        return None
    return {"prompt_tokens": usage.tokens_in, "completion_tokens": usage.tokens_out, "total_tokens": usage.tokens}


def _chunks(request: ScriptedRequest, reply: ScriptedReply, usage: Usage) -> Iterator[dict[str, Any]]:
    if reply.garbage:
        return
    head = _head("chat.completion.chunk")
    for start in range(0, len(reply.text), reply.chunk_chars):
        part = reply.text[start : start + reply.chunk_chars]
        delta: dict[str, Any] = {"role": "assistant", "content": part}
        if request.function:
            call = {"name": request.prompt, "arguments": part} if not start else {"arguments": part}
            delta = {"tool_calls": [{"index": 0, "id": "call-1", "type": "function", "function": call}]}
        yield head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield head | {"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish}]}
    yield head | {"choices": [], "usage": _usage(reply, usage)}


def _completion(reply: ScriptedReply, usage: Usage) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.text}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    return _head("chat.completion") | {"choices": [choice], "usage": _usage(reply, usage)}
