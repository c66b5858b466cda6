"""Give parameters other values."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ..jrxml.draft import Draft
from ..jrxml.labels import TemplateLabels
from ..jrxml.refusals import EditRefused
from ..replies import Text, listed
from .base import Edit, EditClause
from .set_value import value_change

MAX_PARAMETERS = 200
MAX_NAMED = 4
"""Values that the reply names; of more, it gives their number."""


class SetParameters(Edit):
    """Change the values that the report prints outside its rows, such as the customer or the date."""

    do: Literal["set_parameters"] = "set_parameters"
    values: dict[str, str | int | float | bool | None] = Field(max_length=MAX_PARAMETERS)
    """The new value of each parameter by name; dates as 2026-05-31. Other parameters keep theirs."""

    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """The template stays as it is; the data follows when the change is carried out."""
        for name in self.values:
            if draft.declared("parameter", name) is None:
                raise EditRefused("value", Text.of("edits.set_parameters.unknown", name=name))
        return bool(self.values)

    def describe(self, labels: TemplateLabels) -> EditClause:
        if len(self.values) > MAX_NAMED:
            return EditClause("edits.set_parameters.done", "", {"count": len(self.values)})
        changes = [value_change(labels, name, value) for name, value in self.values.items()]
        return EditClause("edits.set_parameters.named", "", {"changes": listed(changes, labels.language)})
