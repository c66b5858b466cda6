"""A model with an OpenAI-compatible chat completions API, called through OpenAI's client."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import ssl
from base64 import b64encode
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cache
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import httpx2
import openai
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout
from openai.types.chat import ChatCompletionChunk

from ..handler_timeout import report_progress
from ..model.allowance import Usage
from ..settings import ModelSettings
from ..tokens import counter
from .base import ChatMessage, Finish, ModelFailed, ModelReply, OnDelta

Format = Literal["schema", "json", "none", "function"]
FORMATS: tuple[Format, ...] = ("schema", "json", "none")
"""Ways to ask for the form of a reply that are tried, the best first. A function is called only where that is set."""
MAX_REASONING_CHARS = 100_000

STREAM_ERRORS = (openai.OpenAIError, ValueError, TypeError, AttributeError, KeyError, IndexError)
"""Raised while reading a stream that is interrupted or malformed."""


class OpenAIModel:
    """The model at `settings.url`; the address and the model's name are required."""

    def __init__(self, settings: ModelSettings) -> None:
        url, self.name = settings.url or "", settings.name or ""
        self.context, self.max_reply_tokens = settings.context, settings.reply
        self.is_always_asked = settings.ask == "always"
        self.sees_pictures = settings.vision
        self.count_tokens = counter(settings.tokenizer)
        self._timeout, self._read_timeout = settings.timeout, settings.read_timeout
        self._max_seconds = settings.reply_timeout
        self._client = AsyncOpenAI(
            base_url=url,
            api_key=settings.key.get_secret_value() if settings.key else "none",
            organization="",  # OpenAI's own environment variables are not sent to other providers
            project="",
            max_retries=settings.retries,
            http_client=DefaultAsyncHttpxClient(
                timeout=Timeout(settings.timeout, connect=settings.connect_timeout),
                follow_redirects=False,
                verify=_certificates(),
                trust_env=not _is_loopback(url),  # a proxy cannot reach this machine
            ),
        )
        self._completions = self._client.chat.completions  # load the rest of the client now, not in the first turn
        self._unsupported: set[str] = set()  # request options that this address rejected
        self._reasoning = settings.reasoning or {}
        self._formats = FORMATS if settings.format == "auto" else (settings.format,)
        """Formats of replies to ask for, the best first; one that this address rejects is not asked for again."""

    async def close(self) -> None:
        await self._client.close()

    async def complete(
        self,
        messages: list[ChatMessage],
        *,
        max_tokens: int,
        schema: dict[str, Any] | None = None,
        on_delta: OnDelta | None = None,
        temperature: float = 0.0,
        reasons: bool = False,
    ) -> ModelReply:
        extra = {"temperature": temperature, **(self._reasoning if reasons else {})}
        reader = _StreamReader(on_delta)
        try:
            async with asyncio.timeout(self._timeout) as deadline:
                stream = await self._request(messages, max_tokens, schema, extra)
                async with stream, aclosing(reader.deltas(stream)) as deltas:
                    end = asyncio.get_running_loop().time() + self._max_seconds
                    async for _ in deltas:  # a steady stream is not lost, however slow it is
                        report_progress()
                        now = asyncio.get_running_loop().time()
                        deadline.reschedule(min(now + self._read_timeout, max(end, now)))
        except TimeoutError:
            if not reader.raw:
                raise _timed_out() from None
        usage = reader.usage or Usage(
            calls=1,
            tokens_in=sum(self.count_tokens(message.text) for message in messages),
            tokens_out=self.count_tokens(reader.raw),
        )
        return ModelReply(text=reader.text, finish=reader.finish, reasoned=reader.reasoned, usage=usage)

    async def _request(
        self, messages: list[ChatMessage], max_tokens: int, schema: dict[str, Any] | None, extra: dict[str, Any]
    ) -> openai.AsyncStream[ChatCompletionChunk]:
        """Send the request with all options, and again without the ones that this address does not support."""
        request = [{"role": message.role, "content": _content(message)} for message in messages]
        unsupported, formats = set(self._unsupported), list(self._formats)
        while True:
            options = _options(max_tokens, schema, formats[0], unsupported, extra)
            try:
                stream = await self._completions.create(
                    model=self.name, messages=cast(Any, request), stream=True, extra_body=options
                )
                self._unsupported, self._formats = unsupported, tuple(formats)  # the request succeeds so
                return cast("openai.AsyncStream[ChatCompletionChunk]", stream)
            except openai.APITimeoutError:
                raise _timed_out() from None
            except openai.APIStatusError as refusal:
                option = _rejected_option(refusal, options)
                if option == "response_format" and len(formats) > 1:
                    formats.pop(0)
                elif option is None or option == "response_format":
                    raise _refusal(refusal.status_code) from None
                else:
                    unsupported.add(option)
            except STREAM_ERRORS:
                raise ModelFailed.of("llm.unreachable", code="model-away") from None


def _content(message: ChatMessage) -> str | list[dict[str, Any]]:
    """Return the text of a message, or its text and its picture."""
    if message.picture is None:
        return message.text
    url = f"data:image/png;base64,{b64encode(message.picture).decode()}"
    return [{"type": "text", "text": message.text}, {"type": "image_url", "image_url": {"url": url}}]


