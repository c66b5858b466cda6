"""A model is called once where rules cannot resolve a window or name a field, and only valid results are accepted."""

from __future__ import annotations

import asyncio
import json
import threading

from bandsmith.services.generator.mapping.llm_field_mapping import map_form
from bandsmith.services.generator.planning import plan
from bandsmith.services.generator.refinement.llm_refinement import (
    accepted_edits,
    ask_about_window,
    refine_by_rules,
    window_question,
)
from bandsmith.services.generator.refinement.windows import windows
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.llm import Allowance, Model, model_from
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedRequest
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data
from bandsmith.shared.turns.verdict import Printed

from .forms import blank, invoice
from .test_refine import printing

SOME = Allowance(calls=1, tokens=30_000)


def drafted(engine: ReportEngine) -> tuple[Editor, Data, Layout, list[Printed]]:
    layout = invoice().layout()
    report, data = plan(layout, blank(), "invoice")
    template = build_jrxml(report)
    return Editor(template), data, layout, printing(engine, template, data)


def model_of(server: ScriptedModel) -> Model:
    model = model_from(server.settings())
    assert model is not None
    return model


def test_a_correct_draft_is_completely_resolved(engine: ReportEngine) -> None:
    editor, _, layout, items = drafted(engine)
    assert all(refine_by_rules(editor, window.keys, layout, items).is_complete for window in windows(editor))


def test_a_moved_text_is_resolved_but_a_missing_one_is_not(engine: ReportEngine) -> None:
    editor, _, layout, items = drafted(engine)
    keys = windows(editor)[0].keys
    off = [
        item.model_copy(update={"ink": item.ink.moved(0, -6)}) if item.key == "block1" and item.ink else item
        for item in items
    ]
    corrected = refine_by_rules(editor, keys, layout, off)
    assert corrected.is_complete and any(isinstance(edit, Move) for edit in corrected.edits)
    gone = [item for item in items if item.key != "block1"]
    assert [one.text.key for one in refine_by_rules(editor, keys, layout, gone).unresolved] == ["block1"]


def test_only_edits_within_the_band_are_accepted(engine: ReportEngine) -> None:
    editor, _, layout, items = drafted(engine)
    window = next(one for one in windows(editor) if "block1" in one.keys)
    question = window_question(editor, refine_by_rules(editor, window.keys, layout, items))
    good: list[AnyEdit] = [Move(element="block1", x=40), SetProperty(element="block1", name="fontSize", value="17")]
    bad: list[AnyEdit] = [
        Move(element="block1", x=9000),
        Resize(element="block1", width=0),
        Move(element="nowhere", x=1),
        SetProperty(element="block1", name="forecolor", value="#FF0000"),
    ]
    assert accepted_edits(question, good + bad) == good
    others: list[AnyEdit] = [Delete(element="block1"), SetText(element="block1", text="x")]
    assert accepted_edits(question, good + others) == []


async def test_each_part_of_the_prompt_has_at_most_4000_characters(engine: ReportEngine) -> None:
    editor, _, layout, items = drafted(engine)
    window = windows(editor)[0]
    refinement = refine_by_rules(editor, window.keys, layout, [item for item in items if item.key != "block1"])
    question = window_question(editor, refinement)
    reply = json.dumps({"edits": [{"do": "move", "element": "block1", "x": 31}], "note": ""})
    with ScriptedModel([reply]) as server:
        model = model_of(server)
        edits, usage = await ask_about_window(question, model, SOME)
        await model.close()
        assert edits[-1] == Move(element="block1", x=31) and usage.calls == 1
        assert all(len(part) <= 4000 for part in server.requests[0].fenced)
        assert "Invoice" in server.requests[0].fenced[1]


async def test_windows_call_the_model_concurrently(engine: ReportEngine) -> None:
    editor, _, layout, items = drafted(engine)
    window = windows(editor)[0]
    refinement = refine_by_rules(editor, window.keys, layout, [item for item in items if item.key != "block1"])
    question = window_question(editor, refinement)
    all_there = threading.Barrier(8, timeout=20)

    def reply(_: ScriptedRequest) -> str:
        all_there.wait()  # breaks where one has to wait for another
        return '{"edits": []}'

    with ScriptedModel(reply) as server:
        model = model_of(server)
        answers = await asyncio.gather(*(ask_about_window(question, model, SOME) for _ in range(8)))
        await model.close()
    assert [usage.calls for _, usage in answers] == [1] * 8
    assert not all_there.broken


async def test_only_real_names_and_totals_are_accepted(engine: ReportEngine) -> None:
    layout = invoice().layout()
    report, data = plan(layout, blank(), "invoice")
    reply = {
        "names": {"customer": "bindery", "amount": "line_amount", "quantity": "class", "nothing": "something"},
        "totals": {"total": "amount", "customer": "amount", "ghost": "amount"},
    }
    with ScriptedModel([json.dumps(reply)]) as server:
        model = model_of(server)
        template, mapped, usage, _ = await map_form(build_jrxml(report), data, layout, model, SOME)
        await model.close()
    assert usage.calls == 1
    assert mapped.parameters["bindery"] == "Meadow Bindery"
    assert list(mapped.rows[0]) == ["product", "class_", "line_amount"]
    assert b'<variable name="line_amount_total"' in template and "total" not in mapped.parameters
    texts = [element.text for element in engine.print(template, mapped, pages=0).elements]
    assert "1,340.40" in texts and "Meadow Bindery" in texts


async def test_without_an_allowance_no_model_is_called() -> None:
    layout = invoice().layout()
    report, data = plan(layout, blank(), "invoice")
    with ScriptedModel(["{}"]) as server:
        model = model_of(server)
        _, mapped, usage, _ = await map_form(build_jrxml(report), data, layout, model, Allowance())
        await model.close()
    assert server.requests == [] and usage.calls == 0
    assert mapped.parameters["customer"] == "Meadow Bindery"
