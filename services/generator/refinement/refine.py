"""Refinement: find where the printed ink of a draft is off the form's, and the edits that bring it nearer.

Theory of operation
===================

A draft is planned from font metrics (see `planning`). The engine then prints it, and the validator measures where the
ink of every text element really is on the rendered page. Refinement compares that with the layout and answers with
edits. It reads no pixels and never prints.

Pairs. An element remembers, in a property of the template, the id of the block that it was made from. An element of
the detail band stands for one block in every row, and the engine prints it once for every row. So each element comes
with pairs (what was printed, the form's block), and with the blocks that were not printed at all.

What is corrected, in this order:

1. *Cut text.* The engine drops whole lines that do not fit. If it printed only the beginning of a text, the element
   grows downwards as far as its band allows; if that is not enough the text is set smaller, in steps of 5 %, down to
   70 %. No other correction is made then, because the ink of half a text says little.
2. *Foreign ink.* The measured ink may be that of something else in the element's box, such as the edge of a dark bar.
   Ink whose width or height is more than 20 % (plus two points) off what the font metrics predict is ignored.
3. *Size.* The form's ink width divided by the printed width, as a median over all pairs, gives the factor for the font
   size. Differences below 3.5 % or one point are noise. The factor is at most 20 % either way, and the ink's height
   limits it to 10 % around what the height says, because misread spaces and punctuation change the width alone. A
   larger size must still fit the element.
4. *Position.* The median horizontal error is taken at the edge that the alignment holds, the vertical error at the
   middle of the ink, less what the new size will move by itself. An element without borders or background moves; the
   text of a cell is shifted by the cell's padding, so that the borders stay. Errors of up to half a point are left
   alone: elements have whole points, so that is the best that can be done.

Medians make one misread row harmless. Elements keep their keys and none is added or removed, so the windows of a draft
can be refined independently and their edits applied together (see `windows` and `join`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.fonts import FAMILIES
from bandsmith.shared.jrxml.dom import J, local_name, report_element
from bandsmith.shared.jrxml.typesetting import break_lines, measure_text, text_height, whole_height, whole_width
from bandsmith.shared.jrxml.writer import source_of
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Align, Block, Layout, TextStyle, VAlign
from bandsmith.shared.turns.verdict import Printed

POSITION_TOLERANCE_PT = 0.5
"""Ink that is off by no more than this is left where it is."""
WIDTH_TOLERANCE, WIDTH_TOLERANCE_PT = 0.035, 1.0
"""A text is resized if its ink's width differs from the form's by more than this share, and by more than this."""
MAX_SIZE_CHANGE = 0.2
"""Largest share by which a text is resized."""
MAX_HEIGHT_DEVIATION = 0.1
"""Largest share by which a new size may miss the form's ink height in order to match the width."""
INK_SIZE_TOLERANCE, INK_SIZE_TOLERANCE_PT = 0.2, 2.0
"""Ink that differs by more than this share, plus this, from the size the engine must have printed is something else."""
MIN_DRIFTING = 2
"""Texts below the rows, from which on what they are all off says nothing of each."""
MIN_CHARS_FOR_SIZE = 4
"""Shorter texts say too little about their size."""
SHRINK_STEPS = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7)
"""The sizes that are tried for a text that was cut, as shares of its own."""


@dataclass(frozen=True)
class DraftText:
    """A text element of the draft with what decides how the engine prints it."""

    key: str
    x: int
    y: int
    width: int
    height: int
    style: TextStyle
    align: Align
    valign: VAlign
    padding: Mapping[str, int]
    is_cell: bool
    """Whether it has borders or a background, so that its text moves within it."""

    @property
    def inner_size(self) -> tuple[int, int]:
        """Width and height available to the text."""
        width = self.width - self.padding["left"] - self.padding["right"]
        return width, self.height - self.padding["top"] - self.padding["bottom"]


@dataclass(frozen=True)
class TextComparison:
    """A text element with what was printed of it and what the form has in its position."""

    text: DraftText
    pairs: list[tuple[Printed, Block]]
    missing: list[Block]
    """Blocks of the form that were not printed."""
    band_height: int


def refine(editor: Editor, keys: Iterable[str], layout: Layout, printed: Sequence[Printed]) -> list[AnyEdit]:
    """Return the edits for the elements of one window. An element whose ink is in its position gets none."""
    width = page_width(editor)
    return [
        edit
        for comparison in compare_texts(editor, keys, layout, printed)
        for edit in correcting_edits(comparison, width)
    ]


