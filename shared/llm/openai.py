"""A model with an OpenAI-compatible chat completions API, called through OpenAI's client."""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, cast
from urllib.parse import urlsplit

import openai
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout
from openai.types.chat import ChatCompletionChunk

from ..settings import ModelSettings
from .base import ChatMessage, ModelFailed, ModelReply, OnDelta, Usage
from .tokens import counter

STREAM_ERRORS = (openai.OpenAIError, ValueError, TypeError, AttributeError, KeyError, IndexError)
"""Raised while reading a stream that is interrupted or malformed."""


class OpenAIModel:
    """The model at `settings.url`; the address and the model's name are required."""

    def __init__(self, settings: ModelSettings) -> None:
        url, self.name = settings.url or "", settings.name or ""
        self.context, self.max_reply_tokens = settings.context, settings.reply
        self.count_tokens = counter(settings.tokenizer)
        self._timeout = settings.timeout
        self._client = AsyncOpenAI(
            base_url=url,
            api_key=settings.key.get_secret_value() if settings.key else "none",
            organization="",  # OpenAI's own environment variables are not sent to other providers
            project="",
            max_retries=settings.retries,
            http_client=DefaultAsyncHttpxClient(
                timeout=Timeout(settings.read_timeout, connect=settings.connect_timeout),
                follow_redirects=False,
                trust_env=not _is_loopback(url),  # a proxy cannot reach this machine
            ),
        )
        self._completions = self._client.chat.completions  # load the rest of the client now, not in the first turn
        self._unsupported: set[str] = set()  # request options that this address rejected

    async def close(self) -> None:
        await self._client.close()

    async def complete(
        self,
        messages: list[ChatMessage],
        *,
        max_tokens: int,
        schema: dict[str, Any] | None = None,
        on_delta: OnDelta | None = None,
    ) -> ModelReply:
        try:
            async with asyncio.timeout(self._timeout):
                return await self._complete(messages, max_tokens, schema, on_delta)
        except TimeoutError:
            raise _timed_out() from None

    async def _complete(
        self, messages: list[ChatMessage], max_tokens: int, schema: dict[str, Any] | None, on_delta: OnDelta | None
    ) -> ModelReply:
        request = [{"role": message.role, "content": message.text} for message in messages]
        stream = await self._request(request, max_tokens, schema)
        raw, text, reader = "", "", _StreamReader()
        async with stream, aclosing(reader.deltas(stream)) as deltas:
            async for delta in deltas:
                raw += delta
                visible = _without_reasoning(raw)
                if on_delta and len(visible) > len(text):
                    await on_delta(visible[len(text) :])
                text = visible
        usage = reader.usage or Usage(
            calls=1,
            tokens_in=sum(self.count_tokens(message.text) for message in messages),
            tokens_out=self.count_tokens(raw),
        )
        return ModelReply(text=text, finish="length" if reader.truncated else "stop", usage=usage)

    async def _request(
        self, messages: list[dict[str, str]], max_tokens: int, schema: dict[str, Any] | None
    ) -> openai.AsyncStream[ChatCompletionChunk]:
        """Send the request with all options, and again without the ones that this address does not support."""
        unsupported = set(self._unsupported)
        while True:
            options = _options(max_tokens, schema, unsupported)
            try:
                stream = await self._completions.create(
                    model=self.name, messages=cast(Any, messages), stream=True, extra_body=options
                )
                self._unsupported = unsupported  # the request succeeds without them
                return cast("openai.AsyncStream[ChatCompletionChunk]", stream)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as refusal:
                option = _rejected_option(refusal, options)
                if option is None:
                    raise _refusal(refusal) from None
                unsupported.add(option)
            except openai.APITimeoutError:
                raise _timed_out() from None
            except openai.APIStatusError as refusal:
                raise _refusal(refusal) from None
            except STREAM_ERRORS:
                raise ModelFailed.of("llm.unreachable", code="model-away") from None


class _StreamReader:
    """Read a reply's stream; afterwards it knows the usage and whether the reply is complete."""

    def __init__(self) -> None:
        self.truncated = True
        """True until the stream reports its end, so that an interrupted reply counts as truncated."""
        self.usage: Usage | None = None

    async def deltas(self, stream: openai.AsyncStream[ChatCompletionChunk]) -> AsyncGenerator[str]:
        try:
            async for chunk in stream:
                self.usage = _usage(chunk) or self.usage
                for choice in (chunk.choices or [])[:1]:
                    if choice.finish_reason:
                        self.truncated = choice.finish_reason == "length"
                    if choice.delta and choice.delta.content:
                        yield str(choice.delta.content).encode(errors="replace").decode()  # lone surrogates
        except STREAM_ERRORS:
            return


def _usage(chunk: ChatCompletionChunk) -> Usage | None:
    """Return the usage that a chunk reports, if it does."""
    try:
        usage = cast(Any, chunk.usage)
        return Usage(calls=1, tokens_in=usage.prompt_tokens, tokens_out=usage.completion_tokens)
    except (ValueError, AttributeError):
        return None


def _options(max_tokens: int, schema: dict[str, Any] | None, unsupported: set[str]) -> dict[str, Any]:
    options: dict[str, Any] = {"temperature": 0, "stream_options": {"include_usage": True}, "max_tokens": max_tokens}
    if schema is not None:
        named = {"name": schema.get("title", "answer"), "schema": schema, "strict": False}
        options["response_format"] = {"type": "json_schema", "json_schema": named}
    if "max_tokens" in unsupported:  # OpenAI's newer models
        options["max_completion_tokens"] = max_tokens
    return {name: option for name, option in options.items() if name not in unsupported}


def _without_reasoning(raw: str) -> str:
    """Return the reply without the ``<think>`` block that some models begin with."""
    start = raw.lstrip()
    if start.startswith("<think>"):
        return start.partition("</think>")[2].lstrip()
    return "" if "<think>".startswith(start) else raw


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _rejected_option(refusal: openai.APIStatusError, options: dict[str, Any]) -> str | None:
    """Return the option that a refusal names; if it names none, the schema, which fewest servers support."""
    body = json.dumps(refusal.body, default=str)
    names = [name for name in options if name != "max_completion_tokens"]
    return next((name for name in names if name in body), "response_format" if "response_format" in names else None)


def _timed_out() -> ModelFailed:
    return ModelFailed.of("llm.timeout", code="model-slow")


def _refusal(refusal: openai.APIStatusError) -> ModelFailed:
    """Build the error from the status alone: the response body may quote the key or the prompt."""
    match refusal.status_code:
        case 401 | 403:
            return ModelFailed.of("llm.key", code="model-key")
        case 404:
            return ModelFailed.of("llm.unknown_model", code="model-unknown")
        case 429:
            return ModelFailed.of("llm.busy", code="model-busy")
        case status:
            return ModelFailed.of("llm.status", code="model-refused", status=status)
