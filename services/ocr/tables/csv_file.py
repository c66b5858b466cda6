"""CSV: its encoding and delimiter are found by what the file holds; the first row names the columns."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.filling import MAX_CELL_CHARS, TableHead
from bandsmith.shared.replies import Text

from .read_table import ParsedTable, clean, column_names, table_of_rows

SAMPLE_LINES = 50
"""Lines that the delimiter is found by."""
DELIMITERS = (",", ";", "\t", "|")
MIN_CHINESE_SHARE = 0.9
"""Share of the characters of a Chinese encoding that are common ones, from which it is believed."""
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read(content: bytes) -> ParsedTable:
    """Return the table. Raises ``BadInput`` for a file that is no text or has no table."""
    text, notes = _decoded(content)
    delimiter = _delimiter(text)
    rows = _rows(text, delimiter)
    header = next((row for row in rows if any(cell.strip() for cell in row)), None)
    if header is None:
        raise BadInput.of("documents.empty")
    head = TableHead(columns=column_names(header), semicolons=delimiter == ";")
    return table_of_rows(head, ([clean(cell).strip() for cell in row] for row in rows), notes)


def _decoded(content: bytes) -> tuple[str, list[Text]]:
    if content.startswith(_UTF16):
        with suppress(UnicodeDecodeError):
            return content.decode("utf-16"), []
        raise BadInput.of("documents.tables.no_text", code="table")
    if b"\x00" in content:
        raise BadInput.of("documents.tables.no_text", code="table")
    with suppress(UnicodeDecodeError):
        return content.decode("utf-8-sig"), []
    with suppress(UnicodeDecodeError):
        text = content.decode("gb18030")
        if _is_chinese(text):
            return text, []
    with suppress(UnicodeDecodeError):
        return content.decode("cp1252"), [Text.of("documents.tables.western")]
    raise BadInput.of("documents.tables.no_text", code="table")


def _is_chinese(text: str) -> bool:
    """Whether a text that was decoded as GB18030 is Chinese: Western text decodes to rare characters."""
    others = [char for char in text if not char.isascii()]
    common = 0
    for char in others:
        with suppress(UnicodeEncodeError):
            char.encode("gb2312")
            common += 1
    return common >= MIN_CHINESE_SHARE * len(others)


def _delimiter(text: str) -> str:
    """Return the delimiter that splits the most of the first rows into as many values as the header has."""
    sample = "\n".join(islice(io.StringIO(text), SAMPLE_LINES))

    def fit(delimiter: str) -> tuple[int, int]:
        with suppress(csv.Error):
            rows = [row for row in csv.reader(io.StringIO(sample), delimiter=delimiter) if any(row)]
            width = len(rows[0]) if rows else 0
            return sum(len(row) == width for row in rows) if width > 1 else 0, width
        return 0, 0

    return max(DELIMITERS, key=fit)


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    """Yield the rows. Raises ``BadInput`` where a quotation mark is not closed, and for a value that is too long."""
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    except csv.Error:
        # Without a quotation mark it is a value beyond the module's own limit, which is several times ours.
        code = "quotes" if '"' in text else "cell"
        raise BadInput.of(f"documents.tables.{code}", code="table", limit=MAX_CELL_CHARS) from None