def compare_texts(
    editor: Editor, keys: Iterable[str], layout: Layout, printed: Sequence[Printed]
) -> list[TextComparison]:
    """Compare the text elements of a window that were made from blocks of the form with those blocks."""
    sources = _blocks_by_source(layout)
    by_key: dict[str, list[Printed]] = {}
    for item in printed:
        if item.key:
            by_key.setdefault(item.key, []).append(item)
    comparisons: list[TextComparison] = []
    below = set[str]()
    for key in keys:
        node = editor.element(key)
        if node is None or local_name(node) not in ("staticText", "textField"):
            continue
        blocks, items = sources.get(source_of(node), []), by_key.get(key, [])
        pairs = [(item, block) for item in items if item.row < len(blocks) and (block := blocks[item.row]) is not None]
        printed_rows = {item.row for item in items if (item.text or "").strip()}
        missing = [
            block for row, block in enumerate(blocks) if block and block.text.strip() and row not in printed_rows
        ]
        if pairs or missing:
            band_height = int(node.getparent().get("height", "0"))
            comparisons.append(TextComparison(_read_text(editor, node, key), pairs, missing, band_height))
            if node.getparent().getparent().tag == f"{J}summary":
                below.add(key)
    is_uneven = layout.repeat is not None and bool(layout.repeat.heights)
    return _without_drift(comparisons, below) if is_uneven else comparisons


def _without_drift(comparisons: Sequence[TextComparison], below: Collection[str]) -> list[TextComparison]:
    """Return the comparisons, the form's blocks that stand `below` rows of unequal height moved by what all are off.

    Such rows are as high as the engine sets their texts, so that what follows them drifts: together, and with other
    data by another distance.
    """
    errors = [
        middle_y(item.ink) - middle_y(block.box)
        for comparison in comparisons
        for item, block in comparison.pairs
        if comparison.text.key in below and item.ink and is_own_ink(item.ink, comparison.text, item.text or "")
    ]
    drift = statistics.median(errors) if len(errors) >= MIN_DRIFTING else 0.0
    return [
        replace(comparison, pairs=[(item, _moved_down(block, drift)) for item, block in comparison.pairs])
        if comparison.text.key in below
        else comparison
        for comparison in comparisons
    ]


def _moved_down(block: Block, distance: float) -> Block:
    return block.model_copy(update={"box": block.box.model_copy(update={"y": block.box.y + distance})})


def _blocks_by_source(layout: Layout) -> dict[str, list[Block | None]]:
    """By source id, the block of each row. A block that does not repeat has one row."""
    blocks = {block.id: block for block in layout.blocks}
    sources: dict[str, list[Block | None]] = {name: [block] for name, block in blocks.items()}
    for slot in (slot for repeat in layout.row_sets for slot in repeat.slots):
        rows = [blocks.get(name) if name else None for name in slot.blocks]
        sources |= {name: rows for name in slot.blocks if name}
    return sources


def correcting_edits(comparison: TextComparison, page_width: int) -> list[AnyEdit]:
    """Return the edits for one element."""
    text, band_height = comparison.text, comparison.band_height
    if cut := [block for item, block in comparison.pairs if is_cut(item, block)]:
        return _make_room(text, cut, band_height)
    pairs = [(item, block) for item, block in comparison.pairs if is_own_ink(item.ink, text, item.text or "")]
    inks = [(item.ink, block.box) for item, block in pairs if item.ink is not None]
    if not inks:
        return []
    edits: list[AnyEdit] = []
    height = text.height
    size = _corrected_size(text, pairs, band_height)
    down = statistics.median(middle_y(form) - middle_y(ink) for ink, form in inks)
    right = statistics.median(x_error(text.align, ink, form) for ink, form in inks)
    if size != text.style.size:
        edits.append(SetProperty(element=text.key, name="fontSize", value=f"{size:g}"))
        resized = _with_size(text.style, size)
        words = pairs[0][1].text.split("\n")
        height += max(0, whole_height(words, resized) - text.inner_size[1])
        if height != text.height:
            edits.append(Resize(element=text.key, height=height))
        down -= _ink_middle(text, words, resized) - _ink_middle(text, words, text.style)
    if text.is_cell:
        return edits + _shift_in_cell(text, right, down, pairs)
    x = max(0, min(text.x + _whole_step(right), page_width - text.width))
    y = max(0, min(text.y + _whole_step(down), band_height - height))
    if (x, y) != (text.x, text.y):
        edits.append(Move(element=text.key, x=x, y=y))
    return edits


