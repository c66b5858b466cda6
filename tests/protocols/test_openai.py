"""The interface of OpenAI, used by the real clients of chat programs."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import openai
import pytest
import yaml

from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.events import ClassifyIntent, IntentClassified
from bandsmith.shared.model.session_parts import TurnRecord
from bandsmith.web.openai.housekeeping import housekeeping_answer
from tests.gateway.scripted import Script, ScriptedActor
from tests.web.conftest import TEMPLATE, Place

ROOT = Path(__file__).parents[2]
PHOTO = f"data:image/jpeg;base64,{base64.b64encode(b'photo').decode()}"
BUILD = {
    "role": "user",
    "content": [{"type": "text", "text": "build this"}, {"type": "image_url", "image_url": {"url": PHOTO}}],
}
CHANGE = {"role": "user", "content": "make the title larger"}


@pytest.fixture
def script() -> Script:
    """A report is built first, then changed."""
    return {ClassifyIntent: [IntentClassified(intent="initial_generation"), IntentClassified(intent="modify_report")]}


@pytest.fixture
async def client(place: Place) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=f"{place.address}/v1", api_key=place.keys.add("chat", "editor")) as one:
        yield one


async def complete(client: openai.AsyncOpenAI, *messages: Any, **options: Any) -> Any:
    return await client.chat.completions.create(model="bandsmith", messages=list(messages), **options)


def ext(response: Any) -> dict[str, Any]:
    """What OpenAI's interface has no place for."""
    return response.ext


async def sessions(bus: MemoryBus) -> int:
    """How many sessions have begun."""
    return len(await bus.state_keys("session-"))


# --- a conversation ---------------------------------------------------------------------------------------------------


async def test_the_model_is_listed(client: openai.AsyncOpenAI):
    assert [model.id async for model in client.models.list()] == ["bandsmith"]
    assert (await client.models.retrieve("bandsmith")).owned_by == "bandsmith"


async def test_a_report_is_built_from_a_picture(place: Place, client: openai.AsyncOpenAI):
    answer = await complete(client, BUILD)
    text, ext = answer.choices[0].message.content, answer.ext
    assert ext["version"] == 1 and ext["passed"]
    assert "![Page 1](http" in text and "[report.jrxml](http" in text
    async with place.client(None) as anyone:
        assert (await anyone.get(ext["files"]["report.jrxml"])).content == TEMPLATE


