"""Refinement: where the printed ink is off the form's, the edits that bring it nearer."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fonts import FAMILIES
from bandsmith.shared.jrxml.dom import J, local_name, report_element
from bandsmith.shared.jrxml.typesetting import break_lines, measure_text, text_height, whole_height, whole_width
from bandsmith.shared.jrxml.writer import SOURCE
from bandsmith.shared.model.edits import AnyEdit, Move, Resize, SetProperty
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Align, Block, Layout, TextStyle, VAlign
from bandsmith.shared.model.verdict import Printed

OFF = 0.5
"""Ink that is off by no more than so many points stays."""
WIDER, POINT = 0.035, 1.0
"""A text whose ink is wider or narrower than the form's by more than this share, and a point, gets another size,"""
LARGEST = 0.2
"""by at most this share of it."""
TALLER = 0.1
"""Ink that gets as wide as the form's may get so much higher or lower than it."""
LIKE = 0.2
"""Ink that differs by more than this share from what the engine must have printed holds something else."""
READABLE = 4
"""Shorter texts say too little about their size."""


@dataclass(frozen=True)
class Text:
    """A text element of the template, as the engine will print it."""

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
    """It carries borders or a background, so its words are moved within it."""

    @property
    def room(self) -> tuple[int, int]:
        """Width and height left for words."""
        across = self.width - self.padding["left"] - self.padding["right"]
        return across, self.height - self.padding["top"] - self.padding["bottom"]


@dataclass(frozen=True)
class Placed:
    """A text element, with what was printed of it and what the form has at its place."""

    text: Text
    pairs: list[tuple[Printed, Block]]
    missing: list[Block]
    """What the form has and was not printed."""
    band_height: int


def refine(editor: Editor, keys: Iterable[str], layout: Layout, printed: Sequence[Printed]) -> list[AnyEdit]:
    """The edits for the elements of one window; an element whose ink is where it belongs gets none."""
    return [edit for one in placed(editor, keys, layout, printed) for edit in mending(one, page_width_of(editor))]


def mending(one: Placed, page_width: int) -> list[AnyEdit]:
    """The edits for one element."""
    return _mend(one.text, one.pairs, one.band_height, page_width) if one.pairs else []


def placed(editor: Editor, keys: Iterable[str], layout: Layout, printed: Sequence[Printed]) -> list[Placed]:
    """The text elements of a window that were made from blocks of the form."""
    sources = _sources(layout)
    by_key: dict[str, list[Printed]] = {}
    for one in printed:
        if one.key:
            by_key.setdefault(one.key, []).append(one)
    found: list[Placed] = []
    for key in keys:
        node = editor.element(key)
        if node is None or local_name(node) not in ("staticText", "textField"):
            continue
        blocks = sources.get(source_of(node), [])
        pairs = [
            (one, block)
            for one in by_key.get(key, [])
            if one.row < len(blocks) and (block := blocks[one.row]) is not None
        ]
        there = {one.row for one in by_key.get(key, []) if (one.text or "").strip()}
        missing = [block for row, block in enumerate(blocks) if block and block.text.strip() and row not in there]
        if pairs or missing:
            band = node.getparent()
            found.append(Placed(_read(editor, node, key), pairs, missing, int(band.get("height", "0"))))
    return found


def _sources(layout: Layout) -> dict[str, list[Block | None]]:
    """By source id, the block of each row; one that does not repeat has one row."""
    blocks = {block.id: block for block in layout.blocks}
    found: dict[str, list[Block | None]] = {name: [block] for name, block in blocks.items()}
    for slot in layout.repeat.slots if layout.repeat else []:
        rows = [blocks.get(name) if name else None for name in slot.blocks]
        found |= {name: rows for name in slot.blocks if name}
    return found


