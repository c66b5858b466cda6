"""What a turn knows of a filling: the table that was read, and the files of the filled report."""

from __future__ import annotations

from typing import Annotated

from bandsmith.shared.events import ReportFilled
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import Delivery
from bandsmith.shared.model.session import Format

from .learning import INTERNAL, Of
from .report import ReportFacts


class DataFacts(ReportFacts):
    delivery: Annotated[Delivery | None, INTERNAL] = None
    """Where the filled files go."""
    delivered_to: list[str] = []
    table: Ref | None = None
    rows: Ref | None = None
    row_count: int = 0
    filled: Annotated[dict[Format, list[Ref]], Of(ReportFilled, "files", key="format")] = {}
    """The files of each format, as they come in."""
    filled_pages: Annotated[int, INTERNAL, Of(ReportFilled, "pages")] = 0

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
    def filled_files(self) -> dict[str, Ref]:
        """The filled files by name, in the order in which their formats were asked for."""
        found: dict[str, Ref] = {}
        for form in self.fill_formats:
            for number, ref in enumerate(self.filled.get(form, []), 1):
                found[f"filled-{number}.png" if form == "png" else f"filled.{form}"] = ref
        return found

    @property
    def fill_formats(self) -> list[Format]:
        """The formats of the filled report."""
        return list(dict.fromkeys(self.fill_request.formats)) or ["pdf"]
