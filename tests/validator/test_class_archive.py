"""A worker takes the engine's classes from an archive, and works without one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from bandsmith.services.validator.engine import ReportEngine, class_archive
from bandsmith.services.validator.engine.classpath import home
from bandsmith.shared.model.plan import Data

from .reports import report, static


@pytest.fixture
def another_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder with the engine's jars and fonts, and without an archive."""
    for part in (part for part in home().iterdir() if part.is_dir()):
        (tmp_path / part.name).symlink_to(part)
    monkeypatch.setenv("BANDSMITH_ENGINE", str(tmp_path))
    return tmp_path


def test_a_worker_maps_the_archive_that_the_set_up_made(engine: ReportEngine):
    class_archive.create()
    archive = class_archive.usable_archive()
    assert archive and archive.stat().st_size > 10_000_000
    engine.start()
    assert str(archive) in Path(f"/proc/{engine.pid}/maps").read_text(encoding="utf-8"), "the JVM does not accept it"


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"another JVM's classes" * 10_000])
def test_a_worker_works_without_an_archive_that_fits(another_home: Path, content: bytes):
    archive = class_archive.class_archive()
    assert archive and archive.parent == another_home
    archive.write_bytes(content)
    engine = ReportEngine(limit=20, heap_mb=128)
    try:
        assert engine.print(report(static("x")), Data(), pages=0).pages == 1
    finally:
        engine.stop()


def test_another_jvm_gets_another_archive(another_home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch):
    before = class_archive.class_archive()
    java = tmp_path_factory.mktemp("jvm") / "bin" / "java"
    java.parent.mkdir()
    shutil.copy(os.path.realpath(str(shutil.which("java"))), java)
    monkeypatch.setenv("JAVA_HOME", str(java.parent.parent))
    assert class_archive.class_archive() not in (before, None)


def test_a_jvm_that_cannot_make_an_archive_is_asked_once(another_home: Path, monkeypatch: pytest.MonkeyPatch):
    commands: list[list[str]] = []
    monkeypatch.setattr(class_archive, "_run", commands.append)
    class_archive.create()
    class_archive.create()
    assert len(commands) == 2 and class_archive.usable_archive() is None
