"""The OpenAI-compatible client: busy, slow, broken and limited servers, and secrecy of the key."""

import json
import logging
import socket
import threading
from typing import Any

import pytest

from bandsmith.shared.errors import BadInput
from bandsmith.shared.llm import model_from
from bandsmith.shared.llm.base import ChatMessage, ModelFailed, ModelReply
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply, ScriptedRequest
from bandsmith.shared.settings import ModelSettings

HELLO = [ChatMessage(role="user", text="hello")]
SCHEMA = {"title": "greeting", "type": "object"}
SOON = {"retry-after-ms": "1"}
KEY = "sk-very-secret"


async def asked(server: ScriptedModel, schema: dict | None = None, **settings: object) -> ModelReply:
    model = model_from(server.settings(**({"read_timeout": 5} | settings)))
    assert model
    try:
        return await model.complete(HELLO, max_tokens=100, schema=schema)
    finally:
        await model.close()


def test_incomplete_model_settings_are_an_error():
    assert model_from(ModelSettings(url=None, name=None)) is None
    for half in ({"url": "http://127.0.0.1:1/v1", "name": None}, {"url": None, "name": "qwen"}):
        with pytest.raises(BadInput, match="both BANDSMITH_MODEL_URL and BANDSMITH_MODEL_NAME"):
            model_from(ModelSettings.model_validate(half))


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_busy_or_failing_address_is_retried(status: int):
    with ScriptedModel(
        [ScriptedReply(status=status, headers=SOON), ScriptedReply(status=status, headers=SOON), "there"]
    ) as server:
        assert (await asked(server)).text == "there"
        assert len(server.requests) == 3
        assert server.usage.calls == 1


@pytest.mark.parametrize(
    ("status", "code", "said", "times"),
    [
        (429, "model-busy", "busy", 3),
        (500, "model-down", "status 500", 3),
        (402, "model-unpaid", "credit", 1),
        (401, "model-key", "BANDSMITH_MODEL_KEY", 1),
        (404, "model-unknown", "BANDSMITH_MODEL_NAME", 1),
        (400, "model-refused", "status 400", 1),
        (302, "model-refused", "status 302", 1),
    ],
)
async def test_a_persistent_refusal_is_an_error(status: int, code: str, said: str, times: int):
    with ScriptedModel([ScriptedReply("no", status=status, headers=SOON)]) as server:
        with pytest.raises(ModelFailed, match=said) as failed:
            await asked(server, retries=2)
        assert failed.value.code == code
        assert failed.value.message_zh != failed.value.message
        assert len(server.requests) == times


async def test_an_unreachable_address_is_an_error_naming_the_setting():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    for url in (address, "nonsense"):
        model = model_from(ModelSettings(url=url, name="any", retries=0, connect_timeout=1))
        assert model
        with pytest.raises(ModelFailed, match="BANDSMITH_MODEL_URL"):
            await model.complete(HELLO, max_tokens=100)
        await model.close()


async def test_a_silent_address_times_out():
    with ScriptedModel([ScriptedReply("late", delay=30)]) as server, pytest.raises(ModelFailed, match="too long"):
        await asked(server, timeout=0.1)


async def test_a_slow_steady_reply_is_not_lost():
    """It takes longer than a reply may take to begin, and longer than the pause between its chunks."""
    with ScriptedModel([ScriptedReply("one two three four five six", chunk_chars=4, chunk_delay=0.15)]) as server:
        reply = await asked(server, timeout=0.5, read_timeout=0.4)
    assert (reply.text, reply.finish) == ("one two three four five six", "stop")


async def test_a_reply_that_goes_on_too_long_counts_as_truncated():
    with ScriptedModel([ScriptedReply("la " * 100, chunk_chars=3, chunk_delay=0.05)]) as server:
        reply = await asked(server, reply_timeout=0.3)
    assert reply.finish == "length" and reply.text.startswith("la la")


