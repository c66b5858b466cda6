"""What must not run stays in the user's file, and a harmless copy of the file is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.import_template import import_template
from bandsmith.services.validator.inert import inert
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import Upload, Validation, validate
from bandsmith.shared import xml
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.plan import Data

from .reports import chart, field, image, parameter, report, row_field, static
from .test_hostile import hostile

SUBREPORT = (
    '<subreport><reportElement x="20" y="60" width="200" height="50"/>'
    '<subreportExpression><![CDATA["lines.jasper"]]></subreportExpression></subreport>'
)
LAZY_PICTURE = image('"logo.png"').replace("<image>", '<image isLazy="true" onErrorType="Icon">')
MAP = (
    '<componentElement><reportElement x="0" y="0" width="90" height="30"/><jr:map '
    'xmlns:jr="http://jasperreports.sourceforge.net/jasperreports/components"><jr:latitudeExpression>1.0f'
    "</jr:latitudeExpression><jr:longitudeExpression>1.0f</jr:longitudeExpression></jr:map></componentElement>"
)
OF_ANOTHER_MAKER = (
    '<componentElement><reportElement x="0" y="0" width="90" height="30"/>'
    '<hc:chart xmlns:hc="http://example.com/charts" type="Pie"><hc:item/></hc:chart></componentElement>'
)
TABLE = """<componentElement><reportElement x="0" y="0" width="200" height="60"/>
<jr:table xmlns:jr="http://jasperreports.sourceforge.net/jasperreports/components">
<datasetRun subDataset="lines">
<connectionExpression><![CDATA[$P{REPORT_CONNECTION}]]></connectionExpression></datasetRun>
<jr:column width="200"><jr:columnHeader height="20"><staticText><reportElement x="0" y="0" width="90" height="20"/>
<text>Item</text></staticText></jr:columnHeader><jr:detailCell height="20"><textField>
<reportElement x="0" y="0" width="90" height="20"/><textFieldExpression><![CDATA[$F{item}]]></textFieldExpression>
</textField></jr:detailCell></jr:column></jr:table></componentElement>"""
LINES = '<subDataset name="lines"><queryString language="SQL">select 1</queryString><field name="item"/></subDataset>'


def attached(engine: ReportEngine, content: bytes) -> Validation:
    """Validate a template as it is when it has just been attached."""
    reading = import_template(content, "x.jrxml")
    assert reading.template == content
    return validate(engine, ValidatorSettings(), content, reading.data, upload=Upload(content))


def codes(done: Validation) -> list[str]:
    return [finding.code for finding in done.verdict.findings]


def texts(done: Validation) -> list[str | None]:
    assert done.printout is not None, done.verdict.findings
    return [element.text for element in done.printout.elements if element.text is not None]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (report(SUBREPORT), "inert.element"),
        (report(MAP), "inert.element"),
        (report(OF_ANOTHER_MAKER), "inert.element"),
        (report(chart("meterChart", "<valueDataset/>", "<meterPlot/>")), "inert.element"),
        (report(image('"logo.png"')), "inert.picture"),
        (report(LAZY_PICTURE), "inert.picture"),
        (report(field("com.acme.Money.words($P{sum})"), declared=parameter("sum")), "inert.expression"),
        (report(field("$P{sum}.substring(90)"), declared=parameter("sum")), "inert.failed"),
        (report(TABLE, declared=LINES), "inert.data"),
        (report(field("$F{o}"), declared=row_field("o", "com.acme.Order")), "inert.class"),
        (report(static("x"), declared='<scriptlet name="s" class="x.Y"/>'), "inert.code"),
        (report(static("x"), declared='<import value="com.acme.*"/>'), "inert.code"),
        (report(static("x"), attributes='resourceBundle="labels"'), "inert.code"),
        (report(static("x"), attributes='language="groovy"'), "inert.language"),
        (report(field('"<b>x</b>"').replace("<textFieldE", '<textElement markup="html"/><textFieldE')), "inert.markup"),
        (report(static("x"), declared='<property name="net.sf.jasperreports.data.adapter" value="a.xml"/>'),
         "inert.property"),
        (report(field('"x"').replace("</textFieldExpression>", "</textFieldExpression><hyperlinkParameter name='a'>"
                                     "<hyperlinkParameterExpression>1</hyperlinkParameterExpression>"
                                     "</hyperlinkParameter>")), "inert.other"),
    ],
    ids=["subreport", "map", "component", "chart", "picture", "lazy-picture", "class-in-expression", "fails",
         "connection", "class-of-field", "scriptlet", "import", "resources", "groovy", "html", "property", "hyperlink"],
)  # fmt: skip
def test_what_is_not_run_is_kept_and_named(engine: ReportEngine, content: bytes, code: str):
    done = attached(engine, content)
    assert done.verdict.passed and done.pdf, done.verdict.findings
    assert code in codes(done)


def test_a_stand_in_has_the_size_of_what_it_stands_for(engine: ReportEngine):
    done = attached(engine, report(SUBREPORT))
    assert done.printout is not None
    box = done.printout.elements[0].box
    assert (box.x, box.y, box.width, box.height) == (20, 60, 200, 50)
    assert texts(done) == ["subreport"]


def test_an_expression_that_is_not_run_prints_the_name_of_its_field(engine: ReportEngine):
    done = attached(engine, report(field("com.acme.Money.words($F{total})"), declared=row_field("total")))
    assert texts(done) == ["total"]


def test_a_table_without_its_data_shows_its_head(engine: ReportEngine):
    assert "Item" in texts(attached(engine, report(TABLE, declared=LINES)))


def test_the_condition_of_a_style_may_name_what_the_dataset_of_a_table_declares(engine: ReportEngine):
    condition = "<conditionExpression><![CDATA[$V{item_COUNT} % 2 == 0]]></conditionExpression><style/>"
    style = f'<style name="even"><conditionalStyle>{condition}</conditionalStyle></style>'
    group = '<group name="item"><groupExpression><![CDATA[$F{item}]]></groupExpression></group></subDataset>'
    done = attached(engine, report(TABLE, declared=style + LINES.replace("</subDataset>", group)))
    assert done.verdict.passed and done.pdf, done.verdict.findings
    undeclared = report(TABLE, declared=style.replace("item_COUNT", "gone") + LINES)
    assert "structure.undeclared" in codes(attached(engine, undeclared))


@pytest.mark.parametrize("name", [name for name in hostile(Path("/x")) if name not in ("entity", "laughs")])
def test_a_hostile_upload_is_printed_and_nothing_of_it_runs(engine: ReportEngine, tmp_path: Path, name: str):
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden-words")
    done = attached(engine, hostile(secret)[name])
    assert done.verdict.passed, done.verdict.findings
    assert not secret.with_name("made").exists()
    assert "hidden-words" not in done.verdict.model_dump_json() + str(done.printout)


def test_what_an_edit_brings_in_is_refused_although_its_like_was_there(engine: ReportEngine):
    upload = report(field("Runtime.getRuntime().availableProcessors()", "a"))
    later = upload.replace(b"</band>", field('Runtime.getRuntime().exec("x")', "b", y=60).encode() + b"</band>")
    done = validate(engine, ValidatorSettings(), later, Data(), upload=Upload(upload))
    assert not done.verdict.passed and "expressions.class" in codes(done)


def test_without_an_upload_nothing_is_made_inert(engine: ReportEngine):
    assert codes(validate(engine, ValidatorSettings(), report(SUBREPORT), Data()))[0] == "allowed.element"


def test_an_inert_element_may_be_moved(engine: ReportEngine):
    upload = report(SUBREPORT)
    moved = upload.replace(b'x="20"', b'x="60"')
    assert validate(engine, ValidatorSettings(), moved, Data(), upload=Upload(upload)).verdict.passed


def test_the_copy_passes_the_guard_and_the_template_is_not_touched():
    template = Template(xml.parse(report(SUBREPORT, field("com.acme.X.y()", y=140))))
    before = template.content
    printable = inert(template, origin=template)
    assert printable.findings == [] and len(printable.parts) == 2
    assert template.content == before


# --- what was wrong before ------------------------------------------------------------------------------------------

BEYOND = static("beyond the edge", "a", x=380)


def test_what_is_wrong_with_an_upload_is_shown_and_not_held_against_it(engine: ReportEngine):
    done = attached(engine, report(BEYOND))
    assert done.verdict.passed
    assert [(f.code, f.severity, f.edits) for f in done.verdict.findings] == [("structure.edge", "warning", [])]


def test_a_later_version_answers_only_for_what_is_new(engine: ReportEngine):
    upload = report(BEYOND)
    later = upload.replace(b"</band>", static("mine", "b", y=60, x=300).encode() + b"</band>")
    done = validate(engine, ValidatorSettings(), later, Data(), upload=Upload(upload))
    assert [(f.element, f.severity) for f in done.verdict.findings] == [("a", "warning"), ("b", "error")]


def test_asked_to_mend_an_upload_its_faults_are_errors_with_edits(engine: ReportEngine):
    upload = report(BEYOND)
    done = validate(engine, ValidatorSettings(), upload, Data(), upload=Upload(upload, strict=True))
    assert not done.verdict.passed and done.verdict.findings[0].edits
