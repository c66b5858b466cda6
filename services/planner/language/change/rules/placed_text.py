"""Texts that are put below another one, and texts that go to a corner. ``templates/*/placed_text.toml`` says how.

Both need free space: a line below a text moves down what stands there, a corner has to be free.
"""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.add_shape import AddShape
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.jrxml.dom import new_node

from ...numbers import number_of
from ...references import Target, with_value
from ...sentence_templates import Slots, listed, matches, phrases
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, refused, templated
from .taxes import contained_tax

PHRASES = frozenset({"thing", "asks", "harmless"})
"""Sentences of the files that name what is no text."""
_CLAUSE_MARKS = re.compile("[，；,;]")
_LABELLED = re.compile(r"[^:：]{1,24}[:：].*\d.*")
"""A label with its value: “VAT number: GB 123”, 电话：0573."""
_COMPUTED = (("taxes", "tax"), ("deductions", "kind"), ("totals", "calculation"))
"""Lists of what is computed, by subject."""
_NUMBERED = re.compile(r"(\d{1,2})([.、)）]\s*)")
"""The number of a point: “1. ”, 2、."""
_RUNS = (r"[^\W_\u3400-\u9fff]", "[零〇一二两三四五六七八九十百千万亿]")
"""Characters that form one word or number with others of their kind."""
LINE_SPACING = 1.5
GAP_PT = 2
MAX_TEXT_CHARS = 80
MAX_BLANK_LABEL_CHARS, MAX_BLANK_LABEL_WORDS = 24, 4
MIN_BLANK_PT, MAX_BLANK_PT = 40, 140
"""Width of a line to write on."""
ONE_COPY = ("title", "pageHeader", "summary", "columnFooter", "lastPageFooter")
"""Sections whose texts are printed once on a page."""


