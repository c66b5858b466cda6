"""Delivery into a folder: below the one that the settings allow, whole files or none."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path, PurePosixPath

from bandsmith.shared.errors import BadInput, RetryableError
from bandsmith.shared.model.run import Delivery

from .settings import DeliverySettings


async def write_files(settings: DeliverySettings, delivery: Delivery, files: dict[str, bytes]) -> list[str]:
    """Write the named files and return their paths as the user named the folder.

    Raises ``BadInput`` for a folder that is not allowed, ``RetryableError`` for one that cannot be written.
    """
    folder = allowed_folder(settings.delivery_folder, delivery.folder)
    try:
        await asyncio.to_thread(_write, folder, files)
    except OSError:
        raise RetryableError.of("runs.folder_unwritable", code="delivery", folder=delivery.folder) from None
    return [f"{delivery.folder.rstrip('/')}/{name}" for name in files]


def allowed_folder(root: Path, folder: str) -> Path:
    """Return where a folder is. Raises ``BadInput`` for one that is not below `root`, or that is hidden."""
    root = root.expanduser().resolve()
    found = (root / Path(folder).expanduser()).resolve()
    if found != root and root not in found.parents:
        raise BadInput.of("runs.folder_outside", code="delivery", folder=folder)
    if any(part.startswith(".") for part in PurePosixPath(found.relative_to(root)).parts):
        raise BadInput.of("runs.folder_outside", code="delivery", folder=folder)
    return found


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """Write all files beside their places, and only then put them there: a full disk leaves those of the run before."""
    folder.mkdir(parents=True, exist_ok=True)
    drafts: dict[str, Path] = {}
    try:
        for name, content in files.items():
            handle, draft = tempfile.mkstemp(dir=folder, prefix=".bandsmith-")
            drafts[name] = Path(draft)
            with os.fdopen(handle, "wb") as written:
                written.write(content)
        for name, path in drafts.items():
            path.replace(folder / name)
    finally:
        for path in drafts.values():
            path.unlink(missing_ok=True)
