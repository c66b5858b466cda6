"""Ray itself: one of our own on this machine, or the cluster that RAY_ADDRESS names; quiet, and nothing leaves it."""

from __future__ import annotations

import logging
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import ray
from ray import serve

from shared.errors import MissingPart

from .needs import Machine

OBJECT_STORE = 100_000_000
"""Bytes. Nothing of ours goes through Ray's store: messages and files are on the bus."""
REACH_SECONDS = 5.0


@contextmanager
def ray_running(cores: int) -> Iterator[None]:
    """With Ray and Serve. One of our own counts with so many cores, and ends with us; a cluster that was there is left.

    Raises ``MissingPart`` when RAY_ADDRESS names no cluster.
    """
    address = os.environ.get("RAY_ADDRESS")
    logging.getLogger("ray.serve").setLevel(logging.ERROR)
    with _joined(address) if address else _own(cores):
        # Nobody calls the services over HTTP: they pull.
        serve.start(proxy_location="Disabled", logging_config={"log_level": "ERROR", "enable_access_log": False})
        yield


def machines() -> list[Machine]:
    """What each machine of the cluster offers."""
    return [node["Resources"] for node in ray.nodes() if node["Alive"]]


@contextmanager
def _joined(address: str) -> Iterator[None]:
    _reach(address)
    try:
        ray.init(address, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError):
        raise MissingPart(
            "The Ray cluster at RAY_ADDRESS does not let us in: where it wants a token, set RAY_AUTH_MODE=token and "
            "RAY_AUTH_TOKEN; and it must be of our version of Ray.",
            message_zh="RAY_ADDRESS 处的 Ray 集群拒绝连接：若其要求令牌，请设置 RAY_AUTH_MODE=token 和 RAY_AUTH_TOKEN；"
            "Ray 版本也须一致。",
        ) from None
    try:
        yield
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Raises ``MissingPart`` where nothing answers: Ray itself would try for a minute."""
    server = urlsplit(address if "//" in address else f"ray://{address}")
    if server.port is None:  # `auto`, or the name of something else that Ray knows
        return
    try:
        socket.create_connection((server.hostname, server.port), REACH_SECONDS).close()
    except OSError:
        raise MissingPart(
            "No Ray cluster answers at RAY_ADDRESS: start one with `ray start --head`, or unset RAY_ADDRESS to run on "
            "this machine.",
            message_zh="RAY_ADDRESS 处没有 Ray 集群：请用 `ray start --head` 启动，或取消 RAY_ADDRESS 以在本机运行。",
        ) from None


@contextmanager
def _own(cores: int) -> Iterator[None]:
    folder = tempfile.mkdtemp(prefix="bandsmith-ray-")  # short: sockets are in it
    try:
        ray.init(
            "local",
            num_cpus=cores,
            object_store_memory=OBJECT_STORE,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _temp_dir=folder,
        )
        yield
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
