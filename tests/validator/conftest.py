"""One engine for all tests of the validator, with a short time limit so that slow templates are killed soon."""

from collections.abc import Iterator

import pytest

from bandsmith.services.validator.engine import ReportEngine


@pytest.fixture(scope="session")
def engine() -> Iterator[ReportEngine]:
    engine = ReportEngine(limit=8, heap_mb=256)
    engine.start()
    yield engine
    engine.stop()
