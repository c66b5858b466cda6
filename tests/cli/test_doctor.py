"""`bandsmith doctor` names missing components and how to install them."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import onnxruntime
import pytest

BANDSMITH = [sys.executable, "-c", "from bandsmith.cli import main; main()"]

without_cuda = pytest.mark.skipif(
    "CUDAExecutionProvider" in onnxruntime.get_available_providers(), reason="this ONNX Runtime has CUDA"
)


def doctor(**environment: str) -> tuple[int, dict[str, dict]]:
    ran = subprocess.run(
        [*BANDSMITH, "doctor", "--json"], env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    return ran.returncode, {part["name"]: part for part in json.loads(ran.stdout)["parts"]}


def test_all_components_are_found():
    code, parts = doctor()
    assert code == 0 and all(part["there"] for part in parts.values())
    assert parts.keys() == {"Python", "Java", "report engine", "fonts", "nats-server", "OCR models", "OCR device"}


@pytest.mark.parametrize(
    ("environment", "part", "words"),
    [
        ({"BANDSMITH_ENGINE": "/nowhere"}, "report engine", "doctor --fix"),
        ({"BANDSMITH_NATS_SERVER": "no-such-server"}, "nats-server", "apt-get install nats-server"),
        ({"JAVA_HOME": "/nowhere"}, "Java", "apt-get install openjdk"),
        pytest.param({"BANDSMITH_OCR_DEVICE": "cuda"}, "OCR device", "onnxruntime-gpu[cuda,cudnn]", marks=without_cuda),
    ],
)
def test_a_missing_component_is_named_with_its_remedy(environment: dict[str, str], part: str, words: str):
    code, parts = doctor(**environment)
    assert code == 3
    assert [name for name, found in parts.items() if not found["there"]] == [part]
    assert words in parts[part]["detail"]


def test_classpath_prints_the_jars_and_fonts_on_one_line():
    ran = subprocess.run([*BANDSMITH, "classpath"], capture_output=True, text=True, check=True)
    entries = ran.stdout.rstrip("\n").split(os.pathsep)
    assert any("jasperreports" in entry for entry in entries) and "\n" not in entries[-1]
    assert all(os.path.exists(entry) for entry in entries)  # noqa: PTH110
