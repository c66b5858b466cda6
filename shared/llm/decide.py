"""Ask a model for one decision in a conversation that the caller keeps: one call, one reply, read or refused.

Unlike ``ask`` it corrects nothing by itself. What is wrong with a reply is returned, so that the caller keeps it in the
conversation, counts it and asks again.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from ..model.allowance import Allowance, Usage
from .answers.base import ModelAnswer
from .ask import MAX_CHARS_PER_TOKEN, MESSAGE_OVERHEAD_TOKENS, MIN_REPLY_TOKENS, fault_of, schema_of
from .base import ChatMessage, Model, ModelFailed
from .calls import model_call
from .parse import parse, without_nulls
from .reply_shapes import reshaped
from .stream_guard import ReplyStopped, StreamGuard

T = TypeVar("T", bound=ModelAnswer)
MAX_RAW_CHARS = 4000
"""Maximum characters of a reply that are kept."""


class Manner(NamedTuple):
    """How a model is asked."""

    max_tokens: int
    temperature: float
    reasons: bool = False
    """Whether reasoning is turned on where the settings say how."""


class Decision(NamedTuple, Generic[T]):
    """A reply: what it says, or why it cannot be used."""

    answer: T | None
    raw: str
    problem: str
    """In English, for the model; empty for a reply that was read."""
    usage: Usage


async def decide(
    model: Model, name: str, messages: list[ChatMessage], answer: type[T], manner: Manner, allowance: Allowance
) -> Decision[T]:
    """Call the model once. Raises ``ModelFailed`` if there is no reply at all, with what the call cost."""
    schema = schema_of(answer) | {"title": name}
    raw, problem, usage = await _reply(model, messages, schema, manner, allowance)
    if problem:
        return Decision(None, raw[:MAX_RAW_CHARS], problem, usage)
    try:
        found = reshaped(without_nulls(parse(raw)), answer.model_fields)
        read = answer.model_validate(found, context={"left_out": []})
    except ValueError as error:
        return Decision(None, raw[:MAX_RAW_CHARS], fault_of(error), usage)
    return Decision(read, raw[:MAX_RAW_CHARS], "", usage)


async def _reply(
    model: Model, messages: list[ChatMessage], schema: dict[str, object], manner: Manner, allowance: Allowance
) -> tuple[str, str, Usage]:
    """Return the text, why it is none, and what it cost."""
    cost = sum(model.count_tokens(message.text) + MESSAGE_OVERHEAD_TOKENS for message in messages)
    available = min(model.max_reply_tokens, allowance.tokens - cost, model.context - cost)
    if cost + MIN_REPLY_TOKENS > model.context:
        raise ModelFailed.of("llm.too_long", code="model-context")
    if allowance.calls < 1 or available < MIN_REPLY_TOKENS:
        raise ModelFailed.of("llm.budget", code="model-budget")
    max_tokens = min(available, manner.max_tokens)
    guard = StreamGuard(max_tokens * MAX_CHARS_PER_TOKEN)
    with model_call(model.name) as call:
        try:
            reply = await model.complete(
                messages,
                max_tokens=max_tokens,
                schema=schema,
                on_delta=guard,
                temperature=manner.temperature,
                reasons=manner.reasons,
            )
        except ReplyStopped:
            call.finished("stopped", Usage(calls=1, tokens_in=cost, tokens_out=model.count_tokens(guard.text)))
            return guard.text, guard.reason, call.usage
        except ModelFailed as failed:
            call.finished(failed.code, Usage(calls=1, tokens_in=cost))
            failed.usage = call.usage
            raise
        call.finished("cut" if reply.finish == "length" else "answered", reply.usage)
    problem = {"length": "the reply was cut; be shorter", "declined": "the reply was declined"}.get(reply.finish, "")
    return reply.text, problem, reply.usage
