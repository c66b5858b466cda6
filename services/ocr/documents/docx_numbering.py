"""Automatic numbers and bullets of a DOCX, written into its paragraphs as text.

A paragraph, or its style, names a list (`w:num`) and a level of it; the list refers to its levels (`w:abstractNum`).
Each level says how its number is written, and with which text around it: "%1.%2)". Lists that share their levels go on
counting, unless one of them says where it starts. A number starts again after one of a higher level.
"""

from __future__ import annotations

import copy
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

from .list_numerals import numeral
from .shape_frames import ON_PAGE, find_nodes
from .symbol_fonts import as_unicode, is_symbol_font

LEVELS = 9
MAX_TEXT_CHARS = 60
"""Characters of a level's text that are printed."""
_MAX_BASES = 20
"""Styles that a style is based on, one after the other."""
_NUMBER = re.compile(r"%([1-9])")


class _Place(NamedTuple):
    """The list and the level of a paragraph, and whether its style says so rather than the paragraph itself."""

    list: str
    level: int
    by_style: bool


def write_numbers(document: Document, roots: Iterable[Any]) -> int:
    """Write the automatic numbers into the paragraphs below each root. Return how many were left out."""
    try:
        numbering = document.part.part_related_by(RELATIONSHIP_TYPE.NUMBERING).element  # type: ignore[attr-defined]
    except KeyError:
        return 0
    lists = _Lists(numbering, document.styles.element)
    return sum(_write_story(root, lists) for root in roots)


def _write_story(root: Any, lists: _Lists) -> int:
    left_out, counters = 0, _Counters(lists)
    for paragraph in find_nodes(root, f".//w:p{ON_PAGE}"):
        place = lists.place_of(paragraph)
        if place is not None:
            text = counters.next(place)
            left_out += text is None
            _write(paragraph, lists.level(place.list, place.level), text or "", place)
    return left_out


class _Lists:
    """The lists of a document, with the styles that name them."""

    def __init__(self, numbering: Any, styles: Any) -> None:
        self._styles = {one.get(qn("w:styleId")): one for one in styles.findall(qn("w:style"))}
        self._default = next((one for one in self._styles.values() if _is_default(one)), None)
        self._lists = {one.get(qn("w:numId")): one for one in numbering.findall(qn("w:num"))}
        self._levels = {one.get(qn("w:abstractNumId")): one for one in numbering.findall(qn("w:abstractNum"))}

    def place_of(self, paragraph: Any) -> _Place | None:
        """Return the place of a paragraph in its list; None for one without a number."""
        own = paragraph.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        name = _value(paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}"))
        styled = [self._styles[name]] if name in self._styles else [self._default] if self._default is not None else []
        numbers = [found for style in self._chain(styled) if (found := _properties(style)) is not None]
        number = _first_of([own, *numbers], "w:numId")
        if number is None or number not in self._lists:
            return None
        level = _first_of([own, *numbers], "w:ilvl")
        if level is None:
            level = self._level_of_style(number, name)
        return _Place(number, min(max(_integer(level, 0), 0), LEVELS - 1), _first_of([own], "w:numId") is None)

    def _chain(self, styles: list[Any]) -> list[Any]:
        """Return a style and the styles that it is based on."""
        while styles and len(styles) < _MAX_BASES:
            base = self._styles.get(_value(styles[-1].find(qn("w:basedOn"))))
            if base is None:
                break
            styles = [*styles, base]
        return styles

    def _level_of_style(self, number: str, style: str | None) -> str | None:
        levels = find_nodes(self.definition(number), "./w:lvl")
        return next(
            (one.get(qn("w:ilvl")) for one in levels if style and _value(one.find(qn("w:pStyle"))) == style), None
        )

    def definition(self, number: str) -> Any:
        """Return the levels that a list refers to, directly or by a style of lists."""
        levels = self._levels.get(_value(self._lists[number].find(qn("w:abstractNumId"))))
        link = _value(levels.find(qn("w:numStyleLink"))) if levels is not None else None
        properties = _properties(self._styles[link]) if link in self._styles else None
        linked = self._lists.get(_first_of([properties], "w:numId")) if properties is not None else None
        if linked is not None:
            levels = self._levels.get(_value(linked.find(qn("w:abstractNumId"))), levels)
        return levels if levels is not None else OxmlElement("w:abstractNum")

    def level(self, number: str, level: int) -> Any:
        """Return a level of a list; None where there is none."""
        own = self._override(number, level)
        changed = own.find(qn("w:lvl")) if own is not None else None
        return changed if changed is not None else _numbered(self.definition(number), "w:lvl", level)

    def start(self, number: str, level: int) -> tuple[int, bool]:
        """Return the number with which a level starts, and whether the list itself says so."""
        override, own = self._override(number, level), None
        if override is not None:
            own = _value(override.find(qn("w:startOverride")))
        found = self.level(number, level)
        return _integer(own or (_value(found.find(qn("w:start"))) if found is not None else None), 0), own is not None

    def _override(self, number: str, level: int) -> Any:
        return _numbered(self._lists[number], "w:lvlOverride", level)


