"""Hostile Word and Excel files, by kind: each is a name with a suffix and what makes its content."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable
from functools import partial

from tests.ocr.sample_forms import SAMPLES

Kind = tuple[str, Callable[[], bytes]]

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def changed(suffix: str, change: Callable[[str, bytes], bytes]) -> bytes:
    """A sample document in which each part is what `change` makes of it."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(SAMPLES[suffix]())) as source,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for name in source.namelist():
            made.writestr(name, change(name, source.read(name)))
    return file.getvalue()


def prose(count: int) -> str:
    """Words that differ, so that a file of them is not much smaller than they are."""
    made = random.Random(4)
    return " ".join("".join(made.choices("abcdefghijklmnopqrst", k=made.randint(1, 9))) for _ in range(count))


def paragraphs(count: int) -> str:
    return "".join(map(TEXT.format, prose(count).split()))


def word(body: str) -> bytes:
    """A Word file with this body."""
    text = f'<?xml version="1.0"?><w:document {W}><w:body>{body}</w:body></w:document>'.encode()
    return changed(".docx", lambda name, part: text if name == "word/document.xml" else part)


def styled(styles: str, body: str = '<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>') -> bytes:
    text = f'<?xml version="1.0"?><w:styles {W}>{styles}</w:styles>'.encode()
    main = f'<?xml version="1.0"?><w:document {W}><w:body>{body}</w:body></w:document>'.encode()
    parts = {"word/styles.xml": text, "word/document.xml": main}
    return changed(".docx", parts.get)


def style(name: str, base: str) -> str:
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/><w:basedOn w:val="{base}"/></w:style>'
    )


MAIN_PARTS = ("word/document.xml", "word/styles.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml")


def damaged(suffix: str, seed: int, changes: int = 2) -> bytes:
    """A document some of whose numbers were changed at random; the package itself is sound."""
    made = random.Random(seed)

    def change(name: str, part: bytes) -> bytes:
        if name not in MAIN_PARTS:
            return part
        found = [*re.finditer(rb'"(-?\d+)"', part)]
        for match in sorted(made.sample(found, min(changes, len(found))), key=lambda one: -one.start()):
            number = made.choice(
                [b"0", b"-1", b"9", b"300", b"99999", b"2147483647", b"-99999", match[1] * 2, match[1] * 3]
            )
            part = part[: match.start(1)] + number + part[match.end(1) :]
        return part

    return changed(suffix, change)


def cells(columns: int, rows: int, text: str = "x") -> str:
    row = f"<w:tr>{f'<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>' * columns}</w:tr>"
    return f"<w:tbl>{row * rows}</w:tbl>"


def nested_tables(depth: int) -> str:
    inner = "<w:p/>"
    for _ in range(depth):
        inner = f"<w:tbl><w:tr>{f'<w:tc>{inner}<w:p/></w:tc>' * 3}</w:tr></w:tbl>"
    return inner


