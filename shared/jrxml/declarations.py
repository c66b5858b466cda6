"""Read and remove what a template declares: fields, variables, groups; and the classes of values."""

from __future__ import annotations

from lxml import etree

from .bands import elements_in
from .dom import child_text, declared_nodes, tag
from .draft import Draft
from .expressions import sole_reference
from .refusals import no_group

NUMBER_CLASSES = frozenset({
    "java.lang.Byte", "java.lang.Short", "java.lang.Integer", "java.lang.Long", "java.lang.Float", "java.lang.Double",
    "java.math.BigInteger", "java.math.BigDecimal", "java.lang.Number",
})  # fmt: skip
DATE_CLASSES = frozenset({"java.util.Date", "java.sql.Date", "java.sql.Timestamp", "java.sql.Time"})
STRING_CLASS = "java.lang.String"


def find_group(draft: Draft, name: str) -> etree._Element:
    """Return the group of this name, or the one of this field. Raises ``EditRefused`` if there is none."""
    group = draft.group(name)
    if group is None:
        raise no_group(name)
    return group


def used_fields(draft: Draft) -> set[str]:
    """Return the fields that something prints, computes, groups or sorts by."""
    return {name for name in declared_nodes(draft.root, "field") if draft.is_used("F", name)}


def drop_unused_fields(draft: Draft, names: set[str]) -> None:
    """Remove the fields of these names that nothing uses any more."""
    for name in names - used_fields(draft):
        if (node := draft.declared("field", name)) is not None:
            draft.root.remove(node)


def drop_unused_variables(draft: Draft, names: set[str]) -> None:
    """Remove the variables of these names that nothing uses any more, and then the ones that only they used."""
    remaining = set(names)
    while unused := [name for name in remaining if not draft.is_used("V", name)]:
        for name in unused:
            remaining.discard(name)
            if (node := draft.declared("variable", name)) is not None:
                draft.root.remove(node)


def is_row_variable(draft: Draft, name: str) -> bool:
    """Return whether a variable of this name is computed from each row, rather than totalling rows."""
    node = draft.declared("variable", name)
    return node is not None and node.get("calculation", "Nothing") == "Nothing"


def group_fields(draft: Draft) -> list[str]:
    """Return the fields that the rows are grouped by, outermost first."""
    references = (
        sole_reference(child_text(group, "groupExpression"), "F") for group in draft.root.findall(tag("group"))
    )
    return [reference[1] for reference in references if reference is not None]


def elements_of_group(group: etree._Element) -> list[etree._Element]:
    """Return the elements in a group's headers and footers."""
    return [node for band in group.iter(tag("band")) for node in elements_in(band)]
