"""Requests in plain words of offices, and what they may not do silently."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from bandsmith.services.planner.language.change.conversation import past_changes
from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.change.rules.row_entry import read_row_entry
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_rows import AddRows
from bandsmith.shared.edits.add_total import AddTotal
from bandsmith.shared.edits.delete_row import DeleteRow
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.sort_by import SortBy
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session_parts import Version

from .templates import ALL


def view(form: str) -> TemplateView:
    template, data = ALL[form]()
    return TemplateView(Editor(template), data)


def read(form: str, request: str) -> RequestReading:
    return read_request(request, view(form))


def test_which_end_comes_first_is_no_reason_that_is_passed_over():
    reading = read("slip", "按金额排序，贵的放前面")

    assert reading.edits == [SortBy(field="amount", descending=True)]
    assert reading.passed_over == []


def test_sign_in_front_is_not_given_to_everything_behind_an_unread_clause():
    reading = read("slip", "折扣弄得漂亮点，前面加¥")

    assert reading.edits == []


def test_date_that_a_formula_writes_gets_the_new_format():
    template, data = ALL["slip"]()
    written = b'new java.text.SimpleDateFormat("yyyy/M/d").format($P{date})'
    template = template.replace(b"$P{date}", written).replace(
        b'name="date" class="java.lang.String"', b'name="date" class="java.util.Date"'
    )
    reading = read_request("日期格式统一成2026-04-07这样", TemplateView(Editor(template), data))

    (edit,) = reading.edits
    assert isinstance(edit, SetExpression)
    assert 'SimpleDateFormat("yyyy-MM-dd")' in edit.expression


def test_row_may_leave_out_a_last_remark_that_other_rows_leave_out():
    entry = read_row_entry("表格里加一行：3，手套，双，10，4.2，42", view("slip"), [])

    assert entry is not None
    (edit,) = entry.edits
    assert isinstance(edit, AddRows)
    assert edit.rows[0]["remark"] is None and edit.rows[0]["amount"] == 42


def test_row_says_how_many_at_which_price():
    entry = read_row_entry("add a row: 2026-03-09, Tamarack, Lawn turf, 60 rolls at 4.20, 252", view("sales"), [])

    assert entry is not None
    (edit,) = entry.edits
    assert isinstance(edit, AddRows)
    assert (edit.rows[0]["quantity"], edit.rows[0]["unit_price"], edit.rows[0]["amount"]) == (60, "4.20", 252)


def test_row_with_more_values_than_columns_is_refused():
    entry = read_row_entry("加一行：3，手套，双，10，4.2，42，无，急", view("slip"), [])

    assert entry is not None and entry.edits == [] and entry.refusals


def test_amount_that_follows_a_new_quantity_asks_for_nothing_more():
    reading = read("slip", "角磨机的数量改成8，金额跟着算")

    assert len(reading.edits) == 1 and reading.unread == []


def test_amount_that_is_to_stay_beside_a_new_quantity_is_named_as_unread():
    assert read("slip", "角磨机的数量改成8，金额不变").unread == ["金额不变"]


def test_total_of_a_column_is_not_the_column_and_the_total():
    template, data = ALL["slip"]()
    editor = Editor(template)
    editor.carry_out([AddTotal(field="quantity")])
    summed = TemplateView(Editor(editor.bytes()), data)
    (edit,) = read_request("数量合计加粗", summed).edits

    assert isinstance(edit, SetProperty) and edit.name == "isBold"
    assert summed.piece(edit.element) in summed.in_sections("summary")


class Stored:
    """Objects by the first character of their key."""

    def __init__(self, objects: dict[str, bytes]) -> None:
        self._objects = objects

    async def put(self, data: bytes, media: str) -> Ref:
        raise AssertionError

    async def get(self, ref: Ref) -> bytes:
        return self._objects[ref.key[0]]


def ref(name: str) -> Ref:
    return Ref(key=name * 64, media="application/json", size=1)


def version(number: int) -> Version:
    time = datetime(2026, 1, 1, tzinfo=UTC)
    return Version(number=number, template=ref("a"), data=ref("b"), author="x", time=time)


def test_change_of_the_rows_alone_is_one_that_a_sentence_can_go_on_with():
    template, data = ALL["sales"]()
    edits = f"[{DeleteRow(where={'item': 'Elm board'}).model_dump_json()}]".encode()
    store = Stored({"a": template, "b": data.model_dump_json().encode(), "c": edits})
    earlier = [version(1), version(2).model_copy(update={"edits": ref("c"), "edited": ref("a")})]

    (past,) = asyncio.run(past_changes(store, ref("a"), earlier))
    assert past.base.number == 1 and past.edits == [DeleteRow(where={"item": "Elm board"})]


def test_look_of_another_text_counts_only_where_it_has_that_look():
    assert read("slip", "合计加粗，跟标题一样").unread == []
    assert read("slip", "合计加粗，跟公司名那样一样").unread == ["跟公司名那样一样"]


def test_words_that_only_say_where_are_not_called_missing():
    reading = read("sales", "move the note under the title, on the right")

    assert all("“on”" not in refusal.en for refusal in reading.refusals)
