"""Ray itself: one of our own on this machine, or the cluster that RAY_ADDRESS names; quiet, and nothing leaves it."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import ray
from ray import serve
from ray._private.authentication.authentication_token_setup import maybe_enable_token_auth_if_token_available
from ray._private.grpc_utils import init_grpc_channel
from ray._private.ray_constants import GLOBAL_GRPC_OPTIONS
from ray._private.services import canonicalize_bootstrap_address
from ray.core.generated import gcs_service_pb2 as gcs
from ray.core.generated import gcs_service_pb2_grpc as gcs_grpc
from ray.core.generated import ray_client_pb2 as client
from ray.core.generated import ray_client_pb2_grpc as client_grpc
from ray.exceptions import AuthenticationError

from bandsmith.shared.errors import MissingPart

from .log_relay import relayed
from .resources import Machine

OBJECT_STORE = 100_000_000
"""Bytes. Nothing of ours goes through Ray's store: messages and files are on the bus."""
REACH_SECONDS = 5.0


@contextmanager
def ray_running(cores: int) -> Iterator[None]:
    """With Ray and Serve. One of our own counts with so many cores, and ends with us; a cluster that was there is left.

    Raises ``MissingPart`` when RAY_ADDRESS names no cluster.
    """
    address = os.environ.get("RAY_ADDRESS")
    for name in ("ray", "ray.serve"):
        logging.getLogger(name).setLevel(logging.ERROR)
    with _joined(address) if address else _own(cores):
        # Nobody calls the services over HTTP: they pull.
        serve.start(proxy_location="Disabled", logging_config={"log_level": "ERROR", "enable_access_log": False})
        yield


def joined() -> bool:
    """Whether the cluster is somebody else's, and may start machines on demand; which ones, Ray does not tell."""
    return bool(os.environ.get("RAY_ADDRESS"))


def machines() -> list[Machine]:
    """What each machine of the cluster offers."""
    return [node["Resources"] for node in ray.nodes() if node["Alive"]]


@contextmanager
def _joined(address: str) -> Iterator[None]:
    try:
        if address == "auto":
            address = _on_this_machine()
        _reach(address)
        ray.init(address, logging_level=logging.ERROR, log_to_driver=False)
    except AuthenticationError:
        raise _refused() from None
    except (ConnectionError, ValueError):
        raise _nobody() from None
    except RuntimeError:
        raise MissingPart(
            f"The Ray cluster at RAY_ADDRESS does not fit: it must run Ray {ray.__version__} on our version of Python.",
            message_zh=f"RAY_ADDRESS 处的 Ray 集群与本机不一致：须为 Ray {ray.__version__} 和相同的 Python 版本。",
        ) from None
    try:
        yield
    finally:
        ray.shutdown()


def _on_this_machine() -> str:
    """The address of the cluster that this machine is part of. Raises ``ConnectionError`` where it is of none."""
    maybe_enable_token_auth_if_token_available(warn_if_disabled=False)  # as Ray does for `auto`, and for no other
    return str(canonicalize_bootstrap_address("auto"))


def _reach(address: str) -> None:
    """Ask for a sign of life. Raises ``MissingPart``: Ray itself would try for a minute, and complain each second."""
    scheme, _, server = address.rpartition("://")
    if ":" not in server:  # the name of something that Ray knows
        return
    try:
        with init_grpc_channel(server, GLOBAL_GRPC_OPTIONS) as channel:
            if scheme:
                ping = client.ClusterInfoRequest(type=client.ClusterInfoType.PING)  # type: ignore[attr-defined]
                client_grpc.RayletDriverStub(channel).ClusterInfo(ping, timeout=REACH_SECONDS)
            else:
                question = gcs.GetClusterIdRequest()  # type: ignore[attr-defined]
                gcs_grpc.NodeInfoGcsServiceStub(channel).GetClusterId(question, timeout=REACH_SECONDS)
    except grpc.RpcError as error:
        raise (_refused() if error.code() == grpc.StatusCode.UNAUTHENTICATED else _nobody()) from None


def _refused() -> MissingPart:
    return MissingPart(
        "The Ray cluster at RAY_ADDRESS wants its token: set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN; the token is what "
        "`ray get-auth-token` prints there.",
        message_zh="RAY_ADDRESS 处的 Ray 集群要求令牌：请设置 RAY_AUTH_MODE=token 和 RAY_AUTH_TOKEN；"
        "在集群上运行 `ray get-auth-token` 可得到令牌。",
    )


def _nobody() -> MissingPart:
    return MissingPart(
        "No Ray cluster answers at RAY_ADDRESS: start one with `ray start --head`, or unset RAY_ADDRESS to run on "
        "this machine.",
        message_zh="RAY_ADDRESS 处没有 Ray 集群：请用 `ray start --head` 启动，或取消 RAY_ADDRESS 以在本机运行。",
    )


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
        with relayed(Path(folder)):
            yield
    finally:
        ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)
