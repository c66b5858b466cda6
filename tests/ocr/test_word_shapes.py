"""Word documents: text boxes, page headers and columns stand on the page; what does not is named."""

import docx
import pytest
from docx.enum.section import WD_SECTION
from docx.enum.text import WD_BREAK
from docx.oxml import parse_xml
from docx.shared import Pt

from bandsmith.services.ocr.documents import decode_document
from bandsmith.services.ocr.page import Page, Word

from .office_files import saved_office

SPACES = " ".join(
    f'xmlns:{name}="{uri}"'
    for name, uri in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "v": "urn:schemas-microsoft-com:vml",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "wpg": "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    }.items()
)
ON_PAGE_STYLE = (
    "position:absolute;margin-left:300pt;margin-top:60pt;width:150pt;height:40pt;"
    "mso-position-horizontal-relative:page;mso-position-vertical-relative:page"
)


def content(text: str) -> str:
    return f"<w:txbxContent><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:txbxContent>"


def vml_box(text: str, style: str) -> str:
    return (
        f'<w:r {SPACES}><w:pict><v:shape type="#_x0000_t202" style="{style}" filled="f" stroked="f">'
        f'<v:textbox inset="0,0,0,0">{content(text)}</v:textbox></v:shape></w:pict></w:r>'
    )


def group_of_two(left: str, right: str) -> str:
    """A group of 200 by 20 points at (100, 300) of the page, whose halves are text boxes."""

    def half(text: str, x: int) -> str:
        return (
            f'<wps:wsp><wps:spPr><a:xfrm><a:off x="{x}" y="0"/><a:ext cx="100" cy="20"/></a:xfrm></wps:spPr>'
            f'<wps:txbx>{content(text)}</wps:txbx><wps:bodyPr lIns="0" tIns="0" rIns="0" bIns="0"/></wps:wsp>'
        )

    width, height = 200 * 12700, 20 * 12700
    sizes = f'<a:off x="0" y="0"/><a:ext cx="{width}" cy="{height}"/><a:chOff x="0" y="0"/><a:chExt cx="200" cy="20"/>'
    group = f"<wpg:grpSpPr><a:xfrm>{sizes}</a:xfrm></wpg:grpSpPr>{half(left, 0)}{half(right, 100)}"
    return (
        f'<w:r {SPACES}><mc:AlternateContent><mc:Choice Requires="wpg"><w:drawing><wp:anchor>'
        f'<wp:positionH relativeFrom="page"><wp:posOffset>{100 * 12700}</wp:posOffset></wp:positionH>'
        f'<wp:positionV relativeFrom="page"><wp:posOffset>{300 * 12700}</wp:posOffset></wp:positionV>'
        f'<wp:extent cx="{width}" cy="{height}"/><a:graphic><a:graphicData><wpg:wgp>{group}</wpg:wgp>'
        f"</a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>"
        f"<mc:Fallback>{vml_box('Fallback', ON_PAGE_STYLE)}</mc:Fallback></mc:AlternateContent></w:r>"
    )


def page_of(document, number: int = 1) -> Page:
    page = decode_document("form.docx", saved_office(document), None, number)
    assert isinstance(page, Page)
    return page


def word(page: Page, text: str) -> Word:
    return next(one for one in page.words if one.text == text)


def texts(page: Page) -> list[str]:
    return [one.text for one in page.words]


@pytest.mark.parametrize("where", ["body", "header"])
def test_a_text_box_of_an_older_word_stands_at_its_position_of_the_page(where: str):
    document = docx.Document()
    document.add_paragraph("Dear customer")
    container = document if where == "body" else document.sections[0].header
    container.paragraphs[0]._p.append(parse_xml(vml_box("INV-4711", ON_PAGE_STYLE)))

    box = word(page_of(document), "INV-4711").box

    assert (box.x, box.y) == (pytest.approx(300, abs=1), pytest.approx(60, abs=3))


def test_a_text_box_in_its_line_pushes_what_follows_down():
    document = docx.Document()
    document.add_paragraph()._p.append(parse_xml(vml_box("Article", "width:400pt;height:50pt")))
    document.add_paragraph("Chair")
    page = page_of(document)

    assert word(page, "Chair").box.y >= word(page, "Article").box.y + 50


def test_each_text_box_of_a_group_stands_in_its_part_and_the_fallback_is_left_out():
    document = docx.Document()
    document.add_paragraph()._p.append(parse_xml(group_of_two("Left", "Right")))
    page = page_of(document)

    assert sorted(texts(page)) == ["Left", "Right"]
    assert word(page, "Left").box.x == pytest.approx(100, abs=1)
    assert word(page, "Right").box.x == pytest.approx(200, abs=1)