def below(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Add 'Paid in cash' below the customer”."""
    if slots["label_text"] and not _LABELLED.fullmatch(slots["label_text"]):
        return None  # only what is written as a label with its value is certainly a text
    said = slots["quotation"] or slots["line_text"] or slots["label_text"]
    if clause.has_quotes(said) and not clause.is_quotation(said):
        return None  # what stands beside the quotation asks for more
    new = clause.words(said)
    if new[:1] in ("，", ","):
        new = new[1:].strip()
        if not _LABELLED.fullmatch(new):
            return None  # behind a comma another request may begin
    found = clause.known(clause.find(slots["name"]))
    if (contained := contained_tax(clause, new, slots["name"])) is not None:
        return contained
    if not isinstance(found, Target):
        return found
    if found.column or not new or len(new) > MAX_TEXT_CHARS or _asks_more(clause, said, new):
        return None
    pieces = with_value(clause.view, found).texts
    if not pieces or pieces[0].section not in ONE_COPY or len({piece.band for piece in pieces}) != 1:
        return None
    edits = line_below(clause, pieces, new)
    key = edits[-1].element if isinstance(edits[-1], SetProperty) else ""
    return ClauseReading(edits, target=added(clause, key, pieces[0].section, new))


def to_fill_in(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“送货人下面加个司机电话，留条横线手写”: a label below a text, with a line to write on behind it."""
    label = clause.words(slots["blank_label"]).rstrip(":： ")
    found = clause.known(clause.find(slots["name"]))
    if not isinstance(found, Target):
        return found
    is_short = 0 < len(label) <= MAX_BLANK_LABEL_CHARS and len(label.split()) <= MAX_BLANK_LABEL_WORDS
    is_thing = listed("placed_text", "written_by_hand", label) is None and _asks_more(clause, label, label)
    if found.column or not is_short or _CLAUSE_MARKS.search(label) or is_thing:
        return None
    pieces = with_value(clause.view, found).texts
    if not pieces or pieces[0].section not in ONE_COPY or len({piece.band for piece in pieces}) != 1:
        return None
    edits = line_below(clause, pieces, label + ("：" if is_cjk(label[-1]) else ":"))
    [new] = [edit for edit in edits if isinstance(edit, Add)]
    drawn = _line_behind(clause, pieces[0], new)
    return ClauseReading([*edits, drawn]) if drawn else refused("language.no_room_there")


def _line_behind(clause: Clause, like: ViewElement, new: Add) -> AddShape | None:
    """Return a line behind a new label, up to the next text beside it; None where that leaves too little room."""
    view, top = clause.view, new.y or 0
    left, height = (new.x or 0) + (new.width or 0) + GAP_PT, new.height or 0
    beside = [
        one.x - 2 * GAP_PT
        for one in view.pieces
        if one.band == like.band and one.x >= left and one.y < top + height and top < one.y + max(1, one.height)
    ]
    width = min([MAX_BLANK_PT, view.sides[1] - left, *(x - left for x in beside)])
    if width < MIN_BLANK_PT:
        return None
    key = name_for(None, "blank", {piece.key for piece in view.pieces})
    box = {"x": left, "y": top + height - 1, "width": width, "height": 1}
    return AddShape.model_validate({"key": key, "band": new.band, "shape": "line", "line_width": 0.5, **box})


def added_point(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“说明里再加一条：…”: a line below the last one of those under a heading, with its number."""
    new = clause.words(slots["line_text"])
    lines = clause.names.block("below", slots["name"])
    if not lines or not new or len(new) > MAX_TEXT_CHARS or lines[-1].section not in ONE_COPY:
        return None
    printed = clause.view.printed(lines[-1]) or lines[-1].words
    number = _NUMBERED.match(printed)
    said = number_of(slots["number"])
    if number and said and said != int(number[1]) + 1:
        return None
    if number and not _NUMBERED.match(new):
        new = f"{int(number[1]) + 1}{number[2]}{new}"
    if printed.endswith("。") and new[-1].isalnum():
        new += "。"
    return ClauseReading(line_below(clause, [lines[-1]], new))


def reworded_point(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“说明第2条的七个工作日改为三个工作日”: words of a numbered line, which stand there once."""
    number, old, new = number_of(slots["number"]), clause.words(slots["old"]), clause.words(slots["new"])
    section = slots["name"]
    lines = clause.names.block("below", section) if section else clause.view.texts
    found = [
        line
        for line in lines
        if line.tag == "staticText" and (point := _NUMBERED.match(line.words)) and int(point[1]) == number
    ]
    if len(found) != 1 or not old or not new or _asks_more(clause, slots["new"], new):
        return None
    [line] = found
    start = _NUMBERED.match(line.words)
    places = [one for one in _whole_words(old).finditer(line.words) if start and one.start() >= start.end()]
    if len(places) != 1:
        return None
    words = line.words[: places[0].start()] + new + line.words[places[0].end() :]
    return ClauseReading([SetText(element=line.key, text=words)], target=Target(words, (line,), alone=True))


def _whole_words(words: str) -> re.Pattern[str]:
    """Return a pattern of words that are no part of a longer word or number: “1” is not in 14, “low” not in “Allow”."""
    edges = [next((kind for kind in _RUNS if re.match(kind, char)), None) for char in (words[0], words[-1])]
    before, after = (rf"(?<!{edges[0]})" if edges[0] else "", rf"(?!{edges[1]})" if edges[1] else "")
    decimals = (r"(?<!\d[.,])" if words[0].isdigit() else "", r"(?![.,]\d)" if words[-1].isdigit() else "")
    return re.compile(f"{before}{decimals[0]}{re.escape(words)}{after}{decimals[1]}")


def _asks_more(clause: Clause, said: str, new: str) -> bool:
    """Whether unquoted words are no text: they hold another clause, or name a thing, as a line or a chart."""
    if clause.is_quotation(said):
        return False
    if any(matches("placed_text", "thing", new)):
        return True
    first, *others = (part for part in _CLAUSE_MARKS.split(new) if part.strip())
    behind_colon = f"：{first}" in re.sub(r"[:：]\s?", "：", clause.text)
    return bool(others) and not (behind_colon and not any(map(_asks, others)))


def is_labelled(words: str) -> bool:
    """Whether words are a label with its value, and ask for nothing else: “Terms: 50% on order, balance later”.

    What a label of a tax or a discount stands for is computed, and no text.
    """
    others = [part for part in _CLAUSE_MARKS.split(words)[1:] if part.strip()]
    label = re.split("[:：]", words)[0]
    is_computed = any(listed(*kind, label) is not None for kind in _COMPUTED)
    return _LABELLED.fullmatch(words) is not None and not is_computed and not any(map(_asks, others))


def is_line(clause: Clause, said: str) -> bool:
    """Whether words behind a colon are one text to print, with its commas, and ask for nothing else."""
    new = clause.words(said)
    is_whole = clause.is_quotation(said) or not clause.has_quotes(said)
    return is_whole and 0 < len(new) <= MAX_TEXT_CHARS and not _asks_more(clause, said, new)


def _asks(words: str) -> bool:
    """Whether words after a comma may be another request rather than go on with the text after a colon."""
    harmless = [(phrase.start, phrase.end) for phrase in phrases("placed_text", "harmless", words)]
    return any(
        not any(start <= phrase.start and phrase.end <= end for start, end in harmless)
        for phrase in phrases("placed_text", "asks", words)
    )


def added(clause: Clause, key: str, section: str, words: str) -> Target:
    """Return an element that a clause adds, as what the next clause refers to."""
    width = clause.view.width  # wide, so that it is aligned in its box
    node = new_node("staticText")
    node.append(new_node("reportElement"))
    element = ViewElement(key, "staticText", section, -1, 0, 0, width, 12, words, node=node)
    return Target(words, (element,), alone=True)


def width_of(words: str, like: ViewElement) -> int:
    """Return the width that words need in letters like those of a text."""
    return round(sum(1.1 if is_cjk(char) else 0.62 for char in words) * like.size) + 8


def alignment_of(piece: ViewElement) -> str:
    """Return how the letters of a text are aligned."""
    words = piece.node.find("{*}textElement")
    return words.get("textAlignment", "Left") if words is not None else "Left"


def line_below(clause: Clause, pieces: list[ViewElement], new: str) -> list[AnyEdit]:
    """Return the edits that add a line below texts, and move down what stands there."""
    view, like = clause.view, pieces[0]
    height = max(12, round(like.size * LINE_SPACING))
    align = "Center" if alignment_of(like) == "Center" else "Left"
    width = like.width if align == "Center" else max(20, min(width_of(new, like), view.width - like.x))
    top = max(piece.y + piece.height for piece in pieces) + GAP_PT
    band = next(like.node.iterancestors("{*}band"))
    others = [one for one in view.pieces if one.band == like.band]
    in_the_way = [
        one
        for one in others
        if one.x < like.x + width and like.x < one.x + one.width
        and one.y < top + height and top < one.y + max(1, one.height)
    ]  # fmt: skip
    edits: list[AnyEdit] = []
    bottom = int(band.get("height", "0"))
    if in_the_way:
        by = top + height + GAP_PT - min(one.y for one in in_the_way)
        lower = sorted((one for one in others if one.y >= min(one.y for one in in_the_way)), key=lambda one: -one.y)
        edits.append(ResizeBand(band=like.section, height=bottom + by))
        edits += [Move(element=one.key, y=one.y + by) for one in lower]
    elif top + height > bottom:
        edits.append(ResizeBand(band=like.section, height=top + height))
    key = name_for(None, "line", {piece.key for piece in view.pieces})
    edits.append(Add(key=key, band=like.section, text=new, x=like.x, y=top, width=width, height=height, like=like.key))
    return [*edits, SetProperty(element=key, name="textAlignment", value=align)]


def to_corner(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Move the number to the top left”: within the title, where there is room."""
    found = clause.known(clause.find(slots["name"]))
    if not isinstance(found, Target):
        return found
    if found.column or found.role not in ("", "title", "company"):
        return None
    pieces = with_value(clause.view, found).texts
    first = min((band for band, (name, _) in enumerate(clause.view.editor.bands()) if name == "title"), default=None)
    if not pieces or any(piece.band != first for piece in pieces):
        return None
    edits = _into_corner(clause, pieces, slots["corner"])
    return ClauseReading(edits, target=found) if edits else refused("language.no_room_there")


def _into_corner(clause: Clause, pieces: list[ViewElement], corner: str) -> list[AnyEdit] | None:
    """Return the edits that bring texts to the highest free place at a side."""
    view = clause.view
    keys = {piece.key for piece in pieces}
    others = [one for one in view.pieces if one.band == pieces[0].band and one.key not in keys]
    width = max(p.x + p.width for p in pieces) - min(p.x for p in pieces)
    height = max(p.y + p.height for p in pieces) - min(p.y for p in pieces)
    left, right = view.sides
    x = left if corner == "top_left" else right - width
    middle = min((one.y for one in others if one.is_text), default=0)
    for y in sorted({middle, *(one.y for one in others if one.is_text and one.y < middle + 3 * height)}):
        if not any(
            one.x < x + width and x < one.x + one.width and one.y < y + height and y < one.y + max(1, one.height)
            for one in others
        ):
            dx, dy = x - min(p.x for p in pieces), y - min(p.y for p in pieces)
            return [Move(element=p.key, x=max(0, p.x + dx), y=max(0, p.y + dy)) for p in pieces]
    return None


RULES = tuple(templated("placed_text", build) for build in (to_fill_in, added_point, reworded_point, below, to_corner))
