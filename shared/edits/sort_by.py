"""Sort the rows."""

from __future__ import annotations

from typing import Literal

from ..jrxml.declarations import group_fields, is_row_variable
from ..jrxml.dom import insert_child, new_node, tag
from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import no_field
from .base import Edit, EditClause, KnownNames


class SortBy(Edit):
    """Sort the rows by a field."""

    do: Literal["sort"] = "sort"
    field: str
    descending: bool = False
    then: bool = False
    """After the fields that they are sorted by already, instead of before them."""

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """Sort by a field, or by a variable of each row, before all other fields but within the groups."""
        computed = draft.declared("field", self.field) is None
        if computed and not is_row_variable(draft, self.field):
            raise no_field(self.field)
        order = "Descending" if self.descending else "Ascending"
        sorts = draft.root.findall(tag("sortField"))
        grouped = group_fields(draft)
        found = next((node for node in sorts if node.get("name") == self.field), None)
        if found is not None and self.field in grouped:
            changed = (found.get("order") or "Ascending") != order
            found.set("order", order)
            return changed
        others = [node for node in sorts if node is not found]
        leading = [node for node in others if node.get("name") in grouped]
        node = new_node("sortField", name=self.field)
        if self.descending:
            node.set("order", order)
        if computed:
            node.set("type", "Variable")
        if found is not None:
            at = len(sorts) - 1 if self.then else len(leading)
            if (found.get("order") or "Ascending") == order and sorts.index(found) == at:
                return False
            draft.root.remove(found)
        if self.then and others:
            others[-1].addnext(node)
        elif leading:
            leading[-1].addnext(node)
        elif others:
            others[0].addprevious(node)
        else:
            insert_child(draft.root, node)
        return True

    def unseen(self) -> str:
        return "edits.unseen.sorted"

    def describe(self, labels: TemplateLabels) -> EditClause:
        code = "edits.sort_by.done_descending" if self.descending else "edits.sort_by.done"
        return EditClause(code, labels.field(self.field))

    def is_known(self, names: KnownNames) -> bool:
        return self.field in names.fields | names.variables
