"""Files are written whole or not at all, and Bandsmith's own are for their user only."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bandsmith.shared.files import private_folder, write_private, write_whole

WRITERS = [write_private, write_whole]


@contextmanager
def no_space() -> Iterator[None]:
    """Let no file grow within the block, as on a full disk."""
    limits, before = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize("write", WRITERS)
def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path, write: Callable[[Path, bytes], None]):
    file = tmp_path / "plan.ics"
    write(file, b"before")
    with no_space(), pytest.raises(OSError):
        write(file, b"after")
    assert file.read_bytes() == b"before" and list(tmp_path.iterdir()) == [file]


def test_a_private_file_and_its_folders_are_for_their_user_only(tmp_path: Path):
    write_private(tmp_path / "a" / "b" / "keys", b"secret")
    for path in (tmp_path / "a").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0


def test_a_folder_that_exists_keeps_its_rights(tmp_path: Path):
    tmp_path.chmod(0o755)
    private_folder(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_file_that_the_user_named_has_the_rights_of_every_new_file(tmp_path: Path):
    write_whole(tmp_path / "plan.ics", b"x")
    (tmp_path / "other").touch()
    assert (tmp_path / "plan.ics").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_is_followed(tmp_path: Path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_whole(tmp_path / "link", b"x")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"x"
