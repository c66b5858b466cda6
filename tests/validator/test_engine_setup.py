"""The engine's parts: their location, repeated set-up, and the error when they are missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bandsmith.services.validator.engine import classpath, fonts
from bandsmith.services.validator.engine import setup as engine_setup
from bandsmith.services.validator.engine.classpath import extension_folder
from bandsmith.shared.errors import MissingPart
from bandsmith.shared.fonts import FAMILIES


def test_the_classpath_is_the_font_extension_and_its_jars():
    folder, *jars = classpath()
    assert {"fonts.xml", "jasperreports.properties", "jasperreports_extension.properties"} <= {
        path.name for path in Path(folder).iterdir()
    }
    assert len(jars) == 17
    assert any("jasperreports-6.21.5" in jar for jar in jars)


def test_every_family_is_a_font_set_and_no_alias_hides_one():
    installed = (extension_folder() / "fonts.xml").read_text(encoding="utf-8")
    assert all(f'<fontSet name="{name}">' in installed for name in [*FAMILIES, *fonts.ALIASES])
    assert not set(fonts.ALIASES) & set(FAMILIES)
    assert set(fonts.ALIASES.values()) <= set(FAMILIES)


def test_a_missing_engine_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_ENGINE", str(tmp_path))
    with pytest.raises(MissingPart, match="doctor --fix") as missing:
        classpath()
    assert str(tmp_path) not in missing.value.message


def test_existing_parts_are_not_created_again(monkeypatch: pytest.MonkeyPatch):
    created: list[Path] = []
    monkeypatch.setattr(engine_setup, "_fetch_jars", created.append)
    monkeypatch.setattr(fonts, "write", created.append)
    engine_setup.set_up()
    assert created == []


def test_a_failed_part_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(folder: Path) -> None:
        (folder / "half.jar").write_text("")
        raise MissingPart("no network")

    monkeypatch.setenv("BANDSMITH_ENGINE", str(tmp_path))
    monkeypatch.setattr(engine_setup, "_fetch_jars", fail)
    with pytest.raises(MissingPart):
        engine_setup.set_up()
    assert list(tmp_path.iterdir()) == []


def test_without_maven_the_command_says_so_and_exits_with_3(tmp_path: Path):
    environment = {**os.environ, "BANDSMITH_ENGINE": str(tmp_path), "PATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "bandsmith.services.validator.engine.setup"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr.startswith("Maven is not installed") and "Traceback" not in done.stderr
