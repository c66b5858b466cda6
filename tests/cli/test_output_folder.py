"""The output folder of a program that was killed while it wrote."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bandsmith import output_folder, written_files
from bandsmith.output_folder import STAGING, replace_build, update_files

FIRST = {"report.jrxml": b"first", "report.pdf": b"first"}
SECOND = {"report.jrxml": b"second", "report.pdf": b"second"}


class Killed(BaseException):
    """Ends a write as a kill would: nothing after it runs, except what tests can't prevent."""


@pytest.mark.parametrize("written", [0, 1, 2])
def test_a_folder_is_written_again_after_a_kill_at_any_file(tmp_path: Path, monkeypatch, written: int):
    update_files(tmp_path, FIRST)
    with monkeypatch.context() as patch:
        patch.setattr(output_folder, "note_written", killed)
        patch.setattr(Path, "replace", replaced_until(written))
        with pytest.raises(Killed):
            update_files(tmp_path, SECOND)

    update_files(tmp_path, {"report.jrxml": b"third"})

    assert (tmp_path / "report.jrxml").read_bytes() == b"third"
    assert written_files.users_files(tmp_path, SECOND) == []


def test_a_file_changed_by_the_user_after_a_kill_is_the_users(tmp_path: Path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(output_folder, "note_written", killed)
        with pytest.raises(Killed):
            update_files(tmp_path, FIRST)
    (tmp_path / "report.jrxml").write_bytes(b"mine")

    assert written_files.users_files(tmp_path, FIRST) == ["report.jrxml"]


def test_temporary_folders_of_killed_programs_are_removed(tmp_path: Path):
    old, new = tmp_path / f"{STAGING}old", tmp_path / f"{STAGING}new"
    for left in (old, new):
        left.mkdir()
    os.utime(old, (0, time.time() - 3600))

    update_files(tmp_path, FIRST)

    assert not old.exists() and new.exists()


def test_builds_into_folders_side_by_side_do_not_disturb_each_other(tmp_path: Path):
    parent, mask = tmp_path / "reports", os.umask(0o027)
    try:
        with ThreadPoolExecutor(8) as threads:
            written = list(threads.map(lambda number: replace_build(parent / f"form-{number}", FIRST), range(200)))
        left = os.umask(0o027)
    finally:
        os.umask(mask)

    assert all(path.read_bytes() == b"first" for paths in written for path in paths)
    assert {path.stat().st_mode & 0o777 for path in parent.iterdir()} == {0o750}
    assert left == 0o027


def killed(*args: object, **options: object) -> None:
    raise Killed


def replaced_until(count: int):
    """Return ``Path.replace`` for the record and `count` files; then the process is killed."""
    replace, left = Path.replace, [count]

    def limited(path: Path, target: Path) -> Path:
        if target.name != written_files.RECORD:
            if left[0] == 0:
                raise Killed
            left[0] -= 1
        return replace(path, target)

    return limited