def is_own_ink(ink: Box | None, text: DraftText, words: str) -> bool:
    """Whether measured ink can be that of the words, and not for instance the edge of a dark bar behind them."""
    lines = break_lines(words, max(1, text.inner_size[0]), text.style)
    sizes = [measure_text(line, text.style).ink for line in lines if line.strip()]
    if ink is None or not sizes:
        return False
    width = max(size.width for size in sizes)
    height = text_height(lines[:-1], text.style) + sizes[-1].height
    return all(
        abs(got - wanted) <= INK_SIZE_TOLERANCE * wanted + INK_SIZE_TOLERANCE_PT
        for got, wanted in ((ink.width, width), (ink.height, height))
    )


def _whole_step(error: float) -> int:
    """The whole points to move by."""
    return round(error) if abs(error) > POSITION_TOLERANCE_PT else 0


def x_error(align: Align, ink: Box, form: Box) -> float:
    """How far the ink has to move to the right."""
    match align:
        case "Left":
            return form.x - ink.x
        case "Right":
            return form.right - ink.right
    return form.middle[0] - ink.middle[0]


def middle_y(box: Box) -> float:
    return box.y + box.height / 2


def _shift_in_cell(text: DraftText, right: float, down: float, pairs: Sequence[tuple[Printed, Block]]) -> list[AnyEdit]:
    """Shift the text of a cell by the cell's padding, as far as the text still fits."""
    lines = [line for _, block in pairs for line in block.text.split("\n")]
    tallest = max((block.text.split("\n") for _, block in pairs), key=len)
    spare_x = text.width - whole_width(lines, text.style)
    spare_y = text.height - whole_height(tallest, text.style)
    padding = dict(text.padding)
    padding |= _shifted_padding(text.padding, ("left", "right"), text.align, _whole_step(right), spare_x)
    padding |= _shifted_padding(text.padding, ("top", "bottom"), text.valign, _whole_step(down), spare_y)
    return [
        SetProperty(element=text.key, name=f"{side}Padding", value=str(value))
        for side, value in padding.items()
        if value != text.padding[side]
    ]


def _shifted_padding(
    padding: Mapping[str, int], sides: tuple[str, str], align: Align | VAlign, step: int, spare: int
) -> dict[str, int]:
    """The padding of two opposite sides that moves the text by `step` points towards the second side."""
    first, second = padding[sides[0]], padding[sides[1]]
    if align in ("Left", "Top"):
        first += step
    elif align in ("Right", "Bottom"):
        second -= step
    else:
        net = first - second + 2 * step
        first, second = max(0, net), max(0, -net)
    first, second = max(0, first), max(0, second)
    if step == 0 or first + second > spare:
        return {}
    return {sides[0]: first, sides[1]: second}


def _corrected_size(text: DraftText, pairs: Sequence[tuple[Printed, Block]], band_height: int) -> float:
    """The size, in half points, at which the ink is as wide as the form's, as far as the element can hold it."""
    ratios = [
        block.box.width / item.ink.width
        for item, block in pairs
        if item.ink is not None
        and item.ink.width > 0
        and len(block.text) >= MIN_CHARS_FOR_SIZE
        and "\n" not in block.text
    ]
    if not ratios:
        return text.style.size
    ratio = statistics.median(ratios)
    width = statistics.median(block.box.width for _, block in pairs)
    if abs(ratio - 1) <= max(WIDTH_TOLERANCE, WIDTH_TOLERANCE_PT / width):
        return text.style.size
    ratio = max(1 - MAX_SIZE_CHANGE, min(1 + MAX_SIZE_CHANGE, ratio))
    # Misread spaces and punctuation change the width alone, so the height limits the ratio.
    by_height = statistics.median(
        block.box.height / item.ink.height for item, block in pairs if item.ink and item.ink.height
    )
    ratio = max(min(ratio, by_height * (1 + MAX_HEIGHT_DEVIATION)), by_height * (1 - MAX_HEIGHT_DEVIATION))
    size = round(text.style.size * ratio * 2) / 2
    lines = [line for _, block in pairs for line in block.text.split("\n")]
    tallest = max((block.text.split("\n") for _, block in pairs), key=len)
    max_height = text.inner_size[1] if text.is_cell else band_height
    while size > text.style.size and (
        whole_width(lines, _with_size(text.style, size)) > text.inner_size[0]
        or whole_height(tallest, _with_size(text.style, size)) > max_height
    ):
        size -= 0.5
    return max(size, 1.0)


