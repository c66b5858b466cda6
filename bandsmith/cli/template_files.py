"""The files that lie beside a template: the data that a build read, and the queries that fill it from a source."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.document import MAX_DOCUMENT_BYTES

if TYPE_CHECKING:
    from bandsmith.shared.bus.base import Bus


def bindings_beside(template: Path) -> Path:
    """Return the file that keeps the queries which fill a template."""
    return template.with_name(f"{template.stem}.bindings.yaml")


async def store_sample(bus: Bus, template: Path, data: Path | None = None) -> Ref | None:
    """Store the data that a build wrote beside the template, since the report's logo is in it.

    None: there is no such file, or it is `data` itself, which fills the report.
    """
    path = template.with_name("data.json")
    if not path.is_file() or path.stat().st_size > MAX_DOCUMENT_BYTES or (data is not None and path.samefile(data)):
        return None
    return await bus.put(await asyncio.to_thread(path.read_bytes), "application/json")
