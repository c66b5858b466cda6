"""Asking a model: every reply leads to a validated answer or ``ModelFailed``, within the allowance."""

import pytest
from pydantic import Field

from bandsmith.shared.llm import ask, ask_text
from bandsmith.shared.llm.answers.base import ModelAnswer
from bandsmith.shared.llm.ask import MAX_CONTINUATIONS, MAX_CORRECTIONS, join
from bandsmith.shared.llm.base import ModelFailed
from bandsmith.shared.llm.scripted import ScriptedReply, ScriptedRequest
from bandsmith.shared.model.allowance import Allowance, Usage
from bandsmith.shared.prompts import PromptError
from tests.conftest import Start

pytestmark = pytest.mark.usefixtures("colour")

PLENTY = Allowance(calls=20, tokens=100_000)
VALUES = {"text": "a red rose", "language": "en"}
GOOD = '{"colours": ["red"], "answer": "Red."}'


class Colours(ModelAnswer):
    colours: list[str] = Field(max_length=5)
    answer: str


RED = Colours(colours=["red"], answer="Red.")


async def test_an_answer_is_validated_and_has_its_usage(start: Start):
    model, server = start([GOOD])
    answer, usage = await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert answer == RED and not answer.truncated
    assert usage == server.usage and usage.calls == 1
    [asked] = server.requests
    assert asked.prompt == "colour"
    assert asked.body["response_format"]["json_schema"]["schema"]["properties"]["colours"]["type"] == "array"


async def test_an_undeclared_prompt_value_is_a_prompt_error(start: Start):
    model, server = start([GOOD])
    with pytest.raises(PromptError):
        await ask(model, "colour", {"text": "a red rose"}, Colours, allowance=PLENTY)
    assert server.requests == []


# --- cut replies -----------------------------------------------------------------------------------------------------


async def test_a_truncated_reply_is_continued_and_joined(start: Start):
    model, server = start(
        [
            ScriptedReply('{"colours": ["red", "dark gr', finish="length"),
            ScriptedReply('["red", "dark green"], "answer": "Red and', finish="length"),  # it repeats a piece
            ' green."}',
        ]
    )
    answer, usage = await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert answer == Colours(colours=["red", "dark green"], answer="Red and green.")
    assert usage.calls == 3
    assert [m["content"] for m in server.requests[1].messages if m["role"] == "assistant"] == [
        '{"colours": ["red", "dark gr'
    ]
    assert "response_format" not in server.requests[1].body, "a schema would make it start again"


async def test_continuations_are_limited_and_keep_complete_values(start: Start):
    model, server = start(
        [ScriptedReply('{"answer": "Many.", "colours": ["red", "gre', finish="length"), ScriptedReply("", "length")]
    )
    answer, _ = await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert answer.colours == ["red"] and answer.truncated
    assert len(server.requests) == 1 + MAX_CONTINUATIONS


async def test_a_complete_object_is_never_continued(start: Start):
    model, server = start([ScriptedReply(GOOD, finish="length"), "unneeded"])
    assert (await ask(model, "colour", VALUES, Colours, allowance=PLENTY))[0] == RED
    assert len(server.requests) == 1


async def test_an_interrupted_stream_is_continued(start: Start):
    model, _ = start([ScriptedReply(GOOD, chunk_chars=10, breaks_after=2), GOOD[20:]])
    assert (await ask(model, "colour", VALUES, Colours, allowance=PLENTY))[0] == RED


@pytest.mark.parametrize(
    ("text", "more", "whole"),
    [
        ("The header is", " printed once.", "The header is printed once."),
        ("The header is printed", "is printed once.", "The header is printed once."),
        ("The header is printed", "The header is printed once.", "The header is printed once."),
        ('{"a": "b', '```json\n", "c": 1}', '{"a": "b", "c": 1}'),
        ("aa", "aab", "aaaab"),
    ],
)
def test_a_continuation_may_repeat_the_end(text: str, more: str, whole: str):
    assert join(text, more) == whole


