"""Page numbers, page headers and footers, print dates, titles and subtitles.

``templates/*/page_header_footer.toml`` says how they are asked for. A place is ``top``, ``header`` or ``bottom``, with
or without a side, or is vague: a side alone, ``above`` or ``below``.
"""

from __future__ import annotations

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add import Add
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fonts import is_cjk

from ...references import Target
from ...sentence_templates import Slots, matches
from ...template_view import TemplateView
from ...view_elements import ViewElement
from ..reading import Clause, ClauseReading, refused, templated
from ..style_phrases import StyleChange, style_changes
from .page_alignment import refused_for_cover
from .placed_text import added, is_labelled, is_line
from .style import edits_of

SUBJECT = "page_header_footer"
PHRASES = frozenset({"of_pages", "no_text"})
"""Sentences of the files that are part of others."""
PAGE_NUMBER_CHARS = 2
"""Characters of a page number that there is room for."""
GAP_PT = 10
"""Gap between a page number and the text beside it."""
MAX_UNQUOTED_WORDS, MAX_UNQUOTED_CHARS = 6, 60
"""More words without quotation marks are no text to print."""
_SIDES = {"left": "Left", "right": "Right", "center": "Center"}
_VAGUE = {*_SIDES, "above", "below"}
"""Places that a page number may have, but that say too little of where a new text goes."""


def _band_and_side(place: str) -> tuple[str, str]:
    """Return the vertical part of a place and the alignment of its side, each empty where it names none."""
    words = place.split()
    side = _SIDES.get(words[-1], "") if words else ""
    return (words[0] if words and words[0] not in _SIDES else ""), side


