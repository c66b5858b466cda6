"""The contract of every OCR engine, run against each registered one."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image, ImageDraw

from bandsmith.services.ocr.engines import ENGINES, OcrEngine
from bandsmith.services.ocr.settings import OcrSettings
from tests.ocr.sample_forms import write

TEXTS = ["Invoice No. 20417", "Beijing Trading Co., Ltd.", "1,234.50", "客户名称张建国", "2024年3月18日"]


@pytest.fixture(scope="module", params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> OcrEngine:
    return ENGINES[request.param](OcrSettings(cache=tmp_path_factory.mktemp("models")))


@pytest.fixture(scope="module")
def page() -> np.ndarray:
    """Texts below each other, 100 pixels apart."""
    image = Image.new("RGB", (900, 620), "white")
    for number, text in enumerate(TEXTS):
        write(ImageDraw.Draw(image), 40, 48 + 48 * number, 14, text)
    return np.asarray(image)[:, :, ::-1].copy()


def crops(engine: OcrEngine, page: np.ndarray) -> list[np.ndarray]:
    return [page[int(y) : int(y + h) + 1, int(x) : int(x + w) + 1] for x, y, w, h in engine.detect(page)]


@pytest.mark.slow
def test_engine_detects_lines_from_top_to_bottom(engine: OcrEngine, page: np.ndarray):
    areas = engine.detect(page)
    assert len(areas) == len(TEXTS)
    for number, (x, y, width, height) in enumerate(areas):
        baseline = (48 + 48 * number) * 150 / 72
        assert y < baseline - 10 < y + height
        assert 60 < x < 100
        assert 15 < height < 60 < width


def test_engine_reads_chinese_and_spaced_english(engine: OcrEngine, page: np.ndarray):
    read = engine.read(crops(engine, page))
    assert [text for text, _ in read] == TEXTS
    assert all(0.8 < confidence <= 1 for _, confidence in read)


@pytest.mark.slow
def test_engine_answers_in_the_order_of_the_crops(engine: OcrEngine, page: np.ndarray):
    found = crops(engine, page)
    mixed = [found[i] for i in (3, 0, 4, 2, 1)] * 5
    assert [text for text, _ in engine.read(mixed)] == [TEXTS[i] for i in (3, 0, 4, 2, 1)] * 5


def test_engine_finds_no_text_on_a_blank_page(engine: OcrEngine):
    blank = np.full((400, 600, 3), 255, np.uint8)
    assert engine.detect(blank) == []
    assert engine.read([]) == []
    assert engine.read([blank[:40, :200]]) == [("", 0.0)]


@pytest.mark.slow
def test_engine_serves_several_threads_at_once(engine: OcrEngine, page: np.ndarray):
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda _: engine.read(crops(engine, page)), range(3)))
    assert [[text for text, _ in answer] for answer in answers] == [TEXTS] * 3
