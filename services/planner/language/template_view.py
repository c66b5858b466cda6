"""A template as a user sees it: its title, columns and texts, with the words that name them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.value_types import DECIMAL, INTEGER
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.jrxml.bands import named_elements
from bandsmith.shared.jrxml.dom import J, local_name, report_element
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.expressions import reference_pattern, references, sole_reference, string_literals
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.jrxml.tables import main_table, printed_sides
from bandsmith.shared.model.plan import Data

from .view_elements import TableColumn, ViewElement

_FEET = ("pageFooter", "lastPageFooter")
_HEADS = ("title", "pageHeader")
_TABLE = ("columnHeader", "detail")
_PARAMETER = reference_pattern("P", "([^}]+)")
_TERM = re.compile(rf'"((?:[^"\\]|\\.)*)"|{_PARAMETER}')
"""A term of a text: a literal or a parameter."""
_SAME_PARAMETER = reference_pattern("P", r"\1")
_GUARDED = re.compile(rf'\({_PARAMETER} == null \? "" : {_SAME_PARAMETER}\)')
"""A parameter that prints nothing where it has no value."""
_KIND_OF_DOCUMENT = re.compile(
    r"(?:单|表|票|书|清单|报告|凭证|合同|收据)\s*$|\b(?:invoice|quotation|quote|note|sheet|receipt|statement|order|list"
    r"|report|slip|bill|form|certificate)\s*$",
    re.IGNORECASE,
)
"""How the name of a kind of document ends."""
MIN_HEADING_SHARE = 0.6
"""Size of a second heading, as a share of that of the largest."""
MAX_PICTURE_AREA = 12
"""Area on which a logo stands, as a multiple of its own."""
MAX_VALUE_GAP_PT = 100
"""Gap between a label and its value, or two texts of one line."""


class TemplateView:
    """The contents of a template. Each part is read when it is first needed."""

    def __init__(self, editor: Editor, data: Data | None = None) -> None:
        self.editor = editor
        self.root = editor.root
        self.data = data
        """What it is filled with, where that is known."""
        self._parameters = data.parameters if data else {}
        """The values that are printed with the template."""
        self.rows = data.rows if data else []
        """The rows that are printed with it."""

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

    def values(self, field: str) -> set[str]:
        """Return the values that the rows have in a field, as texts."""
        return {str(value) for row in self.rows if (value := row.get(field)) is not None}

    def column(self, field: str) -> TableColumn | None:
        return next((column for column in self.columns if column.field == field), None)

    def in_sections(self, *sections: str) -> list[ViewElement]:
        return [piece for piece in self.pieces if piece.section in sections]

    @cached_property
    def header(self) -> list[ViewElement]:
        """The texts above the columns: the headings, and what stands beside them."""
        texts = [piece for piece in self.in_sections("columnHeader") if piece.is_text]
        heads = [column.head for column in self.columns if column.head]
        return [text for text in texts if not heads or any(_is_on_line(text, head) for head in heads)]

    def printed(self, piece: ViewElement) -> str:
        """Return what a text prints on every page: a fixed text, or words and parameters whose values are known."""
        if piece.tag != "textField" or not piece.expression:
            return piece.words
        if any(scope != "P" or name not in self._parameters for scope, name in piece.references):
            return ""
        expression = _GUARDED.sub(r"$P{\1}", piece.expression)
        parts = _TERM.findall(expression)
        if _TERM.sub("", expression).strip(" +\n\t"):
            return ""
        return "".join(literal if not name else str(self._parameters[name] or "") for literal, name in parts).strip()

    def parameter(self, name: str) -> object:
        """Return the value that a parameter is printed with; None where that is not known."""
        return self._parameters.get(name)

    def numbers(self, piece: ViewElement) -> list[float]:
        """Return the numbers that a text prints once: parameters, and sums over all rows."""
        values = [self._parameters.get(name) for scope, name in piece.references if scope == "P"]
        values += [self._sums.get(name) for scope, name in piece.references if scope == "V"]
        return [float(value) for value in values if isinstance(value, (int, float)) and value is not True]

    @cached_property
    def _sums(self) -> dict[str, float]:
        """The variables that add up a field of all rows, with their value."""
        found = {}
        for node in self._declared("variable"):
            field = sole_reference(node.findtext(f"{J}variableExpression") or "", "F")
            if field and node.get("calculation") == "Sum" and not node.get("resetGroup"):
                values = [row.get(field[1]) for row in self.rows]
                numbers = [Decimal(str(value)) for value in values if isinstance(value, (int, float))]
                if numbers and len(numbers) == len(values):
                    found[node.get("name", "")] = float(sum(numbers))
        return found

    def stands_at(self, piece: ViewElement, place: str) -> bool:
        """Whether an element stands in a part of the page: ``left``, ``top_right`` and so on; nothing is anywhere."""
        middle = piece.x + piece.width / 2
        is_top = piece.section in (*_HEADS, "columnHeader")
        return (
            ("left" not in place or middle < self.width / 2)
            and ("right" not in place or middle > self.width / 2)
            and ("top" not in place or is_top)
            and ("bottom" not in place or not is_top)
        )

    def value_beside(self, label: ViewElement) -> ViewElement | None:
        """Return the value that belongs to a label outside the table: the next text to its right, on its line.

        Between the two there may be empty cells, as in a row of totals.
        """
        if not label.is_text or label.section in _TABLE or any(scope != "P" for scope, _ in label.references):
            return None
        right = [
            piece
            for piece in self.texts
            if piece.band == label.band and piece.x >= label.x + label.width - 1 and _is_on_line(piece, label)
        ]
        end = label.x + label.width
        for piece in sorted(right, key=lambda piece: piece.x):
            if piece.x - end > MAX_VALUE_GAP_PT:
                return None
            if not piece.is_empty:
                return piece if piece.tag == "textField" and not piece.words else None
            end = piece.x + piece.width
        return None

    def empty_cells_beside(self, label: ViewElement) -> list[ViewElement]:
        """Return the empty cells between a label and its value."""
        value = self.value_beside(label)
        if value is None:
            return []
        line = [one for one in self.texts if one.band == label.band and _is_on_line(one, label)]
        return [one for one in line if one.is_empty and label.x < one.x < value.x]

    def label_beside(self, value: ViewElement) -> ViewElement | None:
        """Return the label that a value belongs to."""
        return next((text for text in self.texts if self.value_beside(text) == value), None)

    def line_of(self, piece: ViewElement) -> list[ViewElement]:
        """Return the texts that stand on the line of a text, as far as none of their gaps is wide."""
        on_line = [one for one in self.texts if one.band == piece.band and _is_on_line(one, piece)]
        found = [piece]
        for one in sorted(on_line, key=lambda one: abs(one.x - piece.x)):
            left, right = min(p.x for p in found), max(p.x + p.width for p in found)
            if one is not piece and one.x - right <= MAX_VALUE_GAP_PT and left - one.x - one.width <= MAX_VALUE_GAP_PT:
                found.append(one)
        return sorted(found, key=lambda one: one.x)

    def area_behind(self, pieces: Sequence[ViewElement]) -> ViewElement | None:
        """Return the filled rectangle that lies behind all of these elements, the smallest one."""
        areas = [
            area
            for area in self.pieces
            if area.tag == "rectangle"
            and all(area.band == one.band and _overlap_y(area, one) >= one.height / 2 for one in pieces)
            and all(area.x <= one.x + one.width / 2 <= area.x + area.width for one in pieces)
            and area.node.find(f"{J}reportElement").get("backcolor")
        ]
        return min(areas, key=lambda area: area.width * area.height, default=None)

    @cached_property
    def footer(self) -> list[ViewElement]:
        return self.in_sections(*_FEET)

    @cached_property
    def title(self) -> ViewElement | None:
        """The largest text at the top of the page; where another large one says what kind of document it is, that."""
        kinds = [piece for piece in self._headings if _KIND_OF_DOCUMENT.search(self.printed(piece))]
        return kinds[0] if len(kinds) == 1 else next(iter(self._headings), None)

    @cached_property
    def company(self) -> ViewElement | None:
        """The heading beside one that says what kind of document it is: who issues it."""
        others = [piece for piece in self._headings if piece != self.title]
        is_kind = self.title is not None and _KIND_OF_DOCUMENT.search(self.printed(self.title))
        return others[0] if len(others) == 1 and is_kind else None

    @cached_property
    def _headings(self) -> list[ViewElement]:
        """The large texts at the top of the page, the largest and upper left one first."""
        heads = [piece for piece in self.in_sections(*_HEADS) if piece.is_text]
        first = min((piece.band for piece in heads), default=None)
        top = [piece for piece in heads if piece.band == first]
        top.sort(key=lambda piece: (-piece.size, piece.y, piece.x))
        usual = sorted(piece.size for piece in self.texts)[len(self.texts) // 2] if self.texts else 0.0
        least = max(top[0].size * MIN_HEADING_SHARE, usual * 1.2) if top else 0.0
        large = [piece for piece in top if piece.size >= least]
        return large or top[:1]

    @cached_property
    def page_numbers(self) -> list[ViewElement]:
        return [piece for piece in self.texts if ("V", "PAGE_NUMBER") in piece.references]

    @cached_property
    def pictures(self) -> list[ViewElement]:
        return [piece for piece in self.pieces if piece.tag == "image"]

    @cached_property
    def logo(self) -> list[ViewElement]:
        """The pictures, each with the small area that it stands on."""
        found = []
        for picture in self.pictures:
            area = self.area_behind([picture])
            is_own = area and area.width * area.height <= MAX_PICTURE_AREA * picture.width * picture.height
            holds_text = area is not None and any(area == self.area_behind([text]) for text in self.texts)
            found += [area, picture] if area and is_own and not holds_text else [picture]
        return found

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


def _overlap_y(one: ViewElement, other: ViewElement) -> int:
    return min(one.y + one.height, other.y + other.height) - max(one.y, other.y)


def _is_on_line(one: ViewElement, other: ViewElement) -> bool:
    return _overlap_y(one, other) >= min(one.height, other.height) / 2


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
