"""The contract of language models, tested with a scripted server and with a real model.

The real model is the one that BANDSMITH_MODEL_URL, _NAME and _KEY name; without them it is skipped:

    BANDSMITH_MODEL_URL=http://localhost:11434/v1 BANDSMITH_MODEL_NAME=qwen3:8b pytest tests/contracts/test_model.py
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator

import pytest

from bandsmith.shared.llm import model_from
from bandsmith.shared.llm.base import ChatMessage, Model
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply, ScriptedRequest
from bandsmith.shared.settings import ModelSettings

POEM = [ChatMessage(role="user", text="Recite a poem of ten lines about bamboo. No other text.")]
NUMBER = [ChatMessage(role="user", text='How many days has a week? Answer as JSON: {"days": 1}')]
DAYS = {
    "title": "week",
    "type": "object",
    "properties": {"days": {"type": "integer"}},
    "required": ["days"],
    "additionalProperties": False,
}


def reply(request: ScriptedRequest) -> ScriptedReply:
    """Reply like a model: in the requested form, and within max_tokens."""
    text = '{"days": 7}' if "week" in request.text else "The bamboo bends and does not break.\n" * 10
    words = text.split(" ")
    limit = request.body["max_tokens"]
    return ScriptedReply(" ".join(words[:limit]), finish="length" if len(words) > limit else "stop", chunk_chars=7)


@pytest.fixture(scope="module")
def scripted() -> Iterator[ScriptedModel]:
    with ScriptedModel(reply) as server:
        yield server


@pytest.fixture(params=["scripted", "address"])
async def model(request: pytest.FixtureRequest, scripted: ScriptedModel) -> AsyncIterator[Model]:
    model = model_from(scripted.settings() if request.param == "scripted" else ModelSettings())
    if model is None:
        pytest.skip("BANDSMITH_MODEL_URL and BANDSMITH_MODEL_NAME are not set")
    yield model
    await model.close()


async def test_a_reply_reports_its_usage(model: Model) -> None:
    reply = await model.complete(POEM, max_tokens=1500)
    assert "bamboo" in reply.text.lower()
    assert reply.finish == "stop"
    assert reply.usage.calls == 1 and reply.usage.tokens_in > 5 and reply.usage.tokens_out > 20


async def test_the_deltas_add_up_to_the_reply(model: Model) -> None:
    deltas: list[str] = []

    async def record(delta: str) -> None:
        deltas.append(delta)

    reply = await model.complete(POEM, max_tokens=1500, on_delta=record)
    assert len(deltas) > 3
    assert "".join(deltas) == reply.text


async def test_max_tokens_truncates_the_reply(model: Model) -> None:
    reply = await model.complete(POEM, max_tokens=16)
    assert reply.finish == "length"
    assert reply.usage.tokens_out <= 40


async def test_a_schema_shapes_the_reply(model: Model) -> None:
    reply = await model.complete(NUMBER, max_tokens=1500, schema=DAYS)
    assert json.loads(reply.text) == {"days": 7}


async def test_an_exception_in_on_delta_ends_the_call(model: Model) -> None:
    class StopCall(Exception):
        pass

    async def stop(delta: str) -> None:
        raise StopCall

    with pytest.raises(StopCall):
        await model.complete(POEM, max_tokens=1500, on_delta=stop)
    assert (await model.complete(NUMBER, max_tokens=1500)).text


async def test_concurrent_calls_all_succeed(model: Model) -> None:
    replies = await asyncio.gather(*(model.complete(NUMBER, max_tokens=1500) for _ in range(3)))
    assert all("7" in reply.text for reply in replies)


async def test_a_call_can_be_cancelled(model: Model) -> None:
    call = asyncio.create_task(model.complete(POEM, max_tokens=1500))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_tokens_are_counted(model: Model) -> None:
    assert model.count_tokens("") == 0
    assert 3 <= model.count_tokens("Generate a sales report.") <= 8
    assert 3 <= model.count_tokens("生成一个销售报表") <= 10
