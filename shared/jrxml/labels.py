"""The names of a template's parts as people know them, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from lxml import etree

from ..language import Language
from ..replies import colour_name, listed, text
from .bands import section_in
from .conditions import compared_field
from .dom import SECTIONS, child_text, content_of, local_name
from .draft import Draft
from .expressions import references, string_literals
from .refusals import EditRefused
from .tables import DetailTable, column_label, main_table

MAX_LABEL_CHARS = 24
"""Characters of a text that are quoted."""
MAX_LISTED_NAMES = 3
_LABELLED_SECTIONS = frozenset({*SECTIONS, "groupHeader", "groupFooter"})
_DRAWN_ELEMENTS = frozenset({"line", "rectangle", "ellipse", "image", "frame"})


def section_label(name: str, language: Language) -> str:
    """Return what a band is called; its name may include a number or a group."""
    section = section_in(name)
    return text(f"edits.section.{section}", language) if section in _LABELLED_SECTIONS else name


def element_label(node: etree._Element, language: Language) -> str:
    """Return what an element is called: by its text, by the fields that it prints, else by its kind."""
    content, kind = content_of(node), local_name(node)
    if kind == "staticText" and content:
        return quote(" ".join(content.split()), language)
    if kind == "textField":
        literal = "".join(string_literals(content)).strip(" :：-")
        if literal:
            return quote(literal, language)
        names = [name for _, name in references(content)]
        if names:
            return ", ".join(names[:2])
    return text(f"edits.kind.{kind if kind in _DRAWN_ELEMENTS else 'text'}", language)


def quote(words: str, language: Language) -> str:
    """Return words in quotation marks, shortened if they are long."""
    shown = words if len(words) <= MAX_LABEL_CHARS else words[: MAX_LABEL_CHARS - 1] + "…"
    return text("edits.quoted", language, words=shown)


def list_names(names: Sequence[str], language: Language, limit: int = MAX_LISTED_NAMES) -> str:
    """Return at most `limit` of the names as a list, with the number of names that were left out."""
    names = list(dict.fromkeys(names))
    shown, omitted = names[:limit], len(names) - limit
    if omitted > 0:
        shown.append(text("edits.more_names", language, count=omitted))
    return listed(shown, language)


class TemplateLabels:
    """What the parts of one template are called, in one language."""

    def __init__(self, draft: Draft, language: Language) -> None:
        self.language = language
        self._draft = draft

    def field(self, name: str) -> str:
        """Return the header of a field's column; the field's name in words if it has none."""
        return column_label(self._draft, self._table, name) if self._table is not None else name

    def compared(self, field: str, value: str, other: str | None) -> str:
        """Return what the value of a field is compared with: the header of another column, or the constant."""
        try:
            against = compared_field(self._draft, field, value, other)
        except EditRefused:  # the same request added the field
            against = other
        return self.field(against) if against else value

    def element(self, name: str) -> str:
        """Return what an element is called; a value of the rows by the header of its column."""
        node = self._draft.element(name)
        return name if node is None else self._node(node)

    def section(self, band: str) -> str:
        return section_label(band, self.language)

    def quote(self, words: str) -> str:
        return quote(words, self.language)

    def colour(self, code: str) -> str:
        return colour_name(code, self.language)

    def calculation(self, name: str) -> str:
        """Return what a calculation yields: "the total"."""
        return text(f"edits.calculation.{name}", self.language)

    def scope(self, name: str) -> str:
        """Return what a kind of declaration is called: ``field``, ``parameter``, ``variable``."""
        return text(f"edits.scope.{name}", self.language)

    @cached_property
    def _table(self) -> DetailTable | None:
        try:
            return main_table(self._draft)
        except EditRefused:
            return None

    def _node(self, node: etree._Element) -> str:
        content = content_of(node)
        used = references(content) if local_name(node) == "textField" and not string_literals(content) else []
        if len(used) != 1:
            return element_label(node, self.language)
        [(scope, name)] = used
        if (scope, name) == ("V", "PAGE_NUMBER"):
            return text("edits.page_number", self.language)
        if scope == "V" and (total := self._total(name)):
            return total
        label = self.field(name)
        return self.quote(label) if label != name else element_label(node, self.language)

    def _total(self, variable: str) -> str | None:
        """Return what a variable that totals a field is called; None if it does not total anything."""
        node = self._draft.declared("variable", variable)
        calculation = node.get("calculation", "") if node is not None else ""
        if node is None or not calculation:
            return None
        summed = references(child_text(node, "variableExpression"))
        label = self.field(summed[0][1] if summed else variable)
        return text("edits.calculation_of", self.language, calculation=self.calculation(calculation), subject=label)
