"""One engine for all attacks, with a short time limit."""

from collections.abc import Iterator

import pytest

from bandsmith.services.validator.engine import ReportEngine


@pytest.fixture(scope="session")
def engine() -> Iterator[ReportEngine]:
    engine = ReportEngine(limit=20)
    yield engine
    engine.stop()
