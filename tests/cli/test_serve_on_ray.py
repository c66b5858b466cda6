"""`bandsmith serve --host ray` runs every service on Ray until Ctrl-C, and reports errors in a sentence."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.server import NatsServer
from tests.shared.processes import family, is_alive, until

BANDSMITH = [sys.executable, "-c", "from bandsmith.cli import main; main()"]
SETTLED = "message.settled"
SERVE = [*BANDSMITH, "serve", "--host", "ray"]


def environment(url: str, **more: str) -> dict[str, str]:
    return os.environ | {"NATS_URL": url, "LANG": "C.UTF-8", "BANDSMITH_OCR_ENGINE": "rapid"} | more


def serve(text: str, url: str, tmp_path: Path, *services: str, **more: str) -> tuple[int, str]:
    """Serve with this configuration, and return the exit code and the last line."""
    config = tmp_path / "serve.yaml"
    config.write_text(text)
    ran = subprocess.run(
        [*SERVE, "--config", str(config), *services],
        env=environment(url, **more),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "" and "Traceback" not in ran.stderr
    return ran.returncode, ran.stderr.splitlines()[-1]


@pytest.mark.slow
def test_configuration_errors_come_before_the_start_of_ray(nats_server: NatsServer, tmp_path: Path):
    code, line = serve("ocr: {max: none}", nats_server.url, tmp_path)
    assert (code, line) == (2, "ocr.max: must be a whole number of at least 1.")


@pytest.mark.slow
def test_an_unreachable_nats_server_is_reported_before_the_start_of_ray(tmp_path: Path):
    code, line = serve("", "nats://127.0.0.1:1", tmp_path, BANDSMITH_BUS_TIMEOUT="0.5")
    assert code == 3 and line.startswith("No NATS server with JetStream responds")


@pytest.mark.slow
def test_missing_resources_are_reported(nats_server: NatsServer, tmp_path: Path):
    wanted = "ocr: {gpus: 1, device: cuda, resources: {no_such_gpu: 1}}"
    code, line = serve(wanted, nats_server.url, tmp_path, "ocr")
    assert (
        code == 3
        and line.startswith("ocr needs ")
        and line.endswith("for each replica; no machine has any. Change ocr in the configuration.")
    )


@pytest.mark.slow
def test_a_replica_that_cannot_start_reports_why(nats_server: NatsServer, tmp_path: Path):
    code, line = serve("", nats_server.url, tmp_path, "planner", BANDSMITH_MODEL_URL="http://127.0.0.1:1/v1")
    assert code == 2 and line.startswith("A language model needs both BANDSMITH_MODEL_URL and BANDSMITH_MODEL_NAME")


@pytest.mark.slow
def test_several_planners_on_milvus_lite_are_refused(nats_server: NatsServer, tmp_path: Path):
    code, line = serve("planner: {max: 2}", nats_server.url, tmp_path, "planner")
    assert code == 2 and line.startswith("planner.max: several planners need a Milvus server")


def serving(url: str) -> subprocess.Popen[str]:
    """Start the program in a session of its own, as a terminal does."""
    info = environment(url, BANDSMITH_LOG_LEVEL="info")
    return subprocess.Popen(SERVE, env=info, stderr=subprocess.PIPE, text=True, start_new_session=True)


def build(url: str, out: Path) -> None:
    form = Path(__file__).parents[2] / "samples" / "sales-slip.jpg"
    subprocess.run([*BANDSMITH, "build", str(form), "--out", str(out)], env=environment(url), check=True)


@pytest.mark.slow
async def test_replicas_on_ray_build_a_report_and_ctrl_c_cleans_up(
    bus: NatsBus, nats_server: NatsServer, tmp_path: Path
):
    # Given every service on a Ray of its own
    process = serving(nats_server.url)
    try:
        lines: list[str] = []
        while not (lines and lines[-1].startswith("Serving")):
            lines.append(process.stderr.readline())
            assert lines[-1], lines
        services = ("ocr", "planner", "generator", "validator", "gateway")
        assert {f"{service}: ready\n" for service in services} <= set(lines)
        children = family(process.pid)

        # When a program builds a form over NATS, then it succeeds
        build(nats_server.url, tmp_path)
        assert "<jasperReport" in (tmp_path / "report.jrxml").read_text()
        assert {replica.service for replica in await bus.replicas(1.0)} == set(services)

        # When Ctrl-C reaches all processes, then the program exits with 0 and leaves nothing behind
        os.killpg(process.pid, signal.SIGINT)
        rest = process.communicate(timeout=60)[1]
        plain = [line for line in rest.splitlines() if not line.startswith("{")]
        assert (process.returncode, plain) == (0, ["Stopping ..."])
        until(lambda: not any(map(is_alive, children)))
    finally:
        process.kill()
        process.communicate()

    # And the log of the replicas is here, with the message that each line is about
    settled = [line for line in map(json.loads, set(rest.splitlines()) - set(plain)) if line["event"] == SETTLED]
    assert {line["service"] for line in settled} == {*services}
    assert all(line["session"] and line["turn"] and line["message"] for line in settled)
    assert "map_fields" in {line["node"] for line in settled}
