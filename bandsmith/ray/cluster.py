"""A Ray instance of our own on this machine, or the cluster at RAY_ADDRESS; quiet, and without telemetry."""

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

OBJECT_STORE_BYTES = 100_000_000
"""Small, because nothing goes through Ray's object store: messages and files are on the bus."""
REACH_TIMEOUT_S = 5.0


@contextmanager
def ray_running(cores: int) -> Iterator[None]:
    """Within the block, Ray and Serve run: the cluster at RAY_ADDRESS, or one on this machine with so many `cores`.

    An instance of our own ends with the block, an external cluster does not. Raises ``MissingPart`` when RAY_ADDRESS
    names no cluster.
    """
    address = os.environ.get("RAY_ADDRESS")
    for name in ("ray", "ray.serve"):
        logging.getLogger(name).setLevel(logging.ERROR)
    with _connected(address) if address else _started(cores):
        # No HTTP proxy: the services pull their work from the bus.
        serve.start(proxy_location="Disabled", logging_config={"log_level": "ERROR", "enable_access_log": False})
        yield


def is_external() -> bool:
    """Tell whether the cluster is an external one, which may start machines on demand; Ray does not say which ones."""
    return bool(os.environ.get("RAY_ADDRESS"))


def machines() -> list[Machine]:
    """Return the resources of each machine of the cluster."""
    return [node["Resources"] for node in ray.nodes() if node["Alive"]]


@contextmanager
def _connected(address: str) -> Iterator[None]:
    try:
        if address == "auto":
            address = _on_this_machine()
        _reach(address)
        ray.init(address, logging_level=logging.ERROR, log_to_driver=False)
    except AuthenticationError:
        raise _token_refused() from None
    except (ConnectionError, ValueError):
        raise _no_answer() from None
    except RuntimeError:
        raise MissingPart.of("cli.ray.version", version=ray.__version__) from None
    try:
        yield
    finally:
        ray.shutdown()


def _on_this_machine() -> str:
    """Return the address of the cluster that this machine belongs to. Raises ``ConnectionError`` if there is none."""
    maybe_enable_token_auth_if_token_available(warn_if_disabled=False)  # as Ray does for `auto` only
    return str(canonicalize_bootstrap_address("auto"))


def _reach(address: str) -> None:
    """Ping the cluster, or raise ``MissingPart``: Ray itself would retry for a minute, with a warning every second."""
    scheme, _, server = address.rpartition("://")
    if ":" not in server:  # a name that Ray resolves
        return
    try:
        with init_grpc_channel(server, GLOBAL_GRPC_OPTIONS) as channel:
            if scheme:
                ping = client.ClusterInfoRequest(type=client.ClusterInfoType.PING)  # type: ignore[attr-defined]
                client_grpc.RayletDriverStub(channel).ClusterInfo(ping, timeout=REACH_TIMEOUT_S)
            else:
                question = gcs.GetClusterIdRequest()  # type: ignore[attr-defined]
                gcs_grpc.NodeInfoGcsServiceStub(channel).GetClusterId(question, timeout=REACH_TIMEOUT_S)
    except grpc.RpcError as error:
        raise (_token_refused() if error.code() == grpc.StatusCode.UNAUTHENTICATED else _no_answer()) from None


def _token_refused() -> MissingPart:
    return MissingPart.of("cli.ray.token")


def _no_answer() -> MissingPart:
    return MissingPart.of("cli.ray.no_answer")


@contextmanager
def _started(cores: int) -> Iterator[None]:
    folder = tempfile.mkdtemp(prefix="bandsmith-ray-")  # a short path: it holds Unix sockets
    try:
        ray.init(
            "local",
            num_cpus=cores,
            object_store_memory=OBJECT_STORE_BYTES,
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
