"""Exported files open in their programs, with the values and the Chinese text of the report."""

from __future__ import annotations

import base64
import csv
import io
import zipfile

import cv2
import docx
import numpy as np
import openpyxl
import pypdfium2
import pytest
from lxml import html

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.exports import MAX_PICTURES, Export, export
from bandsmith.services.validator.pictures import PagePicture
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.session_parts import Format

from .reports import field, image, parameter, report, row_field, static

LOGO = base64.b64encode(bytes(cv2.imencode(".png", np.full((8, 8, 3), 99, np.uint8))[1])).decode()
HEADER = f'<pageHeader><band height="20">{static("品名", "head", y=0)}</band></pageHeader>'
REPORT = report(
    static("销售 Sales"),
    image("new java.io.ByteArrayInputStream(java.util.Base64.getDecoder().decode($P{logo}))"),
    declared=parameter("logo") + row_field("item") + row_field("amount", "java.math.BigDecimal"),
    detail=field("$F{item}", "item", y=0)
    + field("$F{amount}", "amount", x=200, y=0, more='pattern="#,##0.00"').replace('width="150"', 'width="100"'),
    height=60,
    name="销售/2026",
).replace(b"</title>", b"</title>" + HEADER.encode())
ROWS = Data(
    parameters={"logo": LOGO},
    rows=[{"item": f"茶叶 {n}", "amount": 1000.5 + n} for n in range(30)],
)


def made(engine: ReportEngine, form: Format, template: bytes = REPORT, data: Data = ROWS) -> Export:
    done = export(engine, template, data, form)
    assert form == "png" or len(done.files) == 1
    return done


def test_a_pdf_has_every_page_with_its_text(engine: ReportEngine):
    done = made(engine, "pdf")
    pdf = pypdfium2.PdfDocument(done.files[0])
    assert len(pdf) == done.pages == 3
    words = "".join(page.get_textpage().get_text_range() for page in pdf)
    assert "销售 Sales" in words and "茶叶 29" in words and "1,029.50" in words


def test_a_workbook_has_one_sheet_with_real_numbers(engine: ReportEngine):
    book = openpyxl.load_workbook(io.BytesIO(made(engine, "xlsx").files[0]))
    assert book.sheetnames == ["销售 2026"]
    rows = list(book.active.iter_rows(values_only=True))
    assert rows[0][0] == "销售 Sales" and rows[1][0] == "品名"
    assert rows[-30:] == [(f"茶叶 {n}", 1000.5 + n) for n in range(30)]


def test_a_word_file_has_the_texts_in_tables(engine: ReportEngine):
    document = docx.Document(io.BytesIO(made(engine, "docx").files[0]))
    words = {cell.text.strip() for table in document.tables for row in table.rows for cell in row.cells}
    assert {"销售 Sales", "茶叶 29", "1,029.50"} <= words


def test_documents_name_common_typefaces(engine: ReportEngine):
    with zipfile.ZipFile(io.BytesIO(made(engine, "docx").files[0])) as parts:
        text = parts.read("word/document.xml").decode()
    assert 'w:ascii="Arial"' in text and "Liberation" not in text


def test_a_web_page_is_a_single_file_without_requests(engine: ReportEngine):
    page = html.document_fromstring(made(engine, "html").files[0].decode("utf-8"))
    assert page.findtext(".//title") == "销售/2026"
    assert "茶叶 29" in page.text_content()
    (picture,) = page.iter("img")
    assert base64.b64decode(picture.get("src").removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    assert not [node for node in page.iter("link", "script", "iframe", "object")]
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")


def test_a_csv_suits_a_chinese_excel_and_has_no_formulas(engine: ReportEngine):
    data = ROWS.model_copy(update={"rows": [*ROWS.rows, {"item": "=1+1", "amount": 2}]})
    raw = made(engine, "csv", data=data).files[0]
    assert raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8-sig"))))
    assert ["茶叶 29", "1029.50"] in rows
    assert not any(cell.startswith("=") for row in rows for cell in row)


def test_pictures_are_limited_but_all_pages_are_counted(engine: ReportEngine):
    data = Data(parameters={"logo": LOGO}, rows=[{"item": str(n), "amount": n} for n in range(300)])
    done = made(engine, "png", data=data)
    assert (len(done.files), done.pages) == (MAX_PICTURES, 22)
    assert PagePicture.of_png(done.files[0]).shape == (625, 834)


@pytest.mark.parametrize("form", ["pdf", "xlsx", "png"])
@pytest.mark.parametrize(
    ("template", "code"),
    [
        (report(field("Runtime.getRuntime()")), "expressions.class"),
        (report(field("$F{gone}")), "compile.failed"),
        (report(field("BigDecimal.ONE.divide(BigDecimal.ZERO)")), "fill.failed"),
        (b"<html/>", "wellformed.root"),
    ],
)
def test_a_template_that_fails_is_not_exported(engine: ReportEngine, form: Format, template: bytes, code: str):
    with pytest.raises(TerminalError) as refused:
        export(engine, template, Data(), form)
    assert refused.value.code == code
    assert refused.value.message_zh != refused.value.message


def test_a_script_link_is_left_out_and_a_content_policy_stands_behind(engine: ReportEngine):
    link = '<hyperlinkReferenceExpression><![CDATA["javascript:alert(1)"]]></hyperlinkReferenceExpression></textField>'
    text = field('"x"', more='hyperlinkType="Reference"').replace("</textField>", link)
    page = made(engine, "html", report(text), Data()).files[0].decode()
    assert "javascript:" not in page
    assert "Content-Security-Policy" in page


def test_a_workbook_keeps_the_alignment_of_titles(engine: ReportEngine):
    title = static("Prices", width=380).replace("<text>", '<textElement textAlignment="Center"/><text>')
    book = openpyxl.load_workbook(io.BytesIO(made(engine, "xlsx", report(title), Data()).files[0]))
    assert book.active["A1"].alignment.horizontal == "center"
