"""A request from end to end: a template built from a sample, changed, and what the user is told of it."""

from __future__ import annotations

import json

import pytest
from pydantic import TypeAdapter

from bandsmith.services.generator.modify_template import modify_template
from bandsmith.services.planner.language.change import read_change
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.services.validator.checks import expressions, schema, structure, wellformed
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.delete_column import DeleteColumn
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.events import ModifyTemplate, ReadChange, TemplateModified
from bandsmith.shared.jrxml.tables import main_table
from bandsmith.shared.llm import Allowance, Model, Usage, model_from
from bandsmith.shared.llm.answers.report import ChangeAnswer
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Layout, Remark
from bandsmith.shared.model.plan import Data
from tests.generator.test_actor import MemoryStore

from .conftest import Built
from .templates import ALL

SOME = Allowance(calls=4, tokens=50_000)
EDITS: TypeAdapter[list[AnyEdit]] = TypeAdapter(list[AnyEdit])


class Turn:
    """What became of one request."""

    def __init__(self, store: MemoryStore, event: TemplateModified, usage: Usage) -> None:
        self.event, self.usage = event, usage
        self.template = store.kept[event.template.key]
        self.data = Data.model_validate_json(store.kept[event.data.key])
        self.edits = EDITS.validate_json(store.kept[event.edits.key])
        self.view = TemplateView(Editor(self.template))

    def words(self) -> list[str]:
        return [piece.words for piece in self.view.texts if piece.tag == "staticText"]


async def turn(
    built: Built | tuple[bytes, Data],
    text: str,
    *,
    language: str = "en",
    model: Model | None = None,
    remarks: list[Remark] | None = None,
    proposed: ChangeAnswer | None = None,
    allowance: Allowance = SOME,
) -> Turn:
    store = MemoryStore()
    layout = Layout(page=Size(width=595, height=842)) if remarks else None
    report = {
        "template": await store.put(built[0], "application/xml"),
        "data": await store.put(built[1].model_dump_json().encode(), "application/json"),
        "language": language,
    }
    command = ReadChange.model_validate(
        {
            **report,
            "text": text,
            "remarks": remarks or [],
            "layout": await store.put(layout.model_dump_json().encode(), "application/json") if layout else None,
            "history": [],
            "failure": None,
            "allowance": allowance,
        }
    )
    change, usage = await read_change(store, command, model, allowance, proposed)
    request = await store.put(change.model_dump_json().encode(), "application/json")
    event = await modify_template(store, ModifyTemplate.model_validate({**report, "change": request}))
    return Turn(store, event, usage)


def complaints(template: bytes) -> list[str]:
    """What the validator's checks before the engine have against a template."""
    read, findings = wellformed.check(template)
    if read:
        findings = [*schema.check(read), *expressions.check(read), *structure.check(read)]
    return [finding.message for finding in findings if finding.severity == "error"]


NINE = [
    ("make the title larger", "set"),
    ("把标题字体改大", "set"),
    ("add a total row at the bottom", "total"),
    ("delete the third column", "delete_column"),
    ("rename Unit price to Price", "text"),
    ("group by item", "group"),
    ("landscape", "page"),
    ("highlight amounts over 1000 in red", "highlight"),
    ("put the page number at the right", "add"),
]


@pytest.mark.parametrize(("text", "does"), NINE)
async def test_a_request_changes_what_it_names_and_nothing_else(quotation: Built, text: str, does: str):
    before = {piece.key for piece in TemplateView(Editor(quotation.template)).pieces}
    after = await turn(quotation, text)
    assert after.event.changed == len(after.edits) > 0 and {edit.do for edit in after.edits} == {does}
    assert after.event.by == "rules" and after.usage.calls == 0
    lost = before - {piece.key for piece in after.view.pieces}
    assert len(lost) == (2 if does == "delete_column" else 0)
    assert complaints(after.template) == []
    assert after.event.summary


async def test_nine_requests_one_after_the_other_still_print(quotation: Built, engine: ReportEngine):
    built = quotation
    for text, _ in NINE:
        after = await turn(built, text)
        built = Built(after.template, after.data)
    assert complaints(built.template) == []
    printout = engine.print(built.template, built.data)
    assert printout.pictures
    assert "Price" in after.words()


