"""What any language model promises: one suite, for OpenAI's client at a scripted server and at a real address.

The real one is whatever BANDSMITH_MODEL_URL, _NAME and _KEY name, and is left out only where they name none:

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


def obedient(asked: ScriptedRequest) -> ScriptedReply:
    """As a model does: in the form that is asked for, and no longer than it may."""
    text = '{"days": 7}' if "week" in asked.text else "The bamboo bends and does not break.\n" * 10
    words = text.split(" ")
    most = asked.body["max_tokens"]
    return ScriptedReply(" ".join(words[:most]), finish="length" if len(words) > most else "stop", chunk_chars=7)


@pytest.fixture(scope="module")
def scripted() -> Iterator[ScriptedModel]:
    with ScriptedModel(obedient) as server:
        yield server


@pytest.fixture(params=["scripted", "address"])
async def model(request: pytest.FixtureRequest, scripted: ScriptedModel) -> AsyncIterator[Model]:
    model = model_from(scripted.settings() if request.param == "scripted" else ModelSettings())
    if model is None:
        pytest.skip("BANDSMITH_MODEL_URL and BANDSMITH_MODEL_NAME name no model")
    yield model
    await model.close()


async def test_it_answers_and_says_what_that_cost(model: Model) -> None:
    reply = await model.complete(POEM, max_tokens=1500)
    assert "bamboo" in reply.text.lower()
    assert reply.finish == "stop"
    assert reply.usage.calls == 1 and reply.usage.tokens_in > 5 and reply.usage.tokens_out > 20


async def test_the_pieces_of_a_reply_are_the_reply(model: Model) -> None:
    pieces: list[str] = []

    async def note(piece: str) -> None:
        pieces.append(piece)

    reply = await model.complete(POEM, max_tokens=1500, on_delta=note)
    assert len(pieces) > 3
    assert "".join(pieces) == reply.text


async def test_a_reply_that_may_be_no_longer_is_cut_and_says_so(model: Model) -> None:
    reply = await model.complete(POEM, max_tokens=16)
    assert reply.finish == "length"
    assert reply.usage.tokens_out <= 40


async def test_with_a_schema_it_answers_with_an_object_of_it(model: Model) -> None:
    reply = await model.complete(NUMBER, max_tokens=1500, schema=DAYS)
    assert json.loads(reply.text) == {"days": 7}


async def test_a_listener_that_has_heard_enough_ends_the_call(model: Model) -> None:
    class Enough(Exception):
        pass

    async def stop(piece: str) -> None:
        raise Enough

    with pytest.raises(Enough):
        await model.complete(POEM, max_tokens=1500, on_delta=stop)
    assert (await model.complete(NUMBER, max_tokens=1500)).text


async def test_several_are_asked_at_once(model: Model) -> None:
    replies = await asyncio.gather(*(model.complete(NUMBER, max_tokens=1500) for _ in range(3)))
    assert all("7" in reply.text for reply in replies)


async def test_a_call_that_is_cancelled_ends(model: Model) -> None:
    call = asyncio.create_task(model.complete(POEM, max_tokens=1500))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_it_counts_tokens(model: Model) -> None:
    assert model.count_tokens("") == 0
    assert 3 <= model.count_tokens("Generate a sales report.") <= 8
    assert 3 <= model.count_tokens("生成一个销售报表") <= 10