async def test_the_address_may_come_from_the_environment(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_BASE_URL", f"{place.address}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", place.keys.add("chat", "editor"))
    async with openai.AsyncOpenAI() as client:
        assert (await complete(client, BUILD)).ext["version"] == 1


async def test_progress_comes_as_reasoning_before_the_answer(client: openai.AsyncOpenAI):
    steps, text, last = [], "", None
    stream = await complete(client, BUILD, stream=True, stream_options={"include_usage": True})
    async for chunk in stream:
        if chunk.choices:
            assert not (text and getattr(chunk.choices[0].delta, "reasoning_content", None))
            steps.append(getattr(chunk.choices[0].delta, "reasoning_content", None))
            text += chunk.choices[0].delta.content or ""
            last = chunk
    assert "Writing the template\n" in steps and "[report.pdf](http" in text
    assert last.choices[0].finish_reason == "stop" and last.ext["version"] == 1
    assert chunk.usage.total_tokens == 0


async def test_a_conversation_that_is_sent_again_continues_its_session(place: Place, client: openai.AsyncOpenAI):
    """Given an answer of ours
    When the program sends it back with the next message, as all of them do
    Then the report of that answer is changed, and the link of the new answer leads to the changed template
    """
    built = await complete(client, BUILD)
    answer = {"role": "assistant", "content": built.choices[0].message.content}
    changed = await complete(client, BUILD, answer, CHANGE)
    assert changed.ext["session"] == built.ext["session"] and changed.ext["version"] == 2
    async with place.client(None) as anyone:
        file = await anyone.get(link_to("report.jrxml", changed.choices[0].message.content))
    assert file.content == b"modified"


async def test_a_conversation_without_a_report_continues_its_session(client: openai.AsyncOpenAI):
    asked = await complete(client, {"role": "user", "content": "what is $F?"})
    answer = {"role": "assistant", "content": asked.choices[0].message.content}
    built = await complete(client, answer, BUILD)
    assert built.ext["session"] == asked.ext["session"]


@pytest.mark.parametrize("header", ["x-bandsmith-session", "x-openwebui-chat-id"])
async def test_a_header_names_the_session(client: openai.AsyncOpenAI, header: str):
    built = await complete(client, BUILD, extra_headers={header: "march"})
    changed = await complete(client, CHANGE, metadata={"session": "march"})
    assert (built.ext["session"], changed.ext["session"], changed.ext["version"]) == ("march", "march", 2)


async def test_a_request_that_is_sent_twice_starts_one_turn(client: openai.AsyncOpenAI):
    names = {"x-bandsmith-session": "march", "idempotency-key": "one"}
    first = await complete(client, BUILD, extra_headers=names)
    again = await complete(client, BUILD, extra_headers=names)
    assert first.ext["turn"] == again.ext["turn"] and again.ext["version"] == 1


async def test_a_program_that_goes_away_cancels_its_turn(
    place: Place, client: openai.AsyncOpenAI, monkeypatch: pytest.MonkeyPatch
):
    """Given a turn that takes long
    When the user presses stop, and the program closes the connection
    Then the turn is cancelled
    """

    async def take_long(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(ScriptedActor, "handle", take_long)
    stream = await complete(client, BUILD, stream=True, extra_headers={"x-bandsmith-session": "march"})
    await anext(aiter(stream))
    await stream.close()
    turns: list[TurnRecord] = []
    async with asyncio.timeout(60):
        while not turns:
            await asyncio.sleep(0.05)
            found = [one for one in await place.door.client.sessions() if one.id.endswith("march")]
            turns = found[0].turns if found else []
    assert [turn.failed for turn in turns] == ["cancelled"]


# --- responses --------------------------------------------------------------------------------------------------------

INPUT: Any = [
    {
        "role": "user",
        "content": [{"type": "input_text", "text": "build this"}, {"type": "input_image", "image_url": PHOTO}],
    }
]


@pytest.mark.slow
async def test_a_response_continues_the_one_before(place: Place, client: openai.AsyncOpenAI):
    built = await client.responses.create(model="bandsmith", input=INPUT)
    async with client.responses.stream(
        model="bandsmith", input="make the title larger", previous_response_id=built.id
    ) as stream:
        kinds = [event.type async for event in stream]
        changed = await stream.get_final_response()
    assert "[report.pdf](http" in built.output_text and changed.status == "completed"
    assert kinds[0] == "response.created" and kinds[-1] == "response.completed"
    async with place.client(None) as anyone:
        files = [(await anyone.get(link_to("report.jrxml", one.output_text))).content for one in (built, changed)]
    assert files == [TEMPLATE, b"modified"]
    again = await client.responses.create(model="bandsmith", input="undo", previous_response_id=changed.id)
    assert ext(again)["session"] == ext(built)["session"]


async def test_a_file_has_its_name(client: openai.AsyncOpenAI):
    content = {"type": "input_file", "filename": "slip.jpg", "file_data": PHOTO}
    messages: Any = [{"role": "user", "content": [content]}]
    built = await client.responses.create(model="bandsmith", input=messages)
    assert ext(built)["version"] == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"type": "input_text", "text": ""}, "message is empty"),
        ({"type": "input_image", "image_url": "https://elsewhere.example/form.jpg"}, "data: URLs"),
        ({"type": "input_file", "filename": "x.exe", "file_data": PHOTO}, "type of file is not supported"),
    ],
)
async def test_a_wrong_response_is_refused_with_what_to_do(
    place: Place, client: openai.AsyncOpenAI, content: Any, words: str
):
    messages: Any = [{"role": "user", "content": [content]}]
    with pytest.raises(openai.BadRequestError, match=words):
        await client.responses.create(model="bandsmith", input=messages)
    assert await sessions(place.bus) == 0


