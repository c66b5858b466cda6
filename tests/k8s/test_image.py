"""The Dockerfile and compose.yaml, checked with the tools that read them."""

from __future__ import annotations

import copy
import gzip
import json
import re
import subprocess
import tomllib
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

from tools import docs, setup

if TYPE_CHECKING:
    from tools.node import Node

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
DOCKERFILE = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"), flags=re.MULTILINE)
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FILES = "./files"
SCHEMA = json.loads(gzip.decompress((HERE / "schemas" / "compose-2.16.2.json.gz").read_bytes()))


def stages() -> dict[str, list[tuple[str, str]]]:
    """Instructions with their arguments, by the stage's name; the last one's is empty."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in re.sub(r"\\\n\s*", " ", DOCKERFILE).splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "FROM":
            _, _, name = rest.partition(" AS ")
            current = found.setdefault(name, [])
        if word:
            current.append((word, rest))
    return found


# --- the image -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_linter_finds_nothing(javascript: Node, npm_ci: Callable[[Path], Path]) -> None:
    folder = npm_ci(HERE / "lint")
    linter = str(folder / "node_modules" / "dockerfilelint" / "bin" / "dockerfilelint")

    def lint(dockerfile: Path) -> subprocess.CompletedProcess[str]:
        command = [javascript.node, linter, "-c", str(folder), str(dockerfile)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    done = lint(ROOT / "Dockerfile")
    assert done.returncode == 0, done.stdout

    (folder / "Bad").write_text("FROM debian:12.15-slim\nRUN sudo apt-get install python3\n", encoding="utf-8")
    assert lint(folder / "Bad").returncode != 0


def test_the_base_image_has_a_version() -> None:
    images = [rest.split()[0] for lines in stages().values() for word, rest in lines if word == "FROM"]
    theirs = [image for image in images if image not in stages()]

    assert theirs and all(re.fullmatch(r"[a-z]+:\d+\.\d+[\w.-]*", image) for image in theirs), theirs


def test_the_image_does_not_run_as_root() -> None:
    last = dict(stages()[""])

    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", last["USER"])


def test_the_image_has_runtime_packages_and_no_build_tools() -> None:
    (installs,) = [rest for word, rest in stages()["system"] if word == "RUN"]
    run_with = {
        packages[0]
        for _, _, packages in setup.NEEDS
        if packages[0]
        not in {"python3-venv", "maven", "nats-server", "fonts-liberation-sans-narrow", "libglib2.0-0t64"}
    }
    elsewhere = {"python3", "libglib2.0-0"}  # Debian 12's names; in it the narrow face is in fonts-liberation

    named = set(installs.partition("--no-install-recommends")[2].partition("&&")[0].split())
    assert named == run_with | elsewhere


def test_copied_files_exist_and_are_not_ignored() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_through = {line[1:] for line in lines if line.startswith("!")}
    copied = {
        name
        for lines in stages().values()
        for word, rest in lines
        if word == "COPY" and "--from" not in rest
        for name in rest.split()[:-1]
    }

    assert copied == let_through
    assert all((ROOT / name).exists() for name in copied)
    packages = PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    assert all(any(fnmatch(name, package) for name in copied) for package in packages)


def test_both_onnx_runtimes_have_the_same_version_range() -> None:
    (other,) = [one for one in PROJECT["project"]["dependencies"] if one.startswith("onnxruntime")]
    (gpu,) = re.findall(r"'onnxruntime-gpu\[[\w,]+\]([^']+)'", DOCKERFILE)

    assert other == f"onnxruntime{gpu}"


def test_the_image_holds_no_secret() -> None:
    assert not re.search(r"(password|secret|token|key)\s*=", DOCKERFILE, re.IGNORECASE)


# --- compose ---------------------------------------------------------------------------------------------------------


def mistakes(compose: Any) -> list[str]:
    return [
        f"{error.json_path}: {error.message[:200]}"
        for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(compose)
    ]


def test_compose_matches_its_specification() -> None:
    assert mistakes(COMPOSE) == []

    wrong = copy.deepcopy(COMPOSE)
    wrong["services"]["nats"]["volumse"] = []
    assert mistakes(wrong)


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_every_container_is_restricted_and_limited(name: str) -> None:
    service = COMPOSE["services"][name]

    assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["mem_limit"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert re.search(r":\d+\.\d+\.\d+", service["image"])
    assert "healthcheck" in service or service["restart"] == "no"
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), "the whole network could come in"


def test_every_password_is_external_and_created_by_the_guide() -> None:
    guide = (ROOT / "docs" / "kubernetes.md").read_text(encoding="utf-8")
    (users,) = re.findall(r"for user in ([A-Z ]+); do", guide)
    variables = [one for service in COMPOSE["services"].values() for one in service.get("environment", {}).items()]
    wanted = {name for _, value in variables for name in re.findall(r"\$\{(\w+):\?\}", value)}

    assert wanted == {f"NATS_{user}_PASSWORD" for user in users.split()}
    assert all("${" in value for name, value in variables if re.search("PASSWORD|KEY", name))
    assert not any(re.search(r"://\w+:(?!\$\{)", value) for _, value in variables)


def test_compose_settings_are_known_and_files_exist() -> None:
    known = docs.settings()
    for service in COMPOSE["services"].values():
        for name in service.get("environment", {}):
            assert not name.startswith("BANDSMITH_") or f"`{name}`" in known, name
        for volume in service.get("volumes", []):
            source = volume["source"] if isinstance(volume, dict) else volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (ROOT / source).is_file() or source == FILES, source


def test_files_belong_to_the_user_who_runs_compose() -> None:
    guide = (ROOT / "docs" / "kubernetes.md").read_text(encoding="utf-8")
    (shared,) = COMPOSE["services"]["cli"]["volumes"]

    assert shared == {"type": "bind", "source": FILES, "target": "/files", "bind": {"create_host_path": False}}
    assert COMPOSE["services"]["cli"]["working_dir"] == "/files"  # a name without a folder is a file there
    assert re.fullmatch(r"\$\{(\w+):-10001:10001\}", user := COMPOSE["services"]["cli"]["user"])
    assert f'echo "{user[2:].split(":")[0]}=$(id -u):$(id -g)"' in guide and "mkdir -p files" in guide
    assert "compose run --rm cli build" in guide and "compose run --rm cli chat" in guide


def test_kubernetes_and_compose_run_the_same_nats() -> None:
    (image,) = re.findall(r"image: (nats:\S+)", (ROOT / "k8s/base/nats.yaml").read_text(encoding="utf-8"))

    assert COMPOSE["services"]["nats"]["image"] == image
