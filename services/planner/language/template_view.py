"""A template as a user sees it: its title, columns and texts, with the words that name them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.value_types import DECIMAL, INTEGER, LONG
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.jrxml.bands import named_elements
from bandsmith.shared.jrxml.dom import J, local_name, report_element
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.expressions import references, sole_reference, string_literals
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.jrxml.tables import main_table, printed_sides

NUMERIC = frozenset({
    INTEGER, LONG, DECIMAL, "java.lang.Short", "java.lang.Byte", "java.lang.Double", "java.lang.Float",
    "java.lang.Number", "java.math.BigInteger",
})  # fmt: skip
DATES = frozenset({"java.util.Date", "java.sql.Date", "java.sql.Timestamp"})
_FEET = ("pageFooter", "lastPageFooter")
_HEADS = ("title", "pageHeader")


@dataclass(frozen=True)
class ViewElement:
    """One element. Its position is in points from the left edge of the columns and the top of its band."""

    key: str
    tag: str
    """``staticText``, ``textField``, ``image``, ``line`` and so on."""
    section: str
    band: int
    """Number of its band in the template, from the top."""
    x: int
    y: int
    width: int
    height: int
    words: str
    """Its text; for a text field, the text around its values."""
    expression: str = ""
    size: float = 10.0
    pattern: str = ""
    node: etree._Element = field(compare=False, repr=False, default=None)  # type: ignore[assignment]

    @property
    def is_text(self) -> bool:
        return self.tag in ("staticText", "textField")

    @property
    def references(self) -> list[tuple[str, str]]:
        return references(self.expression)


@dataclass(frozen=True)
class TableColumn:
    """A column of the table."""

    field: str
    label: str
    java_class: str
    cells: tuple[ViewElement, ...]
    head: ViewElement | None
    width: int
    """From its left to its right edge, in points."""

    @property
    def pieces(self) -> list[ViewElement]:
        return [*self.cells, *([self.head] if self.head else [])]

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers other than row numbers."""
        return self.java_class in NUMERIC and not self.field.endswith("_COUNT")