@pytest.mark.parametrize("end", [{"breaks_after": 2}, {"hangs_after": 2}])
async def test_an_interrupted_reply_counts_as_truncated(end: dict[str, Any]):
    with ScriptedModel([ScriptedReply("one two three four five", chunk_chars=4, **end)]) as server:
        reply = await asked(server, read_timeout=1.0)
    assert (reply.text, reply.finish) == ("one two ", "length")
    assert reply.usage.calls == 1 and reply.usage.tokens_out > 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "data: {\n\n",
        "data: 7\n\n",
        'data: {"usage": {"prompt_tokens": "many"}}\n\n',
        'data: {"choices": 3}\n\n',
        "<html>no</html>\n\n",
    ],
)
async def test_a_malformed_reply_is_empty(text: str):
    with ScriptedModel([ScriptedReply(text, garbage=True)]) as server:
        assert (await asked(server)).text == ""


async def test_missing_usage_is_estimated():
    with ScriptedModel([ScriptedReply("four words of text", usage=False)]) as server:
        usage = (await asked(server)).usage
    assert (usage.calls, usage.tokens_out) == (1, 4) and usage.tokens_in >= 1


async def test_reasoning_is_not_part_of_the_reply():
    with ScriptedModel([ScriptedReply("<think>\nWhat <b> is it?\n</think>\n\nHello.", chunk_chars=3)]) as server:
        assert (await asked(server)).text == "Hello."


@pytest.mark.parametrize(
    "raw", ["What is it?\n</think>\n\nHello.", "<think></think>Hello.", "  <think>a</think>\n<b>Hello.</b>"]
)
async def test_reasoning_without_its_first_mark_is_not_part_of_the_reply(raw: str):
    with ScriptedModel([ScriptedReply(raw, chunk_chars=300)]) as server:
        reply = await asked(server)
    assert "Hello." in reply.text and "think" not in reply.text and reply.reasoned


def chunk(delta: dict, finish: str | None = None) -> str:
    return "data: " + json.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}) + "\n\n"


@pytest.mark.parametrize(
    ("stream", "text", "finish"),
    [
        (chunk({"reasoning_content": "Hm."}) + chunk({"content": "Hello."}, "stop"), "Hello.", "stop"),
        (chunk({"reasoning": "Hm."}) + chunk({"content": "Hello."}, "stop"), "Hello.", "stop"),
        (chunk({"reasoning_content": "Hm, hm."}) + chunk({}, "length"), "", "length"),
        (chunk({"refusal": "I cannot help with that."}) + chunk({}, "stop"), "", "stop"),
        (chunk({"content": "He"}) + chunk({}, "content_filter"), "He", "declined"),
        (
            chunk({"tool_calls": [{"index": 0, "function": {"name": "edit", "arguments": '{"edits": '}}]})
            + chunk({"tool_calls": [{"index": 0, "function": {"arguments": "[]}"}}]})
            + chunk({}, "tool_calls"),
            '{"edits": []}',
            "stop",
        ),
    ],
    ids=["reasoning_content", "reasoning", "only reasoning", "refusal", "filter", "tool call"],
)
async def test_what_servers_send_beside_content_is_known(stream: str, text: str, finish: str):
    with ScriptedModel([ScriptedReply(stream + "data: [DONE]\n\n", garbage=True)]) as server:
        reply = await asked(server)
    assert reply.text == text
    assert reply.finish == ("declined" if "refusal" in stream else finish)


@pytest.mark.parametrize(("status", "code"), [(429, "model-busy"), (503, "model-down"), (401, "model-key")])
async def test_an_error_within_the_stream_has_its_name(status: int, code: str):
    error = "data: " + json.dumps({"error": {"message": "no", "code": status}}) + "\n\n"
    with ScriptedModel([ScriptedReply(error, garbage=True)]) as server, pytest.raises(ModelFailed) as failed:
        await asked(server)
    assert failed.value.code == code


