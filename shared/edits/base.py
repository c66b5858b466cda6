"""The base of all edits: what an edit has to say about itself besides its fields."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from lxml import etree
from pydantic import model_validator

from ..jrxml.bands import elements_in
from ..jrxml.declarations import is_row_variable
from ..jrxml.dom import content_of, declared_nodes
from ..jrxml.draft import Draft
from ..jrxml.expressions import references
from ..jrxml.labels import TemplateLabels
from ..jrxml.row_values import RowValue
from ..model.base import Value
from ..xml import storable

Calculation = Literal["Sum", "Average", "Count", "Lowest", "Highest", "Nothing"]
Row = dict[str, RowValue]
"""The values of one row of data, by field."""


_NAMING_FIELDS = (
    "element", "field", "other", "by", "series", "rows", "columns", "source", "target", "instead_of",
)  # fmt: skip
"""Fields of edits that name something in the report."""


class EditClause(NamedTuple):
    """What an edit did, as part of a sentence: a text of the catalogue that is filled with `subject` and `values`.

    Edits with the same text and values become one clause with several subjects.
    """

    code: str
    subject: str
    values: Mapping[str, object] = {}


class Edit(Value):
    """One typed change to a template.

    A subclass is the only place that knows its edit: its fields are the wire format, its docstring and the notes below
    its fields describe it to language models, and its methods apply it, describe it to people and check it.
    """

    do: str
    """The name of the edit on the wire."""

    multi_step: ClassVar[bool] = False
    """Whether it takes several steps, so that the draft has to be restored if a later one is refused."""
    orphans_fields: ClassVar[bool] = False
    """Whether it may leave fields behind that nothing uses, which are then removed."""
    prompt_notes: ClassVar[str] = ""
    """A line that prompts show after all edits, if they show this one."""

    @model_validator(mode="before")
    @classmethod
    def _storable(cls, fields: object) -> object:
        """Leave out what no template can contain: edits may come from a model or from another program."""
        if not isinstance(fields, dict):
            return fields
        return _storable_parts(fields)

    @abstractmethod
    def apply(self, draft: Draft, *, exact: bool) -> bool:
        """Change the draft. Return whether that changed anything. Raises ``EditRefused`` if it is impossible.

        `exact` is set for edits that were measured: their numbers are taken as they are. Otherwise they come from
        words, and the result is kept on the page and given the space that it needs.
        """

    def check_rows(self, rows: Sequence[Row]) -> None:
        """Raise ``EditRefused`` if it cannot be carried out on the rows of the data."""

    @abstractmethod
    def describe(self, labels: TemplateLabels) -> EditClause:
        """Describe the applied edit; `labels` names the parts of the template as it was before."""

    def follows(self, added: frozenset[str]) -> bool:
        """Return whether it only completes another edit, and so need not be described.

        `added` holds the keys of the elements that the same request added.
        """
        return getattr(self, "element", None) in added

    def unseen(self) -> str:
        """Return the code of the sentence that says why pages which look the same as before are no surprise.

        Empty for an edit that is never seen on a page, such as another name of a field.
        """
        return "edits.unseen.data"

    def recorded(self) -> Edit:
        """Return what is kept of the edit once it has been carried out, without large contents."""
        return self

    def removes(self, draft: Draft) -> list[etree._Element]:
        """Return the elements of the draft that the edit names for removal."""
        return []

    def removes_along(self, draft: Draft) -> list[etree._Element]:
        """Return the elements that have to go with those, such as the label of a total."""
        return []

    def renames(self) -> dict[str, str]:
        """Return the former name of each field that the edit renames, by its new name."""
        return {}

    def is_known(self, names: KnownNames) -> bool:
        """Return whether everything that the edit names exists, and add what it creates to `names`.

        Language models propose edits of elements and fields that do not exist.
        """
        element = getattr(self, "element", None)
        return element is None or element in names.elements

    def names(self) -> list[str]:
        """Return what it names in the report: elements, fields and columns."""
        values = [getattr(self, name, None) for name in _NAMING_FIELDS]
        return [value for value in values if isinstance(value, str)]


@dataclass
class KnownNames:
    """The names that an edit may use: the names in the template, and names that earlier edits created."""

    elements: set[str]
    fields: set[str]
    columns: set[str]
    """Fields and variables that the rows print, and the names of the rows' elements."""
    variables: set[str]
    """Variables that every row has, whether they are printed or not."""

    @property
    def row_values(self) -> set[str]:
        """What the values of a row can be compared and sorted by."""
        return self.columns | self.fields | self.variables

    def missing(self, edit: Edit) -> list[str]:
        """Return the names in an edit that are those of nothing."""
        return [name for name in edit.names() if name not in self.elements | self.row_values]

    def include(self, draft: Draft) -> None:
        """Add the names in a draft, such as names that an edit created."""
        found = KnownNames.of(draft)
        self.elements |= found.elements
        self.fields |= found.fields
        self.columns |= found.columns
        self.variables |= found.variables

    @classmethod
    def of(cls, draft: Draft) -> KnownNames:
        rows = [node for name, band in draft.bands() if name == "detail" for node in elements_in(band)]
        printed = {name for node in rows for _, name in references(content_of(node))}
        return cls(
            elements=set(draft.names()),
            fields=set(declared_nodes(draft.root, "field")),
            columns=printed | {draft.name_of(node) for node in rows},
            variables={name for name in declared_nodes(draft.root, "variable") if is_row_variable(draft, name)},
        )


def _storable_parts(value: object) -> object:
    """Return a value with all texts in it, also those of lists and objects, as a template can contain them."""
    match value:
        case str():
            return storable(value)
        case list() | tuple():
            return [_storable_parts(part) for part in value]
        case dict():
            return {_storable_parts(key): _storable_parts(part) for key, part in value.items()}
    return value