class TemplateView:
    """The contents of a template. Each part is read when it is first needed."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.root = editor.root

    @cached_property
    def pieces(self) -> list[ViewElement]:
        """Every element in document order. Edits refer to an element by its key."""
        bands = {band: number for number, (_, band) in enumerate(self.editor.bands())}
        found = []
        for name, node in named_elements(self.root):
            band = next(iter(node.iterancestors(f"{J}band")), None)
            if band in bands:
                found.append(self._piece(node, report_element(node), name, band, bands[band]))
        return found

    @cached_property
    def piece_order(self) -> dict[str, int]:
        """The number of each element in document order, by its key."""
        return {piece.key: number for number, piece in enumerate(self.pieces)}

    def piece(self, key: str) -> ViewElement | None:
        return self.pieces[self.piece_order[key]] if key in self.piece_order else None

    @cached_property
    def texts(self) -> list[ViewElement]:
        return [piece for piece in self.pieces if piece.is_text]

    @cached_property
    def classes(self) -> dict[str, str]:
        """The Java class of each field."""
        return {node.get("name", ""): node.get("class", "java.lang.String") for node in self._declared("field")}

    @cached_property
    def columns(self) -> list[TableColumn]:
        """The columns of the table, from left to right."""
        draft = self._draft
        try:
            table = main_table(draft)
        except EditRefused:
            return []
        names = {node: name for name, node in named_elements(draft.root)}
        pieces = {piece.key: piece for piece in self.pieces}
        columns = []
        printed = [piece.expression for piece in self.in_sections("detail")]
        for found in table.columns:
            cells = tuple(pieces[names[cell]] for cell in found.cells)
            shown = next((cell for cell in cells if cell.tag == "textField"), cells[0])
            # A column is named by its field, else by its variable. A cell that prints neither, or only what other cells
            # print alone, is named by its key.
            used = (name for letter in "FV" for scope, name in shown.references if scope == letter)
            field = next((name for name in used if not _belongs_to_another_cell(name, shown, printed)), shown.key)
            head = pieces[names[found.header]] if found.header is not None else None
            label = head.words if head and head.words else field
            columns.append(TableColumn(field, label, self._class_of(shown), cells, head, found.width))
        return columns

    def _class_of(self, piece: ViewElement) -> str:
        """Return the Java class of the value that a cell prints."""
        alone = sole_reference(piece.expression, "FV")
        if not alone:
            return _class_of_computed(piece)
        scope, name = alone
        if scope == "F":
            return self.classes.get(name, "")
        declared = {node.get("name"): node.get("class", "java.lang.String") for node in self._declared("variable")}
        return declared.get(name, INTEGER)  # variables of the engine are counters

    def column(self, field: str) -> TableColumn | None:
        return next((column for column in self.columns if column.field == field), None)

    def in_sections(self, *sections: str) -> list[ViewElement]:
        return [piece for piece in self.pieces if piece.section in sections]

    @cached_property
    def header(self) -> list[ViewElement]:
        """The texts above the columns."""
        return [piece for piece in self.in_sections("columnHeader") if piece.is_text]

    @cached_property
    def footer(self) -> list[ViewElement]:
        return self.in_sections(*_FEET)

    @cached_property
    def title(self) -> ViewElement | None:
        """The largest text at the top of the page; the upper left one of several."""
        heads = [piece for piece in self.in_sections(*_HEADS) if piece.is_text]
        first = min((piece.band for piece in heads), default=None)
        top = [piece for piece in heads if piece.band == first]
        return max(top, key=lambda piece: (piece.size, -piece.y, -piece.x), default=None)

    @cached_property
    def page_numbers(self) -> list[ViewElement]:
        return [piece for piece in self.texts if ("V", "PAGE_NUMBER") in piece.references]

    @cached_property
    def pictures(self) -> list[ViewElement]:
        return [piece for piece in self.pieces if piece.tag == "image"]

    @cached_property
    def lines(self) -> list[ViewElement]:
        return [piece for piece in self.pieces if piece.tag == "line"]

    @cached_property
    def groups(self) -> list[str]:
        """The fields that the rows are grouped by."""
        found = []
        for node in self._declared("group"):
            used = references(node.findtext(f"{J}groupExpression") or "")
            found += [name for scope, name in used if scope == "F"][:1]
        return found

    @cached_property
    def width(self) -> int:
        """Width of the columns, in points."""
        return int(self.root.get("columnWidth", "555"))

    @cached_property
    def page(self) -> tuple[int, int]:
        return int(self.root.get("pageWidth", "595")), int(self.root.get("pageHeight", "842"))

    @cached_property
    def sides(self) -> tuple[int, int]:
        """Left and right edge of the printed area."""
        bands = self._draft.bands()
        return printed_sides(self._draft, bands[0][1]) if bands else (0, self.width)

    @cached_property
    def _draft(self) -> Draft:
        return Draft(self.editor.bytes())

    @cached_property
    def chinese(self) -> bool:
        """Whether the texts are mainly in Chinese."""
        words = "".join(piece.words for piece in self.texts)
        return sum(map(is_cjk, words)) > sum(char.isascii() and char.isalpha() for char in words) / 3

    def _declared(self, tag: str) -> Iterator[etree._Element]:
        return self.root.iterchildren(f"{J}{tag}")

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
    ) -> ViewElement:
        parent = band.getparent()
        x = int(report.get("x", "0")) + sum(
            int(report_element(frame).get("x", "0")) for frame in node.iterancestors(f"{J}frame")
        )
        expression = ""
        words = (node.findtext(f"{J}text") or "").strip()
        for name in ("textFieldExpression", "imageExpression"):
            expression = expression or (node.findtext(f"{J}{name}") or "").strip()
        if local_name(node) == "textField":
            words = " ".join(string_literals(expression)).strip()
        font = node.find(f"{J}textElement/{J}font")
        size = _number(font.get("size")) if font is not None else None
        return ViewElement(
            key=key, tag=local_name(node), section=local_name(parent), band=number, x=x, y=int(report.get("y", "0")),
            width=int(report.get("width", "0")), height=int(report.get("height", "0")), words=words,
            expression=expression, size=size or self._styles.get(report.get("style", ""), self._styles[""]),
            pattern=node.get("pattern", ""), node=node,
        )  # fmt: skip


def _belongs_to_another_cell(name: str, shown: ViewElement, printed: list[str]) -> bool:
    """Whether a cell prints a field or variable only as part of a text, and another cell prints it alone."""
    references_alone = (f"$F{{{name}}}", f"$V{{{name}}}")
    return shown.expression not in references_alone and any(expression in references_alone for expression in printed)


def _number(text: str | None) -> float | None:
    try:
        return float(text or "") or None
    except ValueError:
        return None


def _class_of_computed(piece: ViewElement) -> str:
    """Return the Java class of a compound expression: a decimal if it calculates, else a string."""
    return DECIMAL if re.search(r"\.(?:multiply|add|subtract|divide)\(", piece.expression) else "java.lang.String"
