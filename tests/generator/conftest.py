"""One engine for all tests of the generator."""

from collections.abc import Iterator

import pytest

from bandsmith.services.validator.engine import ReportEngine


@pytest.fixture(scope="session")
def engine() -> Iterator[ReportEngine]:
    engine = ReportEngine(limit=20, heap_mb=256)
    engine.start()
    yield engine
    engine.stop()