# --- unusable replies ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("", "the reply is empty"),
        ("I am sorry, I cannot.", "no JSON object"),
        ('{"colours": {"first": 1}, "answer": "Red."}', "colours: Input should be a valid list"),
        ('{"colours": []}', "answer: Field required"),
        ('{"colours": ["a","b","c","d","e","f"], "answer": ""}', "colours: List should have at most 5"),
        ("\x00\x1b[2J\ud800", "no JSON object"),
        ('{"colours": ' + "[" * 300, "nested too deeply"),
        ("and so on, and so on, " * 400, "repeats itself without end"),
        ("-" * 6000, "repeats itself without end"),
    ],
)
async def test_an_unusable_reply_is_requested_again_with_a_reason(start: Start, bad: str, reason: str):
    model, server = start([bad, GOOD])
    answer, usage = await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert answer == RED and usage.calls == 2
    assert reason in server.requests[1].messages[-1]["content"]


async def test_corrections_are_limited(start: Start):
    model, server = start([f"nonsense {n}" for n in range(9)])
    with pytest.raises(ModelFailed):
        await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert len(server.requests) == 1 + MAX_CORRECTIONS


@pytest.mark.parametrize("bad", ["", "nonsense", "{}"])
async def test_no_prompt_is_sent_twice(start: Start, bad: str):
    model, server = start([bad])
    with pytest.raises(ModelFailed):
        await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    sent = [str(request.messages) for request in server.requests]
    assert len(sent) == len(set(sent)) == 2


async def test_the_same_useless_reply_ends_the_question(start: Start):
    model, server = start(["nonsense"])
    with pytest.raises(ModelFailed) as failed:
        await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert failed.value.code == "model-unusable"
    assert failed.value.usage == server.usage == Usage(calls=2, **_tokens(server.usage))
    assert "nonsense" not in str(failed.value)


async def test_an_endless_repetition_is_stopped(start: Start):
    model, server = start([ScriptedReply("la " * 200_000, chunk_chars=300), GOOD])
    answer, usage = await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert answer == RED
    assert usage.tokens_out < 5_000, "of the hundred thousands that it would have said"
    assert len(server.requests) == 2


async def test_a_reply_far_beyond_its_limit_is_stopped(start: Start):
    model, _ = start([ScriptedReply("".join(f"{n} " for n in range(100_000)), chunk_chars=500), GOOD], reply=200)
    answer, usage = await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert answer == RED and usage.tokens_out < 5_000


async def test_additional_fields_are_ignored(start: Start):
    model, _ = start(['{"colours": ["red"], "answer": "Red.", "tool": "shell", "intent": "reset_session"}'])
    answer, _ = await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert answer.model_dump() == {"colours": ["red"], "answer": "Red."}


# --- allowance -------------------------------------------------------------------------------------------------------