def _mend(text: Text, pairs: Sequence[tuple[Printed, Block]], band_height: int, page_width: int) -> list[AnyEdit]:
    cut = [block for one, block in pairs if is_cut(one, block)]
    if cut:
        return _uncut(text, cut, band_height, page_width)
    pairs = [(one, block) for one, block in pairs if is_its_own(one.ink, text, one.text or "")]
    inked = [(one.ink, block.box) for one, block in pairs if one.ink is not None]
    if not inked:
        return []
    edits: list[AnyEdit] = []
    height = text.height
    size = _better_size(text, pairs, band_height)
    down = statistics.median(middle_y(form) - middle_y(got) for got, form in inked)
    across = statistics.median(across_off(text.align, got, form) for got, form in inked)
    if size != text.style.size:
        edits.append(SetProperty(element=text.key, name="fontSize", value=f"{size:g}"))
        resized = _sized(text.style, size)
        words = pairs[0][1].text.split("\n")
        height += max(0, whole_height(words, resized) - text.room[1])
        if height != text.height:
            edits.append(Resize(element=text.key, height=height))
        down -= _ink_middle(text, words, resized) - _ink_middle(text, words, text.style)
    if text.is_cell:
        return edits + _pad(text, across, down, pairs)
    x = max(0, min(text.x + _step(across), page_width - text.width))
    y = max(0, min(text.y + _step(down), band_height - height))
    if (x, y) != (text.x, text.y):
        edits.append(Move(element=text.key, x=x, y=y))
    return edits


def is_its_own(ink: Box | None, text: Text, words: str) -> bool:
    """Whether measured ink can be that of the words: the edge of a dark bar behind them is ink as well."""
    lines = break_lines(words, max(1, text.room[0]), text.style)
    sizes = [measure_text(line, text.style).ink for line in lines if line.strip()]
    if ink is None or not sizes:
        return False
    width = max(size.width for size in sizes)
    height = text_height(lines[:-1], text.style) + sizes[-1].height
    return abs(ink.width - width) <= LIKE * width + 2 and abs(ink.height - height) <= LIKE * height + 2


def _step(off: float) -> int:
    """Whole points that lower the error."""
    return round(off) if abs(off) > OFF else 0


def across_off(align: Align, got: Box, form: Box) -> float:
    """How far the ink has to go to the right."""
    match align:
        case "Left":
            return form.x - got.x
        case "Right":
            return form.right - got.right
    return form.middle[0] - got.middle[0]


def middle_y(box: Box) -> float:
    return box.y + box.height / 2


def _pad(text: Text, across: float, down: float, pairs: Sequence[tuple[Printed, Block]]) -> list[AnyEdit]:
    """Move the words of a cell by its padding, as far as they still fit."""
    words = [line for _, block in pairs for line in block.text.split("\n")]
    tallest = max((block.text.split("\n") for _, block in pairs), key=len)
    spare_x = text.width - whole_width(words, text.style)
    spare_y = text.height - whole_height(tallest, text.style)
    wanted = dict(text.padding)
    wanted |= _shifted(text.padding, ("left", "right"), text.align, _step(across), spare_x)
    wanted |= _shifted(text.padding, ("top", "bottom"), text.valign, _step(down), spare_y)
    return [
        SetProperty(element=text.key, name=f"{side}Padding", value=str(value))
        for side, value in wanted.items()
        if value != text.padding[side]
    ]


def _shifted(padding: Mapping[str, int], sides: tuple[str, str], hold: str, by: int, spare: int) -> dict[str, int]:
    """The padding of two opposite sides that moves the words by `by` points towards the second."""
    first, second = padding[sides[0]], padding[sides[1]]
    if hold in ("Left", "Top"):
        first += by
    elif hold in ("Right", "Bottom"):
        second -= by
    else:
        net = first - second + 2 * by
        first, second = max(0, net), max(0, -net)
    first, second = max(0, first), max(0, second)
    if by == 0 or first + second > spare:
        return {}
    return {sides[0]: first, sides[1]: second}


def _better_size(text: Text, pairs: Sequence[tuple[Printed, Block]], band_height: int) -> float:
    """The size, in half points, at which the ink is as wide as the form's, as far as the element can hold it."""
    shares = [
        block.box.width / one.ink.width
        for one, block in pairs
        if one.ink is not None and one.ink.width > 0 and len(block.text) >= READABLE and "\n" not in block.text
    ]
    if not shares:
        return text.style.size
    share = statistics.median(shares)
    width = statistics.median(block.box.width for _, block in pairs)
    if abs(share - 1) <= max(WIDER, POINT / width):
        return text.style.size
    share = max(1 - LARGEST, min(1 + LARGEST, share))
    # Blanks and marks read wrong change the width alone: the height has the last word.
    tall = statistics.median(block.box.height / one.ink.height for one, block in pairs if one.ink and one.ink.height)
    share = max(min(share, tall * (1 + TALLER)), tall * (1 - TALLER))
    size = round(text.style.size * share * 2) / 2
    longest = [line for _, block in pairs for line in block.text.split("\n")]
    tallest = max((block.text.split("\n") for _, block in pairs), key=len)
    most = text.room[1] if text.is_cell else band_height
    while size > text.style.size and (
        whole_width(longest, _sized(text.style, size)) > text.room[0]
        or whole_height(tallest, _sized(text.style, size)) > most
    ):
        size -= 0.5
    return max(size, 1.0)


