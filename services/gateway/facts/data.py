"""What a turn knows of a filling: the table that was read, and the files of the filled report."""

from __future__ import annotations

from typing import Annotated

from bandsmith.shared.events import ReportFilled
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.filling import BoundPart, Filling, Print
from bandsmith.shared.model.run import Delivery
from bandsmith.shared.model.session_parts import Format

from .learning import INTERNAL, On
from .report import ReportFacts


def _filled(turn: DataFacts, event: ReportFilled) -> dict[str, list[Ref]]:
    return turn.filled | {_key(event): event.files}


def _key(event: ReportFilled) -> str:
    return f"{event.format}:{event.name}" if event.name else event.format


def _not_in_filled(turn: DataFacts, event: ReportFilled) -> dict[str, list[str]]:
    return turn.not_in_filled | {_key(event): event.missing_texts}


def _shapes_not_in_filled(turn: DataFacts, event: ReportFilled) -> dict[str, int]:
    return turn.shapes_not_in_filled | {_key(event): event.missing_shapes}


def _pages(turn: DataFacts, event: ReportFilled) -> int:
    """Return the pages of all parts, as they are in one of the formats."""
    if not event.name:
        return event.pages
    return turn.filled_pages + (event.pages if event.format == turn.fill_formats[0] else 0)


def _file_name(one: Print, page: int = 1) -> str:
    stem = f"filled-{one.name}" if one.name else "filled"
    return f"{stem}-{page}.png" if one.format == "png" else f"{stem}.{one.format}"


class DataFacts(ReportFacts):
    delivery: Annotated[Delivery | None, INTERNAL] = None
    """Where the filled files go."""
    delivered_to: list[str] = []
    table: Ref | None = None
    rows: Ref | None = None
    row_count: int = 0
    without_value: int = 0
    """Number of single values that are blank, since nothing fills them."""
    parts: list[BoundPart] = []
    """The reports that are printed, where the rows are divided."""
    filled: Annotated[dict[str, list[Ref]], On(ReportFilled, _filled)] = {}
    """The files of each print, as they come in, by its key."""
    not_in_filled: Annotated[dict[str, list[str]], On(ReportFilled, _not_in_filled)] = {}
    """The texts that the files of each print lack, by its key."""
    shapes_not_in_filled: Annotated[dict[str, int], On(ReportFilled, _shapes_not_in_filled)] = {}
    """How many pictures, lines and areas the files of each print lack, by its key."""
    filled_pages: Annotated[int, INTERNAL, On(ReportFilled, _pages)] = 0

    @property
    def delivery_key(self) -> str:
        """What a receiver tells a repeated delivery by: that of the scheduled run, else the turn itself."""
        return (self.delivery.key if self.delivery else "") or self.id

    @property
    def fill_request(self) -> Filling:
        """What the report is filled with besides the attached file."""
        return self.filling or Filling()

    @property
    def sample(self) -> Ref | None:
        """The data that came with the template, if any: it has the logo."""
        is_own = self.saved is not None and self.template == self.saved.template
        return self.fill_request.sample or (self.data if is_own else None)

    @property
    def prints(self) -> list[Print]:
        """What is printed: each part in each format."""
        assert self.rows is not None
        parts = [(part.name, part.rows) for part in self.parts] or [("", self.rows)]
        return [Print(format=form, name=name, rows=rows) for name, rows in parts for form in self.fill_formats]

    @property
    def filled_files(self) -> dict[str, Ref]:
        """The filled files by name, in the order in which their formats were asked for."""
        found: dict[str, Ref] = {}
        for one in self.prints if self.rows else []:
            for number, ref in enumerate(self.filled.get(one.key, []), 1):
                found[_file_name(one, number)] = ref
        return found

    @property
    def texts_not_in_filled(self) -> dict[str, list[str]]:
        """The texts that filled files lack, by the name of the file."""
        return {self._file_names[key]: texts for key, texts in self.not_in_filled.items() if key in self._file_names}

    @property
    def shape_counts_of_filled(self) -> dict[str, int]:
        """How many pictures, lines and areas filled files lack, by the name of the file."""
        counts = self.shapes_not_in_filled.items()
        return {self._file_names[key]: count for key, count in counts if key in self._file_names}

    @property
    def _file_names(self) -> dict[str, str]:
        return {one.key: _file_name(one) for one in self.prints} if self.rows else {}

    @property
    def fill_formats(self) -> list[Format]:
        """The formats of the filled report."""
        return list(dict.fromkeys(self.fill_request.formats)) or ["pdf"]
