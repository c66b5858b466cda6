"""Which files of an output folder Bandsmith wrote: it replaces those, and never a file of the user.

The folder keeps a record with the digest of each file that was written. A file that is not in it, or that was changed
since, is the user's. The digest of a new file is recorded before the file is written, so that a process killed in
between leaves no file that looks like the user's. A folder of an earlier version of Bandsmith has no record; a verdict
beside a template tells it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from bandsmith.shared.files import write_whole
from bandsmith.shared.turns.verdict import Verdict

RECORD = ".bandsmith.json"
"""Name of the record."""


def users_files(folder: Path, names: Iterable[str]) -> list[str]:
    """Return those of the names under which the folder has a file that Bandsmith did not write."""
    if not folder.is_dir() or _is_of_an_earlier_version(folder):
        return []
    written = _read(folder)
    return [name for name in names if (folder / name).is_file() and _digest(folder / name) not in written.get(name, ())]


def note_planned(folder: Path, files: Mapping[str, bytes]) -> None:
    """Add files that are about to be written to the folder's record, beside the ones that they replace."""
    theirs = users_files(folder, files)
    replaced = {name: [_digest(folder / name)] for name in files if name not in theirs and (folder / name).is_file()}
    planned = {name: [*replaced.get(name, ()), hashlib.sha256(content).hexdigest()] for name, content in files.items()}
    _write(folder, _read(folder) | planned)


def note_written(folder: Path, files: Mapping[str, bytes], removed: Iterable[str] = ()) -> None:
    """Add files that were written to the folder's record, and take removed ones out of it."""
    written = _read(folder) | {name: [hashlib.sha256(content).hexdigest()] for name, content in files.items()}
    for name in removed:
        written.pop(name, None)
    _write(folder, written)


def _read(folder: Path) -> dict[str, list[str]]:
    """Return the digests of each file that was or is being written; nothing where the record is missing or damaged."""
    with suppress(OSError, ValueError, AttributeError):
        files = json.loads((folder / RECORD).read_text(encoding="utf-8")).get("files")
        if isinstance(files, dict):
            return {
                str(name): list(map(str, digests if isinstance(digests, list) else [digests]))
                for name, digests in files.items()
            }
    return {}


def _write(folder: Path, written: Mapping[str, list[str]]) -> None:
    write_whole(folder / RECORD, json.dumps({"files": written}, indent=1).encode())


def _is_of_an_earlier_version(folder: Path) -> bool:
    if (folder / RECORD).exists() or not (folder / "report.jrxml").is_file():
        return False
    with suppress(OSError, ValidationError):
        Verdict.model_validate_json((folder / "verdict.json").read_bytes())
        return True
    return False


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "unreadable"