def page_number(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Add a page number, or move the one that is there."""
    view = clause.view
    numbers = view.page_numbers
    band, side = _band_and_side(slots["place"])
    side = side or "Center"
    if numbers and slots["place"]:
        target = Target("page number", tuple(numbers), role="page_number")
        change = StyleChange("textAlignment", side)
        edits = _moved_together(view, numbers, side) or edits_of(view, target, [change])
        return ClauseReading(edits, target=target) if edits else refused_for_cover(view, target, [change])
    if numbers:
        return refused("language.page_number_printed_already")
    expression = '"第 " + $V{PAGE_NUMBER} + " 页"' if view.chinese else '"Page " + $V{PAGE_NUMBER}'
    key = _key(clause, "page_number")
    return ClauseReading([Add.model_validate(
        {"key": key, "band": _page_band(band), "expression": expression, "align": side}
    )])  # fmt: skip


def _page_band(band: str) -> str:
    """Return the band of a page number."""
    return "pageHeader" if band in ("top", "above", "header") else "pageFooter"


def _moved_together(view: TemplateView, elements: list[ViewElement], side: str) -> list[AnyEdit] | None:
    """Return the edits that move “Page 1” and “of 9” to a side as one; None unless there are two on one line."""
    elements = sorted(elements, key=lambda element: element.x)
    if len(elements) != 2:
        return None
    number, count = elements
    if number.band != count.band or abs(number.y - count.y) > number.height / 2:
        return None
    chars = sum(2 if is_cjk(char) else 1 for char in number.words) + PAGE_NUMBER_CHARS
    number_width = min(number.width, round(0.55 * number.size * chars))
    left, right = view.sides
    width = number_width + count.width
    x = max(0, {"Left": left, "Center": (left + right - width) // 2, "Right": right - width}[side])
    covered = [
        element
        for element in view.texts
        if element not in elements and element.band == number.band and abs(element.y - number.y) < number.height
        and x < element.x + element.width and element.x < x + width
    ] if side != "Center" else []  # fmt: skip
    # An element that is too wide cannot move far: it is narrowed first.
    return [
        *(_swapped_to_other_side(covered[0], side, left, right, width) if len(covered) == 1 else []),
        Resize(element=number.key, width=number_width),
        Move(element=number.key, x=x),
        SetProperty(element=number.key, name="textAlignment", value="Right"),
        Move(element=count.key, x=x + number_width),
    ]


def _swapped_to_other_side(element: ViewElement, side: str, left: int, right: int, width: int) -> list[AnyEdit]:
    """Return the edits that clear `width` points at a side of the text that is there."""
    free = min(element.width, right - left - width - GAP_PT)
    return [
        Resize(element=element.key, width=free),
        Move(element=element.key, x=right - free if side == "Left" else left),
        SetProperty(element=element.key, name="textAlignment", value="Right" if side == "Left" else "Left"),
    ]


def _subtitle(clause: Clause, new: str, key: str) -> list[AnyEdit] | None:
    """Return the edits that add a line below the title, smaller than it, and move down what is below."""
    view = clause.view
    title = view.title
    if title is None or title.section != "title" or view.in_sections("background"):
        return None
    in_band = [element for element in view.pieces if element.band == title.band]
    end = title.y + title.height
    if any(element.y < end and element.y + element.height > end for element in in_band):
        return None
    size = max(9, round(title.size * 0.55))
    line_height = round(size * 1.5) + 2
    band = next(title.node.iterancestors("{*}band"))
    lower = sorted((element for element in in_band if element.y >= end), key=lambda element: -element.y)
    align = title.node.find("{*}textElement")
    side = align.get("textAlignment", "Left") if align is not None else "Left"
    return [
        ResizeBand(band="title", height=int(band.get("height", "0")) + line_height),
        *(Move(element=element.key, y=element.y + line_height) for element in lower),
        Add.model_validate(
            {"key": key, "band": "title", "text": new, "x": title.x, "y": end, "width": title.width,
             "height": line_height, "like": title.key}
        ),
        SetProperty(element=key, name="fontSize", value=str(size)),
        SetProperty(element=key, name="isBold", value="false"),
        SetProperty(element=key, name="textAlignment", value=side),
    ]  # fmt: skip


def page_of_pages(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Page 1 of N”: two fields, as the number of pages is known only when the report is filled."""
    quotation = clause.words(slots["quotation"])
    if quotation and not any(matches(SUBJECT, "of_pages", quotation)):
        return None
    view = clause.view
    band, side = _band_and_side(slots["place"])
    chinese = view.chinese or "第" in (quotation or clause.text)
    number, count = _bare_numbers(slots["bare"]) or (
        ('"第 " + $V{PAGE_NUMBER} + " 页"', '" 共 " + $V{PAGE_NUMBER} + " 页"')
        if chinese
        else ('"Page " + $V{PAGE_NUMBER} + " of"', '" " + $V{PAGE_NUMBER}')
    )
    number_width, count_width = (35, 35) if slots["bare"] else (70, 60 if chinese else 30)
    left, right = view.sides
    width = number_width + count_width
    x = max(0, {"Left": left, "Right": right - width}.get(side, (left + right - width) // 2))
    number_key, count_key = _key(clause, "page_number"), _key(clause, "page_count")
    edits: list[AnyEdit] = [Delete(element=piece.key) for piece in view.page_numbers]
    add = {"band": _page_band(band)}
    edits.append(
        Add.model_validate(
            add | {"key": number_key, "expression": number, "x": x, "width": number_width, "align": "Right"}
        )
    )
    edits.append(
        Add.model_validate(add | {"key": count_key, "expression": count, "x": x + number_width, "width": count_width})
    )
    edits.append(SetProperty(element=count_key, name="evaluationTime", value="Report"))
    return ClauseReading(edits)


def _bare_numbers(between: str) -> tuple[str, str] | None:
    """Return the expressions of “1 / 3”, without words; None where nothing is between the numbers."""
    return (f'$V{{PAGE_NUMBER}} + " {between}"', '" " + $V{PAGE_NUMBER}') if between else None


def new_text(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Add a text at a place of the page, or a title."""
    return _added_text(clause, slots, slots["place"] or slots["part"])


def header_text(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Let the header say 'Draft'”: the header has one more text."""
    return _added_text(clause, slots, "header")


def footer_text(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Footer: 'Draft'”: the footer has one more text."""
    return _added_text(clause, slots, "bottom")


def changed_footer(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Change the footer to 'Draft'”: its text becomes another one, where it has one."""
    footer = [element for element in clause.view.footer if element.tag == "staticText" and element.words]
    if not footer:
        return footer_text(clause, slots)
    new = clause.words(slots["quotation"])
    return ClauseReading([SetText(element=footer[0].key, text=new)]) if len(footer) == 1 and new else None


def subtitle(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Subtitle: 'First quarter'”."""
    return _added_text(clause, slots, "subtitle")


def _added_text(clause: Clause, slots: Slots, place: str) -> ClauseReading | None:
    """Return the reading that adds a text at a place; None where the place is vague or the words are no text."""
    new = clause.words(slots["quotation"] or slots["words_printed"] or slots["labelled"] or slots["line_text"])
    if (slots["labelled"] and not is_labelled(new)) or (slots["line_text"] and not is_line(clause, slots["line_text"])):
        return None
    looks = style_changes(slots["look"]) if slots["look"] else []
    if looks is None:
        return None
    if not new or (slots["words_printed"] and not _is_text(clause, slots["words_printed"])) or place in _VAGUE:
        return None
    band, name, align = _position(clause.view, place)
    key = _key(clause, name)
    target = added(clause, key, band, new)
    styled = edits_of(clause.view, target, looks) if looks else []
    if styled is None:
        return None
    return ClauseReading(
        [*_text_edits(clause, new, band, name, align), *styled], wording=bool(slots["words_printed"]), target=target
    )


def _is_text(clause: Clause, words: str) -> bool:
    """Whether words without quotation marks are text to print."""
    if clause.has_quotes(words) or len(words.split()) > MAX_UNQUOTED_WORDS or len(words) > MAX_UNQUOTED_CHARS:
        return False
    return not any(matches(SUBJECT, "no_text", words))


def _position(view: TemplateView, place: str) -> tuple[str, str, str]:
    """Return the band of a new text, what its element is called, and its alignment."""
    vertical, side = _band_and_side(place)
    if vertical == "bottom":
        return "pageFooter", "footer_text", side or "Left"
    if vertical == "top" and side and view.title and view.title.section == "title":
        return "title", "header_text", side
    if vertical in ("top", "header"):
        return "pageHeader", "header_text", side or "Left"
    return "title", "subtitle" if place == "subtitle" else "new_title", "Center"


def _text_edits(clause: Clause, new: str, band: str, name: str, align: str) -> list[AnyEdit]:
    key = _key(clause, name)
    if name == "subtitle" and (edits := _subtitle(clause, new, key)):
        return edits
    add = Add.model_validate({"key": key, "band": band, "text": new, "align": align})
    if name == "header_text" and band == "title":
        return [add, *_small(key)]
    if name == "new_title":
        return [add, *_large(key)]
    return [add]


def _small(key: str) -> list[AnyEdit]:
    """Return the edits that tell a text beside the title from the title."""
    size = SetProperty(element=key, name="fontSize", value="10")
    return [size, SetProperty(element=key, name="isBold", value="false")]


def _large(key: str) -> list[AnyEdit]:
    """Return the edits that make a text look like a title."""
    size = SetProperty(element=key, name="fontSize", value="18")
    return [size, SetProperty(element=key, name="isBold", value="true")]


def print_date(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Add the date on which the report is printed."""
    if slots["place"] in _SIDES:
        return None
    vertical, side = _band_and_side(slots["place"])
    band = {"bottom": "pageFooter", "below": "pageFooter", "header": "pageHeader"}.get(vertical, "title")
    side = side or "Right"
    key = _key(clause, "print_date")
    add = Add.model_validate(
        {"key": key, "band": band, "expression": "new java.util.Date()", "align": side, "width": 80}
    )
    edits: list[AnyEdit] = [add, SetProperty(element=key, name="pattern", value="yyyy-MM-dd")]
    edits += _small(key) if band == "title" else []
    if side != "Left":
        edits.append(SetProperty(element=key, name="textAlignment", value=side))
    return ClauseReading(edits)


def repeated_header(clause: Clause, slots: Slots) -> ClauseReading:
    """Answer that the engine prints the column header on every page anyway."""
    if not clause.view.header:
        return refused("language.no_header_row")
    return refused("language.header_row_repeats_already")


def _key(clause: Clause, name: str) -> str:
    return name_for(None, name, {piece.key for piece in clause.view.pieces})


RULES = tuple(
    templated(SUBJECT, build)
    for build in (
        page_of_pages, page_number, print_date, repeated_header, changed_footer, header_text, footer_text, subtitle,
        new_text,
    )
)  # fmt: skip
