"""A JRXML as the checks read it: bands, elements with their places, fonts with styles followed, expressions."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lxml import etree

from bandsmith.shared.fonts import DEFAULT

NS = "http://jasperreports.sourceforge.net/jasperreports"
J = f"{{{NS}}}"

PAGE_BANDS = (
    "background", "title", "pageHeader", "columnHeader", "detail", "columnFooter", "pageFooter", "lastPageFooter",
    "summary", "noData", "groupHeader", "groupFooter",
)  # fmt: skip
COLUMN_BANDS = ("columnHeader", "detail", "columnFooter", "groupHeader", "groupFooter")
CHARTS = (
    "pieChart", "pie3DChart", "barChart", "bar3DChart", "stackedBarChart", "stackedBar3DChart", "lineChart",
    "areaChart", "stackedAreaChart",
)  # fmt: skip
ELEMENTS = (
    "staticText", "textField", "line", "rectangle", "ellipse", "image", "frame", "subreport", "break",
    "componentElement", "crosstab", "genericElement", *CHARTS,
)  # fmt: skip
_REFERENCE = re.compile(r"\$([FPV])\{([^{}]+)\}")


def local(node: Any) -> str:
    """A node's name without its namespace; empty for comments and processing instructions."""
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def number(text: str | None, default: int = 0) -> int:
    """An attribute's whole number; `default` where there is none."""
    try:
        return int(text) if text is not None else default
    except ValueError:
        return default


def _elsewhere(node: Any) -> bool:
    """Whether an expression speaks of another dataset's names than the report's."""
    for ancestor in node.iterancestors():
        name = local(ancestor)
        if name in ("subDataset", "componentElement", "cellContents"):
            return True
        if name in ("pieDataset", "categoryDataset") and ancestor.find(f"{J}dataset/{J}datasetRun") is not None:
            return True
        if name == "crosstab" and ancestor.find(f"{J}crosstabDataset/{J}dataset/{J}datasetRun") is not None:
            return True
    return False


@dataclass(frozen=True)
class FontFace:
    """What a text is printed in; the family may be any name."""

    family: str
    size: float
    bold: bool
    italic: bool


@dataclass(frozen=True)
class TemplateElement:
    """One element; its place is relative to its band or frame."""

    node: Any
    band: TemplateBand
    frame: TemplateElement | None

    @cached_property
    def report_element(self) -> Any:
        found = self.node.find(f"{J}reportElement")
        return self.node.find(f"{J}chart/{J}reportElement") if found is None else found

    @property
    def kind(self) -> str:
        return local(self.node)

    @property
    def key(self) -> str | None:
        return None if self.report_element is None else self.report_element.get("key")

    def _number(self, name: str) -> int:
        return 0 if self.report_element is None else number(self.report_element.get(name))

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
        """Whether it is printed only at times: then it may share its place with another."""
        return self.report_element is not None and self.report_element.find(f"{J}printWhenExpression") is not None


@dataclass(frozen=True)
class TemplateBand:
    """One band; `name` is its section's, with its group and with its number where a section has several:
    ``title``, ``detail[2]``, ``groupHeader(region)``."""

    node: Any
    section: str
    name: str

    @property
    def height(self) -> int:
        return number(self.node.get("height"))

    @cached_property
    def elements(self) -> list[TemplateElement]:
        return list(self._inside(self.node, None))

    def _inside(self, parent: Any, frame: TemplateElement | None) -> Iterator[TemplateElement]:
        for node in parent:
            if local(node) == "elementGroup":
                yield from self._inside(node, frame)
            elif local(node) in ELEMENTS:
                element = TemplateElement(node, self, frame)
                yield element
                if local(node) == "frame":
                    yield from self._inside(node, element)


