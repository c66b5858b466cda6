"""The forms in samples/ are exactly what the programs beside them draw."""

import io

import numpy as np
import pytest
from docx import Document
from openpyxl import load_workbook
from PIL import Image

from samples import draw

MAX_SAMPLE_BYTES = 300 * 1024


@pytest.mark.parametrize("name", draw.PICTURES)
def test_each_picture_matches_its_program(name):
    kept = Image.open(draw.FOLDER / name).convert("RGB")
    drawn = draw.PICTURES[name]()
    assert drawn.size == kept.size
    # Another FreeType or JPEG library rounds differently, so the pages are compared at an eighth of their size.
    small = (kept.width // 8, kept.height // 8)
    apart = np.abs(np.asarray(kept.resize(small), np.int16) - np.asarray(drawn.resize(small), np.int16))
    assert apart.mean() < 3, f"{name} is not what samples/draw.py draws: run `make samples`"


def test_born_digital_forms_match_their_programs():
    for name, write in draw.DOCUMENTS.items():
        kept, written = (draw.FOLDER / name).read_bytes(), write()
        assert _content(name, kept) == _content(name, written), f"{name} is stale: run `make samples`"


def test_samples_are_small_enough_to_ship():
    for name in (*draw.PICTURES, *draw.DOCUMENTS):
        assert (draw.FOLDER / name).stat().st_size < MAX_SAMPLE_BYTES, name


def _content(name: str, data: bytes) -> object:
    """A document's content without its timestamps."""
    if name.endswith(".docx"):
        form = Document(io.BytesIO(data))
        cells = [cell.text for table in form.tables for row in table.rows for cell in row.cells]
        return [paragraph.text for paragraph in form.paragraphs], cells
    if name.endswith(".xlsx"):
        sheet = load_workbook(io.BytesIO(data)).active
        return list(sheet.iter_rows(values_only=True)), str(sheet.merged_cells)
    return data