def test_the_first_page_has_its_own_header_where_the_document_has_one():
    document = docx.Document()
    section = document.sections[0]
    section.header.paragraphs[0].text = "Continued"
    section.different_first_page_header_footer = True
    section.first_page_header.paragraphs[0].text = "Letterhead"
    document.add_paragraph("Body").add_run().add_break(WD_BREAK.PAGE)
    document.add_paragraph("More")

    assert texts(page_of(document)) == ["Letterhead", "Body"]
    assert texts(page_of(document, 2)) == ["Continued", "More"]


def test_the_columns_of_a_section_stand_beside_each_other():
    document = docx.Document()
    for text in ("Buyer", "Eastgate", "Seller"):  # and an empty one, which ends the section
        document.add_paragraph(text)
    document.add_section(WD_SECTION.CONTINUOUS)
    document.sections[0]._sectPr.xpath("./w:cols")[0].set(docx.oxml.ns.qn("w:num"), "2")
    document.add_paragraph("Below")
    page = page_of(document)

    buyer, seller, below = (word(page, text).box for text in ("Buyer", "Seller", "Below"))
    assert buyer.y == seller.y < below.y
    assert buyer.x == below.x < seller.x


def test_a_paragraph_ends_at_its_right_indent_and_keeps_the_document_s_spacing():
    document = docx.Document()
    for text in ("Number Date", "Below"):
        document.add_paragraph(text).paragraph_format.right_indent = Pt(400)
    page = page_of(document)

    number, date, below = (word(page, text).box for text in ("Number", "Date", "Below"))
    assert number.x == date.x and number.bottom <= date.y
    # The document's defaults set a space of 10 points after each paragraph.
    assert below.y - date.bottom >= 8


def test_a_text_that_is_not_on_the_page_is_named():
    document = docx.Document()
    document.add_paragraph("Visible")
    deep = table = document.add_table(1, 1)
    for _ in range(5):
        deep = deep.cell(0, 0).add_table(1, 1)
    deep.cell(0, 0).text = "Too deep"
    table.cell(0, 0).paragraphs[0].text = "Outer"
    page = page_of(document)

    assert [note.en for note in page.notes] == ["One text of the document is not on the page: “Too deep”."]


def test_hidden_and_deleted_text_is_not_missed():
    document = docx.Document()
    paragraph = document.add_paragraph("Visible")
    paragraph.add_run("Hidden").font.hidden = True
    paragraph._p.append(parse_xml(f"<w:del {SPACES}><w:r><w:delText>Deleted</w:delText></w:r></w:del>"))
    page = page_of(document)

    assert texts(page) == ["Visible"]
    assert page.notes == []


def test_lengths_that_are_no_whole_numbers_are_read():
    """Google Docs writes them."""
    document = docx.Document()
    document.add_paragraph("Quotation").paragraph_format.left_indent = Pt(20)
    for indent in document.element.body.xpath(".//w:ind"):
        indent.set(docx.oxml.ns.qn("w:left"), "1271.9999694824219")

    assert texts(page_of(document)) == ["Quotation"]


def wrapped_box(text: str) -> str:
    """A text box of 100 by 40 points at the left edge, beside which text runs."""
    style = "position:absolute;margin-left:0;margin-top:0;width:100pt;height:40pt;mso-position-vertical-relative:text"
    return vml_box(text, style).replace(
        "</v:textbox>", '</v:textbox><w10:wrap xmlns:w10="urn:schemas-microsoft-com:office:word" type="square"/>'
    )


def test_a_table_without_room_beside_a_drawing_begins_below_it():
    document = docx.Document()
    document.add_paragraph("Company")._p.append(parse_xml(wrapped_box("Logo")))
    document.add_table(1, 3).cell(0, 0).text = "Article"
    page = page_of(document)

    assert word(page, "Article").box.y >= word(page, "Company").box.y + 38


def test_text_runs_beside_a_drawing_that_it_is_set_to_wrap_around():
    document = docx.Document()
    document.add_paragraph("Company")._p.append(parse_xml(wrapped_box("Logo")))
    for text in ("Street", "Town", "Dear customer"):
        document.add_paragraph(text)
    page = page_of(document)

    margin = word(page, "Dear").box.x
    assert word(page, "Logo").box.x == pytest.approx(margin, abs=1)
    assert word(page, "Company").box.x == word(page, "Street").box.x >= margin + 100
