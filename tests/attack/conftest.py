"""One engine for all attacks, with a short time limit; and a NATS server with the users of the cluster."""

from collections.abc import Iterator

import pytest

from bandsmith.services.validator.engine import ReportEngine
from tests.k8s.nats_users import ENVIRONMENT, SMALL, configured, running


@pytest.fixture(scope="session")
def engine() -> Iterator[ReportEngine]:
    engine = ReportEngine(limit=20)
    yield engine
    engine.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(configured(tmp_path_factory.mktemp("nats"), SMALL), ENVIRONMENT) as address:
        yield address
