"""A printed page in words: its lines from the top, each text with its place and its style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from lxml import etree

from bandsmith.shared.edits.fill_rows import GROUP_NAME
from bandsmith.shared.jrxml.bands import elements_in, named_bands, section_of
from bandsmith.shared.jrxml.dom import TEXT_ELEMENTS, child, child_text, declared_nodes, local_name, report_element, tag
from bandsmith.shared.jrxml.draft import Draft
from bandsmith.shared.jrxml.labels import TemplateLabels
from bandsmith.shared.jrxml.text_styles import ResolvedStyle, style_chain
from bandsmith.shared.jrxml.typesetting import measure_text
from bandsmith.shared.turns.verdict import Printed

from .condition_words import condition_words

MAX_TEXT_CHARS = 60
MAX_LINES = 60
SHOWN_ROWS = 3
"""Rows of the table that are shown, and the last one."""
SAME_LINE_PT = 4
"""Texts whose boxes begin within this height are on one line."""
_ALIGNED = {"Center": "centred in its box", "Right": "right-aligned", "Justified": "justified"}
_DRAWN = {"image": "a picture", "componentElement": "a barcode or component", "subreport": "a subreport"}


class PrintedDraft:
    """Page 1 of a report."""

    def __init__(self, draft: Draft, printed: Sequence[Printed]) -> None:
        self._draft, self._printed = draft, printed
        self._width, self._height = draft.page_width, draft.page_height

    @property
    def texts(self) -> list[str]:
        """The texts outside of the rows."""
        return [_plain(one.text) for one in self._printed if _plain(one.text) and not self._is_of_rows(one)]

    @cached_property
    def first_texts(self) -> dict[str, Printed]:
        """The first text that each element printed."""
        found: dict[str, Printed] = {}
        for one in self._printed:
            if one.key and _plain(one.text):
                found.setdefault(one.key, one)
        return found

    @property
    def row_count(self) -> int:
        """Number of rows of the table on the page, blank ones included."""
        return max((one.row + 1 for one in self._printed if self._is_of_rows(one) and one.text is not None), default=0)

    @property
    def filler_count(self) -> int:
        """Number of blank rows that fill the table on the page."""
        named = named_bands(self._draft.root, always_name_group=True)
        bands = [band for name, band in named if name.startswith(f"groupFooter({GROUP_NAME})")]
        keys = {self._draft.name_of(node) for band in bands for node in elements_in(band)}
        return len({one.box.y for one in self._printed if one.key in keys})

    def text_of(self, key: str) -> str:
        """Return what an element printed first; empty if it printed nothing."""
        return _plain(self.first_texts[key].text) if key in self.first_texts else ""

    def place_of(self, key: str) -> str:
        """Return where an element was printed first; empty if it was not printed."""
        return next((self.place(one) for one in self._printed if one.key == key), "")

    def place(self, one: Printed) -> str:
        """Return where the ink of a text is, in words and points."""
        left, right = self.ink(one)
        centre, middle = (left + right) / 2, one.box.y + one.box.height / 2
        down = ("top", "middle", "bottom")[_third(middle, self._height)]
        across = ("left", "centre", "right")[_third(centre, self._width)]
        return f"x {left:.0f}-{right:.0f} y {one.box.y:.0f} {down} {across}"

    def lines(self) -> Iterator[str]:
        """Yield the lines of the page from the top; of the table the first rows and the last one."""
        for number, line in enumerate(self._lines()):
            if number == MAX_LINES:
                return
            row = max((one.row for one in line if self._is_of_rows(one)), default=None)
            if row is None:
                yield "; ".join(map(self._described, line))
            elif row < SHOWN_ROWS or row == self.row_count - 1:
                yield f"row {row + 1}: {' | '.join(self._cell(one) for one in line)}"

    def _lines(self) -> list[list[Printed]]:
        lines: list[list[Printed]] = []
        for one in sorted(filter(self._is_shown, self._printed), key=lambda one: (one.box.y, one.box.x)):
            if lines and self._are_on_one_line(lines[-1][0], one):
                lines[-1].append(one)
            else:
                lines.append([one])
        return [sorted(line, key=lambda one: one.box.x) for line in lines]

    def _are_on_one_line(self, first: Printed, one: Printed) -> bool:
        return one.box.y - first.box.y <= SAME_LINE_PT and self._is_of_rows(one) == self._is_of_rows(first)

    def _is_shown(self, one: Printed) -> bool:
        if self._is_of_rows(one) and one.text is not None:
            return True  # an empty cell
        return bool(_plain(one.text)) or self._kind(one) in _DRAWN or self._is_chart(one)

    def _is_of_rows(self, one: Printed) -> bool:
        return one.key in self._row_keys

    @cached_property
    def _row_keys(self) -> set[str]:
        bands = [band for _, band in named_bands(self._draft.root) if section_of(band) == "detail"]
        return {self._draft.name_of(node) for band in bands for node in elements_in(band)}

    def _node(self, one: Printed) -> etree._Element | None:
        return self._draft.element(one.key) if one.key else None

    def _kind(self, one: Printed) -> str:
        node = self._node(one)
        return local_name(node) if node is not None else ""

    def _is_chart(self, one: Printed) -> bool:
        return self._kind(one).endswith("Chart") or self._kind(one) == "crosstab"

    def _described(self, one: Printed) -> str:
        if not _plain(one.text):
            what = _DRAWN.get(self._kind(one)) or f"a {self._kind(one)}"
            return f"{what} {self.place(one)}, {one.box.width:.0f} x {one.box.height:.0f} points"
        return f"{quoted(one.text or '')} {self.place(one)}{self._look(one)}"

    def _cell(self, one: Printed) -> str:
        return f"{quoted(one.text or '')}{self._look(one) if one.row == 0 else ''}"  # the other rows have the same

    def _look(self, one: Printed) -> str:
        """Return how a text looks, and how where a condition holds."""
        node, style = self._node(one), self._style(one)
        return "".join(f", {part}" for part in [*_in_words(style), *self._by_condition(node)]) if style else ""

    def _by_condition(self, node: etree._Element | None) -> Iterator[str]:
        report = report_element(node) if node is not None else None
        if report is None:
            return
        for style in style_chain(declared_nodes(self._draft.root, "style"), report.get("style")):
            for conditional in style.findall(tag("conditionalStyle")):
                condition, look = child_text(conditional, "conditionExpression"), child(conditional, "style")
                if look is not None:
                    looks = " ".join(f"{name} {value}" for name, value in look.attrib.items())
                    yield f"and {looks} in {condition_words(condition, self._labels)}"

    @cached_property
    def _labels(self) -> TemplateLabels:
        return TemplateLabels(self._draft, "en")

    def _style(self, one: Printed) -> ResolvedStyle | None:
        node = self._node(one)
        return self._draft.style_of(node) if node is not None and local_name(node) in TEXT_ELEMENTS else None

    def ink(self, one: Printed) -> tuple[float, float]:
        """Return the left and the right end of a text's ink, as far as its style says; else of its box."""
        style = self._style(one)
        if style is None or not _plain(one.text):
            return one.box.x, one.box.right
        left, right = one.box.x + style.padding["left"], one.box.right - style.padding["right"]
        width = min(right - left, max(measure_text(line, style.style).advance for line in (one.text or "").split("\n")))
        start = {"Center": (left + right - width) / 2, "Right": right - width}.get(style.align, left)
        return start, start + width


def quoted(text: str) -> str:
    """Return a text in quotation marks, shortened if it is long."""
    plain = _plain(text)
    return f'"{plain if len(plain) <= MAX_TEXT_CHARS else plain[: MAX_TEXT_CHARS - 1] + "…"}"'


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())


def _third(at: float, whole: float) -> int:
    return min(2, max(0, int(3 * at / max(whole, 1))))


def _in_words(style: ResolvedStyle) -> Iterator[str]:
    font = style.style
    yield f"{font.size:g} pt"
    yield from (name for name in ("bold", "italic", "underline") if getattr(font, name))
    if style.colour.lower() != "#000000":
        yield f"text {style.colour}"
    if style.background and style.background.lower() != "#ffffff":
        yield f"behind it {style.background}"
    if style.align in _ALIGNED:
        yield _ALIGNED[style.align]
