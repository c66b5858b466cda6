"""Files of data as a table: one module per format, chosen by suffix and confirmed by content."""

from __future__ import annotations

from pathlib import PurePath

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.document import TABLES

from . import csv_file, json_file, workbook
from .read_table import ParsedTable

__all__ = ["ReadTable", "read_table"]

_READERS = {".csv": csv_file.read, ".xlsx": workbook.read, ".json": json_file.read}


def read_table(name: str, content: bytes) -> ParsedTable:
    """Return a file's table. `name` is used for its suffix only. Takes seconds for a large file.

    Raises ``BadInput`` for a file that is damaged, empty, too large, or no table.
    """
    read = _READERS.get(PurePath(name).suffix.lower())
    if read is None:
        raise BadInput.of("documents.suffix", formats=", ".join(suffix[1:] for suffix in TABLES))
    if not content.strip():
        raise BadInput.of("documents.empty")
    return read(content)