def _sized(style: TextStyle, size: float) -> TextStyle:
    return style.model_copy(update={"size": size})


def _ink_middle(text: Text, words: Sequence[str], style: TextStyle) -> float:
    """Where the middle of the ink falls, from the element's top."""
    high = text_height(words, style)
    room = text.room[1]
    start = {"Top": 0.0, "Middle": (room - high) / 2, "Bottom": room - high}[text.valign] + text.padding["top"]
    first, last = measure_text(words[0], style).ink, measure_text(words[-1], style).ink
    top = start + measure_text(words[0], style).first_baseline + first.y
    ending = measure_text(words[-1], style)
    bottom = start + high - ending.line_height + ending.first_baseline + last.bottom
    return (top + bottom) / 2


def is_cut(one: Printed, block: Block) -> bool:
    """Whether the engine printed only the beginning of the words."""
    got, wanted = "".join((one.text or "").split()), "".join(block.text.split())
    return len(got) < len(wanted) and wanted.startswith(got)


def _uncut(text: Text, cut: Sequence[Block], band_height: int, page_width: int) -> list[AnyEdit]:
    """Room for all the words: a higher element, else smaller words."""
    for share in (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7):
        style = _sized(text.style, math.floor(text.style.size * share * 2) / 2)
        needed = max(whole_height(break_lines(block.text, text.room[0], style), style) for block in cut)
        height = text.height + max(0, needed - text.room[1])
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


def page_width_of(editor: Editor) -> int:
    root = editor.root
    return int(root.get("columnWidth") or root.get("pageWidth") or "0")


def source_of(node: etree._Element) -> str:
    """Id of the layout's mark that an element was made from; empty where it has none."""
    for prop in report_element(node).findall(f"{J}property"):
        if prop.get("name") == SOURCE:
            return prop.get("value") or ""
    return ""


def _read(editor: Editor, node: etree._Element, key: str) -> Text:
    report = report_element(node)
    base = next((s for s in editor.root.findall(f"{J}style") if s.get("isDefault") == "true"), None)
    words, box = node.find(f"{J}textElement"), node.find(f"{J}box")
    font = words.find(f"{J}font") if words is not None else None

    def said(name: str, style_name: str, default: str) -> str:
        own = font.get(name) if font is not None else None
        return own or (base.get(style_name) if base is not None else None) or default

    family = said("fontName", "fontName", "")
    style = TextStyle(
        family=family if family in FAMILIES else "Liberation Sans",
        size=float(said("size", "fontSize", "10")),
        bold=said("isBold", "isBold", "false") == "true",
        italic=said("isItalic", "isItalic", "false") == "true",
    )
    align = words.get("textAlignment", "Left") if words is not None else "Left"
    valign = words.get("verticalAlignment", "Top") if words is not None else "Top"
    padding = {side: int(box.get(f"{side}Padding", "0")) if box is not None else 0 for side in _SIDES}
    pens = box is not None and len(box) > 0
    place = {name: int(report.get(name, "0")) for name in ("x", "y", "width", "height")}
    return Text(
        key=key,
        **place,
        style=style,
        align=_ALIGNS.get(align, "Left"),
        valign=_VALIGNS.get(valign, "Top"),
        padding=padding,
        is_cell=pens or report.get("mode") == "Opaque",
    )


_SIDES = ("top", "left", "bottom", "right")
_ALIGNS: dict[str, Align] = {"Left": "Left", "Center": "Center", "Right": "Right"}
_VALIGNS: dict[str, VAlign] = {"Top": "Top", "Middle": "Middle", "Bottom": "Bottom"}
