"""What clients see of a version's template: how its elements look, and the data that fill it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from lxml import etree

from bandsmith.shared.jrxml.dom import TEXT_ELEMENTS, content_of, declared_nodes, local_name, report_element
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.expressions import references, string_literals
from bandsmith.shared.jrxml.labels import MAX_LABEL_CHARS, TemplateLabels
from bandsmith.shared.jrxml.patterns import printed_patterns, shows_time_only
from bandsmith.shared.jrxml.tables import humanize
from bandsmith.shared.jrxml.text_styles import resolve_style, style_chain, text_attributes
from bandsmith.shared.jrxml.value_labels import label_of
from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.plan import Data
from bandsmith.shared.turns.verdict import Printed

MAX_VALUE_CHARS = 4000
"""A longer value is a picture, which no table shows."""
_AROUND_LABELS = " :：-\u3000"
Kind = Literal["text", "number", "date", "moment", "time", "flag"]
_KINDS: dict[str, Kind] = {
    **dict.fromkeys(("Integer", "Long", "Short", "Byte", "BigInteger", "BigDecimal", "Double", "Float"), "number"),
    **dict.fromkeys(("Date", "LocalDate"), "date"),
    **dict.fromkeys(("Timestamp", "LocalDateTime"), "moment"),
    "Boolean": "flag",
}
Cell = str | int | float | bool | None


class TextLook(Value):
    """How a text is printed."""

    bold: bool
    italic: bool
    size: float
    """Points."""
    align: Literal["Left", "Center", "Right", "Justified"]
    colour: str
    """As ``#rrggbb``."""


class ElementView(Value):
    """An element on page 1, in points from its top left corner."""

    key: str
    kind: str
    """What it is in the template: ``staticText``, ``textField``, ``line`` and so on."""
    text: str | None
    box: Box
    look: TextLook | None = None
    """None for an element that is no text."""


class DataColumn(Value):
    """A field of the rows, or a parameter."""

    name: str
    label: str
    """The heading of its column; else its name."""
    kind: Kind


class DataParameter(DataColumn):
    value: Cell = None


class DataTable(Value):
    """The data that fill a version."""

    columns: list[DataColumn] = []
    rows: list[dict[str, Cell]] = []
    parameters: list[DataParameter] = []


def elements_of(template: bytes, printed: Sequence[Printed]) -> list[ElementView]:
    """Return the printed elements that have a key, with their looks. Raises ``BadInput`` for a template that cannot
    be read."""
    draft = Draft(template)
    looks = {key: _look(draft, key) for key in {one.key for one in printed if one.key}}
    found = []
    for one in printed:
        if one.key and (known := looks[one.key]) is not None:
            kind, look = known
            found.append(ElementView(key=one.key, kind=kind, text=one.text, box=one.box, look=look))
    return found


def _look(draft: Draft, key: str) -> tuple[str, TextLook | None] | None:
    node = draft.element(key)
    if node is None:
        return None
    kind = local_name(node)
    if kind not in TEXT_ELEMENTS:
        return kind, None
    report = report_element(node)
    styles = style_chain(declared_nodes(draft.root, "style"), report.get("style"))
    resolved = resolve_style(draft.root, node)
    colour = report.get("forecolor") or text_attributes(node, styles).get("forecolor") or "#000000"
    style = resolved.style
    return kind, TextLook(
        bold=style.bold, italic=style.italic, size=style.size, align=resolved.align, colour=colour.lower()
    )


def data_table(template: bytes, data: Data, language: Language) -> DataTable:
    """Return the data as a table. Raises ``BadInput`` for a template that cannot be read."""
    draft = Draft(template)
    labels = TemplateLabels(draft, language)
    fields, parameters = declared_nodes(draft.root, "field"), declared_nodes(draft.root, "parameter")
    patterns = {scope: printed_patterns(draft.root, scope) for scope in "FP"}
    kinds = {
        scope: {name: _kind(node, patterns[scope].get(name, "")) for name, node in nodes.items()}
        for scope, nodes in (("F", fields), ("P", parameters))
    }
    shown = {name for name, node in parameters.items() if _can_be_edited(node, data.parameters.get(name))}
    return DataTable(
        columns=[DataColumn(name=name, label=labels.field(name), kind=kinds["F"][name]) for name in fields],
        rows=[{name: _shown(row.get(name), kinds["F"][name]) for name in fields} for row in data.rows],
        parameters=[
            DataParameter(
                name=name,
                label=_parameter_label(draft, name),
                kind=kinds["P"][name],
                value=_shown(data.parameters.get(name), kinds["P"][name]),
            )
            for name in parameters
            if name in shown
        ],
    )


def _parameter_label(draft: Draft, name: str) -> str:
    """Return the words that a parameter is printed with: those within its text, else its label; else its name."""
    for node in (one for _, band in draft.bands() for one in draft.texts(band) if local_name(one) == "textField"):
        expression = content_of(node)
        if {used for _, used in references(expression)} != {name}:
            continue
        beside = label_of(draft, node)
        within = "".join(string_literals(expression)).strip(_AROUND_LABELS)
        if label := within or (content_of(beside).strip(_AROUND_LABELS) if beside is not None else ""):
            return label[:MAX_LABEL_CHARS]
    return humanize(name)


def _can_be_edited(node: etree._Element, value: Cell) -> bool:
    if isinstance(value, str) and len(value) > MAX_VALUE_CHARS:
        return False
    name = node.get("class", "java.lang.String").rpartition(".")[2]
    return name in _KINDS or name == "String"


def _shown(value: Cell, kind: Kind) -> Cell:
    """Return a value as it is edited: a time without the day that it has for the engine, and without empty seconds."""
    if kind == "time" and isinstance(value, str):
        return value.rpartition("T")[2].removesuffix(":00")
    return value


def _kind(node: etree._Element, pattern: str) -> Kind:
    if shows_time_only(pattern):
        return "time"
    return _KINDS.get(node.get("class", "java.lang.String").rpartition(".")[2], "text")
