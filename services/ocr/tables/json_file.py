"""JSON: a list of objects, or an object that holds such lists beside values of its own.

Of several lists the one called ``rows`` has the rows of the report; the others have those of its further tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.filling import MAX_TABLE_ROWS, Cell, TableHead
from bandsmith.shared.replies import Text, listed

from .read_table import ParsedTable, clean, column_names, exact, table_of_rows

MAX_BYTES = 32 * 1024 * 1024
"""JSON is read as a whole, which takes several times its size."""
MAX_LISTED = 5
_PICTURE = re.compile(r"(?:iVBORw0KGgo|/9j/|R0lGOD)[A-Za-z0-9+/]*={0,2}")
"""The content of a PNG, JPEG or GIF picture in base64, as in the data of a build; it is as long as the picture is."""

Record = Mapping[str, Any]


def read(content: bytes) -> ParsedTable:
    """Return the table. Raises ``BadInput`` for a file that is no JSON, or holds no list of objects and no values."""
    if len(content) > MAX_BYTES:
        raise BadInput.of("documents.tables.json_large", code="table", megabytes=MAX_BYTES // 1024 // 1024)
    try:
        document = json.loads(content.decode("utf-8-sig"), parse_float=Decimal, parse_constant=_no_constant)
    except (ValueError, RecursionError, ArithmeticError):
        raise BadInput.of("documents.tables.no_json", code="table") from None
    parameters, records, lists = _parts(document)
    nested: dict[str, None] = {}
    flat = [_flattened(record, nested) for record in records]
    names = list(dict.fromkeys(name for row in flat for name in row))
    once = _flattened(parameters, nested)
    further = {clean(name): [_flattened(row, nested) for row in rows] for name, rows in lists.items()}
    if sum(map(len, further.values())) > MAX_TABLE_ROWS:
        raise BadInput.of("documents.tables.rows", code="table", limit=MAX_TABLE_ROWS)
    head = TableHead(columns=column_names(names) if names else [], parameters=once, lists=further)
    table = table_of_rows(head, ([row.get(name) for name in names] for row in flat))
    if nested:
        shown = list(nested)[:MAX_LISTED]
        named = Text(listed(shown, "en"), listed(shown, "zh"))
        table.notes.append(Text.of("documents.tables.nested", names=named))
    return table


def _parts(document: Any) -> tuple[Mapping[str, Any], Sequence[Record], Mapping[str, Sequence[Record]]]:
    """Return the values beside the rows, the rows, and the other lists by name."""
    if _is_rows(document):
        return {}, document, {}
    if not isinstance(document, dict):
        raise BadInput.of("documents.tables.no_rows", code="table")
    lists = [name for name, value in document.items() if isinstance(value, list) and value and _is_rows(value)]
    further: dict[str, Sequence[Record]] = {}
    if "rows" in document and _is_rows(document["rows"]):
        further = _lists_beside(document)
        lists = ["rows"]
    if len(lists) > 1:
        names = Text(listed(lists[:MAX_LISTED], "en"), listed(lists[:MAX_LISTED], "zh"))
        raise BadInput.of("documents.tables.several_lists", code="table", names=names)
    known = {*lists, *further, *(["lists"] if further else [])}
    beside = {name: value for name, value in document.items() if name not in known}
    if isinstance(parameters := beside.get("parameters"), dict):
        beside = {**beside, **parameters}
        beside.pop("parameters", None)
    return beside, document[lists[0]] if lists else [], further


def _lists_beside(document: Mapping[str, Any]) -> dict[str, Sequence[Record]]:
    """Return the lists of objects beside ``rows``, and those in ``lists``, as in the data of a build."""
    inner = document.get("lists")
    found = {**document, **(inner if isinstance(inner, dict) else {})}
    return {
        name: value for name, value in found.items() if name != "rows" and isinstance(value, list) and _is_rows(value)
    }


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _flattened(record: Mapping[str, Any], nested: dict[str, None], prefix: str = "") -> dict[str, Cell]:
    """Return an object's values, those of an object in it under both names: ``customer.name``.

    Lists, and objects further down, are noted in `nested`.
    """
    found: dict[str, Cell] = {}
    for name, value in record.items():
        key = clean(f"{prefix}{name}")
        if isinstance(value, dict) and not prefix:
            found |= _flattened(value, nested, f"{key}.")
        elif isinstance(value, dict | list):
            nested[key] = None
        else:
            found[key] = _cell(value)
    return found


def _cell(value: Any) -> Cell:
    if isinstance(value, str):
        return value if _PICTURE.fullmatch(value) else clean(value)
    if isinstance(value, Decimal):
        return exact(value)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 63:
        return str(value)
    return value if isinstance(value, int | None) else str(value)


def _no_constant(name: str) -> Iterator[None]:
    raise ValueError(name)  # NaN and Infinity are no JSON
