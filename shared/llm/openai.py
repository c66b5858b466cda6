"""The model at an address that speaks OpenAI's chat completions, by OpenAI's own client."""

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
from .base import Message, ModelFailed, OnDelta, Reply, Usage
from .tokens import counter

BROKEN = (openai.OpenAIError, ValueError, TypeError, AttributeError, KeyError, IndexError)
"""What reading a stream raises when it ends too early or is not one."""


class OpenAIModel:
    """A model at `settings.url`; both it and a name have to be set."""

    def __init__(self, settings: ModelSettings) -> None:
        url, self.name = settings.url or "", settings.name or ""
        self.context, self.longest = settings.context, settings.reply
        self.count = counter(settings.tokenizer)
        self._patience = settings.timeout
        self._client = AsyncOpenAI(
            base_url=url,
            api_key=settings.key.get_secret_value() if settings.key else "none",
            organization="",  # nothing of OpenAI's own variables is sent to another's address
            project="",
            max_retries=settings.retries,
            http_client=DefaultAsyncHttpxClient(
                timeout=Timeout(settings.read_timeout, connect=settings.connect_timeout),
                follow_redirects=False,
                trust_env=not _is_here(url),  # a proxy is no way to this machine
            ),
        )
        self._completions = self._client.chat.completions  # loads the rest of the client now, not with the first turn
        self._refused: set[str] = set()

    async def close(self) -> None:
        await self._client.close()

    async def complete(
        self,
        messages: list[Message],
        *,
        max_tokens: int,
        schema: dict[str, Any] | None = None,
        on_delta: OnDelta | None = None,
    ) -> Reply:
        try:
            async with asyncio.timeout(self._patience):
                return await self._complete(messages, max_tokens, schema, on_delta)
        except TimeoutError:
            raise _slow() from None

    async def _complete(
        self, messages: list[Message], max_tokens: int, schema: dict[str, Any] | None, on_delta: OnDelta | None
    ) -> Reply:
        stream = await self._ask([{"role": one.role, "content": one.text} for one in messages], max_tokens, schema)
        raw, text, reply = "", "", _Reply()
        async with stream, aclosing(reply.pieces(stream)) as pieces:
            async for piece in pieces:
                raw += piece
                said = _without_thinking(raw)
                if on_delta and len(said) > len(text):
                    await on_delta(said[len(text) :])
                text = said
        usage = reply.usage or Usage(
            calls=1, tokens_in=sum(self.count(one.text) for one in messages), tokens_out=self.count(raw)
        )
        return Reply(text=text, finish="length" if reply.cut else "stop", usage=usage)

    async def _ask(
        self, messages: list[dict[str, str]], max_tokens: int, schema: dict[str, Any] | None
    ) -> openai.AsyncStream[ChatCompletionChunk]:
        """Ask with everything that helps, and again without what this address does not know."""
        refused = set(self._refused)
        while True:
            extras = _extras(max_tokens, schema, refused)
            try:
                answer = await self._completions.create(
                    model=self.name, messages=cast(Any, messages), stream=True, extra_body=extras
                )
                self._refused = refused  # only now is it known that this was the reason
                return cast("openai.AsyncStream[ChatCompletionChunk]", answer)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as refusal:
                unknown = _unknown(refusal, extras)
                if unknown is None:
                    raise _refusal(refusal) from None
                refused.add(unknown)
            except openai.APITimeoutError:
                raise _slow() from None
            except openai.APIStatusError as refusal:
                raise _refusal(refusal) from None
            except BROKEN:
                raise ModelFailed(
                    "The language model cannot be reached; check BANDSMITH_MODEL_URL.",
                    message_zh="无法连接语言模型，请检查 BANDSMITH_MODEL_URL。",
                    code="model-away",
                ) from None


class _Reply:
    """What is told of a reply beside its text."""

    def __init__(self) -> None:
        self.cut = True
        """Until it is said that it is not: a stream that breaks off is a reply that was cut."""
        self.usage: Usage | None = None

    async def pieces(self, stream: openai.AsyncStream[ChatCompletionChunk]) -> AsyncGenerator[str]:
        try:
            async for chunk in stream:
                self.usage = _usage(chunk) or self.usage
                for choice in (chunk.choices or [])[:1]:
                    if choice.finish_reason:
                        self.cut = choice.finish_reason == "length"
                    if choice.delta and choice.delta.content:
                        yield str(choice.delta.content).encode(errors="replace").decode()  # half a surrogate pair
        except BROKEN:
            return


def _usage(chunk: ChatCompletionChunk) -> Usage | None:
    """What a piece says of the cost, where it does."""
    try:
        told = cast(Any, chunk.usage)
        return Usage(calls=1, tokens_in=told.prompt_tokens, tokens_out=told.completion_tokens)
    except (ValueError, AttributeError):
        return None


def _extras(max_tokens: int, schema: dict[str, Any] | None, refused: set[str]) -> dict[str, Any]:
    extras: dict[str, Any] = {"temperature": 0, "stream_options": {"include_usage": True}, "max_tokens": max_tokens}
    if schema is not None:
        named = {"name": schema.get("title", "answer"), "schema": schema, "strict": False}
        extras["response_format"] = {"type": "json_schema", "json_schema": named}
    if "max_tokens" in refused:  # as OpenAI's newer models do
        extras["max_completion_tokens"] = max_tokens
    return {name: extra for name, extra in extras.items() if name not in refused}


def _without_thinking(raw: str) -> str:
    """The reply without what some models think aloud before it."""
    start = raw.lstrip()
    if start.startswith("<think>"):
        return start.partition("</think>")[2].lstrip()
    return "" if "<think>".startswith(start) else raw


def _is_here(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _unknown(refusal: openai.APIStatusError, extras: dict[str, Any]) -> str | None:
    """The extra that a refusal is about; where it names none, the schema is what fewest addresses know."""
    said = json.dumps(refusal.body, default=str)
    known = [name for name in extras if name != "max_completion_tokens"]
    return next((name for name in known if name in said), "response_format" if "response_format" in known else None)


def _slow() -> ModelFailed:
    return ModelFailed(
        "The language model took too long to answer.", message_zh="语言模型响应超时。", code="model-slow"
    )


def _refusal(refusal: openai.APIStatusError) -> ModelFailed:
    """By the status alone: what the address says may hold the key or the prompt."""
    match refusal.status_code:
        case 401 | 403:
            return ModelFailed(
                "The language model refused the key; check BANDSMITH_MODEL_KEY.",
                message_zh="语言模型拒绝了密钥，请检查 BANDSMITH_MODEL_KEY。",
                code="model-key",
            )
        case 404:
            return ModelFailed(
                "There is no such language model; check BANDSMITH_MODEL_URL and BANDSMITH_MODEL_NAME.",
                message_zh="没有这个语言模型，请检查 BANDSMITH_MODEL_URL 和 BANDSMITH_MODEL_NAME。",
                code="model-unknown",
            )
        case 429:
            return ModelFailed(
                "The language model is busy; try again later.",
                message_zh="语言模型繁忙，请稍后再试。",
                code="model-busy",
            )
        case status:
            return ModelFailed(
                f"The language model answered with the status {status}.",
                message_zh=f"语言模型返回了状态 {status}。",
                code="model-refused",
            )