class _Counters:
    """The numbers that were counted so far, by the levels that lists share."""

    def __init__(self, lists: _Lists) -> None:
        self._lists = lists
        self._counts = defaultdict[Any, dict[int, int]](dict)
        self._started = set[tuple[str, int]]()

    def next(self, place: _Place) -> str | None:
        """Count on at a place and return its number with the text around it; None if its format is not known."""
        counts = self._counts[self._lists.definition(place.list)]
        start, is_own = self._lists.start(place.list, place.level)
        begins = is_own and (place.list, place.level) not in self._started
        self._started.add((place.list, place.level))
        last = counts.get(place.level)
        counts[place.level] = start if last is None or begins else last + 1
        for deeper in [one for one in counts if one > place.level]:
            if self._restarts(place, deeper):
                del counts[deeper]
        for higher in range(place.level):
            counts.setdefault(higher, self._lists.start(place.list, higher)[0])
        return self._text(place, counts)

    def _restarts(self, place: _Place, deeper: int) -> bool:
        """Whether a deeper level starts again after a number of this level."""
        level = self._lists.level(place.list, deeper)
        after = _value(level.find(qn("w:lvlRestart"))) if level is not None else None
        return after is None or place.level < _integer(after, LEVELS)

    def _text(self, place: _Place, counts: Mapping[int, int]) -> str | None:
        level = self._lists.level(place.list, place.level)
        if level is None:
            return ""
        text = (_value(level.find(qn("w:lvlText"))) or "")[:MAX_TEXT_CHARS]
        if _form(level) == "bullet":
            font = level.find(f"{qn('w:rPr')}/{qn('w:rFonts')}")
            name = font.get(qn("w:ascii")) or font.get(qn("w:hAnsi")) if font is not None else None
            return as_unicode(text, name) if is_symbol_font(name) else text
        is_legal = level.find(qn("w:isLgl")) is not None
        for digit in dict.fromkeys(_NUMBER.findall(text)):
            of = self._lists.level(place.list, int(digit) - 1)
            form = "decimal" if is_legal or of is None else _form(of)
            written = numeral(counts.get(int(digit) - 1, 0), form)
            if written is None:
                return None
            text = text.replace(f"%{digit}", written)
        return text


def _write(paragraph: Any, level: Any, text: str, place: _Place) -> None:
    """Write a number at the beginning of a paragraph, with what follows it and the indents of its level."""
    run = OxmlElement("w:r")
    run.append(_look(paragraph, level))
    node = OxmlElement("w:t")
    node.text = text
    run.append(node)
    after = (_value(level.find(qn("w:suff"))) if level is not None else None) or "tab"
    if after == "space":
        node.text = f"{text} "
    elif after == "tab" and text:
        run.append(OxmlElement("w:tab"))
    properties = paragraph.get_or_add_pPr()
    paragraph.insert(paragraph.index(properties) + 1, run)
    indent = level.find(f"{qn('w:pPr')}/{qn('w:ind')}") if level is not None else None
    if indent is not None and not place.by_style:
        _add_indent(properties, indent)


def _look(paragraph: Any, level: Any) -> Any:
    """Return the look of a number: that of its level, then that of the paragraph's end. Symbols are Unicode already."""
    look = OxmlElement("w:rPr")
    given = [level.find(qn("w:rPr"))] if level is not None else []
    for source in [*given, paragraph.find(f"{qn('w:pPr')}/{qn('w:rPr')}")]:
        for child in source if source is not None else ():
            if look.find(child.tag) is None and not (child.tag == qn("w:rFonts") and _is_symbolic(child)):
                look.append(copy.deepcopy(child))
    return look


def _is_symbolic(fonts: Any) -> bool:
    return any(is_symbol_font(fonts.get(qn(f"w:{kind}"))) for kind in ("ascii", "hAnsi"))


def _add_indent(properties: Any, indent: Any) -> None:
    """Set the indents that a paragraph does not set itself."""
    own = properties.find(qn("w:ind"))
    if own is None:
        properties.append(copy.deepcopy(indent))
        return
    present, first = set(own.keys()), {qn("w:hanging"), qn("w:firstLine")}
    for name, value in indent.items():
        if name not in present and not (name in first and first & present):
            own.set(name, value)


def _form(level: Any) -> str:
    """Return the format of a level's number; newer ones stand beside one for older programs."""
    return next((form for node in level.iter(qn("w:numFmt")) if (form := _value(node)) and form != "custom"), "decimal")


def _properties(style: Any) -> Any:
    return style.find(f"{qn('w:pPr')}/{qn('w:numPr')}")


def _is_default(style: Any) -> bool:
    return style.get(qn("w:type")) == "paragraph" and style.get(qn("w:default")) in ("1", "true", "on")


def _first_of(properties: Iterable[Any], name: str) -> str | None:
    found = (_value(one.find(qn(name))) for one in properties if one is not None)
    return next((value for value in found if value is not None), None)


def _numbered(parent: Any, name: str, level: int) -> Any:
    return next((one for one in parent.findall(qn(name)) if one.get(qn("w:ilvl")) == str(level)), None)


def _value(node: Any) -> str | None:
    return None if node is None else node.get(qn("w:val"))


def _integer(text: str | None, default: int) -> int:
    return int(text) if text is not None and re.fullmatch(r"-?\d{1,6}", text) else default
