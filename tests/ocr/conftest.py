"""One engine for all tests of the OCR service, as its models take time to load; it reads the same pixels once."""

import pytest

from bandsmith.services.ocr.engines import OcrEngine, open_engine
from bandsmith.services.ocr.settings import OcrSettings
from tests.ocr_cache import cached_engine


@pytest.fixture(scope="session")
def engine() -> OcrEngine:
    engine = open_engine(OcrSettings(engine="rapid"))
    engine.start()
    return cached_engine(engine)
