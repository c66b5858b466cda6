"""View: a template as a user sees it: its title, its columns, its texts, each with the words that name it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree

from shared.fonts import is_cjk

from ..edits import Editor, local, report_element
from ..jrxml import NAMESPACE
from ..types import DECIMAL, INTEGER, LONG

NUMERIC = frozenset({
    INTEGER, LONG, DECIMAL, "java.lang.Short", "java.lang.Byte", "java.lang.Double", "java.lang.Float",
    "java.lang.Number", "java.math.BigInteger",
})  # fmt: skip
DATES = frozenset({"java.util.Date", "java.sql.Date", "java.sql.Timestamp"})
REFERENCE = re.compile(r"\$([PFV])\{([^{}]+)\}")
_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
_FEET = ("pageFooter", "lastPageFooter")
_HEADS = ("title", "pageHeader")


@dataclass(frozen=True)
class Piece:
    """One element, with its place in points from the left of the columns and the top of its band."""

    key: str
    tag: str
    """``staticText``, ``textField``, ``image``, ``line`` and so on."""
    section: str
    band: int
    """Which band of the template it stands in."""
    x: int
    y: int
    width: int
    height: int
    words: str
    """Its wording: of a text field, the wording around its values."""
    expression: str = ""
    size: float = 10.0
    pattern: str = ""
    node: etree._Element = field(compare=False, repr=False, default=None)  # type: ignore[assignment]

    @property
    def is_text(self) -> bool:
        return self.tag in ("staticText", "textField")

    @property
    def references(self) -> list[tuple[str, str]]:
        return REFERENCE.findall(self.expression)


@dataclass(frozen=True)
class Column:
    """A column of the rows."""

    field: str
    label: str
    java_class: str
    cells: tuple[Piece, ...]
    head: Piece | None

    @property
    def pieces(self) -> list[Piece]:
        return [*self.cells, *([self.head] if self.head else [])]

    @property
    def x(self) -> int:
        return self.cells[0].x

    @property
    def width(self) -> int:
        return max(self.cells[0].width, self.head.width if self.head else 0)

    @property
    def numeric(self) -> bool:
        return self.java_class in NUMERIC


class View:
    """What a template holds, read once."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.root = editor.root

    @cached_property
    def pieces(self) -> list[Piece]:
        """Every element that has a name, in document order."""
        bands = {band: number for number, (_, band) in enumerate(self.editor.bands())}
        found = []
        for node in self.editor.elements():
            band = next(iter(node.iterancestors(f"{{{NAMESPACE}}}band")), None)
            report = report_element(node)
            key = report.get("key") or report.get("uuid")
            if key and band in bands:
                found.append(self._piece(node, report, key, band, bands[band]))
        return found

    def piece(self, key: str) -> Piece | None:
        return next((piece for piece in self.pieces if piece.key == key), None)

    @cached_property
    def texts(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.is_text]

    @cached_property
    def classes(self) -> dict[str, str]:
        """The Java class of each field."""
        return {node.get("name", ""): node.get("class", "java.lang.String") for node in self._declared("field")}

    @cached_property
    def columns(self) -> list[Column]:
        """The columns of the rows, from left to right."""
        cells: dict[str, list[Piece]] = {}
        for piece in self.in_sections("detail"):
            name = next((name for scope, name in piece.references if scope == "F"), None)
            if piece.tag == "textField" and name is not None:
                cells.setdefault(name, []).append(piece)
        heads = [piece for piece in self.in_sections("columnHeader", "groupHeader") if piece.is_text]
        columns = []
        for name, pieces in sorted(cells.items(), key=lambda item: (item[1][0].x, item[0])):
            head = _above(pieces[0], heads)
            label = head.words if head and head.words else name
            columns.append(Column(name, label, self.classes.get(name, ""), tuple(pieces), head))
        return columns

    def column(self, field: str) -> Column | None:
        return next((column for column in self.columns if column.field == field), None)

    def in_sections(self, *sections: str) -> list[Piece]:
        return [piece for piece in self.pieces if piece.section in sections]

    @cached_property
    def header(self) -> list[Piece]:
        """The texts that head the columns."""
        return [piece for piece in self.in_sections("columnHeader") if piece.is_text]

    @cached_property
    def footer(self) -> list[Piece]:
        return self.in_sections(*_FEET)

    @cached_property
    def title(self) -> Piece | None:
        """The largest text at the top; of two as large, the upper one."""
        heads = [piece for piece in self.in_sections(*_HEADS) if piece.is_text]
        first = min((piece.band for piece in heads), default=None)
        top = [piece for piece in heads if piece.band == first]
        return max(top, key=lambda piece: (piece.size, -piece.y, -piece.x), default=None)

    @cached_property
    def page_numbers(self) -> list[Piece]:
        return [piece for piece in self.texts if ("V", "PAGE_NUMBER") in piece.references]

    @cached_property
    def pictures(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.tag == "image"]

    @cached_property
    def lines(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.tag == "line"]

    @cached_property
    def groups(self) -> list[str]:
        """The fields that the rows are grouped by."""
        found = []
        for node in self._declared("group"):
            used = REFERENCE.findall(node.findtext(f"{{{NAMESPACE}}}groupExpression") or "")
            found += [name for scope, name in used if scope == "F"][:1]
        return found

    @cached_property
    def width(self) -> int:
        """Of the columns, in points."""
        return int(self.root.get("columnWidth", "555"))

    @cached_property
    def page(self) -> tuple[int, int]:
        return int(self.root.get("pageWidth", "595")), int(self.root.get("pageHeight", "842"))

    @cached_property
    def sides(self) -> tuple[int, int]:
        """The left and right ends of what is printed."""
        left = min((piece.x for piece in self.pieces), default=0)
        return max(0, left), max((piece.x + piece.width for piece in self.pieces), default=self.width)

    @cached_property
    def chinese(self) -> bool:
        """Whether the form is worded in Chinese."""
        words = "".join(piece.words for piece in self.texts)
        return sum(map(is_cjk, words)) > sum(char.isascii() and char.isalpha() for char in words) / 3

    def _declared(self, tag: str) -> Iterator[etree._Element]:
        return self.root.iterchildren(f"{{{NAMESPACE}}}{tag}")

    @cached_property
    def _styles(self) -> dict[str, float]:
        found = {"": 10.0}
        for node in self._declared("style"):
            size = _number(node.get("fontSize"))
            if size:
                found[node.get("name", "")] = size
                if node.get("isDefault") == "true":
                    found[""] = size
        return found

    def _piece(
        self, node: etree._Element, report: etree._Element, key: str, band: etree._Element, number: int
    ) -> Piece:
        parent = band.getparent()
        x = int(report.get("x", "0")) + sum(
            int(report_element(frame).get("x", "0")) for frame in node.iterancestors(f"{{{NAMESPACE}}}frame")
        )
        expression = ""
        words = (node.findtext(f"{{{NAMESPACE}}}text") or "").strip()
        for name in ("textFieldExpression", "imageExpression"):
            expression = expression or (node.findtext(f"{{{NAMESPACE}}}{name}") or "").strip()
        if local(node) == "textField":
            words = " ".join(_LITERAL.findall(expression)).strip()
        font = node.find(f"{{{NAMESPACE}}}textElement/{{{NAMESPACE}}}font")
        size = _number(font.get("size")) if font is not None else None
        return Piece(
            key=key, tag=local(node), section=local(parent), band=number, x=x, y=int(report.get("y", "0")),
            width=int(report.get("width", "0")), height=int(report.get("height", "0")), words=words,
            expression=expression, size=size or self._styles.get(report.get("style", ""), self._styles[""]),
            pattern=node.get("pattern", ""), node=node,
        )  # fmt: skip


def _number(text: str | None) -> float | None:
    try:
        return float(text or "") or None
    except ValueError:
        return None


def _above(cell: Piece, heads: list[Piece]) -> Piece | None:
    """The heading that stands over most of a cell."""

    def shared(head: Piece) -> int:
        return min(cell.x + cell.width, head.x + head.width) - max(cell.x, head.x)

    best = max(heads, key=lambda head: (shared(head), head.y), default=None)
    return best if best is not None and shared(best) > 0 else None
