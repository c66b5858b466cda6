"""Stop grouping the rows by a field."""

from __future__ import annotations

from typing import ClassVar, Literal

from lxml import etree

from ..jrxml.declarations import drop_unused_variables, elements_of_group, find_group, group_fields
from ..jrxml.dom import tag
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from .base import Edit, EditClause


class DeleteGroup(Edit):
    """Stop grouping the rows by a field: remove its headers, its totals and its sort order."""

    do: Literal["delete_group"] = "delete_group"
    field: str

    orphans_fields: ClassVar[bool] = True

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        group = find_group(draft, self.field)
        name = group.get("name") or ""
        for node in elements_of_group(group):
            if node.getparent() is not None:
                draft.remove(node)
        draft.root.remove(group)
        variables = {one for one in draft.root.findall(tag("variable")) if one.get("resetGroup") == name}
        drop_unused_variables(draft, {one.get("name") or "" for one in variables})
        for one in variables:  # variables that are used elsewhere now cover the whole report
            for attribute in ("resetType", "resetGroup"):
                one.attrib.pop(attribute, None)
        for sort in draft.root.findall(tag("sortField")):
            of_field = sort.get("name") == self.field and sort.get("type", "Field") == "Field"
            if of_field and self.field not in group_fields(draft):
                draft.root.remove(sort)
        return True

    def describe(self, labels: TemplateLabels) -> EditClause:
        return EditClause("edits.delete_group.done", labels.field(self.field))

    def removes(self, draft: Draft) -> list[etree._Element]:
        group = draft.group(self.field)
        return elements_of_group(group) if group is not None else []
