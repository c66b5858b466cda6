"""What each check finds and which edits it offers, with a template for each code."""

from __future__ import annotations

from functools import cache
from unittest import mock

import pytest

from bandsmith.services.validator.checks import allowed, engine_run, expressions, schema, structure, wellformed
from bandsmith.services.validator.engine import EngineDied, EngineTimeout, ReportEngine
from bandsmith.services.validator.inert import inert
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import ExpectedPage, Validation, validate
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.resize_band import ResizeBand
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_report import SetReport
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Layout, TextLine, TextStyle
from bandsmith.shared.model.plan import Data

from .reports import field, parameter, report, row_field, static
from .single_finding import only, template

LONG = "A wording that is far too long for the little room that its element has"


def run(engine: ReportEngine, content: bytes, data: Data | None = None, layout: Layout | None = None) -> Validation:
    """Validate a template against a fixed form."""
    data = data or Data()
    layout = layout or Layout(page=Size(width=400, height=300))
    return validate(engine, ValidatorSettings(min_ssim=0.1), content, data, ExpectedPage(fixed_form(engine), layout))


@cache
def fixed_form(engine: ReportEngine) -> bytes:
    """Print the form that templates are validated against."""
    return engine.print(report(static("form")), Data()).pictures[0]


def codes(done: Validation, severity: str = "error") -> list[str]:
    return [finding.code for finding in done.verdict.findings if finding.severity == severity]


# --- well-formed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "wellformed.empty"),
        (b"<jasperReport>", "wellformed.syntax"),
        (report(doctype='<!DOCTYPE jasperReport SYSTEM "http://127.0.0.1:9/x.dtd">'), "wellformed.dtd"),
        (report(static("x" * 5_000_000)), "wellformed.size"),
        (report("<frame>" * 70 + "</frame>" * 70), "wellformed.depth"),
        (b"<html/>", "wellformed.root"),
        (b'<jasperReport name="x"/>', "wellformed.root"),
    ],
)
def test_an_unreadable_file_is_a_single_finding(content: bytes, code: str):
    parsed, found = wellformed.check(content)
    assert parsed is None
    assert only(found).code == code


# --- structure -----------------------------------------------------------------------------------------------------


def test_a_sound_template_has_no_findings():
    sound = report(static("Name:"), field("$P{name}", x=200), declared=parameter("name"))
    checked = template(sound)
    assert [
        *allowed.check(checked),
        *expressions.check(checked),
        *structure.check(checked),
        *schema.check(checked),
    ] == []


@pytest.mark.parametrize(
    ("content", "code", "edits"),
    [
        (report(name=" "), "structure.name", [SetReport(name="name", value="report")]),
        (report(page=(400, 90_000)), "structure.page", []),
        (report(page=(300, 300)), "structure.margins", [SetReport(name="columnWidth", value="300")]),
        (report(static("x", width=0)), "structure.size", [Resize(element="s", width=1, height=20)]),
        (report(static("x", x=380, width=60)), "structure.edge", [Move(element="s", x=340)]),
        (
            report(static("x", x=-5, width=420)),
            "structure.edge",
            [Move(element="s", x=0), Resize(element="s", width=400)],
        ),
        (report(static("x", y=190)), "structure.band", [ResizeBand(band="title", height=210)]),
        (report(static("x", y=290), height=300), "structure.band", [Move(element="s", y=280)]),
        (report(static("x", y=-4)), "structure.band", [Move(element="s", y=0)]),
        (
            report(field("$F{gone}")),
            "structure.undeclared",
            [Declare(scope="field", name="gone")],
        ),
        (report(field("$P{gone}")), "structure.undeclared", [Declare(scope="parameter", name="gone")]),
        (report(field("$V{gone}")), "structure.undeclared", []),
        (report(static("Quantity", width=35)), "structure.cut", [Resize(element="s", width=38, height=20)]),
        (report(static(LONG, width=100, height=14)), "structure.cut", [Resize(element="s", height=46)]),
        (
            report(static(LONG, y=180, width=100)),
            "structure.cut",
            [Resize(element="s", height=46), ResizeBand(band="title", height=226)],
        ),
    ],
    ids=["name", "page", "margins", "size", "edge", "edge-wide", "band-grows", "band-full", "band-above", "field",
         "parameter", "variable", "cut-a-little", "cut-lines", "cut-band"],
)  # fmt: skip
def test_a_structural_fault_is_found_with_its_fix(content: bytes, code: str, edits: list[object]):
    finding = only(structure.check(template(content)))
    assert (finding.code, finding.edits, finding.severity) == (code, edits, "error")


