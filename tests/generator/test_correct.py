"""Corrections apply a finding's own edits, else a known fix, else a model's edits."""

from __future__ import annotations

import json

import pytest

from bandsmith.services.generator.correct import correct
from bandsmith.services.generator.failure_explanation import explain_failure
from bandsmith.services.generator.planning import plan
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.events import CorrectTemplate, ExplainFailure
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Allowance, Model, model_from
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply
from bandsmith.shared.model.base import Value
from bandsmith.shared.turns.fixes import Fix
from bandsmith.shared.turns.verdict import Attempt, Finding

from .forms import blank, invoice
from .test_actor import MemoryStore

TEMPLATE = build_jrxml(plan(invoice().layout(), blank(), "invoice")[0])
KEY = next(node.find("{*}reportElement").get("key") for node in Editor(TEMPLATE).elements())
OWN = Finding(code="structure.band", message="It stands outside.", element=KEY, edits=[Move(element=KEY, y=1)])
BARE = Finding(code="structure.band", message="It stands outside.", message_zh="超出带区。", element=KEY)
KNOWN = Fix(code="structure.band", message="It stands outside.", edits=[Resize(element=KEY, width=77)])
SOME = Allowance(calls=4, tokens=50_000)


def reply(*edits: Value) -> str:
    return json.dumps({"edits": [edit.model_dump() for edit in edits], "note": "It was too far down."})


async def corrected(findings: list, fixes: list, model: Model | None, allowance: Allowance = SOME):
    store = MemoryStore()
    command = CorrectTemplate(
        template=await store.put(TEMPLATE, "application/xml"),
        data=await store.put(b"{}", "application/json"),
        findings=findings,
        fixes=fixes,
        explanation="It stands outside its band.",
        corrections=0,
        allowance=allowance,
    )
    event = await correct(store, command, model)
    return event, store.kept[event.template.key]


async def test_edits_of_a_finding_are_applied_without_a_model_call():
    with ScriptedModel([reply(Move(element=KEY, x=5))]) as server:
        event, template = await corrected([OWN], [KNOWN], model_from(server.settings()))
        assert server.usage.calls == 0
    assert (event.by, event.changed, event.edits) == ("rules", 1, OWN.edits) and template != TEMPLATE


async def test_a_known_fix_is_applied_next():
    with ScriptedModel([reply(Move(element=KEY, x=5))]) as server:
        event, _ = await corrected([BARE], [KNOWN], model_from(server.settings()))
        assert server.usage.calls == 0
    assert (event.by, event.edits) == ("knowledge", KNOWN.edits)


async def test_a_model_gets_the_findings_when_no_fix_is_known():
    with ScriptedModel([reply(Move(element=KEY, x=33))]) as server:
        event, template = await corrected([BARE], [], model_from(server.settings()))
        assert server.usage.calls == 1 and server.requests[0].prompt == "correction"
        assert any("It stands outside." in data for data in server.requests[0].fenced)
    assert event.by == "model" and event.usage.calls == 1 and template != TEMPLATE


@pytest.mark.parametrize(
    "said",
    [
        "I am sorry.",
        "",
        reply(SetText(element="unknown", text="x")),
        json.dumps({"edits": [{"do": "explode"}], "note": ""}),
        ScriptedReply(status=500),
    ],
)
async def test_an_unusable_reply_changes_nothing(said: object):
    with ScriptedModel([said] * 5) as server:
        event, template = await corrected([BARE], [], model_from(server.settings(retries=0)))
    assert event.changed == 0 and template == TEMPLATE


async def test_a_model_knows_the_request_the_form_and_what_was_tried():
    store = MemoryStore()
    layout = await store.put(invoice().layout().model_dump_json().encode(), "application/json")
    tried = [Attempt(edits=[Move(element=KEY, x=1)], findings=["It still stands outside."])]
    with ScriptedModel([reply(Move(element=KEY, x=33))]) as server:
        command = CorrectTemplate(
            template=await store.put(TEMPLATE, "application/xml"), data=await store.put(b"{}", "application/json"),
            findings=[BARE], fixes=[], explanation="", corrections=2, allowance=SOME, tried=tried,
            request="keep the total bold", layout=layout,
        )  # fmt: skip
        await correct(store, command, model_from(server.settings()))
        told = server.requests[0].text
    for known in ("keep the total bold", "It still stands outside.", invoice().layout().blocks[0].text):
        assert known in told


async def test_after_a_correction_in_vain_a_model_is_not_asked_the_same_again():
    store = MemoryStore()
    with ScriptedModel([reply(Move(element=KEY, x=33))]) as server:
        command = CorrectTemplate(
            template=await store.put(TEMPLATE, "application/xml"), data=await store.put(b"{}", "application/json"),
            findings=[BARE], fixes=[], explanation="", corrections=2, allowance=SOME,
        )  # fmt: skip
        event = await correct(store, command, model_from(server.settings()))
        assert server.requests == [] and event.changed == 0


async def test_edits_that_cannot_be_carried_out_go_back_with_the_reason():
    with ScriptedModel([reply(SetText(element="unknown", text="x")), reply(Move(element=KEY, x=33))]) as server:
        event, _ = await corrected([BARE], [], model_from(server.settings()))
        assert "unknown" in server.requests[1].messages[-1]["content"]
    assert event.changed == 1


async def test_trouble_with_the_model_is_said():
    with ScriptedModel([ScriptedReply(status=401)]) as server:
        event, _ = await corrected([BARE], [], model_from(server.settings()))
    assert event.notes == ["The language model rejected the API key. Check BANDSMITH_MODEL_KEY."]


async def test_without_model_or_allowance_nothing_changes():
    event, template = await corrected([BARE], [], None)
    assert event.changed == 0 and template == TEMPLATE
    with ScriptedModel([reply(Move(element=KEY, x=33))]) as server:
        event, _ = await corrected([BARE], [], model_from(server.settings()), Allowance())
        assert server.usage.calls == 0 and event.changed == 0


async def test_edits_without_effect_lead_to_the_next_source():
    once, template = await corrected([OWN], [KNOWN], None)
    store = MemoryStore()
    again = CorrectTemplate(
        template=await store.put(template, "application/xml"),
        data=once.template,
        findings=[OWN],
        fixes=[KNOWN],
        explanation="",
        corrections=1,
        allowance=Allowance(),
    )
    assert (await correct(store, again, None)).by == "knowledge"


# --- explanations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "words"), [("en", "1 error"), ("zh", "1 处错误")])
async def test_the_explanation_is_in_the_language_of_the_turn(language: Language, words: str):
    event = await explain_failure(ExplainFailure(findings=[BARE], language=language, allowance=Allowance()), None)
    assert words in event.explanation


async def test_a_model_explains_errors_that_no_rule_can_fix():
    with ScriptedModel([json.dumps({"explanation": "标题太靠下了。"})] * 2) as server:
        model = model_from(server.settings())
        asked = ExplainFailure(findings=[BARE], language="zh", allowance=SOME)
        assert (await explain_failure(asked, model)).explanation == "标题太靠下了。"
        known = ExplainFailure(findings=[OWN], language="zh", allowance=SOME)
        assert "1 处错误" in (await explain_failure(known, model)).explanation
        assert server.usage.calls == 1
