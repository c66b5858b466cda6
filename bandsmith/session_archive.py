"""A session as a ZIP archive: the template and data of each version, the history, and its metadata."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session_parts import HistoryEntry, Version

from .session_view import SessionView

Fetch = Callable[[Ref], Awaitable[bytes]]
"""Returns the content of a file. Raises ``BadInput`` for one that has expired."""


async def archive_of(session: SessionView, history: Sequence[HistoryEntry], fetch: Fetch) -> bytes:
    """Return the archive. Files that have expired are left out."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        metadata = session.model_dump(mode="json", include={"id", "name", "created", "changed", "status", "versions"})
        zipped.writestr("session.json", json.dumps(metadata, ensure_ascii=False, indent=2))
        zipped.writestr("history.md", _as_markdown(history))
        for version in session.versions:
            for file, content in (await _version_files(version, fetch)).items():
                zipped.writestr(f"versions/{version.number:03}/{file}", content)
    return archive.getvalue()


async def _version_files(version: Version, fetch: Fetch) -> dict[str, bytes]:
    """Return the files of a version that have not expired."""
    refs = {"report.jrxml": version.template, "data.json": version.data}
    if version.page:
        refs["page-1.png"] = version.page
    files = {}
    for name, ref in refs.items():
        with suppress(BadInput):
            files[name] = await fetch(ref)
    return files


def _as_markdown(history: Sequence[HistoryEntry]) -> str:
    return "\n\n".join(f"**{entry.role}** ({entry.time:%Y-%m-%d %H:%M})\n\n{entry.text}" for entry in history) + "\n"