async def test_a_column_that_is_added_is_empty_and_a_computed_one_has_values(quotation: Built, engine: ReportEngine):
    after = await turn(quotation, "add a column Delivery date, then add a column Gross = quantity * unit price")
    assert [row["delivery_date"] for row in after.data.rows][:2] == [None, None]
    assert complaints(after.template) == []
    assert engine.print(after.template, after.data).pictures


async def test_what_is_not_there_is_said_in_the_language_of_the_turn(quotation: Built):
    after = await turn(quotation, "按地区分组", language="zh")
    assert after.event.changed == 0 and after.template == quotation.template
    assert after.event.summary == "没有“地区”这一列；现有的列是：No.、Item、Qty、Unit price、Amount。"


async def test_without_a_model_what_was_not_understood_is_said_and_the_rest_is_done(quotation: Built):
    after = await turn(quotation, "make the title larger and play a march")
    assert after.event.changed == 1
    assert "I could not read: “play a march”" in after.event.summary


async def test_remarks_on_the_page_are_carried_out_beside_the_words():
    place = Box(x=295, y=43, width=10, height=10)
    remark = Remark(text="改成大写", box=place, shape="arrow", target=place)
    after = await turn(ALL["sales"](), "apply the remarks, and delete the logo", remarks=[remark])
    assert after.edits == [Delete(element="logo"), SetText(element="title", text="SALES REPORT")]


def reply(*edits: AnyEdit, undone: str = "") -> str:
    return json.dumps({"edits": [edit.model_dump() for edit in edits], "undone": undone})


ITALIC = SetProperty(element="note", name="isItalic", value="true")


async def test_a_model_gets_the_whole_sentence_and_what_rules_would_do():
    with ScriptedModel([reply(ITALIC)]) as server:
        after = await turn(
            ALL["sales"](),
            "delete the logo, and let the small print look like handwriting",
            model=model_from(server.settings()),
        )
        assert server.usage.calls == 1 and server.requests[0].prompt == "modification"
        *_, rules, request = server.requests[0].fenced
        assert request == "delete the logo, and let the small print look like handwriting"
        assert json.loads(rules) == {
            "edits": [{"do": "delete", "element": "logo"}],
            "did not read": ["let the small print look like handwriting"],
        }
    assert after.edits == [Delete(element="logo"), ITALIC]
    assert after.event.by == "model" and after.usage.calls == 1


async def test_a_model_is_not_asked_what_rules_read_if_a_setting_says_so():
    with ScriptedModel([reply(ITALIC)]) as server:
        after = await turn(ALL["sales"](), "delete the logo", model=model_from(server.settings(ask="unsure")))
        assert server.usage.calls == 0
    assert after.event.by == "rules"


async def test_a_model_may_overrule_what_rules_read():
    overruling = json.dumps({"plan": "Italics.", "rules": "replace", "edits": [ITALIC.model_dump()]})
    with ScriptedModel([overruling]) as server:
        after = await turn(ALL["sales"](), "delete the logo", model=model_from(server.settings()))
        assert server.usage.calls == 1
    assert after.edits == [ITALIC] and after.event.by == "model"


async def test_what_rules_read_stands_where_a_model_says_nothing():
    answers: list[dict[str, object]] = [
        {"edits": []},
        {"rules": "replace", "edits": []},
        {"rules": "keep", "edits": []},
    ]
    for nothing in answers:
        with ScriptedModel([json.dumps(nothing)]) as server:
            after = await turn(ALL["sales"](), "delete the logo", model=model_from(server.settings()))
        assert after.edits == [Delete(element="logo")]


async def test_words_that_a_model_calls_a_reason_are_not_told_as_unread():
    sentence = "Delete the logo. The ink tastes of summer."
    said = {}
    for words in ([], ["The ink tastes of summer"]):
        answer = json.dumps({"rules": "keep", "edits": [], "in_other_words": words})
        with ScriptedModel([answer]) as server:
            after = await turn(ALL["sales"](), sentence, model=model_from(server.settings()))
        assert after.edits == [Delete(element="logo")]
        said[bool(words)] = after.event.summary
    assert "The ink tastes of summer" in said[False]
    assert "summer" not in said[True]


async def test_what_came_with_the_intent_spares_the_call():
    with ScriptedModel([reply()]) as server:
        after = await turn(
            ALL["sales"](),
            "let the small print look like handwriting",
            model=model_from(server.settings()),
            proposed=ChangeAnswer(edits=[ITALIC]),
        )
        assert server.usage.calls == 0
    assert after.edits == [ITALIC] and after.event.by == "model"


