"""Sections of a DOCX: what belongs to each, its columns, and whether the next one begins on a new page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any, Literal, NamedTuple

from docx.document import Document
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph

from .drawing import Fragment, Item

Block = Paragraph | Table
LayOut = Callable[[Block, float], Sequence[Fragment]]
"""Lays out a paragraph or a table within a width, in parts that a page or a column may end after."""


class TextColumn(NamedTuple):
    """A column of text, in points."""

    x: float
    width: float


class TextSection(NamedTuple):
    """Paragraphs and tables that share their columns."""

    blocks: list[Block]
    columns: list[TextColumn]
    ends_page: bool
    """Whether what follows it begins on a new page; otherwise its columns are equally long."""


def sections_of(document: Document, width: float) -> list[TextSection]:
    """Return the sections of a document, whose pages are `width` points wide between their margins."""
    groups: list[tuple[list[Block], Any]] = [([], None)]
    for block in document.iter_inner_content():
        if groups[-1][1] is not None:
            groups.append(([], None))
        groups[-1][0].append(block)
        ends = block._p.xpath("./w:pPr/w:sectPr") if isinstance(block, Paragraph) else []
        if ends:
            groups[-1] = (groups[-1][0], ends[0])
    last = document.element.body.xpath("./w:sectPr")
    settings = [end if end is not None else next(iter(last), None) for _, end in groups]
    following = [*settings[1:], None]
    return [
        TextSection(blocks, _columns(own, width), next_one is None or _begins_page(next_one))
        for (blocks, _), own, next_one in zip(groups, settings, following, strict=True)
    ]


def _begins_page(settings: Any) -> bool:
    kind = settings.find(qn("w:type"))
    return kind is None or kind.get(qn("w:val")) != "continuous"


def _columns(settings: Any, width: float) -> list[TextColumn]:
    """Return the columns that a section is set to have, one where it is not."""
    columns = settings.find(qn("w:cols")) if settings is not None else None
    if columns is None:
        return [TextColumn(0.0, width)]
    space = _twips(columns, "space", 720)
    count = min(int(columns.get(qn("w:num")) or 1), 12)
    own = columns.findall(qn("w:col"))
    sizes = [(_twips(one, "w"), _twips(one, "space")) for one in own]
    if not own or len(own) < count or any(size <= 0 for size, _ in sizes):
        sizes = [((width - space * (count - 1)) / count, space)] * count
    found, x = [], 0.0
    for size, gap in sizes:
        found.append(TextColumn(x, max(20.0, size)))
        x += size + gap
    return found


def _twips(element: Any, name: str, default: float = 0.0) -> float:
    """Return an attribute in points."""
    return float(element.get(qn(f"w:{name}")) or default) / 20


def in_columns(section: TextSection, lay_out: LayOut, available: float) -> Iterator[Fragment]:
    """Yield a section with several columns, as parts that are at most `available` points high."""
    limit = available
    if not section.ends_page and not any(_break(block) for block in section.blocks):
        whole = sum(part.height for block in section.blocks for part in lay_out(block, section.columns[0].width))
        limit = min(available, whole / len(section.columns))
    items, column, y, height = list[Item](), 0, 0.0, 0.0
    for block in section.blocks:
        if _break(block) == "before" or y > max(1.0, limit - 1):
            column, y = column + 1, 0.0
        if column == len(section.columns):
            yield Fragment(items, height)
            items, column, height = [], 0, 0.0
        for part in lay_out(block, section.columns[column].width):
            items += part.at(section.columns[column].x, y)
            y += part.height
        height = max(height, y)
        if _break(block) == "after":
            y = inf
    yield Fragment(items, height)


def _break(block: Block) -> Literal["before", "after"] | None:
    """Return whether a column ends before or after a paragraph, if one ends there."""
    ends = block._p.xpath(".//w:br[@w:type='column']") if isinstance(block, Paragraph) else []
    if not ends:
        return None
    before = ends[0].xpath("preceding-sibling::w:t | ../preceding-sibling::w:r/w:t")
    return "after" if any((node.text or "").strip() for node in before) else "before"
