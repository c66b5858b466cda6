"""The first page of a customer's statement: open items with their sums, and the number of pages."""

from __future__ import annotations

from decimal import Decimal

from PIL import Image

from samples.sheet import FormCanvas

ITEMS = [
    ("2026-07-02", "INV-20418", "Hydraulic hose, 40 m", "412.80", ""),
    ("2026-07-09", "INV-20431", "Pump overhaul, type KR 2", "1,860.00", ""),
    ("2026-07-15", "PAY-00977", "Bank transfer", "", "412.80"),
    ("2026-07-21", "INV-20466", "Seal kits, 12 pieces", "274.20", ""),
    ("2026-08-03", "CRN-00112", "Seal kits, 2 returned", "", "45.70"),
    ("2026-08-11", "INV-20502", "Service visit, Port Ellery", "390.00", ""),
    ("2026-08-19", "INV-20517", "Filter cartridges, 36 pieces", "523.44", ""),
    ("2026-08-28", "PAY-01031", "Bank transfer", "", "1,860.00"),
    ("2026-09-04", "INV-20560", "Pressure gauges, 4 pieces", "311.60", ""),
]
BLUE, GREY = "#1d3f6e", "#5b6770"


def statement() -> Image.Image:
    """A statement on A4, with rules between its rows."""
    canvas = FormCanvas(595, 842)
    canvas.text(48, 66, "Calder Hydraulics Ltd", 16, bold=True, colour=BLUE)
    canvas.text(48, 82, "7 Foundry Road, Ashby Cross", 9, colour=GREY)
    canvas.text(547, 66, "STATEMENT", 18, bold=True, align="right", colour=BLUE)
    canvas.pair(48, 116, "Customer:", "Brackwater Joinery", 10)
    canvas.pair(48, 132, "Account:", "C-4471", 10)
    canvas.pair(400, 116, "Date:", "2026-09-30", 10)

    edges, top, height = [48.0, 126, 208, 387, 467, 547], 156.0, 25.0
    canvas.row(edges, top, height, ["Date", "Document", "Details", "Debit", "Credit"], "lllrr", 10.5, bold=True)
    canvas.line(48, top + height, 547, top + height, 1, BLUE)
    for number, item in enumerate(ITEMS, 1):
        canvas.row(edges, top + number * height, height, list(item), "lllrr", 10.5)
        canvas.line(48, top + (number + 1) * height, 547, top + (number + 1) * height, 0.4, "#b8c0c8")
    sums = [sum(Decimal(item[column].replace(",", "") or "0") for item in ITEMS) for column in (3, 4)]
    last = top + (len(ITEMS) + 1) * height
    canvas.row(edges, last, height, ["", "", "Total", *(f"{amount:,.2f}" for amount in sums)], "lllrr", 10.5, bold=True)
    canvas.line(48, 790, 547, 790, 0.5, "#c5ccd0")
    canvas.text(48, 804, "Please quote your account with every payment.", 8, colour=GREY)
    canvas.text(547, 804, "Page 1 of 1", 8, align="right", colour=GREY)
    return canvas.picture()
