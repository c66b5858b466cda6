"""Read a page again with what a language model says of it."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from bandsmith.shared.model.form_reading import FormReading
from bandsmith.shared.model.layout import Layout, Remark
from bandsmith.shared.model.stacked_pages import stacked
from bandsmith.shared.replies import Text

from .further_pages import understand_page, with_further_pages
from .kept_reading import with_what_was_shown
from .overlay import draw_pages
from .page_notes import (
    about_added,
    about_left_out,
    about_misread,
    about_paragraphs,
    about_places,
    about_tables,
    about_wholes,
)
from .structure import understand
from .structure.given_reading import marks_of


class AppliedReading(NamedTuple):
    layout: Layout
    overlay: np.ndarray
    notes: list[Text]
    outdated: list[Text]
    """Notes about the tables that were found before."""


def apply_reading(layout: bytes, form: bytes, reading: bytes) -> AppliedReading:
    """Return the layout (JSON) of a page (PNG) as the reading (JSON) has it."""
    before = Layout.model_validate_json(layout)
    read = FormReading.model_validate_json(reading)
    if before.later and not before.tables and read.tables is None:
        read = read.model_copy(update={"tables": []})  # what looks like rows are boxes or clauses
    after = _understood(before, read)
    if kept := with_what_was_shown(read, before, after):
        after = _understood(before, kept)
    remarks = [_with_target(remark, after) for remark in before.remarks]
    after = with_further_pages(after.model_copy(update={"remarks": remarks}), before.later)
    texts = [line.text for line in before.lines if line.id in read.left_out]
    pictures = sum(picture.id in read.left_out for picture in before.pictures)
    others = (before.rules, before.fills, before.tick_boxes)
    marks = sum(mark.id in read.left_out for kind in others for mark in kind)
    pieces = {name for whole in read.one_picture for name in whole}
    drawn = [line.text for line in before.lines if line.id in pieces]
    overlay = draw_pages(cv2.imdecode(np.frombuffer(form, np.uint8), cv2.IMREAD_COLOR), after)
    misread = [(line.text, read.misread[line.id]) for line in before.lines if line.id in read.misread]
    by_id = {line.id: line.text for line in before.lines}
    notes = [*about_tables(stacked(after, after.later)), *about_misread(misread), *about_added(read.added)]
    notes += about_places(before, read)
    notes += about_paragraphs([[by_id[name] for name in lines if name in by_id] for lines in read.paragraphs])
    notes += [*about_left_out(texts, pictures, marks), *about_wholes(len(read.one_picture), drawn)]
    return AppliedReading(after, overlay, notes, about_tables(stacked(before, before.later)))


def _understood(before: Layout, reading: FormReading) -> Layout:
    """Return the layout of a page with a reading. One of several pages is understood as such."""
    marks = marks_of(before)
    if before.later:
        return understand_page(before.page, marks, before.notes, reading).layout
    return understand(before.page, marks, before.notes, reading=reading)


def _with_target(remark: Remark, layout: Layout) -> Remark:
    """Return a remark with the block at its target, which may have become another one."""
    target = remark.target
    if remark.block is None or target is None or any(block.id == remark.block for block in layout.blocks):
        return remark
    covered = [(target.overlap(block.box), block.id) for block in layout.blocks]
    share, block = max(covered, default=(0.0, ""))
    return remark.model_copy(update={"block": block if share > 0 else None})