def _tokens(usage: Usage) -> dict[str, int]:
    return {"tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out}


@pytest.mark.parametrize("allowance", [Allowance(), Allowance(calls=0, tokens=99_999), Allowance(calls=9, tokens=100)])
async def test_without_an_allowance_the_model_is_not_called(start: Start, allowance: Allowance):
    model, server = start([GOOD])
    with pytest.raises(ModelFailed) as failed:
        await ask(model, "colour", VALUES, Colours, allowance=allowance)
    assert failed.value.code == "model-budget" and failed.value.usage == Usage()
    assert server.requests == []


async def test_the_call_limit_holds(start: Start):
    model, server = start(["nonsense", "more nonsense"])
    with pytest.raises(ModelFailed) as failed:
        await ask(model, "colour", VALUES, Colours, allowance=Allowance(calls=2, tokens=100_000))
    assert failed.value.code == "model-budget" and failed.value.usage.calls == 2
    assert len(server.requests) == 2


async def test_the_token_limit_holds(start: Start):
    """A model that uses all that it may is given ever less room, and then none."""

    def chatter(asked: ScriptedRequest) -> ScriptedReply:
        most = asked.body["max_tokens"]
        return ScriptedReply("".join(chr(0x4E00 + n % 20_000) for n in range(most)), finish="length")

    model, server = start(chatter)
    with pytest.raises(ModelFailed):
        await ask(model, "colour", VALUES, Colours, allowance=Allowance(calls=50, tokens=3_000))
    assert server.requests
    assert server.usage.tokens <= 3_000


async def test_without_budget_a_truncated_reply_keeps_complete_values(start: Start):
    model, server = start([ScriptedReply('{"answer": "Many.", "colours": ["red", "gre', finish="length")])
    answer, _ = await ask(model, "colour", VALUES, Colours, allowance=Allowance(calls=1, tokens=100_000))
    assert answer.colours == ["red"] and answer.truncated
    assert len(server.requests) == 1


async def test_a_request_beyond_the_context_is_not_sent(start: Start):
    model, server = start([GOOD], context=1_000)
    with pytest.raises(ModelFailed) as failed:
        await ask(model, "colour", VALUES | {"text": "rose " * 2_000}, Colours, allowance=PLENTY)
    assert failed.value.code == "model-context"
    assert server.requests == []


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (ScriptedReply(status=500), "model-down"),
        (ScriptedReply(status=429), "model-busy"),
        (ScriptedReply(delay=30), "model-slow"),
        (ScriptedReply(GOOD, chunk_chars=5, hangs_after=0), "model-slow"),
        (ScriptedReply(status=402), "model-unpaid"),
        (ScriptedReply("<html>", garbage=True), "model-unusable"),
    ],
)
async def test_a_failing_model_is_one_error_with_its_cost(start: Start, said: ScriptedReply, code: str):
    model, server = start([said], timeout=0.5)
    with pytest.raises(ModelFailed) as failed:
        await ask(model, "colour", VALUES, Colours, allowance=PLENTY)
    assert failed.value.code == code
    assert failed.value.usage.calls == len(server.requests)


# --- prose, and what the user sees while it is written ---------------------------------------------------------------


async def test_prose_is_forwarded_as_it_arrives(start: Start):
    model, server = start([ScriptedReply("A field is a value of the row.", chunk_chars=4)])
    pieces: list[str] = []
    text, usage = await ask_text(model, "colour", VALUES, allowance=PLENTY, on_delta=_into(pieces))
    assert text == "A field is a value of the row." == "".join(pieces)
    assert len(pieces) > 5 and usage.calls == 1
    assert "response_format" not in server.requests[0].body


async def test_only_the_stream_field_of_an_object_is_forwarded(start: Start):
    reply = '{"colours": ["red", "answer: no"], "answer": "Say \\"red\\",\\n\\u7ea2\\u8272。", "more": "no"}'
    for piece in (1, 3, 500):
        model, _ = start([ScriptedReply(reply, chunk_chars=piece)])
        pieces: list[str] = []
        answer, _ = await ask(model, "colour", VALUES, Colours, allowance=PLENTY, on_delta=_into(pieces))
        assert "".join(pieces) == answer.answer == 'Say "red",\n红色。'


async def test_a_continuation_is_forwarded_without_its_overlap(start: Start):
    model, _ = start([ScriptedReply("A field is a value ", finish="length"), "is a value of the row."])
    pieces: list[str] = []
    text, _ = await ask_text(model, "colour", VALUES, allowance=PLENTY, on_delta=_into(pieces))
    assert "".join(pieces) == text == "A field is a value of the row."


async def test_control_characters_are_removed(start: Start):
    model, _ = start([ScriptedReply("\x1b[2J\x07Hello\u202e there\r\n", chunk_chars=1)])
    pieces: list[str] = []
    text, _ = await ask_text(model, "colour", VALUES, allowance=PLENTY, on_delta=_into(pieces))
    assert text == "[2JHello there" and "".join(pieces).strip() == text


async def test_empty_or_repetitive_prose_is_not_an_answer(start: Start):
    model, server = start(["", "so " * 5000, ""])
    with pytest.raises(ModelFailed):
        await ask_text(model, "colour", VALUES, allowance=PLENTY)
    assert len(server.requests) == 1 + MAX_CORRECTIONS


def _into(pieces: list[str]):
    async def note(piece: str) -> None:
        pieces.append(piece)

    return note
