"""What a change added, deleted, moved and resized: named as a reader sees it, with its place before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from lxml import etree

from bandsmith.shared.jrxml.bands import band_of, section_of
from bandsmith.shared.jrxml.diff import by_identity
from bandsmith.shared.jrxml.dom import TEXT_ELEMENTS, content_of, local_name, report_element, tag
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.expressions import referenced_names
from bandsmith.shared.jrxml.labels import TemplateLabels, element_label, section_label
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.jrxml.sensitive import HIDDEN
from bandsmith.shared.jrxml.tables import RowColumn, humanize, main_table

from .printed_page import PrintedDraft, quoted

MAX_CHANGES = 8
"""Elements of one kind of change that are described; the others are named."""
MAX_NAMES = 40
"""Maximum number of further elements that are listed by name alone."""


class ElementNames:
    """What the elements of a report are called, and where they are, for one who sees page 1."""

    def __init__(self, draft: Draft, page: PrintedDraft) -> None:
        self.draft, self._page = draft, page
        self._labels = TemplateLabels(draft, "en")

    def name(self, node: etree._Element) -> str:
        """Return the words that an element prints, else its kind and its colour; never its key."""
        if local_name(node) not in TEXT_ELEMENTS:
            colour = _colour(node)
            return element_label(self.draft, node, "en") + (f" in {colour}" if colour else "")
        key = self.draft.name_of(node)
        if self._is_of_rows(node):
            return f"the values under {self._words(key, node)}"
        printed = self._page.text_of(key)
        return quoted(printed) if printed and printed != HIDDEN else self._words(key, node)

    def place(self, node: etree._Element) -> str:
        """Return where an element is printed; else where it stands in its section."""
        found = self._page.place_of(self.draft.name_of(node))
        if found and not self._is_of_rows(node):
            return found
        box = self.draft.box_of(node)
        return f"x {box.left} y {box.top} of {section_label(section_of(band_of(node)), 'en')}"

    def _words(self, key: str, node: etree._Element) -> str:
        label = self._labels.element(key)
        return f'"{humanize(label)}"' if label in (key, *referenced_names(content_of(node))) else label

    def _is_of_rows(self, node: etree._Element) -> bool:
        return section_of(band_of(node)) == "detail"


def changed_elements(old: ElementNames, new: ElementNames) -> Iterator[str]:
    """Yield what was deleted and added, where, and what was moved and resized, from where to where."""
    before, after = by_identity(old.draft), by_identity(new.draft)
    gone = [node for name, node in before.items() if name not in after]
    new_ones = [node for name, node in after.items() if name not in before]
    yield from _limited("deleted", [(old.name(node), _described(old, node)) for node in gone])
    yield from _limited("added", [(new.name(node), _described(new, node)) for node in new_ones])
    both = [(node, after[name]) for name, node in before.items() if name in after]
    moved = [(a, b) for a, b in both if _position(old.draft, a) != _position(new.draft, b)]
    yield from _limited("moved", [(new.name(b), f"from {old.place(a)} to {new.place(b)}") for a, b in moved])
    sizes = [(b, _size(old.draft, a), _size(new.draft, b)) for a, b in both]
    resized = [(new.name(b), f"from {was} to {now} points") for b, was, now in sizes if was != now]
    yield from _limited("resized", resized)


def changed_widths(old: Draft, new: Draft) -> Iterator[str]:
    """Yield the columns that are wider or narrower than before, by their headings."""
    before, after = _columns(old), _columns(new)
    labels = TemplateLabels(new, "en")
    said = [
        f'"{labels.field(name)}" {before[name].width} -> {column.width}'
        for name, column in after.items()
        if name in before and before[name].width != column.width
    ]
    if said:
        yield f"widths of columns in points: {'; '.join(said)}"


def moved_names(old: Draft, new: Draft) -> set[str]:
    """Return the names of the elements that have another position in the template."""
    before = by_identity(old)
    return {
        new.name_of(node)
        for name, node in by_identity(new).items()
        if name in before and _position(old, before[name]) != _position(new, node)
    }


def _columns(draft: Draft) -> dict[str, RowColumn]:
    try:
        columns = main_table(draft).columns
    except EditRefused:
        return {}
    return {sorted(column.fields)[0]: column for column in columns if column.fields}


def _limited(what: str, described: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield what became of each element; of those beyond the limit the names, so that none is missed."""
    counts = Counter(described)
    for (name, said), count in islice(counts.items(), MAX_CHANGES):
        yield f"{what}: {name} {said}{f' ({count} times)' if count > 1 else ''}"
    if others := [*dict.fromkeys(name for name, _ in islice(counts, MAX_CHANGES, None))]:
        rest = f" and {len(others) - MAX_NAMES} more" if len(others) > MAX_NAMES else ""
        yield f"{what} too: {', '.join(others[:MAX_NAMES])}{rest}"


def _described(report: ElementNames, node: etree._Element) -> str:
    return f"at {report.place(node)}, {_size(report.draft, node)} points"


def _position(draft: Draft, node: etree._Element) -> tuple[str, int, int]:
    box = draft.box_of(node)
    return section_of(band_of(node)), box.left, box.top


def _size(draft: Draft, node: etree._Element) -> str:
    box = draft.box_of(node)
    return f"{box.width} x {box.height}"


def _colour(node: etree._Element) -> str:
    """Return the colour that a shape has of its own: the one inside, else that of its pen."""
    report = report_element(node)
    pens = (pen.get("lineColor") for pen in node.findall(f"{tag('graphicElement')}/{tag('pen')}"))
    inside = report.get("backcolor") if report.get("mode") != "Transparent" else None
    return inside or next(filter(None, pens), None) or report.get("forecolor") or ""
