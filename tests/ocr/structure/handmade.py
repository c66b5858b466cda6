"""Pages written by hand, as the marks that are found on them."""

from bandsmith.services.ocr.page_marks import PageMarks
from bandsmith.services.ocr.structure import understand
from bandsmith.shared.fonts import DEFAULT_FAMILY, measure
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Cell, Grid, Layout, TextLine, TextStyle

A4 = Size(width=595, height=842)


class HandmadeMarks(PageMarks):
    """Marks of a page written by hand: texts at positions, and ruled tables."""

    def write(self, x: float, y: float, text: str, *, size: float = 9, bold: bool = False, right: bool = False) -> None:
        width = measure(text, DEFAULT_FAMILY, size, bold).advance
        box = Box(x=x - width if right else x, y=y, width=width, height=size * 0.75)
        style = TextStyle(family=DEFAULT_FAMILY, size=size, bold=bold)
        self.lines.append(TextLine(id=f"l{len(self.lines)}", text=text, box=box, style=style))

    def table(self, x: float, y: float, widths: list[float], rows: list[list[str]], height: float = 20) -> None:
        edges = [x + sum(widths[:i]) for i in range(len(widths) + 1)]
        tops = [y + height * i for i in range(len(rows) + 1)]
        cells = []
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                cells.append(Cell(row=r, column=c, box=Box.between(edges[c], tops[r], edges[c + 1], tops[r + 1])))
                if text:
                    self.write(edges[c] + 4, tops[r] + 6, text)
        box = Box.between(edges[0], tops[0], edges[-1], tops[-1])
        self.grids.append(Grid(id=f"g{len(self.grids)}", box=box, columns=edges, rows=tops, cells=cells))

    def understood(self) -> Layout:
        return understand(A4, self, [])