@pytest.mark.parametrize(
    ("text", "width", "height"), [("Quantity", 35, 20), (LONG, 100, 14), ("数量与单位" * 6, 100, 14)]
)
def test_the_enlarged_element_is_large_enough_for_the_engine(engine: ReportEngine, text: str, width: int, height: int):
    finding = only(structure.check(template(report(static(text, width=width, height=height)))))
    assert engine.print(report(static(text, width=width, height=height)), Data(), pages=0).elements[0].cut
    edit = finding.edits[0]
    assert isinstance(edit, Resize)
    corrected = report(static(text, width=edit.width or width, height=edit.height or height))
    assert not engine.print(corrected, Data(), pages=0).elements[0].cut


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "text", ["x" * 300_000, "word " * 60_000, "字" * 300_000], ids=["letters", "words", "characters"]
)
def test_a_text_of_many_pages_is_found_too_large_before_long(text: str):
    assert only(structure.check(template(report(static(text, width=100, height=20))))).code == "structure.cut"


def test_bands_higher_than_the_page_reduce_the_margin():
    content = report(height=300).replace(b'bottomMargin="0"', b'bottomMargin="30"')
    finding = only(structure.check(template(content)))
    assert (finding.code, finding.edits) == ("structure.bands", [SetReport(name="bottomMargin", value="0")])


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (report(declared=row_field("idle")), "structure.unused"),
        (report(static("left one", "a"), static("over it", "b", x=30)), "structure.overlap"),
    ],
)
def test_a_minor_fault_is_a_warning(content: bytes, code: str):
    finding = only(structure.check(template(content)))
    assert (finding.code, finding.severity) == (code, "warning")


def test_boxes_that_overlap_without_ink_are_accepted():
    assert structure.check(template(report(static("left", "a"), field("$V{PAGE_NUMBER}", "b", x=60)))) == []


def test_a_styled_text_is_measured_in_its_font():
    style = '<style name="big" fontSize="30"/>'
    content = report(static("Quantity"), declared=style).replace(b'key="s"', b'key="s" style="big"')
    assert only(structure.check(template(content))).code == "structure.cut"


# --- schema --------------------------------------------------------------------------------------------------------


def test_an_element_unknown_to_the_schema_is_named():
    finding = only(schema.check(template(report(static("x").replace("<text>", "<words/><text>")))))
    assert finding.code == "schema.invalid"
    assert finding.element == "s"
    assert "words" in finding.message and "{http" not in finding.message


@pytest.mark.parametrize(
    ("content", "edit"),
    [
        (report(static("x", x="10.4")), Move(element="s", x=10)),
        (report(static("x", height="19.6")), Resize(element="s", height=20)),
        (report(height="200.2"), ResizeBand(band="title", height=200)),
        (report(page=("400.0", 300)), SetReport(name="pageWidth", value="400")),
    ],
)
def test_a_fractional_coordinate_is_rounded(content: bytes, edit: object):
    finding = only(schema.check(template(content)))
    assert (finding.code, finding.edits) == ("schema.whole", [edit])


def test_components_are_checked_against_their_schema():
    table = (
        '<componentElement><reportElement key="t" x="0" y="0" width="100" height="40"/>'
        '<jr:table xmlns:jr="http://jasperreports.sourceforge.net/jasperreports/components"><jr:wrong/></jr:table>'
        "</componentElement>"
    )
    assert any("wrong" in finding.message for finding in schema.check(template(report(table))))


