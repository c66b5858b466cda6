"""A template that is built from one of the samples, as a user gets it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from services.generator.jrxml import build
from services.generator.mapping import map_fields
from services.generator.planning import plan
from services.ocr.documents import read_document
from services.ocr.engines import open_engine
from services.ocr.marks import find_marks
from services.ocr.structure import understand
from shared.model.plan import Data

from ..forms import blank

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


class Built(NamedTuple):
    template: bytes
    data: Data


@pytest.fixture(scope="session")
def quotation() -> Built:
    """Of samples/quotation.pdf: five columns, four rows, a total beneath them."""
    engine = open_engine(None)
    engine.start()
    page = read_document("quotation.pdf", (SAMPLES / "quotation.pdf").read_bytes(), None, engine)
    layout = understand(page.size, find_marks(page, engine), page.notes)
    report, data = plan(layout, blank(), "quotation")
    return Built(*map_fields(build(report), data, layout))