def _with_size(style: TextStyle, size: float) -> TextStyle:
    return style.model_copy(update={"size": size})


def _ink_middle(text: DraftText, lines: Sequence[str], style: TextStyle) -> float:
    """The y of the middle of the ink, from the element's top."""
    height = text_height(lines, style)
    available = text.inner_size[1]
    start = {"Top": 0.0, "Middle": (available - height) / 2, "Bottom": available - height}[text.valign]
    start += text.padding["top"]
    first, last = measure_text(lines[0], style), measure_text(lines[-1], style)
    top = start + first.first_baseline + first.ink.y
    bottom = start + height - last.line_height + last.first_baseline + last.ink.bottom
    return (top + bottom) / 2


def is_cut(item: Printed, block: Block) -> bool:
    """Whether the engine printed only the beginning of the text."""
    got, wanted = "".join((item.text or "").split()), "".join(block.text.split())
    return len(got) < len(wanted) and wanted.startswith(got)


def _make_room(text: DraftText, cut: Sequence[Block], band_height: int) -> list[AnyEdit]:
    """Make the element higher, or else the text smaller, until all of the text fits."""
    for share in SHRINK_STEPS:
        style = _with_size(text.style, math.floor(text.style.size * share * 2) / 2)
        needed = max(whole_height(break_lines(block.text, text.inner_size[0], style), style) for block in cut)
        height = text.height + max(0, needed - text.inner_size[1])
        if height > band_height:
            continue
        edits: list[AnyEdit] = []
        if style.size != text.style.size:
            edits.append(SetProperty(element=text.key, name="fontSize", value=f"{style.size:g}"))
        if text.y + height > band_height:
            edits.append(Move(element=text.key, y=band_height - height))
        if height != text.height:
            edits.append(Resize(element=text.key, height=height))
        return edits
    return []


# --- reading the draft ------------------------------------------------------------------------------------------------


def page_width(editor: Editor) -> int:
    """The width available to elements."""
    root = editor.root
    return int(root.get("columnWidth") or root.get("pageWidth") or "0")


def _read_text(editor: Editor, node: etree._Element, key: str) -> DraftText:
    report = report_element(node)
    style_node = next((s for s in editor.root.findall(f"{J}style") if s.get("isDefault") == "true"), None)
    text_node, box = node.find(f"{J}textElement"), node.find(f"{J}box")
    font = text_node.find(f"{J}font") if text_node is not None else None

    def attribute(name: str, style_name: str, default: str) -> str:
        own = font.get(name) if font is not None else None
        return own or (style_node.get(style_name) if style_node is not None else None) or default

    family = attribute("fontName", "fontName", "")
    style = TextStyle(
        family=family if family in FAMILIES else "Liberation Sans",
        size=float(attribute("size", "fontSize", "10")),
        bold=attribute("isBold", "isBold", "false") == "true",
        italic=attribute("isItalic", "isItalic", "false") == "true",
    )
    align = text_node.get("textAlignment", "Left") if text_node is not None else "Left"
    valign = text_node.get("verticalAlignment", "Top") if text_node is not None else "Top"
    padding = {side: int(box.get(f"{side}Padding", "0")) if box is not None else 0 for side in _SIDES}
    has_borders = box is not None and len(box) > 0
    position = {name: int(report.get(name, "0")) for name in ("x", "y", "width", "height")}
    return DraftText(
        key=key,
        **position,
        style=style,
        align=_ALIGNS.get(align, "Left"),
        valign=_VALIGNS.get(valign, "Top"),
        padding=padding,
        is_cell=has_borders or report.get("mode") == "Opaque",
    )


_SIDES = ("top", "left", "bottom", "right")
_ALIGNS: dict[str, Align] = {"Left": "Left", "Center": "Center", "Right": "Right"}
_VALIGNS: dict[str, VAlign] = {"Top": "Top", "Middle": "Middle", "Bottom": "Bottom"}
