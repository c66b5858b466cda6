"""A NATS server with the users of the cluster."""

from collections.abc import Iterator

import pytest

from tests.k8s.nats_users import ENVIRONMENT, SMALL, configured, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(configured(tmp_path_factory.mktemp("nats"), SMALL), ENVIRONMENT) as address:
        yield address