# --- addresses that know less ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "unknown"),
    [
        ("Unsupported parameter: 'max_tokens'", "max_tokens"),
        ("temperature has to be 1", "temperature"),
        ("unknown field stream_options", "stream_options"),
    ],
)
async def test_unsupported_options_are_omitted_from_then_on(words: str, unknown: str):
    def fussy(asked: ScriptedRequest) -> ScriptedReply:
        return ScriptedReply(words, status=400) if unknown in asked.body else ScriptedReply("{}")

    with ScriptedModel(fussy) as server:
        model = model_from(server.settings())
        assert model
        for _ in range(2):
            assert (await model.complete(HELLO, max_tokens=100, schema=SCHEMA)).text == "{}"
        await model.close()
        assert len(server.requests) == 3
        if unknown == "max_tokens":
            assert server.requests[-1].body["max_completion_tokens"] == 100


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("'response_format' of type 'json_schema' is not supported", 400),
        ("schemas are beyond me", 422),
        ("failed to parse grammar", 500),
    ],
)
async def test_without_schemas_a_json_object_is_asked_for_and_then_nothing(words: str, status: int):
    def knows(*formats: str):
        def answer(asked: ScriptedRequest) -> ScriptedReply:
            wanted = asked.body.get("response_format", {}).get("type")
            return ScriptedReply("{}") if wanted in (*formats, None) else ScriptedReply(words, status=status)

        return answer

    for formats, requests in ((("json_object",), 3), ((), 4)):
        with ScriptedModel(knows(*formats)) as server:
            model = model_from(server.settings(retries=0))
            assert model
            for _ in range(2):
                assert (await model.complete(HELLO, max_tokens=100, schema=SCHEMA)).text == "{}"
            await model.close()
            assert len(server.requests) == requests, "what was rejected is not asked for again"


@pytest.mark.parametrize(("form", "wanted"), [("schema", "json_schema"), ("json", "json_object"), ("none", None)])
async def test_the_format_can_be_set(form: str, wanted: str | None):
    with ScriptedModel(["{}"]) as server:
        await asked(server, SCHEMA, format=form)
    assert server.requests[0].body.get("response_format", {}).get("type") == wanted


async def test_an_unrelated_refusal_omits_no_option():
    replies = iter([*[ScriptedReply("too long", status=400)] * 3, ScriptedReply("{}")])
    with ScriptedModel(lambda _: next(replies)) as server:
        model = model_from(server.settings())
        assert model
        with pytest.raises(ModelFailed, match="status 400"):
            await model.complete(HELLO, max_tokens=100, schema=SCHEMA)
        await model.complete(HELLO, max_tokens=100, schema=SCHEMA)
        await model.close()
        assert server.requests[-1].prompt == "greeting"


# --- secrets, and other people's settings ----------------------------------------------------------------------------


async def test_the_key_is_in_the_header_and_nowhere_else(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    with ScriptedModel([ScriptedReply(f"the key {KEY} is wrong", status=401)]) as server:
        settings = server.settings(key=KEY)
        with pytest.raises(ModelFailed) as failed:
            await asked(server, key=KEY)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    shown = [repr(settings), settings.model_dump_json(), str(failed.value), repr(failed.value), caplog.text]
    assert not any(KEY in one for one in shown)
    assert failed.value.__cause__ is None and failed.value.__suppress_context__


async def test_openai_s_own_variables_are_not_sent(monkeypatch: pytest.MonkeyPatch):
    """With a proxy and OpenAI's own variables set, a local model is called directly and without them."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-another")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with ScriptedModel(["hi"]) as server:
        assert (await asked(server, key=None)).text == "hi"
        assert not any("of-another" in value for value in server.requests[0].headers.values())


async def test_a_connection_closed_at_once_is_unreachable():
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up() -> None:
            server.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        model = model_from(ModelSettings(url=f"http://127.0.0.1:{server.getsockname()[1]}/v1", name="any", retries=0))
        assert model
        with pytest.raises(ModelFailed) as failed:
            await model.complete(HELLO, max_tokens=100)
        assert failed.value.code == "model-away"
        await model.close()
