"""Filling a report with a person's own data: what is asked for, and the tables that are read on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import orjson
from pydantic import Field

from .base import Ref, Value
from .session_parts import Format

MAX_TABLE_ROWS, MAX_TABLE_COLUMNS = 100_000, 500
MAX_CELL_CHARS = 32_767
"""Characters of a cell, as in a spreadsheet."""
MAX_PARTS = 200
"""How many reports one filling prints."""
MAX_PARAMETERS, MAX_PARAMETER_CHARS = 200, 4_000
JSON_LINES = "application/jsonl"

Cell = str | int | float | bool | None
"""A cell as the file has it: a text, a number, yes or no, or nothing. A date is a text in ISO format."""


class Filling(Value):
    """What a turn is to fill a report with, besides the attached file."""

    parameters: dict[str, str] = Field(default={}, max_length=MAX_PARAMETERS)
    """Values of parameters by name, as the user wrote them."""
    formats: list[Format] = []
    """The formats of the filled report; none means a PDF."""
    sample: Ref | None = None
    """The ``Data`` that came with the template. Its pictures are printed where the file brings none, nothing else."""
    source: str | None = None
    """Name of the source that fills the report instead of a file; empty for the only one."""
    period: str = ""
    """The period of the rows in the user's words, where no parameter is named: "October"."""
    bindings: Ref | None = None
    """The queries of an earlier filling: a ``BindingFile`` as YAML."""
    each: str = Field(default="", max_length=80)
    """What the rows are divided by, as the user calls it: a report is printed for each "customer"."""
    only: list[str] = Field(default=[], max_length=MAX_PARTS)
    """The values of `each` that get a report; empty: all of them."""
    review: bool = False
    """Whether the user reviews new queries before the report is filled."""


class BoundPart(Value):
    """The rows of one of the reports that a filling prints, and what it is called."""

    name: str
    """The value that its rows have in common, as a part of a file's name."""
    rows: Ref
    """JSON Lines, as ``DataBound.rows``."""


class Print(Value):
    """One print of a filling: a report in a format."""

    format: Format
    rows: Ref
    name: str = ""
    """Of its part; empty where the rows are not divided."""

    @property
    def key(self) -> str:
        return f"{self.format}:{self.name}" if self.name else self.format


class TableHead(Value):
    """The first line of a table: what its rows are. Each further line is a row, a list of one cell for each column."""

    columns: list[str]
    parameters: dict[str, Cell] = {}
    """Values that the file names once: those beside the rows of a JSON file."""
    lists: dict[str, list[dict[str, Cell]]] = {}
    """The rows of further tables: the other lists of a JSON file."""
    semicolons: bool = False
    """Whether semicolons separate the values, as where a comma is the decimal point."""


class FilledData(Value):
    """The first line of the data of a filling: typed parameters. Each further line is an object, a row by field."""

    parameters: dict[str, Cell] = {}
    lists: dict[str, list[dict[str, Cell]]] = {}
    """The rows of further tables, by the name of the parameter that passes them."""
    rows: int | None = None
    """Number of rows; None for a report that prints no rows, which is printed once."""


def encode_lines(head: Value, rows: Iterable[object]) -> bytes:
    """Write a head and the rows as JSON Lines. The rows may be a generator: none of them is kept as an object."""
    lines = bytearray(head.model_dump_json().encode())
    for row in rows:
        lines += b"\n"
        lines += orjson.dumps(row)
    return bytes(lines)


def lines_of(content: bytes) -> Iterator[bytes]:
    """Yield the lines of JSON Lines one by one, without a list of them."""
    start = 0
    while start <= len(content):
        end = content.find(b"\n", start)
        end = len(content) if end < 0 else end
        yield content[start:end]
        start = end + 1


def read_table(content: bytes) -> tuple[TableHead, Iterator[list[Cell]]]:
    """Return the head of a table, and its rows as they are read."""
    lines = lines_of(content)
    return TableHead.model_validate_json(next(lines)), (orjson.loads(line) for line in lines)
