"""A template to be read and not changed: bands, elements with their positions, resolved fonts, expressions.

Checks read a ``Template``; edits work on a ``Draft``. Both share the names of bands and elements (``bands``), the
resolution of styles (``text_styles``) and the reading of expressions (``expressions``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lxml import etree

from ..fonts import DEFAULT_FAMILY
from ..model.layout import TextStyle
from .bands import COLUMN_SECTIONS, named_bands, section_of
from .dom import ELEMENTS, J, declared_nodes, int_attribute, local_name
from .expressions import expression_nodes, references
from .text_styles import style_chain, text_attributes, text_style


@dataclass(frozen=True)
class TemplateElement:
    """An element; its position is relative to its band or frame."""

    node: Any
    band: TemplateBand
    frame: TemplateElement | None

    @cached_property
    def report_element(self) -> Any:
        """The node with key, position and size, one level deeper in a chart; None if there is none."""
        found = self.node.find(f"{J}reportElement")
        return self.node.find(f"{J}chart/{J}reportElement") if found is None else found

    @property
    def kind(self) -> str:
        return local_name(self.node)

    @property
    def key(self) -> str | None:
        return None if self.report_element is None else self.report_element.get("key")

    def _number(self, name: str) -> int:
        return 0 if self.report_element is None else int_attribute(self.report_element, name)

    @property
    def x(self) -> int:
        return self._number("x")

    @property
    def y(self) -> int:
        return self._number("y")

    @property
    def width(self) -> int:
        return self._number("width")

    @property
    def height(self) -> int:
        return self._number("height")

    @property
    def conditional(self) -> bool:
        """Whether it prints only under a condition, and so may share its position with another element."""
        return self.report_element is not None and self.report_element.find(f"{J}printWhenExpression") is not None


@dataclass(frozen=True)
class TemplateBand:
    """A band. `name` is its section, with its group, and with its number where the section has several bands:
    ``title``, ``detail[2]``, ``groupHeader(region)``."""

    node: Any
    section: str
    name: str

    @property
    def height(self) -> int:
        return int_attribute(self.node, "height")

    @cached_property
    def elements(self) -> list[TemplateElement]:
        return list(self._elements_in(self.node, None))

    def _elements_in(self, parent: Any, frame: TemplateElement | None) -> Iterator[TemplateElement]:
        for node in parent:
            if local_name(node) == "elementGroup":
                yield from self._elements_in(node, frame)
            elif local_name(node) in ELEMENTS:
                element = TemplateElement(node, self, frame)
                yield element
                if local_name(node) == "frame":
                    yield from self._elements_in(node, element)


class Template:
    """A parsed template, read only."""

    def __init__(self, root: Any) -> None:
        self.root = root

    @cached_property
    def content(self) -> bytes:
        """The report as XML."""
        return bytes(etree.tostring(self.root, encoding="UTF-8", xml_declaration=True))

    def number(self, name: str, default: int = 0) -> int:
        """Return an attribute of the report as an integer."""
        return int_attribute(self.root, name, default)

    @property
    def page_width(self) -> int:
        return self.number("pageWidth", 595)

    @property
    def page_height(self) -> int:
        return self.number("pageHeight", 842)

    @property
    def column_width(self) -> int:
        return self.number("columnWidth", 555)

    @property
    def left(self) -> int:
        return self.number("leftMargin", 20)

    @property
    def right(self) -> int:
        return self.number("rightMargin", 20)

    @property
    def top(self) -> int:
        return self.number("topMargin", 30)

    @property
    def bottom(self) -> int:
        return self.number("bottomMargin", 30)

    def band_width(self, band: TemplateBand) -> int:
        return self.column_width if band.section in COLUMN_SECTIONS else self.page_width - self.left - self.right

    @cached_property
    def bands(self) -> list[TemplateBand]:
        """Every band, in document order."""
        return [
            TemplateBand(node, section_of(node), name) for name, node in named_bands(self.root, always_name_group=True)
        ]

    @cached_property
    def elements(self) -> list[TemplateElement]:
        return [element for band in self.bands for element in band.elements]

    @cached_property
    def by_key(self) -> dict[str, TemplateElement]:
        """The elements that have a key; of several with the same key, the first."""
        return {element.key: element for element in reversed(self.elements) if element.key}

    @cached_property
    def _by_node(self) -> dict[Any, TemplateElement]:
        return {element.node: element for element in self.elements}

    def declared(self, kind: str) -> dict[str, Any]:
        """Return the report's own fields, parameters or variables by name, without those of its datasets."""
        return declared_nodes(self.root, kind)

    @property
    def groups(self) -> list[str]:
        return [node.get("name", "") for node in self.root.findall(f"{J}group")]

    @cached_property
    def expressions(self) -> list[tuple[Any, str]]:
        """Every expression of the report: its node and its text."""
        return [(node, text) for node in expression_nodes(self.root) if (text := (node.text or "").strip())]

    @cached_property
    def references(self) -> list[tuple[str, str, Any]]:
        """Every reference to a field, parameter or variable of the report: letter, name, node of the expression.

        Datasets, tables, lists and the cells of crosstabs have names of their own, which are left out.
        """
        return [
            (scope, name, node)
            for node, text in self.expressions
            if (names := references(text)) and not _in_other_dataset(node)
            for scope, name in names
        ]

    def element_of(self, node: Any) -> TemplateElement | None:
        """Return the element that contains a node."""
        return next((self._by_node[one] for one in (node, *node.iterancestors()) if one in self._by_node), None)

    def font(self, element: TemplateElement) -> TextStyle:
        """Return the font of a text, from its own ``font`` and the styles it is based on; its family may be unknown."""
        style = element.report_element.get("style") if element.report_element is not None else None
        return text_style(
            text_attributes(element.node, style_chain(self._styles, style)), default_family=DEFAULT_FAMILY
        )

    @cached_property
    def _styles(self) -> dict[str, Any]:
        return declared_nodes(self.root, "style")

    def padding(self, element: TemplateElement) -> tuple[int, int, int, int]:
        """Return the padding of an element's own box: top, left, bottom, right."""
        box = element.node.find(f"{J}box")
        if box is None:
            return 0, 0, 0, 0
        whole = int_attribute(box, "padding")
        top, left, bottom, right = (
            int_attribute(box, f"{side}Padding", whole) for side in ("top", "left", "bottom", "right")
        )
        return top, left, bottom, right


def _in_other_dataset(node: Any) -> bool:
    """Whether an expression uses the names of a dataset other than the report's own."""
    for ancestor in node.iterancestors():
        name = local_name(ancestor)
        if name in ("subDataset", "cellContents"):
            return True
        if name == "componentElement" and next(ancestor.iter(f"{J}datasetRun"), None) is not None:
            return True  # a table or a list; a barcode has no dataset of its own
        if name in ("pieDataset", "categoryDataset") and ancestor.find(f"{J}dataset/{J}datasetRun") is not None:
            return True
        if name == "crosstab" and ancestor.find(f"{J}crosstabDataset/{J}dataset/{J}datasetRun") is not None:
            return True
    return False
