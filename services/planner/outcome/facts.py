"""What a report shows, and what a change made of it, as facts: short lines in English, read off by the program.

A model judges with them whether the user got what was asked for. So they say what can be seen, in points and in words,
and nothing of what was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from bandsmith.shared.edits.fill_rows import GROUP_NAME
from bandsmith.shared.jrxml.diff import diff
from bandsmith.shared.jrxml.dom import child_text, content_of, declared_nodes
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.expressions import referenced_names
from bandsmith.shared.jrxml.further_pages import END_OF_ROWS
from bandsmith.shared.jrxml.labels import TemplateLabels
from bandsmith.shared.jrxml.refusals import EditRefused
from bandsmith.shared.jrxml.sensitive import HIDDEN, prints_sensitive, sensitive_references
from bandsmith.shared.jrxml.tables import RowColumn, main_table
from bandsmith.shared.turns.verdict import Printed

from ..report_summary import PAPERS
from .changed_elements import ElementNames, changed_elements, changed_widths, moved_names
from .changed_looks import changed_looks
from .condition_words import condition_words
from .printed_page import PrintedDraft, quoted

MAX_FACTS = 90
MAX_FACTS_CHARS = 7_000
"""About 2,000 tokens."""
MAX_CHANGES = 25
_DESCRIBED_ELSEWHERE = frozenset({"added", "deleted", "moved", "resized", "look"})
"""Kinds of changes that facts with places, sizes and looks describe."""
MAX_TEXTS = 20
"""Texts that were printed before and are not any more, or the other way round."""
MAX_MOVED = 12
MOVED_PT = 3
"""A text that is printed this much further away has moved."""


class ShownReport(NamedTuple):
    """A report and what it printed."""

    template: bytes
    printed: list[Printed]
    """The elements of page 1."""
    pages: int
    rows: int
    """Number of rows that it was filled with."""


def outcome_facts(after: ShownReport, before: ShownReport | None = None) -> list[str]:
    """Return the facts, the most telling first, within the limits. Raises ``BadInput`` for an unreadable template."""
    draft = Draft(after.template)
    page = PrintedDraft(draft, _without_sensitive(draft, after.printed))
    old_draft = Draft(before.template) if before else None
    old = PrintedDraft(old_draft, _without_sensitive(old_draft, before.printed)) if before and old_draft else None
    facts = [
        *_with_before(_page(draft, after.pages), _page(Draft(before.template), before.pages) if before else None),
        *_with_before(_rows(page, after), _rows(old, before) if before and old else None),
        *_headings(draft, page),
        *_order(draft),
        *(_changes(before.template, after.template) if before else ()),
        *(_compared(old_draft, old, draft, page) if old_draft and old else ()),
        *page.lines(),
    ]
    return _within_limits(facts)


def _compared(old_draft: Draft, old: PrintedDraft, draft: Draft, page: PrintedDraft) -> Iterator[str]:
    """Yield what became of the columns, the elements and the texts."""
    yield from changed_widths(old_draft, draft)
    names = ElementNames(draft, page)
    yield from changed_elements(ElementNames(old_draft, old), names)
    yield from changed_looks(old_draft, names)
    yield from _moved(old, page, moved_names(old_draft, draft))
    yield from _texts(old, page)


def _without_sensitive(draft: Draft, printed: Sequence[Printed]) -> list[Printed]:
    """Return what was printed, with values that no model may see hidden."""
    hidden = sensitive_references(draft.root)
    nodes = ((one, draft.element(one.key) if one.key and one.text else None) for one in printed)
    return [
        one.model_copy(update={"text": HIDDEN}) if node is not None and prints_sensitive(node, hidden) else one
        for one, node in nodes
    ]


def _within_limits(facts: Sequence[str]) -> list[str]:
    found, chars = [], 0
    for fact in facts[:MAX_FACTS]:
        chars += len(fact)
        if chars > MAX_FACTS_CHARS:
            break
        found.append(fact)
    return found if len(found) == len(facts) else [*found, "more is printed that is not shown here"]


def _with_before(now: str, before: str | None) -> list[str]:
    return [now if before in (None, now) else f"{now} (before: {before})"]


def _page(draft: Draft, pages: int) -> str:
    width, height = draft.page_width, draft.page_height
    paper = PAPERS.get((min(width, height), max(width, height)), "other size")
    side = "landscape" if width > height else "portrait"
    return f"page: {paper} {side}, {width} x {height} points; {pages} page{'s' * (pages != 1)}"


def _rows(page: PrintedDraft, report: ShownReport) -> str:
    blank = f", and {page.filler_count} blank rows below them" if page.filler_count else ""
    return f"rows on page 1: {page.row_count} of {report.rows}{blank}"


def _headings(draft: Draft, page: PrintedDraft) -> list[str]:
    try:
        columns = main_table(draft).columns
    except EditRefused:
        return []
    names = [quoted(_heading(draft, page, column)) for column in columns]
    return [f"column headings from left to right: {' | '.join(names)}"]


def _heading(draft: Draft, page: PrintedDraft, column: RowColumn) -> str:
    if column.header is None:
        return ""
    return page.text_of(draft.name_of(column.header)) or content_of(column.header)


def _order(draft: Draft) -> Iterator[str]:
    sorting = [
        name + (", descending" if node.get("order") == "Descending" else "")
        for name, node in declared_nodes(draft.root, "sortField").items()
    ]
    yield f"order of the rows: {'; '.join(sorting) or 'as they come'}"
    groups = [
        ", ".join(referenced_names(child_text(group, "groupExpression"))) or name
        for name, group in declared_nodes(draft.root, "group").items()
        if name not in (GROUP_NAME, END_OF_ROWS)
    ]
    if groups:
        yield f"groups by: {'; '.join(groups)}"
    if wanted := child_text(draft.root, "filterExpression"):
        yield f"printed are only {condition_words(wanted, TemplateLabels(draft, 'en'))}"


def _changes(before: bytes, after: bytes) -> list[str]:
    kinds = (change for change in diff(before, after) if change.kind not in _DESCRIBED_ELSEWHERE)
    counts = Counter(change.message for change in kinds)
    found = [f"changed: {message}{f' ({count} times)' if count > 1 else ''}" for message, count in counts.items()]
    more = len(found) - MAX_CHANGES
    if more > 0:
        return [*found[:MAX_CHANGES], f"changed: {more} more"]
    return found if found or before != after else ["changed: nothing in the template"]


def _moved(old: PrintedDraft, new: PrintedDraft, elsewhere: set[str]) -> Iterator[str]:
    """Name texts that are printed further left or right than before, but whose boxes are not `elsewhere`."""
    found = []
    for key, text in new.first_texts.items():
        was = old.first_texts.get(key) if key not in elsewhere else None
        if was and was.text == text.text and abs(old.ink(was)[0] - new.ink(text)[0]) > MOVED_PT:
            found.append(f"moved: {quoted(text.text or '')} from {old.place(was)} to {new.place(text)}")
    yield from islice(found, MAX_MOVED)


def _texts(old: PrintedDraft, new: PrintedDraft) -> Iterator[str]:
    before, after = Counter(old.texts), Counter(new.texts)
    if gone := list(before - after)[:MAX_TEXTS]:
        yield f"printed before and not now: {' | '.join(map(quoted, gone))}"
    if come := list(after - before)[:MAX_TEXTS]:
        yield f"printed now and not before: {' | '.join(map(quoted, come))}"