# --- compile and fill ----------------------------------------------------------------------------------------------


def test_the_compilers_message_is_passed_on(engine: ReportEngine):
    done = run(engine, report(field("$F{a}.intValue()"), declared=row_field("a")))
    assert codes(done) == ["compile.failed"]
    assert "intValue" in done.verdict.findings[0].message


def test_a_template_that_cannot_be_filled_is_a_finding(engine: ReportEngine):
    done = run(engine, report(field("BigDecimal.ONE.divide(BigDecimal.ZERO).toString()")))
    assert codes(done) == ["fill.failed"]
    assert not done.verdict.passed and done.compare is None


@pytest.mark.parametrize(("failure", "code"), [(EngineTimeout, "fill.timeout"), (EngineDied, "fill.died")])
def test_a_template_that_ends_the_engine_is_a_finding(
    engine: ReportEngine, monkeypatch: pytest.MonkeyPatch, failure: type[Exception], code: str
):
    """Which templates do is tested with the engine itself, in ``test_engine.py``."""
    fixed_form(engine)
    monkeypatch.setattr(engine, "print", mock.Mock(side_effect=failure))
    done = run(engine, report(static("endless")))
    assert codes(done) == [code]
    assert not done.verdict.passed and done.compare is None


def test_a_picture_that_cannot_be_drawn_is_a_finding(engine: ReportEngine):
    font = '<textElement><font fontName="Nowhere" pdfFontName="/etc/passwd"/></textElement><text>'
    done = run(engine, report(static("x").replace("<text>", font)))
    assert codes(done) == ["fill.drawing"]


def test_a_report_without_pages_is_a_finding(engine: ReportEngine):
    nothing = "<filterExpression><![CDATA[Boolean.FALSE]]></filterExpression>"
    content = report(static("x"), declared=nothing).replace(b"AllSectionsNoDetail", b"NoPages")
    done = run(engine, content)
    assert codes(done) == ["fill.empty"]
    assert done.verdict.findings[0].edits == [SetReport(name="whenNoDataType", value="AllSectionsNoDetail")]


def test_slightly_too_many_rows_reduce_the_bottom_margin(engine: ReportEngine):
    content = report(detail=field("$F{a}", y=0), declared=row_field("a"))
    content = content.replace(b'bottomMargin="0"', b'bottomMargin="10"')
    done = run(engine, content, Data(rows=[{"a": "x"}] * 5))
    found = next(finding for finding in done.verdict.findings if finding.code == "fill.pages")
    assert (found.severity, found.edits) == ("error", [SetReport(name="bottomMargin", value="0")])


def test_rows_that_need_more_pages_are_a_warning(engine: ReportEngine):
    done = run(engine, report(detail=field("$F{a}", y=0), declared=row_field("a")), Data(rows=[{"a": "x"}] * 30))
    assert "fill.pages" in codes(done, "warning")
    assert done.verdict.pages == 3


def full_page(engine: ReportEngine, text: str) -> Validation:
    """Return the report of rows that fill the page exactly as on the form, but for a text of the first row."""
    stretching = 'textAdjust="StretchHeight"'
    cells = field("$F{a}", y=0, width=112, more=stretching) + field("$F{b}", "g", x=200, y=0, more=stretching)
    content = report(detail=cells, declared=row_field("a") + row_field("b"))
    return run(engine, content, Data(rows=[{"a": text, "b": "fits"}, *[{"a": "x", "b": "two\nlines"}] * 4]))


def test_a_value_that_pushes_the_rest_to_the_next_page_is_set_in_smaller_type(engine: ReportEngine):
    """The value is to blame that takes a line more than on the form; one that has its lines from the form is not."""
    done = full_page(engine, "a value that is a little wide")
    found = next(finding for finding in done.verdict.findings if finding.code == "fill.pages")
    assert (found.severity, found.edits) == ("error", [SetProperty(element="f", name="fontSize", value="9.5")])


