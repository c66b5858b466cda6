"""Say how a group is laid out on pages."""

from __future__ import annotations

from typing import Literal

from ..jrxml.declarations import find_group
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from .base import Edit, EditClause

_ATTRIBUTES = {
    "new_page": "isStartNewPage",
    "keep_together": "keepTogether",
    "repeat_header": "isReprintHeaderOnEachPage",
    "restart_page_numbers": "isResetPageNumber",
}


class SetGroup(Edit):
    """Say how a group of rows is laid out on pages; what is left out stays as it is."""

    do: Literal["set_group"] = "set_group"
    field: str
    """The field that the rows are grouped by."""
    new_page: bool | None = None
    """Whether each group begins a new page."""
    keep_together: bool | None = None
    """Whether a group that does not fit the rest of a page begins on the next one."""
    repeat_header: bool | None = None
    """Whether its header is repeated on each page on which it continues."""
    restart_page_numbers: bool | None = None

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        group = find_group(draft, self.field)
        changed = False
        for name, attribute in _ATTRIBUTES.items():
            wanted = getattr(self, name)
            if wanted is not None and (group.get(attribute, "false") == "true") != wanted:
                group.set(attribute, "true" if wanted else "false")
                changed = True
        return changed

    def describe(self, labels: TemplateLabels) -> EditClause:
        name = next((name for name in _ATTRIBUTES if getattr(self, name) is not None), "new_page")
        wanted = "true" if getattr(self, name) else "false"
        return EditClause(f"edits.set_group.done.{name}.{wanted}", labels.field(self.field))
