"""The difference between two templates, in words: what was added, deleted, moved and changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree

from .bands import named_bands, named_elements
from .dom import child, content_of, local_name, report_element, tag
from .draft import Draft
from .labels import MAX_LABEL_CHARS, element_label, list_names, section_label
from .refusals import EditRefused
from .tables import column_label, main_table

_ATTRIBUTES = {
    "name": ("the report's name", "报表名称"),
    "pageWidth": ("the page's width", "页面宽度"),
    "pageHeight": ("the page's height", "页面高度"),
    "orientation": ("the page's orientation", "页面方向"),
    "columnWidth": ("the column's width", "栏宽"),
    "leftMargin": ("the left margin", "左边距"),
    "rightMargin": ("the right margin", "右边距"),
    "topMargin": ("the top margin", "上边距"),
    "bottomMargin": ("the bottom margin", "下边距"),
    "whenNoDataType": ("what is printed without data", "无数据时的输出"),
}
_DECLARED = {
    "parameter": ("parameter", "参数"),
    "field": ("field", "字段"),
    "variable": ("variable", "变量"),
    "sortField": ("sorting by", "排序字段"),
    "group": ("group", "分组"),
    "style": ("style", "样式"),
}
_PLACES = ("x", "y", "width", "height")
_VERBS = {
    "added": ("added", "added", "已添加"),
    "deleted": ("deleted", "deleted", "已删除"),
    "moved": ("moved", "moved", "已移动"),
    "resized": ("resized", "resized", "已调整大小"),
    "look": ("looks different", "look different", "外观已更改"),
}
"""What became of one element, of many, and in Chinese."""
SINGLY = 6
"""So many elements that changed alike are named one by one; more are counted."""


class TemplateChange(NamedTuple):
    """One difference. `kind` is ``page``, ``declared``, ``band``, ``column``, ``added``, ``deleted``, ``moved``,
    ``resized``, ``text``, ``expression`` or ``look``; `element` is its name where one element is meant."""

    kind: str
    message: str
    message_zh: str
    element: str | None = None


def diff(before: bytes, after: bytes) -> list[TemplateChange]:
    """What is different, the larger things first. Raises ``BadInput`` when one of them cannot be read."""
    old, new = Draft(before), Draft(after)
    return [
        *_page(old, new),
        *_columns(old, new),
        *_declarations(old, new),
        *_bands(old, new),
        *_collapsed(_elements(old, new)),
    ]


def _page(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    for name, (english, chinese) in _ATTRIBUTES.items():
        a, b = old.root.get(name), new.root.get(name)
        if a != b:
            yield TemplateChange("page", f"{english}: {a or '-'} → {b or '-'}", f"{chinese}:{a or '-'} → {b or '-'}")


def _columns(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    """Columns by what they are headed, in their order."""
    a, b = _headings(old), _headings(new)
    for name in a:
        if name not in b:
            yield TemplateChange("column", f"column {name} deleted", f"删除了「{name}」列")
    for name in b:
        if name not in a:
            yield TemplateChange("column", f"column {name} added", f"添加了「{name}」列")
    kept, now = [name for name in a if name in b], [name for name in b if name in a]
    if kept != now:
        yield TemplateChange("column", f"columns in another order: {', '.join(b)}", f"列的顺序改为:{'、'.join(b)}")


def _headings(draft: Draft) -> list[str]:
    try:
        table = main_table(draft)
    except EditRefused:
        return []
    return [column_label(draft, table, sorted(column.fields)[0]) for column in table.columns if column.fields]


def _declarations(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    for scope, (english, chinese) in _DECLARED.items():
        a, b = _declared(old, scope), _declared(new, scope)
        for name in a.keys() - b.keys():
            yield TemplateChange("declared", f"{english} {name} deleted", f"删除了{chinese} {name}")
        for name in b.keys() - a.keys():
            yield TemplateChange("declared", f"{english} {name} added", f"添加了{chinese} {name}")
        for name in sorted(a.keys() & b.keys()):
            if a[name] != b[name]:
                yield TemplateChange("declared", f"{english} {name} changed", f"更改了{chinese} {name}")


def _declared(draft: Draft, scope: str) -> dict[str, tuple[object, ...]]:
    """By name, what a declaration says; of a group not its bands."""
    found: dict[str, tuple[object, ...]] = {}
    for node in draft.root.findall(tag(scope)):
        inner = tuple(
            (local_name(one), _flat(one)) for one in node if local_name(one) not in ("groupHeader", "groupFooter")
        )
        found[node.get("name") or ""] = (tuple(sorted(node.attrib.items())), inner)
    return found


def _bands(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    a = {name: band.get("height") for name, band in named_bands(old.root)}
    b = {name: band.get("height") for name, band in named_bands(new.root)}
    for name in dict.fromkeys([*a, *b]):
        english, chinese = section_label(name, "en"), section_label(name, "zh")
        if name not in b:
            yield TemplateChange("band", f"{english} deleted", f"删除了{chinese}")
        elif name not in a:
            yield TemplateChange("band", f"{english} added", f"添加了{chinese}")
        elif a[name] != b[name]:
            yield TemplateChange(
                "band", f"{english}: {a[name]} → {b[name]} points high", f"{chinese}高度:{a[name]} → {b[name]} 点"
            )


def _elements(old: Draft, new: Draft) -> Iterator[TemplateChange]:
    a, b = _by_identity(old), _by_identity(new)
    for name, node in a.items():
        if name not in b:
            yield _change("deleted", name, node)
    for name, node in b.items():
        if name not in a:
            yield _change("added", name, node)
    for name in a:
        if name in b:
            yield from _changes(name, a[name], b[name])


def _by_identity(draft: Draft) -> dict[str, etree._Element]:
    """By what it is called in both templates: its key, its uuid, else its place among its band's."""
    found = {}
    for name, node in named_elements(draft.root):
        report = report_element(node)
        found[name if report.get("key") == name else report.get("uuid") or name] = node
    return found


