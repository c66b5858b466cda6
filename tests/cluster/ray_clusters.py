"""Ray clusters started by others, with separate programs and folders, which end with the test."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import ray
from ray.autoscaler._private.fake_multi_node.node_provider import FAKE_HEAD_NODE_ID

from tests.shared.processes import free_ports, is_alive, until

RAY = [sys.executable, "-c", "from ray.scripts.scripts import main; main()"]
HEAD = "ray.head.default"  # the fake provider looks for this name


@contextmanager
def cluster(*options: str, port: int = 0, **environment: str) -> Iterator[str]:
    """Start a cluster with two CPUs and these options of ``ray start``, and yield its address."""
    spare, client = free_ports(2)
    port = port or spare
    with folder() as place:
        started = [*RAY, "start", "--head", f"--port={port}", f"--ray-client-server-port={client}", *options]
        quiet = ["--include-dashboard=false", "--disable-usage-stats", "--object-store-memory=80000000"]
        subprocess.run(
            [*started, *quiet, "--num-cpus=2", f"--temp-dir={place}"],
            env=own(place) | environment,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        yield f"127.0.0.1:{port}"


@contextmanager
def growing_cluster(kind: Mapping[str, float]) -> Iterator[str]:
    """Start a cluster whose autoscaler adds up to two machines (processes on this one), and yield its address."""
    (port,) = free_ports(1)
    with folder() as place:
        config = place / "autoscaling.json"
        config.write_text(json.dumps(_autoscaling(kind, f"{ray.util.get_node_ip_address()}:{port}")))
        environment = {
            "RAY_FAKE_CLUSTER": "1",
            "RAY_enable_autoscaler_v2": "1",  # as KubeRay's
            "RAY_CLOUD_INSTANCE_ID": FAKE_HEAD_NODE_ID,
            "RAY_OVERRIDE_NODE_ID_FOR_TESTING": FAKE_HEAD_NODE_ID,
            "AUTOSCALER_UPDATE_INTERVAL_S": "1",
        }
        with cluster(f"--autoscaling-config={config}", port=port, **environment) as address:
            yield address


@contextmanager
def folder() -> Iterator[Path]:
    """Yield a folder for temporary files; programs with the environment ``own`` end with it."""
    place = Path(tempfile.mkdtemp(prefix="ray-"))  # a short path: it holds Unix sockets
    try:
        yield place
    finally:
        for pid in programs(place):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until(lambda: not programs(place))
        shutil.rmtree(place)


def own(place: Path) -> dict[str, str]:
    """Return an environment without any settings of Ray."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return ours | {"TMPDIR": str(place), "HOME": str(place), "LANG": "C.UTF-8"}


def programs(place: Path) -> list[int]:
    """Return the processes that run with the environment ``own``."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"TMPDIR={place}\0".encode() in (process / "environ").read_bytes() and is_alive(int(process.name)):
                found.append(int(process.name))
    return found


def _autoscaling(kind: Mapping[str, float], address: str) -> dict[str, Any]:
    provider = "ray.autoscaler._private.fake_multi_node.node_provider.FakeMultiNodeProvider"
    machine = {"resources": {**kind, "object_store_memory": 80_000_000}, "node_config": {}}
    nothing = [f"{part}setup_commands" for part in ("", "head_", "worker_")]
    nothing += ["initialization_commands", "head_start_ray_commands", "worker_start_ray_commands"]
    nothing += ["cluster_synced_files", "rsync_exclude", "rsync_filter"]
    return {name: [] for name in nothing} | {
        "cluster_name": "test",
        "max_workers": 2,
        "upscaling_speed": 1.0,
        "idle_timeout_minutes": 1,
        "auth": {},
        "docker": {},
        "file_mounts": {},
        "file_mounts_sync_continuously": False,
        "provider": {
            "type": "external",  # by its name, the package of Ray lacks a file of it
            "module": provider,
            "gcs_address": address,
            "head_node_id": FAKE_HEAD_NODE_ID,
            "launch_multiple": True,
            "disable_node_updaters": True,
            "disable_launch_config_check": True,
        },
        "head_node_type": HEAD,
        "available_node_types": {
            HEAD: {"resources": {"CPU": 2}, "node_config": {}, "max_workers": 0},
            "more": machine | {"min_workers": 0, "max_workers": 2},
        },
    }
