"""On a full disk the command line says so in one sentence, and what was stored before stays whole.

The disk is full in the sense that no file may grow (``RLIMIT_FSIZE``), which needs no privileges.
"""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.lesson import LESSON

PROGRAM = [sys.executable, "-c", "from bandsmith.cli import main; main()"]
Ended = subprocess.CompletedProcess[str]
COMMANDS = [
    "calendar import lesson.ics --calendar other",
    "calendar add Algebra --items 3",
    "calendar remove",
    "calendar export plan.ics",
    "source add crm shop.db",
    "source describe shop",
    "web keys add ben",
    "web keys remove ann",
    "sessions list",
    "runs list",
    "chat --session march undo",
    "build form.png --out out",
]


def full() -> None:
    """Let no file of this process and its children grow."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def run(folder: Path, words: str, before: Callable[[], None] | None = None) -> Ended:
    environment = {**os.environ, "LANG": "C.UTF-8", "BANDSMITH_HOME": str(folder / "home"), "TMPDIR": str(folder)}
    return subprocess.run(
        [*PROGRAM, *words.split()],
        cwd=folder,
        env=environment,
        preexec_fn=before,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a home that holds a calendar, a source and a key."""
    folder = tmp_path_factory.mktemp("full")
    (folder / "lesson.ics").write_text(LESSON)
    Image.new("RGB", (800, 600), "white").save(folder / "form.png")
    with sqlite3.connect(folder / "shop.db") as database:
        database.execute("create table goods (name text)")
    for words in ("calendar import lesson.ics --from 2026-11-23", "source add shop shop.db", "web keys add ann"):
        assert run(folder, words).returncode == 0
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """The files that hold something; an empty one may be a lock."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found if path.stat().st_size}


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_that_cannot_write_ends_with_a_sentence_and_leaves_all_as_it_was(folder: Path, words: str):
    before = content(folder)
    ended = run(folder, words, full)
    assert content(folder) == before
    assert not (folder / "plan.ics").exists() and not (folder / "out").exists()
    assert ended.returncode == 1 and ended.stderr.count("\n") == 1, ended.stdout + ended.stderr
    assert "Free space on" in ended.stderr


@pytest.mark.slow
def test_what_is_printed_into_a_full_disk_ends_with_a_sentence(folder: Path):
    with Path("/dev/full").open("w") as printed:
        ended = subprocess.run([*PROGRAM, "--version"], stdout=printed, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1 and ended.stderr.count("\n") == 1 and "Free space on" in ended.stderr
