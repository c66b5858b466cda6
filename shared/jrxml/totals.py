"""Find the totals below the rows, and what belongs to each: its label, the empty cells beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import etree

from .dom import child, child_text, content_of, declared_nodes, local_name, tag
from .draft import Draft
from .expressions import referenced_names, references, sole_reference

TOTAL_CALCULATIONS = frozenset({"Sum", "Average", "Count", "Lowest", "Highest"})
_TOTAL_LABEL = re.compile(
    r"total|sum|average|mean|count|lowest|highest|[合总小共累]计|总[和额数]|平均|计数|最[大小高低]", re.IGNORECASE
)


def find_totals(draft: Draft, field: str | None, calculation: str | None, group: str | None) -> list[etree._Element]:
    """Return the texts that print totals; None stands for any field, any calculation, the whole report."""
    if group is not None:
        node = draft.group(group)
        section = child(node, "groupFooter") if node is not None else None
        bands = section.findall(tag("band")) if section is not None else []
    else:
        bands = [band for name, band in draft.bands() if name in ("summary", "columnFooter", "lastPageFooter")]
    calculations = {calculation} if calculation else TOTAL_CALCULATIONS
    variables = _variables_totalling(draft, field) if field is not None else None
    return [
        node
        for band in bands
        for node in draft.texts(band)
        if printed_calculations(draft, node) & calculations
        and (variables is None or variables & set(referenced_names(content_of(node), "V")))
    ]


def plain_totals(draft: Draft, field: str, calculation: str | None, group: str | None) -> list[etree._Element]:
    """Return the texts that print such a total and nothing else, rather than a text or amount made of it."""
    found = find_totals(draft, field, calculation, group)
    return [node for node in found if sole_reference(content_of(node), "V")]


def printed_calculations(draft: Draft, node: etree._Element) -> set[str]:
    """Return the calculations of the variables that an element prints."""
    declared = [draft.declared("variable", name) for name in referenced_names(content_of(node), "V")]
    return {one.get("calculation", "Nothing") for one in declared if one is not None}


def prints_variable(node: etree._Element) -> bool:
    return "$V{" in content_of(node)


def total_companions(draft: Draft, total: etree._Element, removed: Sequence[etree._Element]) -> list[etree._Element]:
    """Return the label and the empty cells in the row of a total; nothing while another total remains there.

    `removed` are the totals that are removed together.
    """
    band, box = draft.band_of(total), draft.box_of(total)
    beside = [node for node in draft.texts(band) if node not in removed and draft.box_of(node).on_same_line(box)]
    if any(prints_variable(node) for node in beside):
        return []
    static = [node for node in beside if local_name(node) == "staticText"]
    texts = [node for node in static if content_of(node)]
    labels = [node for node in texts if _TOTAL_LABEL.search(content_of(node))]
    return [node for node in static if not content_of(node)] + (labels or (texts if len(texts) == 1 else []))


def _variables_totalling(draft: Draft, field: str) -> set[str]:
    """Return the variables that total a field, or a value that is computed from each row, directly."""
    wanted = {("F", field), ("V", field)}
    return {
        name
        for name, node in declared_nodes(draft.root, "variable").items()
        if node.get("calculation", "Nothing") != "Nothing"
        and set(references(child_text(node, "variableExpression"))) & wanted
    }