async def test_a_model_that_deletes_half_of_the_report_unasked_is_not_followed():
    gone = [Delete(element=key) for key in ("title", "period_label", "period", "line", "logo", "note", "page_number")]
    with ScriptedModel([reply(ITALIC, *gone)]) as server:
        after = await turn(ALL["sales"](), "make it look like a letter", model=model_from(server.settings()))
    assert after.edits == [ITALIC]
    assert "that you did not ask to have removed" in after.event.summary
    assert after.event.left_out == len(gone)


@pytest.mark.parametrize(
    "words", ["get the clear air of a letter into it", "without fuss, make it pretty", "let it cut a better figure"]
)
async def test_a_word_that_may_mean_removing_allows_no_removal(words: str):
    gone = [Delete(element=key) for key in ("title", "period_label", "period", "line", "logo", "note")]
    with ScriptedModel([reply(*gone)]) as server:
        after = await turn(ALL["sales"](), words, model=model_from(server.settings()))
    assert after.edits == []


async def test_a_model_removes_what_the_sentence_names():
    gone = [Delete(element="logo"), DeleteColumn(field="amount")]
    with ScriptedModel([reply(*gone)]) as server:
        after = await turn(
            ALL["sales"](),
            "we have no more use for the logo, and I do not need the Amount column any longer, boss said so",
            model=model_from(server.settings()),
        )
    assert after.edits == gone and after.event.left_out == 0


async def test_what_a_model_says_that_it_did_not_do_is_told_as_that():
    with ScriptedModel([reply(ITALIC, undone="I cannot send mails.")]) as server:
        after = await turn(ALL["sales"](), "tidy up a little, mail it", model=model_from(server.settings()))
    assert "Not done; the language model says: “I cannot send mails.”" in after.event.summary and after.event.left_out


async def test_a_message_that_a_model_calls_no_change_changes_nothing_also_not_by_rules():
    answer = json.dumps({"no_change": "That is a question; the logo is a picture."})
    with ScriptedModel([answer]) as server:
        after = await turn(ALL["sales"](), "delete the logo, or is it a text", model=model_from(server.settings()))
    assert after.edits == [] and after.event.left_out
    assert "Nothing was changed: That is a question; the logo is a picture." in after.event.summary


async def test_a_model_does_not_touch_what_shall_stay():
    with ScriptedModel([reply(ITALIC, Delete(element="logo"), DeleteColumn(field="amount"))]) as server:
        after = await turn(
            ALL["sales"](),
            "don't delete the logo, keep the amount column, tidy up a little",
            model=model_from(server.settings()),
        )
    assert after.edits == [ITALIC]


async def test_edits_that_name_nothing_here_are_left_out():
    made_up = [SetText(element="nobody", text="x"), DeleteColumn(field="nothing")]
    with ScriptedModel([reply(*made_up, undone="")]) as server:
        after = await turn(ALL["sales"](), "tidy up a little", model=model_from(server.settings()))
    assert after.edits == [] and after.event.changed == 0 and after.event.by == "rules"


@pytest.mark.parametrize("said", ["", "I cannot help with that.", '{"edits": "all"}', '{"edits": [{"do": "explode"}]}'])
async def test_a_model_that_says_nothing_of_use_leaves_the_report_as_rules_changed_it(said: str):
    with ScriptedModel([ScriptedReply(said)] * 4) as server:
        after = await turn(ALL["sales"](), "delete the logo; tidy up a little", model=model_from(server.settings()))
    assert after.edits == [Delete(element="logo")]
    assert "tidy up a little" in after.event.summary


async def test_the_edits_of_a_model_are_carried_out_in_its_order():
    edits = [
        {"do": "delete_column", "field": "unit_price"},
        {"do": "delete_column", "field": "customer"},
        {"do": "resize_column", "field": "item", "width": 320},
    ]
    reply = json.dumps({"plan": "Fewer columns.", "rules": "replace", "look": [], "edits": edits, "undone": ""})
    with ScriptedModel([reply]) as server:
        model = model_from(server.settings())
        after = await turn(ALL["sales"](), "remove customer and unit price, their room is for item alone", model=model)
    assert [edit.do for edit in after.edits] == ["delete_column", "delete_column", "resize_column"]
    columns = main_table(Editor(after.template).draft).columns
    assert {one.width for one in columns if "item" in one.names} == {320}
