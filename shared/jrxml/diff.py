"""Describe the differences between two templates: what was added, deleted, moved and changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from lxml import etree

from ..replies import Text
from .bands import band_of, named_bands, named_elements, section_of
from .dom import child, content_of, declared_nodes, local_name, report_element
from .draft import Draft
from .labels import MAX_LABEL_CHARS, TemplateLabels, element_label, list_names, section_label
from .refusals import EditRefused
from .tables import column_label, main_table

_ATTRIBUTES = (
    "name", "pageWidth", "pageHeight", "orientation", "columnWidth", "leftMargin", "rightMargin", "topMargin",
    "bottomMargin", "whenNoDataType",
)  # fmt: skip
_SCOPES = ("parameter", "field", "variable", "sortField", "group", "style")
_POSITION = ("x", "y", "width", "height")
_COLLAPSIBLE = frozenset({"added", "deleted", "moved", "resized", "look"})
"""Kinds of changes to elements that become one sentence if there are many."""
MAX_SINGLE_CHANGES = 6
"""Elements that changed in the same way are named one by one up to this number, and counted beyond it."""
_MAX_TEXT_CHARS = 2 * MAX_LABEL_CHARS


class TemplateChange(NamedTuple):
    """One difference. `kind` is ``page``, ``declared``, ``band``, ``column``, ``added``, ``deleted``, ``moved``,
    ``resized``, ``text``, ``expression`` or ``look``; `element` is its name if it is about one element."""

    kind: str
    message: str
    message_zh: str
    element: str | None = None


def diff(before: bytes, after: bytes) -> list[TemplateChange]:
    """Return the differences, larger things first. Raises ``BadInput`` if one of the templates cannot be read."""
    old, new = Draft(before), Draft(after)
    return [
        *_page_changes(old, new),
        *_column_changes(old, new),
        *_declaration_changes(old, new),
        *_band_changes(old, new),
        *_collapsed(_element_changes(old, new)),
    ]


def _change(kind: str, code: str, element: str | None = None, **values: object) -> TemplateChange:
    message = Text.of(code, **values)
    return TemplateChange(kind, message.en, message.zh, element)


def _in_both(label: Callable[..., str], *args: object) -> Text:
    """Return a label in both languages."""
    return Text(label(*args, "en"), label(*args, "zh"))


# --- page, columns, declarations, bands ------------------------------------------------------------------------------


def _page_changes(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    for name in _ATTRIBUTES:
        a, b = old.root.get(name), new.root.get(name)
        if a != b:
            label = Text.of(f"diff.attribute.{name}")
            yield _change("page", "diff.attribute_changed", name=label, before=a or "-", after=b or "-")


def _column_changes(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    """Compare the columns by their headers."""
    a, b = _headers(old), _headers(new)
    yield from (_change("column", "diff.column_deleted", name=name) for name in a if name not in b)
    yield from (_change("column", "diff.column_added", name=name) for name in b if name not in a)
    if [name for name in a if name in b] != [name for name in b if name in a]:
        yield _change("column", "diff.columns_reordered", names=Text(", ".join(b), "、".join(b)))


def _headers(draft: Draft) -> list[str]:
    try:
        table = main_table(draft)
    except EditRefused:
        return []
    return [column_label(draft, table, sorted(column.fields)[0]) for column in table.columns if column.fields]


def _declaration_changes(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    for scope in _SCOPES:
        label = Text.of(f"diff.scope.{scope}")
        a, b = _declarations(old, scope), _declarations(new, scope)
        for name in sorted(a.keys() - b.keys()):
            yield _change("declared", "diff.declaration_deleted", scope=label, name=name)
        for name in sorted(b.keys() - a.keys()):
            yield _change("declared", "diff.declaration_added", scope=label, name=name)
        for name in sorted(a.keys() & b.keys()):
            if a[name] != b[name]:
                yield _change("declared", "diff.declaration_changed", scope=label, name=name)


def _declarations(draft: Draft, scope: str) -> dict[str, tuple[object, ...]]:
    """Return the content of each declaration by name; of a group without its bands."""
    return {
        name: (
            tuple(sorted(node.attrib.items())),
            tuple(
                (local_name(one), _content(one))
                for one in node
                if local_name(one) not in ("groupHeader", "groupFooter")
            ),
        )
        for name, node in declared_nodes(draft.root, scope).items()
    }


def _band_changes(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    a = {name: band.get("height") for name, band in named_bands(old.root)}
    b = {name: band.get("height") for name, band in named_bands(new.root)}
    for name in dict.fromkeys([*a, *b]):
        label = _in_both(section_label, name)
        if name not in b:
            yield _change("band", "diff.deleted", subject=label)
        elif name not in a:
            yield _change("band", "diff.added", subject=label)
        elif a[name] != b[name]:
            yield _change("band", "diff.band_height", subject=label, before=a[name], after=b[name])


# --- elements --------------------------------------------------------------------------------------------------------


def _element_changes(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    a, b = by_identity(old), by_identity(new)
    yield from (_element_change("deleted", name, old, node) for name, node in a.items() if name not in b)
    yield from (_element_change("added", name, new, node) for name, node in b.items() if name not in a)
    for name, node in a.items():
        if name in b:
            yield from _changes_of(name, (old, node), (new, b[name]))


def by_identity(draft: Draft) -> dict[str, etree._Element]:
    """Return the elements by what identifies them across versions: key, uuid, else number in the band."""
    found = {}
    for name, node in named_elements(draft.root):
        report = report_element(node)
        found[name if report.get("key") == name else report.get("uuid") or name] = node
    return found


def _changes_of(
    name: str, was: tuple[Draft, etree._Element], now: tuple[Draft, etree._Element]
) -> Iterator[TemplateChange]:
    (old, a), (new, b) = was, now
    before, after = ({one: report_element(node).get(one) for one in _POSITION} for node in (a, b))
    sections = [section_of(band_of(node)) for node in (a, b)]
    if sections[0] != sections[1] or any(before[one] != after[one] for one in ("x", "y")):
        yield _element_change("moved", name, new, b)
    if any(before[one] != after[one] for one in ("width", "height")):
        yield _element_change("resized", name, new, b)
    if content_of(a) != content_of(b):
        kind = "text" if local_name(b) == "staticText" else "expression"
        yield _change(kind, "diff.text", name, before=_shown(old, a), after=_shown(new, b))
    if _style(a) != _style(b):
        yield _element_change("look", name, new, b)


def _style(node: etree._Element) -> tuple[object, ...]:
    """Return everything about an element except its position and its content."""
    report = report_element(node)
    own = {key: value for key, value in report.attrib.items() if key not in (*_POSITION, "uuid", "key")}
    parts = [child(node, name) for name in ("box", "graphicElement", "textElement")]
    when = child(report, "printWhenExpression")
    return (
        sorted(own.items()),
        sorted(node.attrib.items()),
        [_content(part) for part in parts if part is not None],
        when.text if when is not None else None,
    )


def _content(node: etree._Element) -> tuple[object, ...]:
    return tuple((local_name(one), tuple(sorted(one.attrib.items())), (one.text or "").strip()) for one in node.iter())


def _element_change(kind: str, name: str, draft: Draft, node: etree._Element) -> TemplateChange:
    return _change(kind, f"diff.element.{kind}", name, subject=_in_both(element_label, draft, node))


def _shown(draft: Draft, node: etree._Element) -> Text:
    """Return what an element prints: fixed words as they are, an expression without its code."""
    content = content_of(node)
    if local_name(node) == "staticText":
        return Text(_shortened(content), _shortened(content))
    return _in_both(lambda language: TemplateLabels(draft, language).printed(content))


def _collapsed(changes: Iterable[TemplateChange]) -> list[TemplateChange]:
    """Replace many changes of the same kind by one that counts them."""
    by_kind: dict[str, list[TemplateChange]] = {}
    for change in changes:
        by_kind.setdefault(change.kind, []).append(change)
    found = []
    for kind, alike in by_kind.items():
        if len(alike) <= MAX_SINGLE_CHANGES or kind not in _COLLAPSIBLE:
            found += alike
        else:
            found.append(_counted(kind, alike))
    return found


def _counted(kind: str, changes: list[TemplateChange]) -> TemplateChange:
    names: Mapping[str, list[str]] = {
        "en": [change.message.removesuffix(Text.of(f"diff.element.{kind}", subject="").en) for change in changes],
        "zh": [change.message_zh.removesuffix(Text.of(f"diff.element.{kind}", subject="").zh) for change in changes],
    }
    listed = Text(list_names(names["en"], "en"), list_names(names["zh"], "zh"))
    return _change(kind, f"diff.elements.{kind}", number=len(changes), names=listed)


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MAX_TEXT_CHARS else text[: _MAX_TEXT_CHARS - 1] + "…"
