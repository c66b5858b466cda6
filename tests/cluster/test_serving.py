"""`bandsmith serve --host ray` on other clusters, and stopped before it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bandsmith.shared.bus.server import NatsServer
from tests.cluster.ray_clusters import cluster, folder, growing_cluster, own, programs
from tests.shared.processes import GONE, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SERVE = [sys.executable, "-c", "from bandsmith.cli import main; main()", "serve", "--host", "ray", "planner"]
HOG = """
import ray, time
ray.init(logging_level="error", log_to_driver=False)
@ray.remote(num_cpus=2)
def work():
    time.sleep(1000)
work.remote()
while ray.available_resources().get("CPU"):
    time.sleep(0.1)
print("full", flush=True)
time.sleep(1000)
"""
PLANNER_ON_GPU = "planner: {resources: {gpu_of_a_kind: 1}, on_demand: %s}"


@contextmanager
def serving(place: Path, server: NatsServer, *options: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """Start the program in a session of its own, as a terminal does."""
    environment = own(place) | {"NATS_URL": server.url} | more
    with subprocess.Popen(
        [*SERVE, *options], env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_while_ray_starts_leaves_nothing_behind(nats_server: NatsServer, number: signal.Signals):
    with folder() as place, serving(place, nats_server) as process:
        # Given a Ray of its own that is starting
        assert [process.stderr.readline() for _ in range(2)] == ["Starting planner ...\n", "Starting Ray ...\n"]
        until(lambda: any("raylet" in name_of(pid) for pid in programs(place)), seconds=60)
        # When it is stopped, twice
        for _ in range(2):
            os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        # Then it ends, and leaves no process and no file of Ray behind
        assert process.communicate(timeout=120)[1] == "Stopping ...\n" and process.returncode == 0
        until(lambda: not programs(place))
        assert not list(place.glob("bandsmith-ray-*"))


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except GONE:
        return ""


def test_a_missing_cluster_token_is_one_line(nats_server: NatsServer):
    with cluster(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN="of-the-cluster") as address, folder() as place:
        for known in ({}, {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "another"}, {"RAY_AUTH_MODE": "token"}):
            with serving(place, nats_server, RAY_ADDRESS=address, **known) as process:
                result = process.communicate(timeout=120)[1].splitlines()
            assert result[2].startswith("The Ray cluster at RAY_ADDRESS requires its token: set RAY_AUTH_MODE=token")
            assert (process.returncode, len(result)) == (3, 3)


def test_a_machine_added_on_demand_is_waited_for(nats_server: NatsServer, tmp_path: Path):
    config = tmp_path / "serve.yaml"
    options = ("--config", str(config))
    with growing_cluster({"CPU": 1, "gpu_of_a_kind": 1}) as address, folder() as place:
        # Given a cluster without such a machine, when the pool is not on demand, then it is refused
        config.write_text(PLANNER_ON_GPU % "false")
        with serving(place, nats_server, *options, RAY_ADDRESS=address) as process:
            result = process.communicate(timeout=120)[1].splitlines()
        assert process.returncode == 3 and result[-1].startswith("planner needs gpu_of_a_kind: 1 for each replica; no")

        # When it is on demand, then the cluster starts one
        config.write_text(PLANNER_ON_GPU % "true")
        with serving(place, nats_server, *options, RAY_ADDRESS=address) as process:
            result = list(iter(process.stderr.readline, "Serving planner on Ray; press Ctrl-C to stop.\n"))
            assert [line for line in result[2:] if not line.startswith("Still waiting")] == [
                "planner needs CPU: 0.5, gpu_of_a_kind: 1 for each replica; no machine has it yet, so the cluster has "
                "to start one.\n",
                "planner: ready\n",
            ]
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=120)[1] == "Stopping ...\n" and process.returncode == 0


def test_a_full_cluster_is_waited_for_with_a_message(nats_server: NatsServer):
    with cluster() as address, folder() as place:
        # Given a cluster without a free CPU
        hog = [sys.executable, "-c", HOG]
        with subprocess.Popen(
            hog, env=own(place) | {"RAY_ADDRESS": address}, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdout.readline() == "full\n"
            with serving(place, nats_server, RAY_ADDRESS=address) as process:
                # When a planner is started there, then the program says that it waits
                result = [process.stderr.readline() for _ in range(3)]
                assert result[2].startswith(
                    "Still waiting for planner. If this persists, the cluster has no free resources"
                )
                # When a CPU becomes free, then it runs
                other.kill()
                assert process.stderr.readline() == "planner: ready\n"
