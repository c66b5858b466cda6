"""What a reply says of files that lack a text, and of files that were asked for."""

from __future__ import annotations

import pytest

from bandsmith.shared.events import (
    ClassifyIntent,
    ExportReport,
    FillReport,
    ReadFilling,
    ReportExported,
    ReportFilled,
    TurnFinished,
)
from bandsmith.shared.events import FillingRead as Read
from bandsmith.shared.model.filling import Filling

from .play import ROWS_FILE, Script, end_of, played, with_report
from .service_events import ref, wants


def finished(text: str, script: Script, *, with_rows: bool = False) -> TurnFinished:
    end = end_of(played(text, script, with_report(), (ROWS_FILE,) if with_rows else (), turn="files"))
    assert isinstance(end, TurnFinished)
    return end


def filling(missing: list[str]) -> Script:
    """A request to fill the report, as Word."""
    return {
        ReadFilling: [Read(filling=Filling(formats=["docx"]))],
        FillReport: [ReportFilled(format="docx", files=[ref("filled")], pages=1, missing_texts=missing)],
    }


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("export it to Word", "report.docx lacks text that the report prints: “Phone” and “Signed”."),
        ("导出成 Word", "report.docx 中缺少报表上的文字：“Phone”和“Signed”；PDF 中是齐全的。"),
    ],
)
def test_an_export_that_lacks_texts_names_them_and_is_not_complete(request_: str, said: str):
    exported = ReportExported(format="docx", files=[ref("docx")], pages=1, missing_texts=["Phone", "Signed"])
    script: Script = {ClassifyIntent: [wants("export_file", format="docx")], ExportReport: [exported]}
    end = finished(request_, script)
    assert said in end.reply and "report.docx" in end.files
    assert not end.complete


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "report.docx lacks one picture, line or area that the report prints below something else."),
        (
            3,
            "report.docx lacks 3 pictures, lines or areas that the report prints below something else.",
        ),
    ],
)
def test_an_export_that_lacks_shapes_says_how_many_and_is_complete(count: int, said: str):
    exported = ReportExported(format="docx", files=[ref("docx")], pages=1, missing_shapes=count)
    script: Script = {ClassifyIntent: [wants("export_file", format="docx")], ExportReport: [exported]}
    end = finished("export it to Word", script)
    assert end.reply.startswith(f"Exported as report.docx. {said}") and end.complete


def test_an_export_with_every_text_is_complete():
    exported = ReportExported(format="docx", files=[ref("docx")], pages=1)
    script: Script = {ClassifyIntent: [wants("export_file", format="docx")], ExportReport: [exported]}
    end = finished("export it to Word", script)
    assert end.reply == "Exported as report.docx." and end.complete


def test_a_filled_file_that_lacks_texts_names_them_and_is_not_complete():
    end = finished("fill it, as Word", filling(["Phone"]), with_rows=True)
    assert "filled.docx lacks text that the report prints: “Phone”." in end.reply
    assert not end.complete


def test_a_filled_file_in_the_format_that_was_asked_for_is_not_called_missing():
    end = finished("fill it, as Word", filling([]), with_rows=True)
    assert list(end.files) == ["filled.docx"]
    assert "Not exported" not in end.reply and end.complete