# --- prompts of the program itself ------------------------------------------------------------------------------------

HISTORY = "### Chat History:\n<chat_history>\nUSER: make the title larger\nASSISTANT: Done.\n</chat_history>"
OPEN_WEBUI = {
    '{"title": "make the title larger"}': "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the "
    f'chat history.\n### Output:\nJSON format: {{ "title": "your concise title here" }}\n{HISTORY}',
    '{"tags": []}': "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.\n"
    f'### Output:\nJSON format: {{ "tags": ["tag1", "tag2"] }}\n{HISTORY}',
    '{"follow_ups": []}': "### Task:\nSuggest 3-5 relevant follow-up questions or prompts.\n"
    f'### Output:\nJSON format: {{ "follow_ups": ["Question 1?"] }}\n{HISTORY}',
    '{"queries": []}': "### Task:\nAnalyze the chat history to determine the necessity of generating search queries.\n"
    f'### Output:\n{{ "queries": ["query1"] }}\n{HISTORY}',
    "make the title larger": "Provide a concise, 5-word-or-less title for the conversation, using title case "
    "conventions. Only return the title itself.\n\nConversation:\nUser: make the title larger\nAI: Done.",
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("answer", "prompt"), OPEN_WEBUI.items())
async def test_prompts_of_the_program_itself_begin_no_turn(
    place: Place, client: openai.AsyncOpenAI, prompt: str, answer: str, stream: bool
):
    completion = await complete(client, {"role": "user", "content": prompt}, stream=stream)
    if stream:
        text = "".join([chunk.choices[0].delta.content or "" async for chunk in completion])
    else:
        text = completion.choices[0].message.content
    assert text == answer
    assert await sessions(place.bus) == 0


@pytest.mark.parametrize(
    "request_of_a_person",
    [
        "make the title larger",
        "give the report a concise title",
        "### Task: a sales report with customer and amount",
        "add a column for tags",
    ],
)
def test_a_request_is_no_prompt_of_the_program(request_of_a_person: str):
    assert housekeeping_answer(request_of_a_person) is None


# --- errors -------------------------------------------------------------------------------------------------------


async def test_a_wrong_key_is_refused(place: Place):
    async with openai.AsyncOpenAI(base_url=f"{place.address}/v1", api_key="sk-wrong") as stranger:
        with pytest.raises(openai.AuthenticationError):
            await stranger.models.list()


async def test_a_key_that_only_reads_begins_no_turn(place: Place):
    key = place.keys.add("reader", "reader")
    async with openai.AsyncOpenAI(base_url=f"{place.address}/v1", api_key=key) as reader:
        with pytest.raises(openai.PermissionDeniedError):
            await complete(reader, BUILD)
    assert await sessions(place.bus) == 0


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "message is empty"),
        ([{"type": "image_url", "image_url": {"url": "https://elsewhere.example/form.jpg"}}], "data: URLs"),
        ([{"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,***"}}], "data: URLs"),
        ([{"type": "file", "file": {"filename": "x.exe", "file_data": PHOTO}}], "type of file is not supported"),
    ],
)
async def test_an_error_says_what_to_do(client: openai.AsyncOpenAI, content: Any, words: str, stream: bool):
    with pytest.raises(openai.BadRequestError, match=words):
        await complete(client, {"role": "user", "content": content}, stream=stream)


async def test_another_model_is_not_found(client: openai.AsyncOpenAI):
    with pytest.raises(openai.NotFoundError, match="its name is bandsmith"):
        await client.chat.completions.create(model="gpt-4o", messages=[CHANGE])