class _StreamReader:
    """Read a reply's stream; afterwards it knows the text, how it ended, and the usage."""

    def __init__(self, on_delta: OnDelta | None) -> None:
        self.text = self.raw = ""
        """The reply, and the reply with the reasoning that some models put before it."""
        self.finish: Finish = "length"
        """Length until the stream reports its end, so that an interrupted reply counts as truncated."""
        self.reasoned = False
        self.usage: Usage | None = None
        self._on_delta = on_delta
        self._arguments = ""
        """What a tool call says: some models reply so although they have no tools."""

    async def deltas(self, stream: openai.AsyncStream[ChatCompletionChunk]) -> AsyncGenerator[None]:
        """Yield once for each chunk that says something."""
        try:
            async for chunk in stream:
                self.usage = _usage(chunk) or self.usage
                for choice in (chunk.choices or [])[:1]:
                    if choice.finish_reason and self.finish != "declined":
                        self.finish = _finish(choice.finish_reason)
                    if await self._read(choice.delta):
                        yield
        except openai.APIError as error:  # some servers report an error within the stream
            status = str(getattr(error, "code", None) or "")
            if not self.raw and status.isdecimal():
                raise _refusal(int(status)) from None
        except STREAM_ERRORS:
            pass
        if not self.text.strip() and self._arguments:
            await self._add(self._arguments)

    async def _read(self, delta: Any) -> bool:
        """Take what a chunk brings, and return whether it brings anything."""
        if not delta:
            return False
        if getattr(delta, "refusal", None):
            self.finish = "declined"
        calls = getattr(delta, "tool_calls", None) or []
        self._arguments += "".join(str(call.function.arguments or "") for call in calls if call.function)
        reasoning = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
        self.reasoned = self.reasoned or bool(reasoning)
        if delta.content:
            await self._add(str(delta.content))
        return bool(delta.content or reasoning or calls)

    async def _add(self, content: str) -> None:
        self.raw += content.encode(errors="replace").decode()  # lone surrogates
        visible = _without_reasoning(self.raw)
        self.reasoned = self.reasoned or len(visible) < len(self.raw.strip())
        known, self.text = self.text, visible
        if self._on_delta and len(visible) > len(known):
            await self._on_delta(visible[len(known) :])


def _finish(reason: str) -> Finish:
    """Return how a reply ended; an interrupted one is not heard of here."""
    return "length" if reason == "length" else "declined" if reason in ("content_filter", "refusal") else "stop"


def _usage(chunk: ChatCompletionChunk) -> Usage | None:
    """Return the usage that a chunk reports, if it does."""
    try:
        usage = cast(Any, chunk.usage)
        return Usage(calls=1, tokens_in=usage.prompt_tokens, tokens_out=usage.completion_tokens)
    except (ValueError, AttributeError):
        return None


def _options(
    max_tokens: int, schema: dict[str, Any] | None, form: Format, unsupported: set[str], extra: dict[str, Any]
) -> dict[str, Any]:
    options: dict[str, Any] = {"stream_options": {"include_usage": True}, "max_tokens": max_tokens, **extra}
    if schema is not None and form == "schema":
        named = {"name": schema.get("title", "answer"), "schema": schema, "strict": False}
        options["response_format"] = {"type": "json_schema", "json_schema": named}
    elif schema is not None and form == "json":
        options["response_format"] = {"type": "json_object"}
    elif schema is not None and form == "function":
        function = {"name": schema.get("title", "answer"), "parameters": schema}
        options["tools"] = [{"type": "function", "function": function}]
        options["tool_choice"] = {"type": "function", "function": {"name": function["name"]}}
    if "max_tokens" in unsupported:  # OpenAI's newer models
        options["max_completion_tokens"] = max_tokens
    return {name: option for name, option in options.items() if name not in unsupported}


def _without_reasoning(raw: str) -> str:
    """Return the reply without the reasoning that some models begin with.

    It stands between ``<think>`` and ``</think>``; where the chat template of a server writes the first, it is missing.
    """
    start = raw.lstrip()
    if start.startswith("<think>") or "</think>" in start[:MAX_REASONING_CHARS]:
        return start.partition("</think>")[2].lstrip()
    return "" if "<think>".startswith(start) else raw


@cache
def _certificates() -> ssl.SSLContext:
    """Return what all clients check a server with: loading it takes longer than all else that a client needs."""
    return httpx2.create_ssl_context()


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _rejected_option(refusal: openai.APIStatusError, options: dict[str, Any]) -> str | None:
    """Return the option that a refusal names; if it names none, the format of the reply, which fewest servers support.

    Some servers answer a schema that their grammar engine cannot compile with 500.
    """
    body = json.dumps(refusal.body, default=str)
    if refusal.status_code >= 500 and not any(word in body for word in ("grammar", "schema", "response_format")):
        return None
    if refusal.status_code not in (400, 415, 422) and refusal.status_code < 500:
        return None
    names = [name for name in options if name != "max_completion_tokens"]
    return next((name for name in names if name in body), "response_format" if "response_format" in names else None)


def _timed_out() -> ModelFailed:
    return ModelFailed.of("llm.timeout", code="model-slow")


def _refusal(status: int) -> ModelFailed:
    """Build the error from the status alone: the response body may quote the key or the prompt."""
    match status:
        case 401 | 403:
            return ModelFailed.of("llm.key", code="model-key")
        case 402:
            return ModelFailed.of("llm.unpaid", code="model-unpaid")
        case 404:
            return ModelFailed.of("llm.unknown_model", code="model-unknown")
        case 429:
            return ModelFailed.of("llm.busy", code="model-busy")
        case _ if status >= 500:
            return ModelFailed.of("llm.down", code="model-down", status=status)
    return ModelFailed.of("llm.status", code="model-refused", status=status)
