"""One warm engine for all of the validator's tests; it is allowed little time, so that late ones are killed soon."""

from collections.abc import Iterator

import pytest

from bandsmith.services.validator.engine import ReportEngine


@pytest.fixture(scope="session")
def engine() -> Iterator[ReportEngine]:
    engine = ReportEngine(limit=8, heap_mb=256)
    engine.start()
    yield engine
    engine.stop()
