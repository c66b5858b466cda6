"""Texts of one role on a scan have one typeface, whatever each of them looks like by itself."""

from __future__ import annotations

from collections.abc import Sequence

from bandsmith.services.ocr.page_marks import FaceEvidence, PageMarks
from bandsmith.services.ocr.structure.role_styles import with_role_styles
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Repeat, Slot, TextLine, TextStyle

SANS, SERIF, TYPED = "Liberation Sans", "Liberation Serif", "Liberation Mono"
LABELS = ("Order number:", "Customer:", "Delivery date:", "Payment terms:", "Contact person:")


def evened(
    texts: Sequence[str],
    styles: Sequence[TextStyle],
    evidence: Sequence[FaceEvidence],
    measured: bool = True,
    *,
    in_rows: bool = False,
) -> list[TextStyle]:
    """Return the styles of texts below each other that were read in `styles`: labels, or the values of a column."""
    boxes = [Box(x=40, y=100 + 20 * n, width=5 * len(text), height=8) for n, text in enumerate(texts)]
    lines = [
        TextLine(id=f"line{n}", text=text, box=box, style=style, confidence=0.9)
        for n, (text, box, style) in enumerate(zip(texts, boxes, styles, strict=True))
    ]
    blocks = [
        Block(id=f"b-{line.id}", text=line.text, lines=[line.id], box=line.box, style=line.style) for line in lines
    ]
    faces = {line.id: own for line, own in zip(lines, evidence, strict=True)} if measured else {}
    column = Slot(label="Item", blocks=[block.id for block in blocks])
    area = Box.around(boxes)
    tables = [Repeat(box=area, tops=[box.y for box in boxes], pitch=20, slots=[column])] if in_rows else []
    found, marks = with_role_styles(blocks, PageMarks(lines=lines, faces=faces), tables, None)
    assert [line.style for line in marks.lines] == [block.style for block in found]
    return [block.style for block in found]


def style(size: float = 10, *, family: str = SANS, bold: bool = False, colour: str = "#000000") -> TextStyle:
    return TextStyle(family=family, size=size, bold=bold, colour=colour)


def face(boldness: float, sans: float = 0.7, serif: float = 0.4) -> FaceEvidence:
    return FaceEvidence(boldness, {SANS: sans, SERIF: serif})


def test_a_label_that_looks_a_little_heavier_than_the_others_is_regular() -> None:
    styles = [style(), style(bold=True), style(), style(), style()]
    found = evened(LABELS, styles, [face(-0.2), face(0.03), face(-0.1), face(-0.15), face(-0.2)])

    assert not any(one.bold for one in found)


def test_a_label_that_is_clearly_bold_stays_bold() -> None:
    styles = [style(), style(bold=True), style(), style(), style()]
    found = evened(LABELS, styles, [face(-0.2), face(0.2), face(-0.1), face(-0.15), face(-0.2)])

    assert [one.bold for one in found] == [False, True, False, False, False]


def test_labels_have_the_family_that_fits_most_of_them_and_one_size() -> None:
    styles = [style(), style(11, family=SERIF), style(10.5), style(), style(9.5)]
    found = evened(LABELS, styles, [face(-0.2), face(-0.2, 0.4, 0.5), face(-0.2), face(-0.2), face(-0.2)])

    assert {one.family for one in found} == {SANS}
    assert len({one.size for one in found}) == 1


def test_values_in_rows_do_not_grow_so_that_they_stay_on_their_lines() -> None:
    sizes = [11.5, 10.5, 11.5, 11.5, 11.5]
    found = evened(LABELS, [style(size) for size in sizes], [face(-0.2)] * 5, in_rows=True)

    assert [one.size for one in found] == sizes
    assert {one.size for one in evened(LABELS, [style(size) for size in sizes], [face(-0.2)] * 5)} == {11.5}


def test_labels_of_clearly_different_sizes_and_colours_keep_them() -> None:
    styles = [style(), style(), style(7, colour="#8A8A8A"), style(7, colour="#8F8F8F"), style(colour="#B01020")]
    found = evened(LABELS, styles, [face(-0.2)] * 5)

    assert [one.size for one in found] == [10, 10, 7, 7, 10]
    assert [one.colour for one in found] == ["#000000", "#000000", "#8A8A8A", "#8A8A8A", "#B01020"]


def test_typewritten_labels_keep_the_face_that_the_whole_page_tells() -> None:
    styles = [style(family=TYPED), style(), style(), style(), style()]
    found = evened(LABELS, styles, [FaceEvidence(-0.2, {}, is_typed=True), *[face(-0.2)] * 4])

    assert [one.family for one in found] == [TYPED, SANS, SANS, SANS, SANS]


def test_texts_whose_style_the_document_gives_are_left_alone() -> None:
    styles = [style(), style(bold=True), style(10.5), style(family=SERIF), style(9)]

    assert evened(LABELS, styles, [face(0.0)] * 5, measured=False) == styles
