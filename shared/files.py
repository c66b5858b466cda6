"""Write files whole or not at all, and for their user only where they are Bandsmith's own."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

OWN_FILE, ANY_FILE, OWN_FOLDER = 0o600, 0o666, 0o700


def private_folder(folder: Path) -> None:
    """Create a folder, and those above it that are missing, which only their user can enter."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(mode=OWN_FOLDER, exist_ok=True)


def write_private(file: Path, content: bytes) -> None:
    """Replace a file by one that only its user can read. Where that fails, the file stays as it was."""
    private_folder(file.parent)
    _replace(file, content, OWN_FILE)


def write_whole(file: Path, content: bytes) -> None:
    """Replace a file that the user named, with the rights of every new file. Where that fails, it stays as it was."""
    _replace(file.resolve(), content, ANY_FILE)


def _replace(file: Path, content: bytes, mode: int) -> None:
    draft = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as written:
            written.write(content)
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
