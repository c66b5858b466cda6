"""The OCR actor takes a document and returns its layout, its flat page and an overlay."""

import io
from collections.abc import AsyncIterator
from unittest import mock

import cv2
import numpy as np
import openpyxl
import pytest
import pytest_asyncio
from openpyxl.styles import Border, Side

from bandsmith.services.ocr.actor import OcrActor
from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.overlay import draw_overlay
from bandsmith.services.ocr.page import SCALE
from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ExtractLayout, LayoutExtracted
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.settings import BusSettings
from tests.ocr.sample_forms import FONTS, form, jpeg, pdf, pdf_file, pdf_stream, photo, png

A4 = Size(width=595, height=842)


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def store() -> MemoryBus:
    return MemoryBus(Broker(), BusSettings())


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def actor(store: MemoryBus, engine: OcrEngine) -> AsyncIterator[OcrActor]:
    """One actor for all tests, as for all documents of a user, with the models that the other tests loaded."""
    with mock.patch("bandsmith.services.ocr.actor.open_engine", return_value=engine):
        actor = OcrActor(store, OcrSettings(engine="rapid"))
    await actor.start()
    yield actor
    await actor.stop()


async def command(store: MemoryBus, name: str, content: bytes, page: Size | None = None) -> ExtractLayout:
    ref = await store.put(content, "application/octet-stream")
    return ExtractLayout(document=Document(name=name, content=ref, page=page))


async def picture(store: MemoryBus, ref) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(await store.get(ref), np.uint8), cv2.IMREAD_COLOR)


def grass() -> np.ndarray:
    """A photo without a form: coarse and fine texture in shades of green."""
    random = np.random.default_rng(5)
    layers = [
        cv2.resize(random.normal(0, 40, (1500 // size, 1200 // size)), (600, 750), interpolation=cv2.INTER_CUBIC)
        for size in (6, 20, 80)
    ]
    shade = np.clip(110 + sum(layers), 0, 255)
    return np.dstack([shade * 0.4, shade, shade * 0.6]).astype(np.uint8)


def bent_page() -> np.ndarray:
    """A page of a book that no correction makes readable: its lines are bent into waves."""
    y, x = np.mgrid[0:1754, 0:1240].astype(np.float32)
    return cv2.remap(form(), x + 60 * np.sin(y / 45), y + 60 * np.sin(x / 40), cv2.INTER_LINEAR, borderValue=(255,) * 3)


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [grass, pytest.param(bent_page, marks=pytest.mark.slow)])
async def test_a_page_on_which_nothing_can_be_read_is_refused(drawn, store: MemoryBus, actor: OcrActor):
    with pytest.raises(BadInput) as refused:
        await actor.handle(await command(store, "form.jpg", jpeg(drawn())))
    assert refused.value.code == "unreadable"


async def test_a_workbook_without_text_is_refused(store: MemoryBus, actor: OcrActor):
    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"].border = Border(left=Side(style="thin"))
    book.active["XFD1"].border = Border(left=Side(style="thin"))
    book.save(file)
    with pytest.raises(BadInput, match="no text and no table"):
        await actor.handle(await command(store, "wide.xlsx", file.getvalue()))


async def test_a_page_of_any_width_gets_an_overlay():
    for width in (*range(10, 40), *range(40, 1300, 60)):
        layout = Layout(page=Size(width=width / SCALE, height=40))
        drawn = draw_overlay(np.full((60, width, 3), 255, np.uint8), layout)
        assert drawn.shape[1] == width


async def test_a_form_gives_layout_page_and_overlay(store: MemoryBus, actor: OcrActor):
    answer = await actor.handle(await command(store, "form.png", png(form()), A4))
    assert isinstance(answer, LayoutExtracted)

    layout = Layout.model_validate_json(await store.get(answer.layout))
    assert layout.page == A4
    texts = {line.text for line in layout.lines}
    assert {"Customer: Eastgate Traders", "Number: DN-20417"} <= texts
    assert len(layout.grids) == 1
    assert answer.total_rows == layout.total_rows
    assert np.array_equal(await picture(store, answer.form), form())
    overlay = await picture(store, answer.overlay)
    assert overlay.shape[1] == 1240
    assert overlay.shape[0] > 1754


@pytest.mark.slow
async def test_the_answer_notes_how_the_page_was_turned(store: MemoryBus, actor: OcrActor):
    upside_down = await command(store, "form.png", png(photo(form(), 2)), A4)
    answer = await actor.handle(upside_down.model_copy(update={"language": "zh"}))
    assert isinstance(answer, LayoutExtracted)
    assert answer.notes == ["页面上下颠倒，已转正。"]


async def test_bad_input_does_not_stop_the_actor(store: MemoryBus, actor: OcrActor):
    bad = [("form.png", b""), ("form.pdf", pdf("Hello", locked=True)), ("form.png", png(form())[:9_000])]
    for name, content in bad:
        with pytest.raises(BadInput):
            await actor.handle(await command(store, name, content))
    answer = await actor.handle(await command(store, "form.pdf", pdf("Invoice")))
    assert isinstance(answer, LayoutExtracted)
    assert answer.total_rows == 0


async def test_the_pages_of_a_pdf_are_one_form_below_each_other(actor: OcrActor, store: MemoryBus):
    def page(*lines: str) -> str:
        texts = [f"BT /Helv 12 Tf 60 {760 - 40 * number} Td ({line}) Tj ET" for number, line in enumerate(lines)]
        return "\n".join(texts)

    contents = [
        page("Lease of a flat", "Tenant: Ada Marlow"),
        page("House rules", "Quiet hours from ten", "No smoking"),
    ]
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 595 842]/Resources<</Font%s>>>>" % FONTS,
        b"<</Type/Page/Parent 2 0 R/Contents 5 0 R>>",
        b"<</Type/Page/Parent 2 0 R/Contents 6 0 R>>",
        *map(pdf_stream, contents),
    ]

    done = await actor.handle(await command(store, "lease.pdf", pdf_file(objects)))
    assert isinstance(done, LayoutExtracted)

    layout = Layout.model_validate_json(await store.get(done.layout))
    assert [line.text for line in layout.later[0].lines] == ["House rules", "Quiet hours from ten", "No smoking"]
    assert done.notes == ["Page 2 is a further page of the report: its values are in the same data."]
    assert (await picture(store, done.form)).shape[:2] == (2 * 1754, 1240)
