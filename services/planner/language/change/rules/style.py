"""The style of texts: size, weight, colour, typeface, alignment.

What users say is in ``templates/*/style.toml``, and the styles themselves in ``templates/*/style_phrases.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_column import ResizeColumn
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.jrxml.text_styles import readable_on, resolve_style

from ...reference_words import asks_for_column
from ...references import Target, with_value
from ...sentence_templates import Slots, matches
from ...template_view import TemplateView
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, refused, templated
from ..style_phrases import StyleChange, latin, style_changes
from .letter_case import cased
from .page_alignment import aligned_on_page, drawing_moved, refused_for_cover
from .row_fill import row_filled
from .word_look import word_itself

MIN_COVERED_SHARE = 0.9
"""Share of a line that its texts cover if they leave no gap."""
MIN_HEADER_BAR_SHARE = 0.5
"""Share of the page's width that a rectangle below the header row takes at least."""

_ONE_VALUE = frozenset({"textAlignment", "isBold", "isItalic", "isUnderline"})
_GREY = re.compile("#((?!00)[0-9A-Fa-f]{2})\\1\\1")
_AREAS = frozenset({"header", "rows", "table", "row"})
"""Roles of parts of the page that a colour fills."""

PHRASES = frozenset(
    {
        "chinese_faces",
        "asked",
        "everywhere",
        "all_texts",
        "named",
        "typefaces",
        "letters",
        "cells",
        "fills",
        "of_row",
        "but_for",
        "word_of",
    }
)
"""Sentences of the files that read a part of a clause."""
_FONTS = "Arial, Times, Courier, DejaVu Sans"


