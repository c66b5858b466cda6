"""Collect what speaks against a template that was made from a form, as numbers. `checks.grading` judges them.

Ink counts as lost or added if the other page has none within `INK_TOLERANCE_PT`. Unlike the share of texts in position,
this also judges what was not recognised as text: handwriting, stamps, rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from bandsmith.shared.fonts import unprintable
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, TextLine
from bandsmith.shared.turns.verdict import Likeness, Printed

from .checks.likeness import PageComparison, shifted_share
from .data_model import Blemish, blank_share, label_share, marker_count, part_share
from .field_meaning import MIN_VALUES, label_values, row_headings, several_items, shared_headings
from .fixed_rows import fixed_rows
from .overprint import covered_share, stacked_share
from .pictures import PX, Pixels, ink_apart

INK_TOLERANCE_PT = 2.5
"""A pixel of ink is on both pages if they differ by no more than this."""
CLEAR_CONFIDENCE = 0.85
"""A line that was read with less confidence is doubtful."""
MIN_PICTURE_INK = 20
"""Pixels of ink from which a picture can be seen to be missing."""


class Evidence(NamedTuple):
    """What speaks against a template. Shares are from 0 to 1; 0 is best."""

    texts: float
    """The form's texts that are not in their position."""
    lost: float
    """The form's ink that the page has not."""
    added: float
    """The page's ink that the form has not."""
    doubtful: float
    """Letters in lines that were read with little confidence."""
    overlaps: float
    """Printed texts that another one covers."""
    picture: float
    """The page's area under its largest picture."""
    fragments: int
    """Pictures on the form other than barcodes and the seals of a document. Many are pieces of what was not read."""
    missing: int
    """Pictures of the form that the page has not."""
    items: float
    """Headings of rows that name several fields one below the other: a row holds several items."""
    rows: float
    """Rows of the table that are left out of the detail band; all of them where a page with a table has none."""
    blank: float
    """Rows of tables that are empty below their headings, and do not repeat."""
    labels: float
    """Repeated rows that are a label with its value."""
    wording: float
    """Values that are labels or headings."""
    headings: float
    """Headings of rows that are a row themselves."""
    shared: float
    """Fields of rows that have their heading in common with the field beside them."""
    parts: float
    """Repeated rows that are a part of an item of several lines."""
    loops: int
    """Marks of a template's loops and conditions that are printed as text."""
    fixed: float
    """Texts that no data fill."""
    unnamed: float
    """Values that no wording on the form names."""
    pages: int
    """Pages printed beyond those of the form."""
    shifted: float = 0.0
    """The form's texts that are printed, only higher or lower."""
    stacked: float = 0.0
    """Texts that are fields without a value on this copy, in the place of another text."""
    glyphs: float = 0.0
    """Printed texts with characters that no font has."""
    letters: float = 0.0
    """Fixed texts that are a single letter: what is written downwards was not read as one text."""
    places: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The texts of the elements that some of the evidence is about, by its name."""


DATA_MODEL: Mapping[str, Callable[[Layout], Blemish]] = {
    "items": several_items,
    "rows": fixed_rows,
    "wording": label_values,
    "headings": row_headings,
    "shared": shared_headings,
}
"""What says of the data model where it is wrong, by the name of the evidence."""


def collect(pages: PageComparison, likeness: Likeness, count: int) -> Evidence:
    """Collect what speaks against a template; its report has `count` pages."""
    layout, form, page = pages.layout, pages.form.ink, pages.page.on_canvas(pages.form.shape).ink
    areas = [one.box.width * one.box.height for one in layout.pictures]
    unlike, shifted = 1 - likeness.texts, shifted_share(pages)
    elsewhere = max(0.0, unlike - shifted)
    unexplained = elsewhere / unlike if unlike and shifted else 1.0
    found = {name: measure(layout) for name, measure in DATA_MODEL.items()}
    stacked, stacked_at = stacked_share(pages.printed, pages.template)
    glyphs, shares = _unprintable(pages.printed), document_shares(layout)
    return Evidence(
        texts=elsewhere,
        lost=unexplained * _share_apart(form, page),
        added=unexplained * _share_apart(page, form),
        doubtful=_doubtful_share(layout.lines),
        overlaps=covered_share(pages.printed, pages.template),
        picture=max(areas, default=0.0) / (layout.page.width * layout.page.height),
        fragments=sum(one.kind != "barcode" and one.content is None for one in layout.pictures),
        missing=sum(_is_missing(one.box, form, page) for one in layout.pictures),
        blank=blank_share(layout),
        labels=label_share(layout),
        parts=part_share(layout),
        loops=marker_count(layout),
        fixed=shares.fixed,
        unnamed=shares.unnamed,
        pages=max(0, count - layout.pages),
        shifted=shifted,
        stacked=stacked,
        glyphs=glyphs.share,
        letters=_letter_share(layout),
        places={name: blemish.at for name, blemish in found.items()} | {"stacked": stacked_at, "glyphs": glyphs.at},
        **{name: blemish.share for name, blemish in found.items()},
    )


class DocumentShares(NamedTuple):
    """Shares that are judged over all texts of a document: one page of it may be wording alone."""

    fixed: float
    unnamed: float


def document_shares(layout: Layout) -> DocumentShares:
    """Return how many texts no data fill, and how many values no wording names."""
    fixed = sum(block.role == "fixed" for block in layout.blocks)
    return DocumentShares(fixed / max(1, len(layout.blocks) + len(layout.blanks)), _unnamed_share(layout))


def _share_apart(ink: Pixels, other: Pixels) -> float:
    """The share of ink that the other page has not."""
    return float(ink_apart(ink, other, INK_TOLERANCE_PT).sum()) / max(1, int(ink.sum()))


def _doubtful_share(lines: Sequence[TextLine]) -> float:
    letters = [(len(line.text), line.confidence) for line in lines]
    return sum(n for n, confidence in letters if confidence < CLEAR_CONFIDENCE) / max(1, sum(n for n, _ in letters))


def _is_missing(box: Box, form: Pixels, page: Pixels) -> bool:
    """Whether the page has next to no ink where the form has a picture."""
    area = np.s_[int(box.y * PX) : int(box.bottom * PX), int(box.x * PX) : int(box.right * PX)]
    wanted = int(form[area].sum())
    return wanted >= MIN_PICTURE_INK and int(page[area].sum()) < 0.2 * wanted


def _unprintable(printed: Sequence[Printed]) -> Blemish:
    texts = [item.text for item in printed if item.text]
    at = tuple(text for text in texts if unprintable(text))
    return Blemish(len(at) / max(1, len(texts)), at)


def _letter_share(layout: Layout) -> float:
    """Return the share of the fixed texts outside the headings of rows that are a single letter."""
    headings = {name for rows in layout.tables for name in rows.header}
    texts = [block.text.strip() for block in layout.blocks if block.role == "fixed" and block.id not in headings]
    return sum(len(text) == 1 and text.isalpha() for text in texts) / max(MIN_VALUES, len(texts))


def _unnamed_share(layout: Layout) -> float:
    slots = [slot for table in layout.tables for slot in table.slots]
    in_rows = {name for rows in layout.row_sets for slot in rows.slots for name in slot.blocks}
    values = [block.label for block in layout.blocks if block.role == "value" and block.id not in in_rows]
    values += [slot.label for slot in slots if slot.role == "value"]
    return sum(not label for label in values) / max(MIN_VALUES, len(values))
