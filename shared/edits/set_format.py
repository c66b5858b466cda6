"""Set how the numbers or the dates of a column are written."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal

from lxml import etree
from pydantic import Field

from ..jrxml.declarations import DATE_CLASSES, NUMBER_CLASSES
from ..jrxml.dom import content_of, declared_nodes, local_name, set_value
from ..jrxml.draft import Draft
from ..jrxml.expressions import SCOPES, sole_reference
from ..jrxml.labels import TemplateLabels
from ..jrxml.number_alignment import keep_below_column
from ..jrxml.refusals import EditRefused, no_column, property_value_refused
from ..jrxml.tables import column_totals, find_column
from ..jrxml.totals import printed_calculations
from ..language import Language
from ..replies import Text, listed, text
from .base import Edit, EditClause, KnownNames

_DIGITS = re.compile(r"(?<![#0,])(?P<whole>[#0,]*[#0])(?:\.(?P<places>[0#]+))?(?P<percent>%)?")
_DATE = re.compile(r"(?:[yMdHhmsEaSzZ]|'[^'<>&\"]*'|[-/.:, \u3400-\u9fff])+")
_SIGN = re.compile(r"[$€£¥￥]")


class SetFormat(Edit):
    """Set how the numbers or dates of a column, and the totals below it, or of one element are written; what is left
    out stays as it is."""

    do: Literal["format"] = "format"
    field: str | None = None
    """The column, by its field; or"""
    element: str | None = None
    """one element."""
    decimals: Annotated[int, Field(ge=0, le=9)] | None = None
    thousands: bool | None = None
    """Whether the thousands are separated."""
    before: Annotated[str, Field(max_length=12)] | None = None
    """What is written before each number: ``¥``, ``USD ``; empty for nothing."""
    after: Annotated[str, Field(max_length=12)] | None = None
    """What is written after each number: ``kg``; empty for nothing."""
    negative: Literal["minus", "brackets"] | None = None
    percent: bool | None = None
    """Whether the values are shares of 1 that are written as percentages."""
    date: str | None = None
    """Of dates: a pattern of Java, such as ``d MMMM yyyy``."""

    multi_step: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        if self.date is not None and not _DATE.fullmatch(self.date):
            raise property_value_refused("pattern", self.date)
        wanted = DATE_CLASSES if self.date is not None else NUMBER_CLASSES
        nodes = [node for node in self._texts(draft) if class_of(draft, node) in wanted]
        if not nodes:
            raise EditRefused("class", Text.of(f"edits.set_format.no_{'date' if self.date is not None else 'number'}"))
        changed = [node for node in nodes if set_value(node, "pattern", self._pattern(draft, node))]
        for node in changed if not exact else ():
            keep_below_column(draft, node)
        return bool(changed)

    def _texts(self, draft: Draft) -> list[etree._Element]:
        """Return the texts that print the values."""
        if self.element is not None:
            return [draft.require_element(self.element)]
        if self.field is None:
            raise no_column("")
        table, n = find_column(draft, self.field)
        column = table.columns[n]
        totals = [node for node in column_totals(draft, table, column) if local_name(node) == "textField"]
        return [*column.cells, *(node for node in totals if "Count" not in printed_calculations(draft, node))]

    def _pattern(self, draft: Draft, node: etree._Element) -> str:
        if self.date is not None:
            return self.date
        return self.number_pattern(node.get("pattern") or _usual_pattern(class_of(draft, node)))

    def number_pattern(self, pattern: str) -> str:
        """Return a number's pattern with what the edit names changed, and everything else as it was."""
        positive, has_negative = pattern.partition(";")[0], ";" in pattern
        found = _DIGITS.search(positive)
        if found is None:
            positive, found = "#,##0.00", _DIGITS.match("#,##0.00")
            assert found is not None
        places = len(found["places"] or "") if self.decimals is None else self.decimals
        grouped = "," in found["whole"] if self.thousands is None else self.thousands
        percent = bool(found["percent"]) if self.percent is None else self.percent
        digits = ("#,##0" if grouped else "0") + ("." + "0" * places if places else "") + ("%" if percent else "")
        before = positive[: found.start()] if self.before is None else _literal(self.before)
        after = positive[found.end() :] if self.after is None else _literal(self.after)
        in_brackets = has_negative and "(" in pattern if self.negative is None else self.negative == "brackets"
        written = before + digits + after
        return f"{written};({written})" if in_brackets else written

    def unseen(self) -> str:
        return "edits.unseen.format"

    def describe(self, labels: TemplateLabels) -> EditClause:
        subject = labels.field(self.field) if self.field is not None else labels.element(self.element or "")
        return EditClause("edits.set_format.done", subject, {"format": self.date or self._in_words(labels.language)})

    def _in_words(self, language: Language) -> str:
        """Return what the edit names of a number's format: a whole pattern would say what it leaves as it is."""
        parts = []
        if self.decimals is not None:
            parts.append(text("edits.set_format.decimals", language, count=self.decimals))
        for name in ("thousands", "percent"):
            value = getattr(self, name)
            parts += [] if value is None else [text(f"edits.set_format.{name}.{str(value).lower()}", language)]
        for name in ("before", "after"):
            if (sign := getattr(self, name)) is not None:
                code = f"edits.set_format.{name}.{'sign' if sign.strip() else 'nothing'}"
                parts.append(text(code, language, sign=sign.strip()))
        parts += [text(f"edits.set_format.negative.{self.negative}", language)] if self.negative else []
        return listed(parts, language)

    def is_known(self, names: KnownNames) -> bool:
        return (self.field is None or self.field in names.columns) and super().is_known(names)


def class_of(draft: Draft, node: etree._Element) -> str:
    """Return the Java class of the value that a text prints; empty where it prints more than one value."""
    if local_name(node) != "textField":
        return ""
    reference = sole_reference(content_of(node))
    if reference is None:
        return "java.math.BigDecimal" if re.search(r"\.(?:multiply|add|subtract|divide)\(", content_of(node)) else ""
    scope, name = reference
    declared = declared_nodes(draft.root, SCOPES[scope]).get(name)
    if declared is None:
        return "java.lang.Integer" if scope == "V" else ""
    return declared.get("class") or "java.lang.String"


def _usual_pattern(java_class: str) -> str:
    return "#,##0.00" if java_class.endswith(("BigDecimal", "Double", "Float")) else "0"


def _literal(text: str) -> str:
    """Return a text as a part of a pattern that stands for itself."""
    if not text or _SIGN.fullmatch(text):
        return text
    return "'" + text.replace("'", "''") + "'"
