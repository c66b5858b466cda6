"""The guard: elements that vanished though no edit names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from lxml import etree

from ..jrxml.bands import elements_in, named_elements
from ..jrxml.dom import content_of, local_name, report_element
from ..jrxml.draft import Draft
from ..jrxml.refusals import EditRefused
from ..jrxml.tables import find_column
from ..model.edits import (
    AnyEdit,
    Delete,
    DeleteColumn,
    DeleteGroup,
    DeleteTotal,
    RenameField,
    ReplaceBand,
)
from .columns import members
from .groups import inside_of
from .totals import of, row_of

_NAMES = re.compile(r"\{[^{}]*\}")


def lost_elements(before: bytes, after: bytes, edits: Iterable[AnyEdit]) -> list[str]:
    """Names of the elements that are in `before` and not in `after`, but for those that the edits name.

    A ``DeleteColumn`` names all that belongs to its column, a ``ReplaceBand`` all that is in its band. Raises
    ``BadInput`` when a template cannot be read.
    """
    edits = list(edits)
    draft = Draft(before)
    left = Counter(_identity(node) for node in Draft(after).elements())
    gone = []
    for name, node in named_elements(draft.root):
        identity = _identity(node)
        left[identity] -= 1
        if left[identity] < 0:
            gone.append((name, node))
    if not gone:
        return []
    named = {node for edit in edits for node in _named(draft, edit, edits)}
    return [name for name, node in gone if node not in named]


def _identity(node: etree._Element) -> tuple[str, str]:
    """What makes an element the same in two templates: its key, its uuid, else what it says."""
    report = report_element(node)
    for name in ("key", "uuid"):
        if value := report.get(name):
            return name, value
    return local_name(node), _NAMES.sub("", content_of(node))


def _row(draft: Draft, total: etree._Element, gone: list[etree._Element]) -> list[etree._Element]:
    """A total, and what it takes along: the rest of its row, and the rules that are drawn around it."""
    place = draft.box_of(total)
    rules = {node: draft.box_of(node) for node in elements_in(draft.band_of(total)) if local_name(node) == "line"}
    around = [node for node, at in rules.items() if at.top >= place.top - 1 and at.bottom <= place.bottom + 1]
    return [total, *row_of(draft, total, gone), *around]


def _named(draft: Draft, edit: AnyEdit, edits: list[AnyEdit]) -> list[etree._Element]:
    if isinstance(edit, ReplaceBand):
        band = draft.band(edit.band)
        return [*elements_in(band)] if band is not None else []
    if isinstance(edit, DeleteColumn):
        name = edit.field
        for one in edits:
            if isinstance(one, RenameField) and one.scope == "field" and one.to == name:
                name = one.name
        try:
            return members(draft, *find_column(draft, name))
        except EditRefused:
            return []
    if isinstance(edit, DeleteGroup):
        group = draft.group(edit.field)
        return inside_of(group) if group is not None else []
    if isinstance(edit, DeleteTotal):
        gone = of(draft, edit)
        return [node for total in gone for node in _row(draft, total, gone)]
    element = getattr(edit, "element", None)
    node = draft.element(element) if element is not None else None
    if node is None:
        return []
    return [node, *elements_in(node)] if isinstance(edit, Delete) else [] if report_element(node).get("key") else [node]
