"""Born-digital forms: a PDF whose text and lines are in the file, a DOCX and an XLSX."""

from __future__ import annotations

import io
import re
from datetime import date
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Pt
from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

QUOTED = [
    ("1", "Oak table top, oiled, 180 x 90 cm", "1", "640.00", "640.00"),
    ("2", "Steel trestle, black", "2", "115.00", "230.00"),
    ("3", "Bench, oak, 160 cm", "2", "285.00", "570.00"),
    ("4", "Delivery and assembly", "1", "90.00", "90.00"),
]


def quotation() -> bytes:
    """Write a quotation on Letter paper, in the PDF standard fonts, with ruled rows."""
    page: list[str] = []

    def text(x: float, y: float, words: str, size: float = 10, font: str = "F1") -> None:
        escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        page.append(f"BT /{font} {size} Tf 1 0 0 1 {x} {792 - y} Tm ({escaped}) Tj ET")

    def line(x1: float, y1: float, x2: float, y2: float) -> None:
        page.append(f"0.6 w {x1} {792 - y1} m {x2} {792 - y2} l S")

    text(54, 72, "Brackwater Joinery", 18, "F2")
    text(54, 90, "12 Slipway Road, Port Ellery")
    text(420, 72, "QUOTATION", 16, "F2")
    for row, (label, value) in enumerate(
        (("Quote No.:", "Q-3381"), ("Date:", "2026-06-02"), ("Valid until:", "2026-07-02"))
    ):
        text(420, 96 + 15 * row, label)
        text(486, 96 + 15 * row, value)
    text(54, 126, "Customer:")
    text(110, 126, "Tobias Renn, Harbour Cafe")

    edges, top, height = [54, 90, 330, 390, 474, 558], 156, 22
    for left, words in zip(edges, ("No.", "Item", "Qty", "Unit price", "Amount"), strict=False):
        text(left + 5, top + 15, words, 10, "F2")
    for number, cells in enumerate(QUOTED, 1):
        for left, words in zip(edges, cells, strict=False):
            text(left + 5, top + number * height + 15, words)
    bottom = top + (len(QUOTED) + 1) * height
    for step in range(len(QUOTED) + 2):
        line(54, top + step * height, 558, top + step * height)
    for x in edges:
        line(x, top, x, bottom)
    text(395, bottom + 20, "Total:", 11, "F2")
    text(479, bottom + 20, "1,530.00", 11, "F2")
    text(54, bottom + 60, "Prices include VAT. Lead time: 4 weeks from order.")
    return _pdf("\n".join(page).encode("latin-1"))


def _pdf(content: bytes) -> bytes:
    """Write one Letter page of this content, with Helvetica as F1 and its bold face as F2."""
    font = "<</Type/Font/Subtype/Type1/Encoding/WinAnsiEncoding/BaseFont/{}>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        font.format("Helvetica").encode(),
        font.format("Helvetica-Bold").encode(),
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    tail = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + tail


DAYS = [
    ("Monday", "08:30", "17:00", "8.0"),
    ("Tuesday", "08:30", "17:30", "8.5"),
    ("Wednesday", "09:00", "17:00", "7.5"),
    ("Thursday", "08:30", "16:30", "7.5"),
    ("Friday", "08:30", "15:00", "6.0"),
]


def timesheet() -> bytes:
    """Write a week's time sheet as a DOCX: a heading, labels with values, one table."""
    form = Document()
    form.styles["Normal"].font.name = "Liberation Sans"
    form.styles["Normal"].font.size = Pt(11)
    title = form.add_paragraph()
    title.alignment = WD_ALIGN_PARAGRAPH.CENTER
    run = title.add_run("Weekly Time Sheet")
    run.bold, run.font.size = True, Pt(18)
    form.add_paragraph("Employee: Ines Valdor")
    form.add_paragraph("Week of: 2026-05-18")
    table = form.add_table(rows=1, cols=4)
    table.style = "Table Grid"
    for cell, words in zip(table.rows[0].cells, ("Day", "From", "To", "Hours"), strict=True):
        cell.paragraphs[0].add_run(words).bold = True
    for day in DAYS:
        for cell, words in zip(table.add_row().cells, day, strict=True):
            cell.text = words
    form.add_paragraph()
    form.add_paragraph("Total hours: 37.5")
    form.add_paragraph("Approved by: R. Okafor")
    out = io.BytesIO()
    form.save(out)
    return _without_timestamps(out.getvalue())


STOCK = [
    ("K-104", "陶瓷马克杯 350ml", 240, 18.5),
    ("K-118", "玻璃茶壶 800ml", 96, 56.0),
    ("K-203", "竹制托盘", 150, 32.0),
    ("K-221", "不锈钢滤网", 400, 6.8),
]


def stock_list() -> bytes:
    """Write a stock list as an XLSX: a merged title, a date, a bordered table with a sum."""
    book = Workbook()
    sheet = book.active
    sheet.title = "库存"
    sheet.merge_cells("A1:E1")
    sheet["A1"], sheet["A1"].font = "库存清单", Font(size=16, bold=True)
    sheet["A1"].alignment = Alignment(horizontal="center")
    sheet["A2"], sheet["B2"] = "盘点日期:", date(2026, 6, 30)
    sheet["B2"].number_format = "yyyy-mm-dd"
    thin = Side(style="thin")
    border = Border(left=thin, right=thin, top=thin, bottom=thin)
    headings = ("编码", "品名", "数量", "单价", "金额")
    rows = [(*item, item[2] * item[3]) for item in STOCK]
    for row, values in enumerate((headings, *rows), 4):
        for column, value in enumerate(values, 1):
            cell = sheet.cell(row, column, value)
            cell.border = border
            if row == 4:
                cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="DDE6EE")
            elif column > 3:
                cell.number_format = "#,##0.00"
    last = 5 + len(STOCK)
    sheet.cell(last, 4, "合计").font = Font(bold=True)
    sheet.cell(last, 5, sum(count * price for _, _, count, price in STOCK)).number_format = "#,##0.00"
    for letter, width in zip("ABCDE", (12, 24, 10, 10, 14), strict=True):
        sheet.column_dimensions[letter].width = width
    out = io.BytesIO()
    book.save(out)
    return _without_timestamps(out.getvalue())


_TIMESTAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")


def _without_timestamps(office: bytes) -> bytes:
    """Remove the timestamps from an office file, so that its bytes are always the same."""
    out = io.BytesIO()
    with ZipFile(io.BytesIO(office)) as written, ZipFile(out, "w") as kept:
        for name in written.namelist():
            part = _TIMESTAMP.sub(rb"\g<1>2026-01-01T00:00:00Z", written.read(name))
            kept.writestr(ZipInfo(name), part, ZIP_DEFLATED)
    return out.getvalue()
