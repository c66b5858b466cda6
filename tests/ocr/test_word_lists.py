"""Word documents: automatic numbers, bullets and symbols are on the page as Word prints them."""

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from bandsmith.services.ocr.documents.list_numerals import numeral

from .test_word_shapes import SPACES, page_of, texts, word


def level(number: int, form: str, text: str, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>{more}'
        f'<w:pPr><w:ind w:left="{720 * (number + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
    )


class ListedDocument:
    """A document with one set of levels, 90, and the lists 91 and 92, which share it. List 92 starts by itself."""

    def __init__(self, *levels: str) -> None:
        self.document = docx.Document()
        numbering = self.document.part.numbering_part.element
        shared = parse_xml(f'<w:abstractNum {SPACES} w:abstractNumId="90">{"".join(levels)}</w:abstractNum>')
        numbering.insert(0, shared)
        own = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
        for name, override in (("91", ""), ("92", own)):
            of = '<w:abstractNumId w:val="90"/>'
            numbering.append(parse_xml(f'<w:num {SPACES} w:numId="{name}">{of}{override}</w:num>'))

    def add(self, text: str, at: int = 0, of: int = 91) -> None:
        properties = self.document.add_paragraph(text)._p.get_or_add_pPr()
        properties.append(parse_xml(f'<w:numPr {SPACES}><w:ilvl w:val="{at}"/><w:numId w:val="{of}"/></w:numPr>'))


OUTLINE = (level(0, "decimal", "%1."), level(1, "lowerLetter", "%2)"), level(2, "lowerRoman", "%1.%3"))


def test_paragraphs_of_a_list_are_numbered_level_by_level():
    listed = ListedDocument(*OUTLINE)
    for text, at in (("Scope", 0), ("Rooms", 1), ("Halls", 1), ("Large", 2), ("Price", 0), ("Net", 1)):
        listed.add(text, at)

    assert texts(page_of(listed.document)) == [
        "1.", "Scope", "a)", "Rooms", "b)", "Halls", "1.i", "Large", "2.", "Price", "a)", "Net",
    ]  # fmt: skip


def test_a_list_goes_on_after_other_text_and_another_one_starts_by_itself():
    listed = ListedDocument(*OUTLINE)
    listed.add("One")
    listed.document.add_paragraph("Between")
    listed.add("Two")
    listed.add("Other", of=92)
    listed.add("Next", of=92)

    numbers = [text for text in texts(page_of(listed.document)) if text.endswith(".")]
    assert numbers == ["1.", "2.", "1.", "2."]


def test_a_number_hangs_to_the_left_of_its_text():
    listed = ListedDocument(*OUTLINE)
    listed.add("Scope")
    listed.document.add_paragraph("Plain")
    page = page_of(listed.document)

    margin = word(page, "Plain").box.x
    assert word(page, "1.").box.x == pytest.approx(margin + 18, abs=1)
    assert word(page, "Scope").box.x == pytest.approx(margin + 36, abs=1)


def test_a_style_numbers_its_paragraphs():
    document = docx.Document()
    for text in ("Bring tools", "Sweep up"):
        document.add_paragraph(text, style="List Number")
    document.add_paragraph("Gloves", style="List Bullet")

    assert texts(page_of(document)) == ["1.", "Bring", "tools", "2.", "Sweep", "up", "•", "Gloves"]


def test_a_paragraph_may_take_the_number_of_its_style_away():
    document = docx.Document()
    paragraph = document.add_paragraph("Bring tools", style="List Number")
    paragraph._p.get_or_add_pPr().append(parse_xml(f'<w:numPr {SPACES}><w:numId w:val="0"/></w:numPr>'))

    assert texts(page_of(document)) == ["Bring", "tools"]


def test_a_bullet_of_a_symbol_font_is_its_character():
    font = '<w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr>'
    listed = ListedDocument(level(0, "bullet", "\uf0a8", font), level(1, "bullet", "o"))
    listed.add("Gas")
    listed.add("Mains", 1)

    assert texts(page_of(listed.document)) == ["◻", "Gas", "o", "Mains"]


@pytest.mark.parametrize(
    ("form", "number", "written"),
    [
        ("decimal", 12, "12"), ("decimalZero", 3, "03"), ("lowerLetter", 28, "bb"), ("upperLetter", 3, "C"),
        ("lowerRoman", 14, "xiv"), ("upperRoman", 1949, "MCMXLIX"), ("chineseCounting", 12, "十二"),
        ("chineseCountingThousand", 105, "一百零五"),
        ("chineseLegalSimplified", 12, "壹拾贰"),
        ("ideographTraditional", 2, "乙"),
        ("decimalEnclosedCircle", 3, "③"), ("decimalFullWidth", 10, "１０"), ("none", 4, ""),
    ],
)  # fmt: skip
def test_numbers_are_written_as_their_format_says(form: str, number: int, written: str):
    assert numeral(number, form) == written


def test_a_number_whose_format_is_not_known_is_left_out_and_named():
    listed = ListedDocument(level(0, "hebrew1", "%1."))
    listed.add("Scope")
    page = page_of(listed.document)

    assert texts(page) == ["Scope"]
    assert [note.en for note in page.notes] == [
        "The automatic number of a paragraph is left out, since its format or symbol is not known."
    ]


def symbol(font: str, code: str) -> str:
    return f'<w:r {SPACES}><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def test_symbols_of_symbol_fonts_are_characters():
    document = docx.Document()
    for text, code in (("Paid", "F0FE"), ("Open", "F06F")):
        document.add_paragraph(f"{text} ")._p.append(parse_xml(symbol("Wingdings", code)))
    typed = document.add_paragraph("Sent ").add_run("þ")
    typed.font.name = "Wingdings"
    page = page_of(document)

    assert texts(page) == ["Paid", "☑", "Open", "□", "Sent", "☑"]
    assert page.notes == []


def test_a_symbol_that_is_not_known_is_left_out_and_named():
    document = docx.Document()
    document.add_paragraph("Map ")._p.append(parse_xml(symbol("Webdings", "F0FF")))
    page = page_of(document)

    assert texts(page) == ["Map"]
    assert [note.en for note in page.notes] == ["A symbol of a symbol font is not known; it is left out."]


def test_a_list_that_is_damaged_is_read_without_numbers():
    listed = ListedDocument(*OUTLINE)
    listed.add("Scope")
    for node in listed.document.element.body.iter(qn("w:ilvl")):
        node.set(qn("w:val"), "many")

    assert texts(page_of(listed.document)) == ["1.", "Scope"]
