"""What Bandsmith keeps on this machine is for its user only, also where the home folder is open to all."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lesson import LESSON

PROGRAM = [sys.executable, "-c", "import os; os.umask(0); from bandsmith.cli import main; main()"]
COMMANDS = [
    "calendar import lesson.ics --from 2026-11-23",
    "source add shop shop.db",
    "source describe shop",
    "web keys add ann",
    "runs list",
]


def open_to_others(path: Path, home: Path) -> bool:
    """Whether another user can read or change a file: a folder that is closed to them closes all that is in it."""
    if any(folder.stat().st_mode & 0o077 == 0 for folder in path.parents if folder.is_relative_to(home)):
        return False
    return path.stat().st_mode & 0o077 != 0


@pytest.mark.slow
@pytest.mark.parametrize("home_exists", [False, True], ids=["a new home", "a home that all may enter"])
def test_no_other_user_can_read_what_is_kept(tmp_path: Path, home_exists: bool):
    # Given a home folder that is missing, or that its user made for all to enter
    home = tmp_path / "data" / "home"
    if home_exists:
        home.mkdir(parents=True)
        home.chmod(0o777)
    (tmp_path / "lesson.ics").write_text(LESSON)
    with sqlite3.connect(tmp_path / "shop.db") as database:
        database.execute("create table goods (name text)")

    # When commands keep something there, of a user whose new files are open to all
    for words in COMMANDS:
        environment = os.environ | {"BANDSMITH_HOME": str(home)}
        subprocess.run([*PROGRAM, *words.split()], cwd=tmp_path, env=environment, check=True, capture_output=True)

    # Then no other user can read it; a lock has no content
    kept = [path for path in home.rglob("*") if path.is_file() and path.stat().st_size]
    assert {path.name for path in kept} >= {"calendars.db", "sources.toml", "shop.yaml", "web-keys.json"}
    assert any(path.suffix == ".blk" or "jetstream" in path.parts for path in home.rglob("*"))
    assert [path for path in kept if open_to_others(path, home)] == []
