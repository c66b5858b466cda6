"""The names of a template's parts as people know them, in English and in Chinese."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from lxml import etree

from ..language import Language
from ..replies import colour_name, listed, text
from .bands import section_in
from .conditions import compared_field
from .dom import CHARTS, SECTIONS, child_text, content_of, local_name, report_element
from .draft import Draft
from .expressions import references, sole_reference
from .further_pages import FURTHER_PAGE
from .printed_words import VALUE, printed_words
from .refusals import EditRefused
from .tables import DetailTable, column_header, humanize, main_table
from .value_labels import label_of

MAX_LABEL_CHARS = 24
"""Characters of a text that are quoted."""
MAX_LISTED_NAMES = 3
_LABELLED_SECTIONS = frozenset({*SECTIONS, "groupHeader", "groupFooter", FURTHER_PAGE})
_KINDS = {
    "line": "line", "rectangle": "rectangle", "ellipse": "ellipse", "image": "image", "frame": "frame",
    "crosstab": "crosstab", "subreport": "subreport", "break": "break", "genericElement": "other",
    "staticText": "text", "textField": "text",
}  # fmt: skip
"""The code of what an element without words is called, by its tag."""
_COMPONENT_KINDS = {"QRCode": "qr_code", "list": "list", "table": "table"}
_OTHER_COMPONENTS = frozenset({"map", "sort", "iconLabel", "spiderChart", "html"})
_DATES = frozenset({"new java.util.Date()", "new Date()"})
_LABEL_ENDS = " :：-…"


def section_label(name: str, language: Language) -> str:
    """Return what a band is called; its name may include a number or a group."""
    section = section_in(name)
    return text(f"edits.section.{section}", language) if section in _LABELLED_SECTIONS else name


def element_label(draft: Draft, node: etree._Element, language: Language) -> str:
    """Return what an element is called: by its words, its label, the fields that it prints, else by its kind."""
    content, tag_name = content_of(node), local_name(node)
    if tag_name == "staticText" and content:
        return quote(" ".join(content.split()), language)
    if tag_name != "textField" or not content:
        return text(f"edits.kind.{_kind_of(node)}", language)
    if words := printed_words(content).strip(_LABEL_ENDS):
        return quote(words, language)
    if label := _label_before(draft, node):
        return quote(label, language)
    names = list(dict.fromkeys(name for _, name in references(content)))
    return names[0] if len(names) == 1 else text("edits.computed", language)


def _kind_of(node: etree._Element) -> str:
    """Return the code of the kind of an element."""
    name = local_name(node)
    if name == "componentElement":
        inner = next((local_name(one) for one in node if one.tag != report_element(node).tag), "")
        return _COMPONENT_KINDS.get(inner, "other" if inner in _OTHER_COMPONENTS else "barcode")
    return "chart" if name in CHARTS or name == "chart" else _KINDS.get(name, "other")


def _label_before(draft: Draft, node: etree._Element) -> str:
    """Return the words of the fixed text before a value; empty if there are none."""
    label = label_of(draft, node)
    return " ".join(content_of(label).split()).strip(_LABEL_ENDS) if label is not None else ""


def _label_within(expression: str) -> str:
    """Return the label of a text that prints it and one value behind it; empty if it prints anything else."""
    label, value, rest = printed_words(expression).partition(VALUE)
    return label.strip(_LABEL_ENDS) if value and not rest else ""


def quote(words: str, language: Language) -> str:
    """Return words in quotation marks, shortened if they are long."""
    shown = words if len(words) <= MAX_LABEL_CHARS else words[: MAX_LABEL_CHARS - 1] + "…"
    return text("edits.quoted", language, words=shown)


def list_names(names: Sequence[str], language: Language, limit: int = MAX_LISTED_NAMES) -> str:
    """Return at most `limit` of the names as a list, with the number of names that were left out."""
    names = _counted(names, language)
    shown, omitted = names[:limit], len(names) - limit
    if omitted > 0:
        shown.append(text("edits.more_names", language, count=omitted))
    return listed(shown, language)


def _counted(names: Sequence[str], language: Language) -> list[str]:
    """Return each name once; of elements that only have a kind their number: three times "a line" is "3 lines"."""
    kinds = {text(f"edits.kind.{kind}", language): kind for kind in (*_KINDS.values(), *_COMPONENT_KINDS.values())}
    kinds |= {text(f"edits.kind.{kind}", language): kind for kind in ("barcode", "chart")}
    return [
        text(f"edits.kinds.{kinds[name]}", language, count=count) if count > 1 and name in kinds else name
        for name, count in Counter(names).items()
    ]


class TemplateLabels:
    """What the parts of one template are called, in one language.

    `new_columns` has the headings of columns that the same request adds, by what they print.
    """

    def __init__(self, draft: Draft, language: Language, new_columns: Mapping[str, str] | None = None) -> None:
        self.language = language
        self._draft = draft
        self._new_columns = new_columns or {}

    def field(self, name: str) -> str:
        """Return the heading or the label of a value; its name in words if it has neither."""
        return self._known_label(name) or (humanize(name) if self._table is not None else name)

    def printed(self, expression: str) -> str:
        """Return what an expression prints, without its code: its words, else the values that it is computed from."""
        expression = expression.strip()
        if words := printed_words(expression):
            return self.quote(words)
        if expression in ("", "null", '""'):
            return text("edits.kind.text", self.language)
        if expression in _DATES:
            return text("edits.print_date", self.language)
        used = list(dict.fromkeys(references(expression)))
        if ("V", "PAGE_NUMBER") in used:
            return text("edits.page_number", self.language)
        labels = [self._value_label(scope, name) for scope, name in used]
        if not labels or not all(labels) or len(labels) > MAX_LISTED_NAMES:
            return text("edits.computed", self.language)
        if sole_reference(expression):
            return labels[0]
        return text("edits.computed_from", self.language, names=list_names(labels, self.language))

    def _value_label(self, scope: str, name: str) -> str:
        """Return what a value is called; empty for a variable that has neither a heading nor a label."""
        if scope == "V" and (total := self._total(name)):
            return total
        label = self._known_label(name) or (humanize(name) if scope != "V" else "")
        return self.quote(label) if label else ""

    def _known_label(self, name: str) -> str:
        """Return the heading of a value's column, else the label before the value; empty if it has neither."""
        heading = column_header(self._table, name) if self._table is not None else ""
        return heading or self._new_columns.get(name, "") or self._labels.get(name, "")

    @cached_property
    def _labels(self) -> dict[str, str]:
        """The labels of the values outside of the rows, before them or in one text with them, by what is printed."""
        found: dict[str, str] = {}
        for section, band in self._draft.bands():
            for node in self._draft.texts(band) if section != "detail" else ():
                content = content_of(node) if local_name(node) == "textField" else ""
                names = {name for _, name in references(content)}
                if len(names) != 1:
                    continue
                label = _label_before(self._draft, node) if sole_reference(content) else _label_within(content)
                if label:
                    found.setdefault(names.pop(), label)
        return found

    def compared(self, field: str, value: str, other: str | None) -> str:
        """Return what the value of a field is compared with: the header of another column, or the constant."""
        try:
            against = compared_field(self._draft, field, value, other)
        except EditRefused:  # the same request added the field
            against = other or (alone[1] if (alone := sole_reference(value, "FV")) else None)
        return self.field(against) if against else value or "“”"

    def element(self, name: str) -> str:
        """Return what an element is called; a value of the rows by the header of its column."""
        node = self._draft.element(name)
        return name if node is None else self._node(node)

    def either(self, name: str) -> str:
        """Return what an element is called, or the column of a field."""
        return self.element(name) if self._draft.element(name) is not None else self.quote(self.field(name))

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
        is_value = local_name(node) == "textField" and not printed_words(content).strip(_LABEL_ENDS)
        used = list(dict.fromkeys(references(content))) if is_value else []
        if is_value and (heading := self._heading_over(node)):
            return self.quote(heading)
        if len(used) != 1:
            return element_label(self._draft, node, self.language)
        [(scope, name)] = used
        if (scope, name) == ("V", "PAGE_NUMBER"):
            return text("edits.page_number", self.language)
        if scope == "V" and (total := self._total(name)):
            return total
        if not sole_reference(content) and (label := _label_before(self._draft, node)):
            return self.quote(label)
        label = self.field(name)
        return self.quote(label) if label != name else element_label(self._draft, node, self.language)

    def _heading_over(self, node: etree._Element) -> str:
        """Return the heading of the column whose cell an element is; empty for other elements."""
        columns = self._table.columns if self._table is not None else ()
        headers = (column.header for column in columns if node in column.cells)
        return next((" ".join(content_of(one).split()) for one in headers if one is not None), "")

    def _total(self, variable: str) -> str | None:
        """Return what a variable that totals a field is called; None if it does not total anything."""
        node = self._draft.declared("variable", variable)
        calculation = node.get("calculation", "") if node is not None else ""
        if node is None or not calculation:
            return None
        summed = references(child_text(node, "variableExpression"))
        label = self.field(summed[0][1] if summed else variable)
        return text("edits.calculation_of", self.language, calculation=self.calculation(calculation), subject=label)