class Template:
    """A parsed template. It is only read."""

    def __init__(self, root: Any) -> None:
        self.root = root

    @cached_property
    def inert(self) -> bytes:
        """The report as the engine gets it: without its queries, which only the server of its owner can run."""
        root = self.root
        if next(root.iter(f"{J}queryString"), None) is not None:
            root = copy.deepcopy(root)
            for query in list(root.iter(f"{J}queryString")):
                query.getparent().remove(query)
        return bytes(etree.tostring(root, encoding="UTF-8", xml_declaration=True))

    def number(self, name: str, default: int = 0) -> int:
        return number(self.root.get(name), default)

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
        return self.column_width if band.section in COLUMN_BANDS else self.page_width - self.left - self.right

    @cached_property
    def bands(self) -> list[TemplateBand]:
        """Every band, as they are written."""
        found = []
        for section in self.root.iter(*(J + name for name in PAGE_BANDS)):
            nodes = section.findall(f"{J}band")
            name = called = local(section)
            if name in ("groupHeader", "groupFooter"):
                called = f"{name}({section.getparent().get('name', '')})"
            for index, node in enumerate(nodes):
                found.append(TemplateBand(node, name, called if len(nodes) == 1 else f"{called}[{index + 1}]"))
        return found

    @cached_property
    def elements(self) -> list[TemplateElement]:
        return [element for band in self.bands for element in band.elements]

    @cached_property
    def by_key(self) -> dict[str, TemplateElement]:
        """The elements that have a key; of several with the same one the first."""
        return {element.key: element for element in reversed(self.elements) if element.key}

    @cached_property
    def _by_node(self) -> dict[Any, TemplateElement]:
        return {element.node: element for element in self.elements}

    def declared(self, kind: str) -> dict[str, Any]:
        """The report's own fields, parameters or variables by name (not those of its datasets)."""
        return {node.get("name", ""): node for node in self.root.findall(J + kind)}

    @property
    def groups(self) -> list[str]:
        return [node.get("name", "") for node in self.root.findall(f"{J}group")]

    @cached_property
    def expressions(self) -> list[tuple[Any, str]]:
        """Every expression of the report: its node and its text."""
        return [
            (node, (node.text or "").strip())
            for node in self.root.iter()
            if local(node).endswith("xpression") and (node.text or "").strip()
        ]

    @cached_property
    def references(self) -> list[tuple[str, str, Any]]:
        """Every ``$F{name}``, ``$P{name}`` and ``$V{name}`` of the report's own: its letter, its name, its node.

        Datasets, tables, lists, and the cells of crosstabs have names of their own.
        """
        found = []
        for node, text in self.expressions:
            if names := _REFERENCE.findall(text):
                found += [(letter, name, node) for letter, name in names if not _elsewhere(node)]
        return found

    def element_of(self, node: Any) -> TemplateElement | None:
        """The element that a node lies in."""
        return next((self._by_node[one] for one in (node, *node.iterancestors()) if one in self._by_node), None)

    def font(self, element: TemplateElement) -> FontFace:
        """The font of a text, from its style, the styles that this one is based on, and its own ``font``."""
        named = element.report_element.get("style") if element.report_element is not None else None
        found: dict[str, str] = {}
        for style in reversed(self._style_chain(named)):
            found |= style.attrib
        own = element.node.find(f"{J}textElement/{J}font")
        if own is not None:
            found |= {"fontSize" if name == "size" else name: value for name, value in own.attrib.items()}
        try:
            size = float(found.get("fontSize", "10"))
        except ValueError:
            size = 10.0
        return FontFace(
            family=found.get("fontName", DEFAULT),
            size=size,
            bold=found.get("isBold") == "true",
            italic=found.get("isItalic") == "true",
        )

    @cached_property
    def _styles(self) -> dict[str | None, Any]:
        return {node.get("name"): node for node in self.root.findall(f"{J}style")}

    def _style_chain(self, name: str | None) -> list[Any]:
        """The style of this name (or the default one) and those it is based on, nearest first."""
        styles = self._styles
        style = styles.get(name)
        default = next((s for s in styles.values() if s.get("isDefault", s.get("default")) == "true"), None)
        chain: list[Any] = []
        while style is not None and style not in chain:
            chain.append(style)
            style = styles.get(style.get("style"))
        if default is not None and default not in chain:
            chain.append(default)
        return chain

    def padding(self, element: TemplateElement) -> tuple[int, int, int, int]:
        """Top, left, bottom, right."""
        box = element.node.find(f"{J}box")
        if box is None:
            return 0, 0, 0, 0
        whole = box.get("padding")
        top, left, bottom, right = (
            number(box.get(f"{side}Padding", whole)) for side in ("top", "left", "bottom", "right")
        )
        return top, left, bottom, right
