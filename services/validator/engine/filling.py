"""What a report is filled with: sample data of the project, or a person's own rows, which are parsed one by one.

Runs in the worker. The engine asks for a row, gets it as a Java map, and lets go of it before the next: however many
rows there are, one of them exists as an object.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import jpype
import orjson

_DATA_SOURCES = "net.sf.jasperreports.engine.data."


class ReportData(Protocol):
    """Parameters and rows."""

    parameters: Mapping[str, Any]
    digest: bytes
    """Equal for equal data."""
    row_count: int | None
    """None: the report prints no rows, and is printed once."""
    lists: Mapping[str, Sequence[Mapping[str, Any]]]
    """The rows of further tables, by the name of their dataset and of the parameter that passes them."""

    def rows(self) -> Iterator[Mapping[str, Any]]: ...


class SampleData:
    """Values that came with the template. Without rows the report is printed once, as a form is."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.parameters = data.get("parameters") or {}
        self.digest = hashlib.sha256(orjson.dumps(data)).digest()
        self._rows = data.get("rows") or []
        self.row_count = len(self._rows) or None
        self.lists = data.get("lists") or {}

    def rows(self) -> Iterator[Mapping[str, Any]]:
        return iter(self._rows)


class OwnRows:
    """A person's own rows as JSON Lines: an object with the parameters and the number of rows, then the rows."""

    def __init__(self, lines: bytes) -> None:
        self._lines = lines
        self._end = lines.find(b"\n")
        head = orjson.loads(lines if self._end < 0 else lines[: self._end])
        self.parameters, self.row_count, self.lists = head["parameters"], head["rows"], head.get("lists") or {}
        self.digest = hashlib.sha256(lines).digest()

    def rows(self) -> Iterator[Mapping[str, Any]]:
        start = self._end + 1
        while 0 < start <= len(self._lines):
            end = self._lines.find(b"\n", start)
            end = len(self._lines) if end < 0 else end
            yield orjson.loads(memoryview(self._lines)[start:end])
            start = end + 1


def report_data(sample: Mapping[str, Any] | None, blobs: list[bytes]) -> ReportData:
    """Return the data of a request: its own, or the blob that came with it."""
    return OwnRows(blobs[0]) if sample is None and blobs else SampleData(sample or {})


def data_source(data: ReportData, as_map: Callable[[Mapping[str, Any]], Any]) -> Any:
    """Return the engine's data source of the rows. `as_map` makes a Java map of one."""
    rows = jpype.JProxy(jpype.JClass("java.util.Collection"), inst=_Rows(data, as_map))
    return jpype.JClass(_DATA_SOURCES + "JRMapCollectionDataSource")(rows)


class _Rows:
    """A Java collection of which only the iterator is ever asked for."""

    def __init__(self, data: ReportData, as_map: Callable[[Mapping[str, Any]], Any]) -> None:
        self._data, self._as_map = data, as_map

    def iterator(self) -> Any:
        return jpype.JProxy(jpype.JClass("java.util.Iterator"), inst=_RowIterator(self._data.rows(), self._as_map))

    def size(self) -> int:
        return self._data.row_count or 0

    def isEmpty(self) -> bool:
        return not self._data.row_count


class _RowIterator:
    def __init__(self, rows: Iterator[Mapping[str, Any]], as_map: Callable[[Mapping[str, Any]], Any]) -> None:
        self._rows, self._as_map = rows, as_map
        self._next = next(rows, None)

    def hasNext(self) -> bool:
        return self._next is not None

    def next(self) -> Any:
        assert self._next is not None
        row, self._next = self._as_map(self._next), next(self._rows, None)
        return row