async def test_the_session_of_another_user_is_not_continued(place: Place, client: openai.AsyncOpenAI):
    built = await complete(client, BUILD, extra_headers={"x-bandsmith-session": "march"})
    key = place.keys.add("other", "editor")
    async with openai.AsyncOpenAI(base_url=f"{place.address}/v1", api_key=key) as other:
        await complete(other, CHANGE, extra_headers={"x-bandsmith-session": "march"})
    shown = await complete(client, {"role": "user", "content": "undo"}, extra_headers={"x-bandsmith-session": "march"})
    assert await sessions(place.bus) == 2
    assert (built.ext["version"], shown.ext["version"]) == (1, 2)


# --- the manual ----------------------------------------------------------------------------------------------------


async def test_the_example_of_the_manual_works(place: Place, capsys: pytest.CaptureFixture[str]):
    manual = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```python\n(.+?)```", manual, re.DOTALL)
    example = example.replace("http://127.0.0.1:8787", place.address).replace("bsk_...", place.keys.add("me", "editor"))
    await asyncio.to_thread(exec, example.replace("samples/", f"{ROOT}/samples/"), {})
    assert "[report.jrxml](http" in capsys.readouterr().out


# --- the llm command --------------------------------------------------------------------------------------------------


Llm = Callable[..., Awaitable[tuple[int, str]]]


@pytest.fixture
def llm(place: Place, tmp_path: Path) -> Llm:
    """Run the llm command with a key, and return its exit code and what it printed."""
    folder = tmp_path / "llm"
    folder.mkdir()
    model = {
        "model_id": "bandsmith",
        "model_name": "bandsmith",
        "api_base": f"{place.address}/v1",
        "api_key_name": "bandsmith",
        "vision": True,
    }
    (folder / "extra-openai-models.yaml").write_text(yaml.safe_dump([model]))

    async def llm(key: str, *arguments: str) -> tuple[int, str]:
        (folder / "keys.json").write_text(json.dumps({"bandsmith": key}))
        command = [sys.executable, "-m", "llm", "prompt", "-m", "bandsmith", *arguments]
        process = await asyncio.create_subprocess_exec(
            *command,
            env={**os.environ, "LLM_USER_PATH": str(folder)},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, out.decode()

    return llm


@pytest.fixture
def form(tmp_path: Path) -> str:
    path = tmp_path / "form.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"0" * 64)
    return str(path)


@pytest.mark.slow
async def test_the_llm_command_builds_and_changes_a_report(place: Place, llm: Llm, form: str):
    """Given a report that was built from a picture
    When the conversation goes on, and the links of both answers are opened
    Then each leads to the file of its version
    """
    key = place.keys.add("llm", "editor")
    answers = [await llm(key, "build this", "-a", form), await llm(key, "-c", "make the title larger")]
    assert [code for code, _ in answers] == [0, 0], answers
    async with place.with_token(key) as browser, place.client(None) as anyone:
        [session] = (await browser.get("/api/sessions")).json()
        files = [(await anyone.get(link_to("report.jrxml", answer))).content for _, answer in answers]
    assert session["version"] == 2
    assert files == [TEMPLATE, b"modified"]


@pytest.mark.slow
async def test_the_llm_command_shows_an_error_that_says_what_to_do(place: Place, llm: Llm, form: str):
    reader = place.keys.add("reader", "reader")
    for key, words in (("bsk_wrong", "This key is not valid"), (reader, "This needs the role editor")):
        code, shown = await llm(key, "build this", "-a", form)
        assert code == 1 and words in shown and "Traceback" not in shown, shown
    assert await sessions(place.bus) == 0


def link_to(name: str, answer: str) -> str:
    """Return the address that an answer gives for a file."""
    [found] = re.findall(rf"\[{re.escape(name)}\]\((http\S+?)\)", answer)
    return str(found)
