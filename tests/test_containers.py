"""Which kind of server the tests use."""

from __future__ import annotations

from unittest import mock

import pytest

from bandsmith.shared.bus.server import NatsServer

from .containers import NatsContainer, container_engine_responds, nats_server_for_tests


def test_a_container_engine_provides_the_server():
    assert isinstance(nats_server_for_tests(lambda: True), NatsContainer)


def test_without_a_container_engine_it_is_a_child_process():
    assert type(nats_server_for_tests(lambda: False)) is NatsServer


@pytest.mark.parametrize("answer", [True, False, ConnectionError("no socket")])
def test_an_engine_counts_only_if_it_responds_to_a_ping(answer: bool | Exception):
    client = pytest.importorskip("testcontainers.core.docker_client")
    with mock.patch.object(client, "DockerClient") as engine:
        engine.return_value.client.ping.side_effect = [answer]
        assert container_engine_responds.__wrapped__() is (answer is True)
