"""A template that is built from one of the samples, as a user gets it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from bandsmith.services.generator.mapping.field_mapping import map_fields
from bandsmith.services.generator.planning import plan
from bandsmith.services.ocr.documents import read_document
from bandsmith.services.ocr.engines import open_engine
from bandsmith.services.ocr.marks import find_marks
from bandsmith.services.ocr.structure import understand
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.plan import Data
from tests.generator.forms import blank

SAMPLES = Path(__file__).resolve().parents[4] / "samples"


class Built(NamedTuple):
    template: bytes
    data: Data


@pytest.fixture(scope="session")
def quotation() -> Built:
    """Of samples/quotation.pdf: five columns, four rows, a total beneath them."""
    engine = open_engine(None)  # not started: all words of this PDF are embedded
    page = read_document("quotation.pdf", (SAMPLES / "quotation.pdf").read_bytes(), None, engine)
    layout = understand(page.size, find_marks(page, engine), [note.en for note in page.notes])
    report, data = plan(layout, blank(), "quotation")
    return Built(*map_fields(build_jrxml(report), data, layout))
