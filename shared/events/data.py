"""Messages of the flow that fills a report with a person's own data, in the order of the flow."""

from __future__ import annotations

from ..language import Language
from ..model.base import Ref
from ..model.document import Document
from ..model.filling import BoundPart, Filling
from ..model.session_parts import Format
from .base import Command, Event


class ReadFilling(Command):
    """Read whether the message asks to fill the report with the attached file."""

    service = "planner"
    answers = ("FillingRead",)
    text: str


class FillingRead(Event):
    filling: Filling | None
    """None: it asks for something else."""


class ReadTable(Command):
    """Read a CSV, XLSX or JSON file as a table."""

    service = "ocr"
    answers = ("TableRead",)
    document: Document
    language: Language = "en"


class TableRead(Event):
    table: Ref
    """JSON Lines: a ``TableHead``, then a list of cells for each row."""
    notes: list[str] = []
    """What of the file was not read, or how it was read, in the turn's language."""


class BindData(Command):
    """Match the columns of a table with the fields of a template, and give every value the type of its field."""

    service = "planner"
    answers = ("DataBound",)
    template: Ref
    table: Ref
    filling: Filling
    sample: Ref | None = None
    """The ``Data`` that came with the template: its pictures are printed where the table brings none."""
    language: Language = "en"


class DataBound(Event):
    rows: Ref
    """JSON Lines: a ``FilledData``, then an object with the values by field for each row."""
    row_count: int
    parts: list[BoundPart] = []
    """The rows of each report, where they are divided; `rows` are those of the first then."""
    left_out: int = 0
    """How many fields and values could not be filled from the file."""
    without_value: int = 0
    """Number of single values that the report prints and that nothing fills: they are blank."""
    notes: list[str] = []
    """What did not match, in the turn's language."""


class FillReport(Command):
    """Print the report with these rows, in one format."""

    service = "validator"
    answers = ("ReportFilled",)
    template: Ref
    rows: Ref
    """Those of ``DataBound``."""
    format: Format
    name: str = ""
    """Of the part that is printed, where the rows are divided."""
    upload: Ref | None = None
    """The user's own file that the template comes from, if any. What it contains that must not run is left out."""
    language: Language = "en"


class ReportFilled(Event):
    format: Format
    name: str = ""
    files: list[Ref]
    """One file; for PNG one for each page."""
    pages: int
    notes: list[str] = []
    """What of the template was left out of the print, in the turn's language."""
    missing_texts: list[str] = []
    """The first texts that the report prints and that the file does not have."""
    missing_shapes: int = 0
    """Pictures, lines and areas that the report prints and that the file has no place for."""
