"""Text is recognised in a worker behind walls; what goes wrong there costs one page."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from bandsmith.services.ocr.engines import OcrEngine
from bandsmith.services.ocr.recogniser import ConfinedEngine, open_engine
from bandsmith.services.ocr.recogniser.wire import decode_pictures, encode_pictures
from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.shared.errors import BadInput, MissingPart

from ..contracts.test_ocr_engine import page  # noqa: F401 - a fixture

TEXTS = ["Invoice No. 20417", "Beijing Trading Co., Ltd.", "1,234.50", "客户名称张建国", "2024年3月18日"]


@pytest.fixture(scope="module")
def confined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConfinedEngine]:
    engine = ConfinedEngine(OcrSettings(engine="rapid", cache=tmp_path_factory.mktemp("models")))
    engine.start()
    yield engine
    engine.stop()


def texts(engine: OcrEngine, pixels: np.ndarray) -> list[str]:
    crops = [pixels[int(y) : int(y + h) + 1, int(x) : int(x + w) + 1] for x, y, w, h in engine.detect(pixels)]
    return [text for text, _ in engine.read(crops)]


def test_pictures_come_back_as_they_were_sent():
    pictures = [np.arange(24, dtype=np.uint8).reshape(2, 4, 3), np.zeros((1, 7, 3), np.uint8)]
    for sent, received in zip(pictures, decode_pictures(*encode_pictures(pictures)), strict=True):
        assert np.array_equal(sent, received)


def test_the_cpu_works_behind_walls_and_a_gpu_in_the_service():
    assert isinstance(open_engine(OcrSettings(device="cpu")), ConfinedEngine)
    assert not isinstance(open_engine(OcrSettings(device="cuda")), ConfinedEngine)


@pytest.mark.slow
def test_the_worker_reads_behind_all_walls(confined: ConfinedEngine, page: np.ndarray):  # noqa: F811
    assert texts(confined, page) == TEXTS
    assert confined.read([]) == []
    assert not confined.walls.missing


@pytest.mark.slow
def test_a_killed_worker_is_replaced(confined: ConfinedEngine, page: np.ndarray):  # noqa: F811
    assert confined.pid
    os.kill(confined.pid, signal.SIGKILL)
    assert texts(confined, page) == TEXTS


@pytest.mark.slow
def test_a_page_that_the_models_cannot_take_ends_in_a_sentence(confined: ConfinedEngine, page: np.ndarray):  # noqa: F811
    with pytest.raises(BadInput):
        confined.detect(np.zeros((40, 40, 9), np.uint8))
    assert texts(confined, page) == TEXTS


@pytest.mark.slow
def test_missing_models_are_named(tmp_path: Path):
    engine = ConfinedEngine(OcrSettings(engine="rapid", cache=tmp_path))
    missing = {"missing": {"en": "no models", "zh": "没有模型"}}
    with (
        mock.patch.object(engine._worker, "call", return_value=(missing, [])),
        pytest.raises(MissingPart, match="no models"),
    ):
        engine.start()
    engine.stop()