def test_a_value_of_a_row_that_would_become_hard_to_read_takes_the_lines_and_the_page_that_it_needs(
    engine: ReportEngine,
):
    done = full_page(engine, "a value that is very much wider than its element")
    found = next(finding for finding in done.verdict.findings if finding.code == "fill.pages")
    assert (found.severity, found.edits) == ("warning", [])


def test_the_element_of_a_cut_value_is_enlarged(engine: ReportEngine):
    done = run(
        engine, report(field("$P{v}", width=60), declared=parameter("v")), Data(parameters={"v": "1,234,567.89 €"})
    )
    found = next(finding for finding in done.verdict.findings if finding.code == "fill.cut")
    assert (found.element, found.severity) == ("f", "error")
    assert found.edits == [Resize(element="f", width=68, height=20)]


def test_the_word_null_is_not_printed(engine: ReportEngine):
    done = run(engine, report(field("$P{v}"), declared=parameter("v")))
    found = next(finding for finding in done.verdict.findings if finding.code == "fill.null")
    assert found.edits == [SetProperty(element="f", name="isBlankWhenNull", value="true")]


# --- picture -------------------------------------------------------------------------------------------------------


def line(text: str, x: float, y: float, width: float = 40, height: float = 8) -> TextLine:
    style = TextStyle(family="Liberation Sans", size=10)
    return TextLine(id=text, text=text, box=Box(x=x, y=y, width=width, height=height), style=style)


def test_texts_are_compared_by_wording_and_position(engine: ReportEngine):
    content = report(
        static("Invoice", "here", 10, 10),
        static("Number", "off", 30, 60),
        static("not on the form", "more", 10, 120),
    )
    layout = Layout(
        page=Size(width=400, height=300),
        lines=[line("Invoice", 10, 12, 32), line("Number", 10, 62, 36), line("Signature", 200, 150)],
    )
    done = run(engine, content, layout=layout)
    found = {finding.code: finding for finding in done.verdict.findings}
    assert {code for code in found if code.startswith("picture.")} == {
        "picture.moved", "picture.missing", "picture.extra"
    }  # fmt: skip
    assert found["picture.moved"].element == "off"
    move = found["picture.moved"].edits[0]
    assert isinstance(move, Move) and move.x is not None and abs(move.x - 10) <= 1
    assert found["picture.extra"].element == "more"
    assert done.verdict.likeness is not None and done.verdict.likeness.texts == pytest.approx(1 / 3, abs=0.001)
    assert done.verdict.passed, "what differs only a little is told, and passes"


def test_a_page_unlike_the_form_fails(engine: ReportEngine):
    layout = Layout(page=Size(width=400, height=300), lines=[line("Invoice", 10, 12), line("Number", 10, 62)])
    done = run(engine, report(static("something else", y=100)), layout=layout)
    assert "picture.unlike" in codes(done)
    assert not done.verdict.passed
    assert done.compare is not None and done.compare.startswith(b"\x89PNG")


def test_a_template_that_prints_the_form_passes(engine: ReportEngine):
    content = report(static("form"))
    layout = Layout(page=Size(width=400, height=300), lines=[line("form", 10, 12, 20)])
    done = run(engine, content, layout=layout)
    assert done.verdict.passed and done.verdict.findings == []
    assert done.verdict.likeness is not None
    assert done.verdict.likeness.ssim == 1.0 and done.verdict.likeness.texts == 1.0


def test_a_compiler_message_names_the_element(engine: ReportEngine):
    cells = field("$F{item}", key="fine", y=0) + field("$F{item}.shout() + $V{PAGE_NUMBER}", key="wrong", y=0)
    content = report(detail=cells, declared=row_field("item"), height=40)
    printable = inert(template(content))
    _, findings, _ = engine_run.print_report(engine, printable, Data(rows=[{"item": "tea"}]), pages=1)
    assert [(finding.code, finding.element) for finding in findings] == [("compile.failed", "wrong")]