def looks_for(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Bold for X”, “font size 10 for the whole table”: a style before its name."""
    return _read(clause, slots["name"], slots["look"])


def looks(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“The size of X to 20”, “bold X”: a name and a style, each in a slot."""
    style = next(slots[slot] for slot in ("look", "verb", "side", "too") if slots[slot])
    return _read(clause, slots["name"], f"{slots['property']} {style}".strip())


def highlighted(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Highlight the total in yellow”: the colour goes behind the words."""
    return _read(clause, slots["name"], f"{slots['colour']} background")


def no_background(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Remove the background of the total”: it is as white as the page."""
    return _read(clause, slots["name"], "white background")


def larger(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _read(clause, slots["name"] or _all_texts(clause), "larger")


def smaller(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _read(clause, slots["name"] or _all_texts(clause), "smaller")


def _all_texts(clause: Clause) -> str:
    """Return what "the text" means: that of the whole report, or of what the clause before named."""
    return "everything" if clause.may_mean_everything else "it"


def name_and_style(clause: Clause) -> ClauseReading | None:
    """“Make X bold”, “X 加粗”: any split into a name and a style."""
    asked = next(matches("style", "asked", clause.text), None)
    text = asked["phrase"] if asked else clause.text
    prop = asked["property"] if asked else ""
    apart = next(matches("style", "but_for", text), None)
    reading = _split(clause, apart["phrase"], prop, apart["names"]) if apart else None
    return reading if reading is not None and reading.edits else _split(clause, text, prop) or reading


def _split(clause: Clause, text: str, prop: str, but_for: str = "") -> ClauseReading | None:
    """Return the reading of a text that is a name and a style, with or without things that are left out."""
    left_out = f" except {but_for}" if but_for else ""
    if clause.may_mean_everything and not (clause.before and clause.before.target):
        for slots in matches("style", "everywhere", text):
            if style_changes(slots["look"]):
                return _read(clause, f"everything{left_out}", slots["look"])
    absent: ClauseReading | None = None
    for start in range(len(text)):
        if start and latin(text[start - 1]) and latin(text[start]):
            continue
        style = _style_of(prop, text[start:])
        if style is None:
            continue
        reading = _read(clause, f"{_bare_name(text[:start])}{left_out}", style)
        if reading is not None and reading.edits:
            return reading
        absent = absent or reading
    return absent


def attribute(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Red title”: a style before the name."""
    return _read(clause, slots["element"], slots["colour"] or slots["attribute"])


def unknown_face(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Refuse a typeface that the engine does not carry."""
    typeface = slots["typeface"]
    if not isinstance(clause.find(slots["name"]), Target) or not any(matches("style", "typefaces", typeface)):
        return None
    return refused("language.font_not_installed", font=typeface, fonts=_FONTS)


def _style_of(prop: str, words: str) -> str | None:
    """Return words as a style of the property that was named, if any: “the background of X red”."""
    for style in (f"{prop} {words}", words) if prop else (words.strip(),):
        changes = style_changes(style)
        if changes and (prop != "background" or any(change.name == "backcolor" for change in changes)):
            return style
    return None


def _bare_name(name: str) -> str:
    """Return a name without the words that join it to its style: “the title should be”, “标题的字体”."""
    name = name.strip()
    while slots := next(matches("style", "named", name), None):
        name = slots["name"]
    return name


def _read(clause: Clause, name: str, style: str) -> ClauseReading | None:
    """Return the edits that give a style to everything that a name means; no name means what was named before."""
    changes = style_changes(style)
    if changes is None:
        return None
    if _names_two_colours(changes, style) or _contradict(changes) or _may_mean_width(clause, name, changes):
        return None
    names = {change.name for change in changes}
    if "forecolor" in names and "backcolor" not in names and any(matches("style", "fills", clause.text)):
        return None  # a colour is named for a background, not for letters
    if any(matches("style", "all_texts", name.strip())):
        name = _all_texts(clause)
    if isinstance(word := word_itself(clause, name), ClauseReading):
        return word
    targets = [word] if word else clause.known(clause.targets(name if name.strip() else "it"))
    if not isinstance(targets, list):
        return targets
    edits: list[AnyEdit] = []
    targets = [with_value(clause.view, target) for target in targets]
    if any(_is_placed_as_a_whole(target, names, clause.text) for target in targets):
        return None
    if "fontName" in names and (refusal := _without_chinese_face(clause, targets, style)):
        return refusal
    for target in targets:
        changed = edits_of(clause.view, target, _of_area(clause.view, target, changes, clause.text))
        if changed is None:
            return refused_for_cover(clause.view, target, changes)
        edits += changed
    # Of two values for one property the later one counts: “dark grey #333333”.
    last = {
        (edit.element, edit.name) if isinstance(edit, SetProperty) else (str(n), ""): edit
        for n, edit in enumerate(edits)
    }
    return ClauseReading(list(last.values()), target=targets[-1]) if edits else None


def _names_two_colours(changes: Sequence[StyleChange], style: str) -> bool:
    """Whether one thing would have two colours. “Dark grey #333333” is one, with its name."""
    colours = {change.value for change in changes if change.name == "forecolor"}
    return len(colours) > 1 and "#" not in style


def _contradict(changes: Sequence[StyleChange]) -> bool:
    """Whether a style is asked for and its opposite: 数字右对齐，文字左对齐 is about two things."""
    values = {(change.name, str(change.value)) for change in changes if change.name in _ONE_VALUE}
    return len({name for name, _ in values}) != len(values)


def _may_mean_width(clause: Clause, name: str, changes: Sequence[StyleChange]) -> bool:
    """Whether “smaller” may be about the width of a column: after another one was made wider."""
    is_of_width = clause.before is not None and any(isinstance(edit, ResizeColumn) for edit in clause.before.edits)
    return is_of_width and asks_for_column(name) and any(change.name == "fontSize" for change in changes)


def _is_placed_as_a_whole(target: Target, names: set[str], text: str) -> bool:
    """Whether “centre the table” may be about where the table stands, and not about its texts."""
    is_of_cells = any(any(matches("style", rule, text)) for rule in ("letters", "cells"))
    return target.role == "table" and "textAlignment" in names and not is_of_cells


def _without_chinese_face(clause: Clause, targets: Sequence[Target], style: str) -> ClauseReading | None:
    """Return the refusal of a typeface for Chinese texts: they are printed in the one that is installed."""
    faces = [slots["face"] for slots in matches("style", "chinese_faces", style)]
    texts = [element for target in targets for element in target.texts]
    if not faces or not any(is_cjk(char) for element in texts for char in clause.view.printed(element)):
        return None
    return refused("language.chinese_font_not_installed", font=faces[0])


def _of_area(view: TemplateView, target: Target, changes: list[StyleChange], text: str) -> list[StyleChange]:
    """Return the changes with the colour of an area as its background: “make the header blue”, “all rows white”.

    They stay where the request speaks of letters, and where the area has no background and letters of the colour could
    be read.
    """
    if target.role not in _AREAS or any(matches("style", "letters", text)):
        return changes
    result: list[StyleChange] = []
    for change in changes:
        if change.name == "forecolor" and _is_meant_behind(view, target, str(change.value), text):
            result += [StyleChange("backcolor", change.value), StyleChange("mode", "Opaque")]
        else:
            result.append(change)
    return result


def _is_meant_behind(view: TemplateView, target: Target, colour: str, text: str) -> bool:
    """Whether an area has a background, its letters would be lost in a colour, or a row is to be grey."""
    backgrounds = [_background(element) for element in target.texts if element.tag == "staticText"]
    is_filled = target.role == "header" and (any(backgrounds) or _header_bar(view, target) is not None)
    is_grey_row = _GREY.fullmatch(colour) is not None and any(matches("style", "of_row", text))
    return is_filled or is_grey_row or _is_lost(colour, "#FFFFFF")


def _background(element: ViewElement) -> str:
    """Return the background that a text has itself; empty where it has none."""
    report = element.node.find("{*}reportElement")
    return report.get("backcolor", "") if report.get("mode") == "Opaque" else ""


def _is_lost(letters: str, background: str) -> bool:
    """Whether letters of a colour could not be read on a background."""
    is_colour = re.fullmatch("#[0-9A-Fa-f]{6}", background) is not None
    return is_colour and readable_on(letters, background) != letters


def _readable(view: TemplateView, element: ViewElement, background: str) -> list[AnyEdit]:
    """Return what changes with a heading's background: borders in its old colour, letters that would be lost on it."""
    old = _background(element)
    edits: list[AnyEdit] = []
    pens = element.node.find("{*}box")
    for pen in pens if pens is not None and old else ():
        side = pen.tag.rpartition("}")[2]
        if side != "pen" and pen.get("lineColor", "").upper() == old.upper():
            edits.append(SetProperty(element=element.key, name=f"{side}.lineColor", value=background))
    letters = resolve_style(view.root, element.node).colour
    if (new := readable_on(letters, background)) != letters:
        edits.append(SetProperty(element=element.key, name="forecolor", value=new))
    return edits


_SAMPLE_TEXT = ViewElement("", "staticText", "", 0, 0, 0, 0, 0, "", size=10.0)
"""Tells by which factor a change of size scales."""


def edits_of(view: TemplateView, target: Target, changes: list[StyleChange]) -> list[AnyEdit] | None:
    """Return the edits that change the style of a target; None where letters have no capitals."""
    edits: list[AnyEdit] = []
    for change in changes:
        if change.name == "case":
            in_case = cased(target.texts, str(change.value))
            if in_case is None:
                return None
            edits += in_case
        else:
            changed = (_text_edits if target.texts else _drawing_edits)(view, target, change)
            if changed is None:
                return None
            edits += changed
    return edits


def _drawing_edits(view: TemplateView, target: Target, change: StyleChange) -> list[AnyEdit] | None:
    """Return the edits of a target without texts: the colour of lines, the size of images, the position of both."""
    if change.name == "forecolor":
        drawn = [element for element in target.pieces if element.tag in ("line", "rectangle", "ellipse")]
        return [SetProperty(element=element.key, name="lineColor", value=str(change.value)) for element in drawn]
    if change.name == "fontSize" and not isinstance(change.value, str):
        factor = float(change.value(_SAMPLE_TEXT)) / _SAMPLE_TEXT.size
        return [
            Resize(element=element.key, width=round(element.width * factor), height=round(element.height * factor))
            for element in target.pieces
            if element.tag == "image"
        ]
    if change.name == "textAlignment":
        return drawing_moved(view, target.pieces, str(change.value))
    return _text_edits(view, target, change) or []


def _is_covered(elements: list[ViewElement]) -> bool:
    """Whether texts of one line leave no gap between them, so that their backgrounds are one bar."""
    width = max(one.x + one.width for one in elements) - min(one.x for one in elements)
    return sum(one.width for one in elements) >= MIN_COVERED_SHARE * width


def _is_line(target: Target) -> bool:
    """Whether a target is texts beside each other, whose backgrounds would be patches where they leave gaps."""
    return target.role in ("row", "header") or (not target.role and len(target.texts) > 1 and target.column is None)


def _text_edits(view: TemplateView, target: Target, change: StyleChange) -> list[AnyEdit] | None:
    """Return the edits that change one property of every text, or the background of the bar below them.

    None where the backgrounds of a line's texts would be patches.
    """
    bar = _header_bar(view, target)
    elements = target.texts
    if target.role == "row" or (not target.role and len(elements) > 1 and target.column is None):
        bar = view.area_behind(elements)
    if not bar and change.name in ("backcolor", "mode") and _is_line(target) and not _is_covered(elements):
        return row_filled(view, target, str(change.value)) if change.name == "backcolor" else []
    if bar and change.name in ("backcolor", "mode"):
        elements = [bar] if change.name == "backcolor" else []
    edits: list[AnyEdit] = []
    for element in elements:
        value = change.value if isinstance(change.value, str) else change.value(element)
        is_heading = target.column is not None and element == target.column.head
        if is_heading and change.name == "forecolor" and _is_lost(value, _background(element)):
            continue
        edits.append(SetProperty(element=element.key, name=change.name, value=value))
        if change.name == "forecolor":
            edits += _borders_kept(element)
        if change.name == "backcolor" and bar:
            edits += [
                edit for text in view.texts if view.area_behind([text]) == bar for edit in _readable(view, text, value)
            ]
        elif change.name == "backcolor" and target.role == "header":
            edits += _readable(view, element, value)
    if change.name == "textAlignment" and target.role != "everything":
        moves = aligned_on_page(view, elements, str(change.value))
        return None if moves is None else [*edits, *moves]
    return edits


def _borders_kept(element: ViewElement) -> list[AnyEdit]:
    """Return the edits that keep the colour of a text's borders, which have that of its letters otherwise."""
    report, edits = element.node.find("{*}reportElement"), list[AnyEdit]()
    for side in ("top", "left", "bottom", "right"):
        pen = element.node.find(f"{{*}}box/{{*}}{side}Pen")
        if pen is not None and float(pen.get("lineWidth", "0")) and not pen.get("lineColor"):
            colour = report.get("forecolor", "#000000")
            edits.append(SetProperty(element=element.key, name=f"{side}Pen.lineColor", value=colour))
    return edits


def _header_bar(view: TemplateView, target: Target) -> ViewElement | None:
    """Return the filled rectangle that lies below the header row, where there is one."""
    if target.role != "header":
        return None
    return next(
        (
            element
            for element in view.in_sections("columnHeader")
            if element.tag == "rectangle"
            and element.node.find("{*}reportElement").get("backcolor")
            and element.width >= view.width * MIN_HEADER_BAR_SHARE
        ),
        None,
    )


RULES = (
    templated("style", looks),
    templated("style", looks_for),
    templated("style", highlighted),
    templated("style", no_background),
    templated("style", larger),
    templated("style", smaller),
    name_and_style,
    templated("style", attribute),
    templated("style", unknown_face),
)
