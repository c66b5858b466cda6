"""`bandsmith doctor` names missing components and how to install them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import onnxruntime
import pytest

Doctor = Callable[..., tuple[int, dict[str, dict[str, Any]]]]

without_cuda = pytest.mark.skipif(
    "CUDAExecutionProvider" in onnxruntime.get_available_providers(), reason="this ONNX Runtime has CUDA"
)


@pytest.fixture
def doctor(talk, monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """Run the doctor with these environment variables; return the exit code and the components by name."""

    def run(**environment: str) -> tuple[int, dict[str, dict[str, Any]]]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        printed = talk("doctor", "--json")
        assert printed.err == ""
        return printed.code, {part["name"]: part for part in json.loads(printed.out)["parts"]}

    return run


def test_all_components_are_found(doctor: Doctor):
    code, parts = doctor()
    assert code == 0 and all(part["there"] for part in parts.values())
    names = {"Python", "Java", "report engine", "fonts", "nats-server", "OCR models", "OCR device", "walls"}
    assert parts.keys() == names


@pytest.mark.parametrize(
    ("environment", "part", "words"),
    [
        ({"BANDSMITH_ENGINE": "/nowhere"}, "report engine", "doctor --fix"),
        ({"BANDSMITH_NATS_SERVER": "no-such-server"}, "nats-server", "apt-get install nats-server"),
        ({"JAVA_HOME": "/nowhere"}, "Java", "apt-get install openjdk"),
        pytest.param({"BANDSMITH_OCR_DEVICE": "cuda"}, "OCR device", "onnxruntime-gpu[cuda,cudnn]", marks=without_cuda),
    ],
)
def test_a_missing_component_is_named_with_its_remedy(
    doctor: Doctor, environment: dict[str, str], part: str, words: str
):
    code, parts = doctor(**environment)
    assert code == 3
    assert [name for name, component in parts.items() if not component["there"]] == [part]
    assert words in parts[part]["detail"]


def test_fix_without_maven_says_what_to_install(talk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("BANDSMITH_ENGINE", str(tmp_path / "engine"))
    monkeypatch.setenv("PATH", str(tmp_path))
    printed = talk("doctor", "--fix", "--json")
    assert printed.code == 3 and "Maven is not installed" in printed.err
    assert {part["name"] for part in json.loads(printed.out)["parts"] if part["there"]} >= {"Python", "fonts"}


def test_classpath_prints_the_jars_and_fonts_on_one_line(talk):
    entries = talk("classpath").out.rstrip("\n").split(os.pathsep)
    assert any("jasperreports" in entry for entry in entries) and "\n" not in entries[-1]
    assert all(Path(entry).exists() for entry in entries)
