"""Texts that were measured a little differently get the look that most of them have."""

from __future__ import annotations

from lxml import etree

from bandsmith.shared import xml
from bandsmith.shared.jrxml.dom import J
from bandsmith.shared.jrxml.finishing.common_looks import share_looks
from bandsmith.shared.jrxml.finishing.equal_sizes import share_form_sizes
from bandsmith.shared.jrxml.typesetting import whole_width
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, TextStyle
from bandsmith.shared.model.plan import Band, BandName, Borders, Font, Pen, Plan, StaticText, TextField


def text(words: str, size: float, *, width: int = 100, bold: bool = False, colour: str = "#000000") -> StaticText:
    font = Font(family="Liberation Sans", size=size, bold=bold)
    return StaticText(key=words, x=0, y=0, width=width, height=30, font=font, forecolour=colour, text=words)


def shared(*elements: StaticText | TextField, band: BandName = "title") -> dict[str, etree._Element]:
    """Write a report with these texts, share their looks, and return the elements by key."""
    plan = Plan(name="r", page_width=400, page_height=300, bands=[Band(name=band, height=100, elements=[*elements])])
    root = xml.parse(build_jrxml(plan))
    share_looks(root)
    return {node[0].get("key"): node for node in root.iter(f"{J}staticText", f"{J}textField")}


def size_of(node: etree._Element) -> str | None:
    font = node.find(f"{J}textElement/{J}font")
    return font.get("size") if font is not None else None


def test_sizes_half_a_point_apart_are_one_size():
    found = shared(text("one", 9), text("two", 9), text("three", 9.5), text("four", 10.5))

    assert [size_of(found[name]) for name in ("one", "two", "three", "four")] == [None, None, None, "10.5"]


def test_large_sizes_are_whole():
    assert size_of(shared(text("small", 9), text("small too", 9), text("Invoice", 18.5))["Invoice"]) == "18"


def test_a_text_keeps_its_size_where_a_larger_one_does_not_fit():
    words = "a text as wide as its element"
    width = whole_width([words], TextStyle(family="Liberation Sans", size=8.5))

    found = shared(text("one", 9), text("two", 9), text(words, 8.5, width=width))

    assert size_of(found[words]) == "8.5"


def test_a_value_whose_text_is_not_known_is_not_set_larger():
    font = Font(family="Liberation Sans", size=8.5)
    value = TextField(key="v", x=0, y=0, width=99, height=20, font=font, expression="$P{v}", adjust="StretchHeight")

    assert size_of(shared(text("one", 9), text("two", 9), value)["v"]) == "8.5"


def test_headings_are_bold_where_nearly_all_are():
    headings = [text(words, 9, bold=words != "Qty") for words in ("Item", "Qty", "Price", "Amount")]

    found = shared(*headings, band="columnHeader")

    assert found["Qty"].find(f"{J}textElement/{J}font").get("isBold") == "true"


def test_shades_of_a_colour_are_one_colour():
    shades = ("#090700", "#090700", "#070500", "#C02010")
    found = shared(*(text(f"t{n}", 9, colour=colour) for n, colour in enumerate(shades)))

    colours = [found[f"t{n}"][0].get("forecolor") for n in range(4)]
    assert colours == ["#090700", "#090700", "#090700", "#C02010"]


def family_of(node: etree._Element) -> str | None:
    font = node.find(f"{J}textElement/{J}font")
    return font.get("fontName") if font is not None else None


def in_family(words: str, family: str) -> StaticText:
    font = Font(family=family, size=9)
    return StaticText(key=words, x=0, y=0, width=100, height=30, font=font, text=words)


def test_one_heading_in_another_typeface_gets_that_of_the_others():
    others = [in_family(words, "Liberation Sans") for words in ("Item", "Quantity", "Price")]
    found = shared(*others, in_family("Amount", "DejaVu Serif"), band="columnHeader")

    assert family_of(found["Amount"]) is None


def test_a_typewriter_face_and_a_split_vote_stay():
    sans, serif = "Liberation Sans", "Liberation Serif"
    some = [in_family(words, sans) for words in ("Item", "Quantity", "Price")]

    typewriter = shared(*some, in_family("Amount", "Liberation Mono"), band="columnHeader")
    assert family_of(typewriter["Amount"]) == "Liberation Mono"
    split = shared(*some[:2], in_family("Price", serif), in_family("Amount", serif), band="columnHeader")
    assert len({family_of(node) for node in split.values()}) == 2


def test_a_pale_background_is_not_taken_for_the_white_of_letters():
    shaded = text("shaded", 9).model_copy(update={"backcolour": "#F2F6F5"})
    found = shared(*(text(str(n), 9, colour="#FFFFFF") for n in range(4)), shaded)

    assert found["shaded"][0].get("backcolor") == "#F2F6F5"


def test_lines_that_were_measured_a_little_thicker_are_drawn_with_one_pen():
    borders = [Borders(top=Pen(width=width)) for width in (1, 1, 1.5, 3)]
    cells = [text(str(n), 9).model_copy(update={"borders": one}) for n, one in enumerate(borders)]
    found = shared(*cells)

    assert [found[str(n)].find(f"{J}box/{J}topPen").get("lineWidth") for n in range(4)] == ["1", "1", "1", "3"]


def stacked(*bold: bool) -> dict[str, etree._Element]:
    labels = [text(f"Label {n}", 9, bold=one).model_copy(update={"y": 14 * n}) for n, one in enumerate(bold)]
    return shared(*labels)


def is_bold(node: etree._Element) -> bool:
    font = node.find(f"{J}textElement/{J}font")
    return font is not None and font.get("isBold") == "true"


def test_in_a_stack_of_labels_one_in_another_weight_is_a_mistake():
    assert [is_bold(one) for one in stacked(False, False, True, False, False, False).values()] == [False] * 6


def test_the_heading_and_the_total_of_a_stack_may_be_bold():
    found = [is_bold(one) for one in stacked(True, False, False, False, False, True).values()]

    assert found == [True, False, False, False, False, True]


def test_what_the_form_prints_in_one_size_has_one_size():
    style = TextStyle(family="Liberation Sans", size=12)
    words = {"a": "Redmond WA", "b": "123 Bill St, Redmond", "c": "TOTAL", "d": "St"}
    sizes = {"a": 10.0, "b": 10.0, "c": 9.5, "d": 12.0}
    elements = [
        text(words[key], sizes[key]).model_copy(update={"key": key, "source": key, "y": 20 * n})
        for n, key in enumerate(words)
    ]
    plan = Plan(name="r", page_width=400, page_height=300, bands=[Band(name="title", height=100, elements=[*elements])])
    root = xml.parse(build_jrxml(plan))
    box = Box(x=0, y=0, width=36, height=9)
    blocks = {key: Block(id=key, text=one, box=box, style=style, lines=[]) for key, one in words.items()}

    share_form_sizes(root, blocks)

    found = {node[0].get("key"): node for node in root.iter(f"{J}staticText")}
    assert [size_of(found[key]) for key in words] == [None] * 4


def test_black_borders_around_a_coloured_text_are_black():
    """The engine draws a border without a colour of its own in that of the text."""
    framed = Borders(top=Pen(width=1))
    white = text("Amount", 9, colour="#FFFFFF").model_copy(update={"borders": framed})
    black = text("Total", 9).model_copy(update={"borders": framed})

    found = {name: node.find(f"{J}box/{J}topPen") for name, node in shared(white, black).items()}
    assert found["Amount"].get("lineColor") == "#000000"
    assert found["Total"].get("lineColor") is None