TEXT = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
SPANS = '<w:tc><w:tcPr><w:gridSpan w:val="{}"/></w:tcPr><w:p/></w:tc>'
MERGED = "<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr>"
STOPS = "".join(f'<w:tab w:val="left" w:pos="{stop}"/>' for stop in range(20_000))
SECTION = '<w:p/><w:sectPr><w:pgSz w:w="{}" w:h="{}"/></w:sectPr>'
WORDS: dict[str, Kind] = {
    "DOCX of thirty thousand paragraphs": ("a.docx", lambda: word(paragraphs(30_000))),
    "DOCX of one word of a million letters": ("a.docx", lambda: word(TEXT.format(prose(200_000).replace(" ", "")))),
    "DOCX of one paragraph of a million words": ("a.docx", lambda: word(TEXT.format(prose(200_000)))),
    "DOCX of a hundred thousand runs": ("a.docx", lambda: word(f"<w:p>{'<w:r><w:t>x </w:t></w:r>' * 100_000}</w:p>")),
    "DOCX of a table of ten thousand cells": ("a.docx", lambda: word(cells(100, 100))),
    "DOCX of a table of a thousand columns": ("a.docx", lambda: word(cells(1_000, 3))),
    "DOCX of a table of three thousand rows": ("a.docx", lambda: word(cells(3, 3_000, "word"))),
    "DOCX of tables in tables": ("a.docx", lambda: word(nested_tables(8))),
    "DOCX of a cell that spans a million columns": (
        "a.docx",
        lambda: word(f"<w:tbl><w:tr>{SPANS.format(1_000_000)}</w:tr></w:tbl>"),
    ),
    "DOCX of a cell that spans two thousand million": (
        "a.docx",
        lambda: word(f"<w:tbl><w:tblGrid/><w:tr>{SPANS.format(2**31 - 1)}</w:tr></w:tbl>"),
    ),
    "DOCX of two thousand merged rows": (
        "a.docx",
        lambda: word(f"<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid>{MERGED * 2_000}</w:tbl>"),
    ),
    "DOCX whose styles follow each other": ("a.docx", lambda: styled(style("a", "b") + style("b", "a"))),
    "DOCX of nine thousand styles": (
        "a.docx",
        lambda: styled(
            "".join(style(f"s{n}", f"s{n + 1}") for n in range(9_000)),
            '<w:p><w:pPr><w:pStyle w:val="s0"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>' * 200,
        ),
    ),
    "DOCX of a page of a kilometre": ("a.docx", lambda: word(SECTION.format(2_000_000_000, 2_000_000_000))),
    "DOCX of a page without an area": ("a.docx", lambda: word(SECTION.format(0, -5))),
    "DOCX of a page as thin as a line": (
        "a.docx",
        lambda: word(TEXT.format("many words " * 5_000) + SECTION.format(31_680, 40)),
    ),
    "DOCX of controls in controls": (
        "a.docx",
        lambda: word("<w:sdt><w:sdtContent>" * 80 + "<w:p/>" + "</w:sdtContent></w:sdt>" * 80),
    ),
    "DOCX of tab stops": (
        "a.docx",
        lambda: word(f"<w:p><w:pPr><w:tabs>{STOPS}</w:tabs></w:pPr><w:r>{'<w:tab/>' * 20_000}</w:r></w:p>"),
    ),
    "DOCX of page breaks": ("a.docx", lambda: word('<w:p><w:r><w:t>x</w:t><w:br w:type="page"/></w:r></w:p>' * 20_000)),
    "DOCX without a body": (
        "a.docx",
        lambda: changed(
            ".docx", lambda name, part: f"<w:document {W}/>".encode() if name == "word/document.xml" else part
        ),
    ),
    "DOCX of the rarest characters": ("a.docx", lambda: word(TEXT.format("".join(map(chr, range(0x20000, 0x2A000)))))),
    **{f"DOCX damaged, {n}": ("a.docx", partial(damaged, ".docx", n)) for n in range(1, 13)},
}

S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def sheet(data: str, after: str = "", before: str = "") -> bytes:
    """An Excel file whose first sheet has these rows."""
    text = f'<?xml version="1.0"?><worksheet {S}>{before}<sheetData>{data}</sheetData>{after}</worksheet>'.encode()
    return changed(".xlsx", lambda name, part: text if name == "xl/worksheets/sheet1.xml" else part)


def book_styles(formats: str) -> bytes:
    def change(name: str, part: bytes) -> bytes:
        return part.replace(b"<cellXfs", formats.encode() + b"<cellXfs") if name == "xl/styles.xml" else part

    return changed(".xlsx", change)


def value(row: int, text: str = "1", column: str = "A") -> str:
    return f'<c r="{column}{row}" t="inlineStr"><is><t>{text}</t></is></c>'


def row_of(text: str) -> str:
    return f'<row r="1">{value(1, text)}</row>'


