"""What the program writes for others to open: no link runs code or opens a file, and markup names no font's file."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.engine.harmless_output import clean_markup, is_harmless_link
from bandsmith.services.validator.properties import is_harmless
from bandsmith.shared.model.plan import Data

from .reports import field, report, row_field


def linked(reference: str) -> str:
    return (
        '<textField hyperlinkType="Reference"><reportElement x="0" y="0" width="90" height="20"/>'
        "<textFieldExpression>$F{a}</textFieldExpression>"
        f"<hyperlinkReferenceExpression>{reference}</hyperlinkReferenceExpression></textField>"
    )


def styled() -> str:
    return (
        '<textField><reportElement x="0" y="0" width="300" height="20"/><textElement markup="styled"/>'
        "<textFieldExpression>$F{a}</textFieldExpression></textField>"
    )


@pytest.mark.parametrize(
    "address", ["https://example.org/?a=1#b", "mailto:a@example.org", "page.html", "#top", "tel:1"]
)
def test_an_ordinary_link_stays(address: str):
    assert is_harmless_link(address)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)", "JavaScript:alert(1)", "java\tscript:alert(1)", " \x01javascript:alert(1)",
        "data:text/html,<script>", "vbscript:x", "file:///etc/passwd", "\\\\host\\share", "//host/share", "/\\host",
        "smb://host/share", "ms-word:ofe|u|x", "jar:file:x!/",
    ],
)  # fmt: skip
def test_a_link_that_runs_code_or_opens_files_is_removed(address: str):
    assert not is_harmless_link(address)


def test_links_of_the_data_are_checked_in_every_export(engine: ReportEngine):
    template = report(linked("$F{a}"), declared=row_field("a"))
    for address in ("javascript:alert(1)", "file:///etc/passwd", "\\\\host\\share"):
        page = engine.export(template, Data(rows=[{"a": address}]), "html").content.decode()
        assert "href=" not in page
    assert (
        b'href="https://example.org/1"'
        in engine.export(template, Data(rows=[{"a": "https://example.org/1"}]), "html").content
    )


@pytest.mark.parametrize(
    ("attribute", "expression"),
    [
        ('bookmarkLevel="2147483647"', ""),
        ("", "<bookmarkLevelExpression><![CDATA[2147483647]]></bookmarkLevelExpression>"),
    ],
    ids=["attribute", "expression"],
)
def test_a_bookmark_of_the_deepest_level_is_drawn_at_once(engine: ReportEngine, attribute: str, expression: str):
    anchor = f"<anchorNameExpression><![CDATA[$F{{a}}]]></anchorNameExpression>{expression}</textField>"
    detail = field("$F{a}", more=attribute).replace("</textField>", anchor)
    template = report(detail, declared=row_field("a"))
    assert engine.export(template, Data(rows=[{"a": "here"}]), "pdf").content.startswith(b"%PDF")


def test_the_engine_lists_no_bookmarks_while_it_fills():
    # It would make an entry for each level before the levels can be lifted.
    assert not is_harmless("net.sf.jasperreports.print.create.bookmarks")


def test_markup_of_the_data_opens_no_font_and_no_link(engine: ReportEngine):
    template = report(styled(), declared=row_field("a"))
    text = (
        '<style pdfFontName="/etc/passwd" isPdfEmbedded="true" fontName="/etc/passwd">one</style> '
        '<a type="Reference" href="javascript:alert(1)">two</a> <b>three</b>'
    )
    data = Data(rows=[{"a": text}])
    page = engine.export(template, data, "html").content.decode()
    assert "javascript" not in page and "passwd" not in page
    assert "three" in page
    assert engine.export(template, data, "pdf").content.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("<b>a</b> &amp; <i>b</i>", "<b>a</b> &amp; <i>b</i>"),
        ("a < b", "a < b"),
        ('<link href="file:///x"/><base href="/x"/>a', "<style/><style/>a"),
        ("<style>@import 'file:///x'</style>", "<style>@import 'file:///x'</style>"),
        ('<font face="/x.ttf" size="9">a</font>', '<font size="9">a</font>'),
        ("<!-- x -->a", "a"),
        ("", ""),
    ],
)
def test_markup_is_held_to_the_engines_own_tags(text: str, cleaned: str):
    assert clean_markup(text) == cleaned
