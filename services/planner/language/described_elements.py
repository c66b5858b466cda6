"""Find what is named by its look, its place or its words: “the red number at the top right”, 表格下面的小字.

Theory of operation
===================

``templates/*/described.toml`` says how such descriptions look. Each part of one is a test: kind, size, colour, spot on
the page, what stands beside it, what it says. What is looked for are *units*: a text, or a label with its value, apart
from the rows and their headings. A description names the one unit that passes all tests. Of several at a spot, it names
the one that is clearly nearest to it; else it names none, and the answer lists what it may mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from bandsmith.shared.jrxml.text_styles import style_chain, text_attributes

from .colours import colour, is_shade_of
from .element_colours import colours_of
from .fuzzy_match import fit, normal, term_of
from .reference_words import between_names
from .references import Several, Target, formula_beside, prints_total
from .sentence_templates import Slots, matches
from .template_view import TemplateView
from .view_elements import DATES, ViewElement

SUBJECT = "described"
RULES = frozenset({"described", "table"})
LARGE, SMALL = 1.25, 0.85
"""Sizes that are called large and small, as shares of the usual one."""
MIN_DISTANCE_GAP = 0.15
"""How much farther from a spot the next unit has to be, as a share of the page, for the nearest one to be meant."""
MIN_TABLE_GAP_PT = 30.0
"""Lines as far as this below or above the rows are about as near as the next one."""
MIN_CONTENT_FIT = 88
"""How well words must fit what a text says, out of 100."""
MIN_SENTENCE_WORDS, MIN_SENTENCE_HAN = 4, 8
"""English words and Chinese characters of a text that may be called a note or a sentence."""
MAX_LINE_STEP = 1.5
"""How far the lines of a block may be apart, as a share of their height."""
DOUBLE_LINE_PT = 5.0
"""Two drawn lines that are no farther apart are a double one."""
_ROWS = frozenset({"detail", "columnHeader"})
MAX_FLUSH_PT = 4
"""Texts whose left edges differ by no more stand flush."""
MAX_NAME_CHARS = 40
MAX_CHOICES = 4
"""Things that an ambiguous description is answered with."""
_EDGES = {"left": (0.0, None), "right": (1.0, None), "top": (None, 0.0), "bottom": (None, 1.0)}
_HAN = re.compile("[\u3400-\u9fff]")
_DATE = re.compile(r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{4}")
_ORDER = ("background", "title", "pageHeader", "columnHeader", "groupHeader", "detail", "groupFooter", "columnFooter",
          "summary", "lastPageFooter", "pageFooter")  # fmt: skip
"""The sections from the top of the page to its foot."""

Find = Callable[[str], object]


@dataclass(frozen=True)
class PageUnit:
    """A text with the value that belongs to it, or a picture."""

    pieces: tuple[ViewElement, ...]
    left: float
    right: float
    top: float
    """From the top of the page, in points."""
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


class DescribedElements:
    """Resolves descriptions of what stands on a page."""

    def __init__(self, view: TemplateView, find: Find, name_of: Callable[[ViewElement], str]) -> None:
        self._view, self._find, self._name_of = view, find, name_of

    def find(self, words: str) -> Target | Several | None:
        """Return the one thing that a description means, or the several that it may mean."""
        for slots in matches(SUBJECT, "described", words):
            found = self._passing(slots)
            if found is None or not found:
                continue
            if len(found) == 1:
                return self._target(words, found[0], slots)
            names = [self._name_of(unit.pieces[0])[:MAX_NAME_CHARS] for unit in found[:MAX_CHOICES]]
            return Several(words, tuple(names), is_described=True)
        return None

    def of_kind(self, kind: str) -> list[PageUnit]:
        """Return all units of a kind, apart from the rows."""
        return [unit for unit in self._units if self._is_of_kind(unit, kind)]

    def block(self, relation: str, anchor: str, count: int) -> list[PageUnit]:
        """Return the units that stand below or above something as one block: flush left, each close to the next.

        With a `count` they are so many; else as many as stand close together.
        """
        beside = self._anchor(anchor)
        if beside is None or relation not in ("below", "above"):
            return []
        keys = {piece.key for piece in beside.pieces}
        gaps = [(_gap(unit, beside, relation), unit) for unit in self._units if keys.isdisjoint(_keys(unit))]
        near = [
            unit for _, unit in sorted(((gap, unit) for gap, unit in gaps if gap is not None), key=lambda one: one[0])
        ]
        found: list[PageUnit] = []
        for unit in near[: count or None]:
            if found and not _is_next_line(unit, found[-1]):
                break
            found.append(unit)
        return found if count in (0, len(found)) else []

    def drawn_lines(self, relation: str, anchor: str, is_drawn: bool) -> list[ViewElement]:
        """Return the drawn line on a side of something, both of a double one; rows have lines of their own.

        Unless the words say that it `is_drawn`, it has to be nearer than any text, which may be called a line, too.
        """
        beside = self._anchor(anchor)
        if beside is None:
            return []
        lines = [line for line in self._view.lines if line.width > line.height and line.section not in _ROWS]
        gaps = [(gap, line) for line in lines if (gap := _gap(self._unit((line,)), beside, relation)) is not None]
        nearest = min((gap for gap, _ in gaps), default=0.0)
        texts = [gap for unit in self._units if (gap := _gap(unit, beside, relation)) is not None]
        if not is_drawn and min(texts, default=nearest) < nearest:
            return []
        return [line for gap, line in gaps if gap <= nearest + DOUBLE_LINE_PT]

    def _target(self, words: str, unit: PageUnit, slots: Slots) -> Target:
        """Return a unit as a target: by its colour or size, the piece that has it; else a label stands for both."""
        looks = slots["colour"] or slots["size"]
        pieces = [piece for piece in unit.pieces if self._looks(piece, slots)] if looks else [unit.pieces[0]]
        return Target(words, tuple(pieces), alone=bool(looks) and len(unit.pieces) > 1)

    def _passing(self, slots: Slots) -> list[PageUnit] | None:
        """Return the units that pass each test; None for a description that says nothing but a kind."""
        if not any(slots[name] for name in ("size", "colour", "spot", "relation", "content")):
            return None
        if slots["kind"] in ("number", "amount") and slots["size"] in ("largest", "smallest", "large", "small"):
            return None  # a large amount is one of much money
        units = self.of_kind(slots["kind"]) or (self.of_kind("text") if slots["kind"] == "sentence" else [])
        units = [unit for unit in units if any(self._looks(piece, slots) for piece in unit.pieces)]
        if slots["content"]:
            units = [unit for unit in units if self._says(unit, slots["content"])]
        if slots["relation"]:
            units = self._related(units, slots["relation"], slots["anchor"])
        if slots["size"] in ("largest", "smallest") and units:
            sizes = [max(piece.size for piece in unit.pieces) for unit in units]
            wanted = max(sizes) if slots["size"] == "largest" else min(sizes)
            units = [unit for unit, size in zip(units, sizes, strict=True) if size == wanted]
        if slots["kind"] == "heading" and not (slots["spot"] or slots["relation"]):
            units = [unit for unit in units if self._view.title in unit.pieces] or units
        spot = "lowest" if slots["last"] and slots["spot"] == "bottom" else slots["spot"]
        return self._at(units, spot) if spot else units

    # --- units and where they are -----------------------------------------------------------------------------------

    @cached_property
    def _units(self) -> list[PageUnit]:
        view = self._view
        in_rows = {piece.key for column in view.columns for piece in column.pieces}
        texts = [piece for piece in view.texts if piece.key not in in_rows and piece.section != "detail"]
        values = {value.key for piece in texts if (value := self._value_of(piece)) is not None}
        units = []
        for piece in texts:
            if piece.key not in values and (piece.words or piece.references):
                value = self._value_of(piece)
                units.append(self._unit((piece, value) if value else (piece,)))
        return [*units, *(self._unit((picture,)) for picture in view.pictures)]

    def _value_of(self, label: ViewElement) -> ViewElement | None:
        """Return the value beside a label, also one that a formula writes, such as an amount in words."""
        return self._view.value_beside(label) or formula_beside(self._view, label)

    def _unit(self, pieces: tuple[ViewElement, ...]) -> PageUnit:
        tops = [self._tops[piece.band] + piece.y for piece in pieces]
        return PageUnit(
            pieces, min(piece.x for piece in pieces), max(piece.x + piece.width for piece in pieces), min(tops),
            max(top + piece.height for top, piece in zip(tops, pieces, strict=True)),
        )  # fmt: skip

    @cached_property
    def _tops(self) -> dict[int, float]:
        """The distance of each band from the top of the page, as if the rows took what is left."""
        bands = [
            (number, name, int(band.get("height", "0")))
            for number, (name, band) in enumerate(self._view.editor.bands())
        ]
        bands.sort(key=lambda band: (_ORDER.index(band[1]) if band[1] in _ORDER else 5, band[0]))
        tops, at = dict[int, float](), 0.0
        for number, name, height in bands:
            if name in ("pageFooter", "lastPageFooter"):
                tops[number] = max(at, self._view.page[1] - 2 * self._margin - height)
                continue
            tops[number] = 0.0 if name == "background" else at
            rows = max(1, len(self._view.rows)) if name == "detail" else 1
            at += 0 if name == "background" else height * rows
        return tops

    @property
    def _margin(self) -> int:
        return int(self._view.root.get("topMargin", "20"))

    # --- tests ------------------------------------------------------------------------------------------------------

    def _is_of_kind(self, unit: PageUnit, kind: str) -> bool:
        value = unit.pieces[-1]
        if kind == "picture" or value.tag == "image":
            return kind == "picture" and value.tag == "image"
        shown = self._shown(unit)
        names = {name for piece in unit.pieces for _, name in piece.references}
        is_date = bool(_DATE.search(shown)) or any(self._view.classes.get(name) in DATES for name in names)
        values = [piece for piece in unit.pieces if piece not in self._view.page_numbers]
        numbers = any(self._view.numbers(piece) or prints_total(piece) for piece in values)
        return {
            "date": is_date,
            "number": not is_date and (numbers or value in self._view.page_numbers or any(map(str.isdigit, shown))),
            "amount": numbers or bool(re.search(r"[¥￥$€£]\s*\d", shown)),
            "sentence": not is_date and len(unit.pieces) == 1 and self._is_sentence(value),
            "heading": max(piece.size for piece in unit.pieces) >= LARGE * self._usual_size,
            "text": True,
        }[kind]

    def _is_sentence(self, piece: ViewElement) -> bool:
        """Whether a text says something: it has more words than a label or a name."""
        words = piece.words or self._view.printed(piece)
        is_long = len(words.split()) >= MIN_SENTENCE_WORDS or len(_HAN.findall(words)) >= MIN_SENTENCE_HAN
        return is_long and not prints_total(piece) and piece not in self._view.page_numbers

    def _shown(self, unit: PageUnit) -> str:
        return " ".join(self._view.printed(piece) or piece.words for piece in unit.pieces)

    @cached_property
    def _usual_size(self) -> float:
        sizes = sorted(piece.size for piece in self._view.texts)
        return sizes[len(sizes) // 2] if sizes else 10.0

    def _looks(self, piece: ViewElement, slots: Slots) -> bool:
        """Whether a piece has the size and the colour that a description names."""
        named = colour(slots["colour"]) if slots["colour"] else None
        if slots["colour"] and named is None:
            return False
        if (
            named
            and piece.tag != "image"
            and not is_shade_of(dict(colours_of(self._view.root, piece.node)).get("forecolor", "#000000"), named)
        ):
            return False
        return not slots["size"] or self._has_size(piece, slots["size"])

    def _has_size(self, piece: ViewElement, size: str) -> bool:
        if size in ("bold", "italic"):
            styles = {node.get("name", ""): node for node in self._view.root.iterchildren("{*}style")}
            named = piece.node.find("{*}reportElement").get("style")
            found = text_attributes(piece.node, style_chain(styles, named) if named else [])
            return found.get("isBold" if size == "bold" else "isItalic") == "true"
        if size == "large":
            return piece.size >= LARGE * self._usual_size
        return size != "small" or piece.size <= SMALL * self._usual_size

    def _says(self, unit: PageUnit, words: str) -> bool:
        """Whether a unit holds words, or is called by a term that they are a wording of."""
        wanted, shown = normal(words), normal(self._shown(unit))
        names = {name for piece in unit.pieces for _, name in piece.references}
        names |= {term_of(piece.words) for piece in unit.pieces}
        parts = between_names().split(words)
        if len(parts) > 1 and all(len(part) > 1 and self._says(unit, part) for part in parts):
            return True  # “the sentence about VAT and lead time”
        return wanted in shown or fit(wanted, shown) >= MIN_CONTENT_FIT or (term_of(words) or None) in names

    def _related(self, units: list[PageUnit], relation: str, anchor: str) -> list[PageUnit]:
        """Return the units that stand nearest to what the anchor names, on that side of it."""
        beside = self._anchor(anchor)
        if beside is None:
            return []
        others = [unit for unit in units if not {p.key for p in unit.pieces} & {p.key for p in beside.pieces}]
        gaps = [(gap, unit) for unit in others if (gap := _gap(unit, beside, relation)) is not None]
        nearest = min((gap for gap, _ in gaps), default=0.0)
        limit = nearest + (max(8.0, beside.bottom - beside.top) if beside.pieces else MIN_TABLE_GAP_PT) / 2
        return [unit for gap, unit in gaps if gap <= limit]

    def _anchor(self, words: str) -> PageUnit | None:
        """Return what a description stands beside: the table of the rows, or one thing outside it."""
        if any(matches(SUBJECT, "table", words)):
            rows = [self._unit((piece,)) for column in self._view.columns for piece in column.pieces]
            if not rows:
                return None
            height = max(row.bottom - row.top for row in rows) * max(0, len(self._view.rows) - 1)
            bottom = max(row.bottom for row in rows) + height
            return PageUnit((), min(r.left for r in rows), max(r.right for r in rows), min(r.top for r in rows), bottom)
        found = self._find(words)
        pieces = found.pieces if isinstance(found, Target) and found.column is None else ()
        pieces = tuple(piece for piece in pieces if piece.tag != "line")
        value = self._view.value_beside(pieces[0]) if len(pieces) == 1 else None
        bands = {piece.band for piece in pieces}
        return self._unit((*pieces, value) if value else pieces) if pieces and len(bands) == 1 else None

    def _at(self, units: list[PageUnit], spot: str) -> list[PageUnit]:
        """Return the unit that is clearly the nearest to a spot of the page; else all that are about as near."""
        if spot == "lowest":
            lowest = max((unit for unit in units), key=lambda unit: unit.bottom, default=None)
            return [unit for unit in units if lowest and unit.bottom > lowest.top]
        inside = [unit for unit in units if self._is_in(unit, spot)]
        distances = sorted(((self._distance(unit, spot), unit) for unit in inside), key=lambda one: one[0])
        return [unit for distance, unit in distances if distance < distances[0][0] + MIN_DISTANCE_GAP]

    def _is_in(self, unit: PageUnit, spot: str) -> bool:
        x, y = self._share(unit)
        sides = spot.split("_")
        return not (
            ("left" in sides and x > 0.5) or ("right" in sides and x < 0.5)
            or ("top" in sides and y > 0.5) or ("bottom" in sides and y < 0.5)
        )  # fmt: skip

    def _distance(self, unit: PageUnit, spot: str) -> float:
        """Return how far a unit is from the edge or corner, of the length of the page's sides each."""
        x, y = self._share(unit)
        across = [abs(x - at) for side in spot.split("_") if (at := _EDGES[side][0]) is not None]
        down = [abs(y - at) for side in spot.split("_") if (at := _EDGES[side][1]) is not None]
        return sum(across) + sum(down)

    def _share(self, unit: PageUnit) -> tuple[float, float]:
        """Return where a unit is on what is printed, from 0 at the left and the top to 1: its near side counts."""
        bottom = max((one.bottom for one in self._units), default=1.0)
        x, y = unit.middle
        width = max(1, self._view.width)
        x = unit.right if x > width / 2 else unit.left
        return min(1.0, x / width), y / max(1.0, bottom)


def _keys(unit: PageUnit) -> set[str]:
    return {piece.key for piece in unit.pieces}


def _is_next_line(unit: PageUnit, before: PageUnit) -> bool:
    """Whether a unit is the line after another one in a block."""
    height = max(unit.bottom - unit.top, before.bottom - before.top)
    gap = max(unit.top - before.bottom, before.top - unit.bottom)
    return abs(unit.left - before.left) <= MAX_FLUSH_PT and gap <= MAX_LINE_STEP * height


def _gap(unit: PageUnit, other: PageUnit, relation: str) -> float | None:
    """Return how far a unit stands from another one on a side of it; None where it does not stand there."""
    across = unit.left < other.right and other.left < unit.right
    beside = min(unit.bottom, other.bottom) - max(unit.top, other.top) >= min(unit.bottom - unit.top, 6) / 2
    gaps = {
        "below": unit.top - other.bottom if across else None,
        "above": other.top - unit.bottom if across else None,
        "right_of": unit.left - other.right if beside else None,
        "left_of": other.left - unit.right if beside else None,
    }
    sides = ("left_of", "right_of") if relation == "beside" else (relation,)
    found = [gap for side in sides if (gap := gaps[side]) is not None and gap >= -3]
    return min(found, default=None)