FULL = "".join(f'<row r="{n}">{value(n, "word")}{value(n, "2", "B")}</row>' for n in range(1, 40))
FORMAT = '<numFmts count="1"><numFmt numFmtId="164" formatCode="{}"/></numFmts>'
EVERYTHING = "A1:XFD1048576"
PRINTED = (
    b'<definedNames><definedName name="_xlnm.Print_Area" localSheetId="0">'
    b"Sheet!$A$1:$XFD$1048576</definedName></definedNames>"
)
CONDITION = (
    f'<conditionalFormatting sqref="{EVERYTHING}"><cfRule type="expression" priority="1">'
    "<formula>1</formula></cfRule></conditionalFormatting>"
)
CHOICE = f'<dataValidation sqref="{EVERYTHING}" type="list"><formula1>1</formula1></dataValidation>'
SHEETS: dict[str, Kind] = {
    "XLSX of a million cells": (
        "a.xlsx",
        lambda: sheet("".join(f"<row>{'<c><v>1</v></c>' * 100}</row>" for _ in range(10_000))),
    ),
    "XLSX of a row a million further down": (
        "a.xlsx",
        lambda: sheet(f'{FULL}<row r="1048576">{value(1_048_576)}</row>'),
    ),
    "XLSX of a row that is no row": ("a.xlsx", lambda: sheet(f'<row r="99999999999">{value(99_999_999_999)}</row>')),
    "XLSX of merges of whole columns": (
        "a.xlsx",
        lambda: sheet(FULL, '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
    ),
    "XLSX of five thousand merges": (
        "a.xlsx",
        lambda: sheet(
            FULL, f'<mergeCells>{"".join(f"""<mergeCell ref="A{n}:CV{n}"/>""" for n in range(1, 5_000))}</mergeCells>'
        ),
    ),
    "XLSX of rows as high as a house": (
        "a.xlsx",
        lambda: sheet(f'<row r="1" ht="1e300" customHeight="1">{value(1)}</row>'),
    ),
    "XLSX of columns of no width": (
        "a.xlsx",
        lambda: sheet(FULL, before='<cols><col min="1" max="16384" width="-5" customWidth="1"/></cols>'),
    ),
    "XLSX of columns that are not numbers": (
        "a.xlsx",
        lambda: sheet(FULL, before='<cols><col min="1" max="2" width="nan" customWidth="1"/></cols>'),
    ),
    "XLSX of a text of a million letters": ("a.xlsx", lambda: sheet(row_of(prose(200_000).replace(" ", "")))),
    "XLSX of four hundred long texts": (
        "a.xlsx",
        lambda: sheet("".join(f'<row r="{n}">{value(n, prose(100 + n))}</row>' for n in range(1, 400))),
    ),
    "XLSX of forty thousand short cells": (
        "a.xlsx",
        lambda: sheet("".join(f"<row>{'<c><v>12</v></c>' * 100}</row>" for _ in range(400))),
    ),
    "XLSX of a number format of a million letters": ("a.xlsx", lambda: book_styles(FORMAT.format(prose(100_000)))),
    "XLSX of a number format of brackets": ("a.xlsx", lambda: book_styles(FORMAT.format("[" * 50_000))),
    "XLSX of a hundred thousand shared texts": (
        "a.xlsx",
        lambda: changed(
            ".xlsx",
            lambda name, part: (
                f"<sst {S}>{'<si><t>x</t></si>' * 100_000}</sst>".encode() if "sharedStrings" in name else part
            ),
        ),
    ),
    "XLSX of a text that is not there": ("a.xlsx", lambda: sheet('<row r="1"><c r="A1" t="s"><v>999999</v></c></row>')),
    "XLSX of a date beyond all years": (
        "a.xlsx",
        lambda: sheet('<row r="1"><c r="A1" s="1"><v>9e99</v></c><c r="B1"><v>1e999</v></c></row>'),
    ),
    "XLSX of a print area of everything": (
        "a.xlsx",
        lambda: changed(
            ".xlsx",
            lambda name, part: (
                part.replace(
                    b"</sheets>",
                    b"</sheets>" + PRINTED,
                )
                if name == "xl/workbook.xml"
                else part
            ),
        ),
    ),
    "XLSX of conditions": (
        "a.xlsx",
        lambda: sheet(
            FULL,
            CONDITION * 3_000,
        ),
    ),
    "XLSX of rules for input": (
        "a.xlsx",
        lambda: sheet(FULL, f"<dataValidations>{CHOICE * 3_000}</dataValidations>"),
    ),
    "XLSX of formulas without values": (
        "a.xlsx",
        lambda: sheet(
            "".join(f'<row r="{n}"><c r="A{n}"><f>SUM(A1:XFD1048576)</f></c></row>' for n in range(1, 9_000))
        ),
    ),
    "XLSX that is hidden": (
        "a.xlsx",
        lambda: changed(
            ".xlsx",
            lambda name, part: (
                part.replace(b'state="visible"', b'state="veryHidden"') if name == "xl/workbook.xml" else part
            ),
        ),
    ),
    **{f"XLSX damaged, {n}": ("a.xlsx", partial(damaged, ".xlsx", n)) for n in range(1, 13)},
}