def _changes(name: str, a: etree._Element, b: etree._Element) -> Iterator[TemplateChange]:
    places = [{one: report_element(node).get(one) for one in _PLACES} for node in (a, b)]
    home = [local_name(next(node.iterancestors(tag("band"))).getparent()) for node in (a, b)]
    if home[0] != home[1] or any(places[0][one] != places[1][one] for one in ("x", "y")):
        yield _change("moved", name, b)
    if any(places[0][one] != places[1][one] for one in ("width", "height")):
        yield _change("resized", name, b)
    if content_of(a) != content_of(b):
        kind = "text" if local_name(b) == "staticText" else "expression"
        was, now = _short(content_of(a)), _short(content_of(b))
        yield TemplateChange(kind, f"{was} → {now}", f"{was} → {now}", name)
    if _look(a) != _look(b):
        yield _change("look", name, b)


def _look(node: etree._Element) -> tuple[object, ...]:
    """Everything that an element says but its place and its words."""
    report = report_element(node)
    own = {key: value for key, value in report.attrib.items() if key not in (*_PLACES, "uuid", "key")}
    parts = [child(node, name) for name in ("box", "graphicElement", "textElement")]
    when = child(report, "printWhenExpression")
    return (
        sorted(own.items()),
        sorted(node.attrib.items()),
        [_flat(part) for part in parts if part is not None],
        when.text if when is not None else None,
    )


def _flat(node: etree._Element) -> tuple[object, ...]:
    return tuple((local_name(one), tuple(sorted(one.attrib.items())), (one.text or "").strip()) for one in node.iter())


def _change(kind: str, name: str, node: etree._Element) -> TemplateChange:
    said, _, said_zh = _VERBS[kind]
    return TemplateChange(kind, f"{element_label(node, 'en')} {said}", f"{element_label(node, 'zh')}{said_zh}", name)


def _collapsed(changes: Iterable[TemplateChange]) -> list[TemplateChange]:
    """Elements that changed alike as one change where they are many."""
    by_kind: dict[str, list[TemplateChange]] = {}
    for change in changes:
        by_kind.setdefault(change.kind, []).append(change)
    found = []
    for kind, alike in by_kind.items():
        if len(alike) <= SINGLY or kind not in _VERBS:
            found += alike
            continue
        said, many, many_zh = _VERBS[kind]
        names = list_names([one.message.removesuffix(f" {said}") for one in alike], "en")
        names_zh = list_names([one.message_zh.removesuffix(many_zh) for one in alike], "zh")
        found.append(
            TemplateChange(kind, f"{len(alike)} elements {many}: {names}", f"{len(alike)} 个元素{many_zh}:{names_zh}")
        )
    return found


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 2 * MAX_LABEL_CHARS else text[: 2 * MAX_LABEL_CHARS - 1] + "…"
