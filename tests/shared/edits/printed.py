"""Reports that are printed after edits, and what the pages show."""

from __future__ import annotations

import base64
import io
import re

import cv2
import numpy as np
import pytest
from PIL import Image

from bandsmith.services.validator.engine import Printout, ReportEngine
from bandsmith.services.validator.validate import parse_template
from bandsmith.shared.editing.edit_summary import summarize
from bandsmith.shared.editing.outcome import EditOutcome
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.language import LANGUAGES
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.plan import Data

from .reports import ORDERS_ROWS, SLIP_ROWS, edited, orders, slip

PX = 150 / 72


REPORTS = {"slip": (slip, SLIP_ROWS), "orders": (orders, ORDERS_ROWS)}


BOTH = pytest.mark.parametrize("name", REPORTS)
"""A report of our own, and one from outside with styles, frames and a group."""


def logo(width: int = 200, height: int = 80) -> str:
    """Return a dark blue picture as a PNG in base64."""
    target = io.BytesIO()
    Image.new("RGB", (width, height), "#102060").save(target, "PNG")
    return base64.b64encode(target.getvalue()).decode()


def shown(engine: ReportEngine, name: str, *edits: AnyEdit, data: Data | None = None, pages: int = 0) -> Printout:
    """Return what is printed of a report after edits that all take effect; the template is allowed and has no fault.

    The first `pages` pages are drawn, which takes longer than to print them.
    """
    build, rows = REPORTS[name]
    template = edited(build(), *edits).bytes()
    copy, findings = parse_template(template)
    assert copy is not None and not findings and not copy.parts
    for language in LANGUAGES:
        assert summarize([EditOutcome(edit, True) for edit in edits], language, build())
    return engine.print(template, data or rows, pages=pages)


def words(printout: Printout) -> list[str]:
    return [one.text for one in printout.elements if one.text and one.text.strip()]


def page(printout: Printout) -> np.ndarray:
    """Return the first page in grey."""
    pixels = cv2.imdecode(np.frombuffer(printout.pictures[0], np.uint8), cv2.IMREAD_GRAYSCALE)
    assert pixels is not None
    return pixels


def colours(printout: Printout) -> np.ndarray:
    pixels = cv2.imdecode(np.frombuffer(printout.pictures[0], np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    return pixels


def inside(pixels: np.ndarray, box: Box) -> np.ndarray:
    """Return the part of a page that lies well inside a box."""
    left, top, right, bottom = box.x + 2, box.y + 2, box.right - 2, box.bottom - 2
    return pixels[round(top * PX) : round(bottom * PX), round(left * PX) : round(right * PX)]


def boxes(printout: Printout, key: str):
    return [one.box for one in printout.elements if one.key == key]


def loose_columns() -> bytes:
    """The slip with narrow values that stand in wide columns without borders, between lines."""
    rules = "".join(
        f'<line><reportElement x="{x}" y="0" width="1" height="20"/></line>' for x in (30, 230, 310, 410, 530)
    )
    plain = re.sub(rb"<box .*?</box>", b"", slip()).replace(
        b'<detail><band height="20">', b'<detail><band height="20">' + rules.encode()
    )
    return plain.replace(b'x="410" y="0" width="120"', b'x="416" y="0" width="40"')
