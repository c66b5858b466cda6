"""Set an attribute of the report itself."""

from __future__ import annotations

import re
from typing import Literal

from ..jrxml.dom import set_value
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import property_value_refused
from .base import Edit, EditClause

_INTEGER = re.compile(r"\d{1,4}")
_NAME = re.compile(r"[^<>&\"\x00-\x1f]{1,100}")
REPORT_ATTRIBUTES: dict[str, re.Pattern[str]] = {
    "name": _NAME,
    "orientation": re.compile("Portrait|Landscape"),
    "whenNoDataType": re.compile("NoPages|BlankPage|AllSectionsNoDetail|NoDataSection"),
    **{
        name: _INTEGER
        for name in (
            "pageWidth", "pageHeight", "columnWidth", "columnCount", "columnSpacing", "leftMargin", "rightMargin",
            "topMargin", "bottomMargin",
        )
    },
}  # fmt: skip
"""The attributes that ``SetReport`` may set."""


class SetReport(Edit):
    """Set an attribute of the report itself: name, pageWidth, leftMargin, columnWidth and so on."""

    do: Literal["report"] = "report"
    name: str
    value: str

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        allowed = REPORT_ATTRIBUTES.get(self.name)
        if allowed is None or not allowed.fullmatch(self.value):
            raise property_value_refused(self.name, self.value)
        return set_value(draft.root, self.name, self.value)

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.set_report.done", self.name, {"value": self.value})
