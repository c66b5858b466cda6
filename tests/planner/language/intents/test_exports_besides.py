"""Files that are asked for beside a change, an undo or an earlier version."""

from __future__ import annotations

import pytest

from bandsmith.services.planner.language.intents import export_besides

from .test_asking import asked


@pytest.mark.parametrize(
    ("text", "rest", "formats"),
    [
        ("undo that and send me the excel", "undo that", ("xlsx",)),
        ("undo everything, then send me the pdf", "undo everything", ("pdf",)),
        ("go back to version 2 and export it as xlsx and pdf", "go back to version 2", ("xlsx", "pdf")),
        ("make the title bold, then send me the word file", "make the title bold", ("docx",)),
        ("撤销，然后导出excel", "撤销", ("xlsx",)),
        ("标题加粗，再导出word", "标题加粗", ("docx",)),
    ],
)
def test_files_at_the_end_of_a_message_are_read_beside_the_rest(text: str, rest: str, formats: tuple[str, ...]):
    assert export_besides(text) == (rest, formats)


@pytest.mark.parametrize(
    "text",
    [
        "export as excel and pdf",
        "rename Amount to Word and PDF",
        "add a note: please reply, send us the PDF",
        "加一句：收到请回复，PDF发给我",
        "delete the columns Word and Excel",
    ],
)
def test_a_name_or_new_wording_is_no_file_beside_the_rest(text: str):
    assert export_besides(text) is None


@pytest.mark.parametrize(
    ("text", "intent", "formats"),
    [
        ("undo that and send me the excel", "undo_modification", ["xlsx"]),
        ("back to version 1, then export it as word", "restore_version", ["docx"]),
        ("撤销上一步，再导出excel给我", "undo_modification", ["xlsx"]),
    ],
)
async def test_the_intent_is_that_of_the_rest_with_the_formats(text, intent, formats, objects):
    found = await asked(text, None, objects)
    assert (found.intent, found.formats) == (intent, formats)
