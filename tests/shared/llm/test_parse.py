"""Parsing replies: what can be repaired is, truncated values are dropped, everything else is rejected."""

import time
from contextlib import suppress

import pytest

from bandsmith.shared.llm.parse import parse, without_nulls


@pytest.mark.parametrize(
    "reply",
    [
        '{"edits": [{"do": "delete", "element": "t1"}], "note": "完成"}',
        'Sure! Here it is:\n{"edits": [{"do": "delete", "element": "t1"}], "note": "完成"}\nAnything else?',
        'Sure:\n```json\n{"edits": [{"do": "delete", "element": "t1"}], "note": "完成"}\n```\nHope that {helps}.',
        '```\n{"edits": [{"do": "delete", "element": "t1"}], "note": "完成"}\n```',
        '{"edits": [{"do": "delete", "element": "t1",},], "note": "完成",}',
        "{'edits': [{'do': 'delete', 'element': 't1'}], 'note': '完成'}",
        '{"edits": [{"do": "delete", "element": "t1"}], // one\n "note": "完成"}',
        '{edits: [{do: "delete", element: "t1"}], note: "完成"}',
        '{"edits": [{"do": "delete", "element": "t1"}], "note": “完成”}',
        '{"edits": [{"do": "delete", "element": "t1"}], "note": "完成"',
    ],
)
def test_prose_fences_and_small_mistakes_are_repaired(reply: str):
    assert parse(reply) == {"edits": [{"do": "delete", "element": "t1"}], "note": "完成"}


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ('{"edits": [{"do": "move", "element": "a", "x": 12}, {"do": "move", "element": "b", "x": 1', ["a"]),
        ('{"edits": [{"do": "move", "element": "a", "x": 12}, {"do": "move", "element": "b", "x": 1,', ["a"]),
        ('{"edits": [{"do": "move", "element": "a", "x": 12}], "note": "I mo', ["a"]),
        ('```json\n{"edits": [{"do": "text", "element": "a, b]}\\"", "text": "c"}, {"do"', ['a, b]}"']),
    ],
)
def test_of_a_truncated_reply_complete_items_are_kept(reply: str, kept: list[str]):
    found = parse(reply, truncated=True)
    assert [edit["element"] for edit in found.get("edits", [])] == kept
    assert set(found) <= {"edits"}


@pytest.mark.parametrize(
    "reply",
    ["", "   ", "I cannot do that.", "null", "[1, 2]", '"{"', "{" * 500, '{"a":' * 500, "\x00\x01", "7", "{"],
)
def test_a_reply_without_an_object_is_rejected(reply: str):
    with pytest.raises(ValueError, match="the reply"):
        parse(reply)


def test_a_reply_truncated_in_its_first_item_is_rejected():
    with pytest.raises(ValueError, match="no JSON object"):
        parse('{"edits": [{"do": "move", "element": "a", "x": 1', truncated=True)


@pytest.mark.timeout(120)  # seconds are enough by far; what grows by the square would take minutes
@pytest.mark.parametrize(
    "piece", ["{", "[", '"', '{"a":', "word ", 'x" y ', "```json ", "a {b ", "\\", "},{", "/*", "{}"]
)
def test_parsing_is_fast_for_any_reply(piece: str):
    start = time.process_time()
    for reply in (piece * (60_000 // len(piece)), '{"a": "' + piece * (60_000 // len(piece))):
        for truncated in (False, True):
            with suppress(ValueError):
                parse(reply, truncated=truncated)
    assert time.process_time() - start < 60


def test_null_fields_are_omitted():
    assert without_nulls({"a": None, "b": [{"c": None, "d": 0}], "e": ""}) == {"b": [{"d": 0}], "e": ""}
