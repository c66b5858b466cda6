"""Find the elements that vanished although no edit names them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from lxml import etree

from ..edits import AnyEdit
from ..jrxml.bands import named_elements
from ..jrxml.dom import content_of, local_name, report_element
from ..jrxml.draft import Draft
from ..jrxml.expressions import without_names


def lost_elements(before: bytes, after: bytes, edits: Iterable[AnyEdit]) -> list[str]:
    """Return the names of the elements that are in `before` but not in `after`, except elements that the edits remove.

    Raises ``BadInput`` if a template cannot be read.
    """
    edits = list(edits)
    draft = Draft(before)
    remaining = Counter(_identity(node) for node in Draft(after).elements())
    gone = []
    for name, node in named_elements(draft.root):
        identity = _identity(node)
        remaining[identity] -= 1
        if remaining[identity] < 0:
            gone.append((name, node))
    if not gone:
        return []
    former = {new: old for edit in edits for new, old in edit.renames().items()}
    accounted = {node for edit in edits for node in _accounted_for(draft, edit, former)}
    return [name for name, node in gone if node not in accounted]


def _identity(node: etree._Element) -> tuple[str, str]:
    """Return what identifies an element in two templates: its key, its uuid, else its content."""
    report = report_element(node)
    for name in ("key", "uuid"):
        if value := report.get(name):
            return name, value
    return local_name(node), without_names(content_of(node))


def _accounted_for(draft: Draft, edit: AnyEdit, former: Mapping[str, str]) -> list[etree._Element]:
    """Return the elements that may be gone after an edit; `former` has the old names of renamed fields."""
    if (renamed := former.get(getattr(edit, "field", None) or "")) is not None:
        edit = edit.model_copy(update={"field": renamed})
    nodes = [*edit.removes(draft), *edit.removes_along(draft)]
    changed = draft.element(getattr(edit, "element", ""))
    if changed is not None and not report_element(changed).get("key"):
        nodes.append(changed)  # it is identified by its content, which the edit may change
    return nodes
