"""A hostile template becomes a finding: it reads, runs and reaches nothing, and the engine works on."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from bandsmith.services.validator.engine import EngineRefused, ReportEngine
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import ExpectedPage, validate
from bandsmith.shared.model.geometry import Size
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Data

from .reports import field, image, parameter, report, row_field, static

BLANK = Layout(page=Size(width=400, height=300))
RUN = 'Runtime.getRuntime().exec(new String[]{{"touch", "{path}"}}).toString()'
READ = 'new java.util.Scanner(new java.io.File("{path}")).next()'
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
ENTITY = '<!DOCTYPE x [<!ENTITY secret SYSTEM "file://{path}">]>'


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text("hidden-words")
    return path


def hostile(path: Path) -> dict[str, bytes]:
    subreport = (
        f'<subreport><reportElement key="s" x="0" y="0" width="90" height="40"/>'
        f'<subreportExpression><![CDATA["{path}"]]></subreportExpression></subreport>'
    )
    csv = f'<property name="net.sf.jasperreports.csv.source" value="{path}"/><queryString language="csv"/>'
    return {
        "entity": report(static("x"), doctype=ENTITY.format(path=path)),
        "laughs": report(static("x"), doctype=LAUGHS),
        "run": report(field(RUN.format(path=path.with_name("made")))),
        "read": report(field(READ.format(path=path))),
        "unicode": report(field("\\u0052untime.getRuntime().toString()")),
        "body": report(field('""; } { java.io.File f = null; } String g() { return ""')),
        "image-file": report(image(f'"{path}"')),
        "image-class": report(image(f'new java.io.File("{path}")')),
        "subreport": report(subreport),
        "query": report(field("$F{a}"), declared=csv + row_field("a")),
        "default": report(
            field("$P{p}"),
            declared='<parameter name="p" class="java.lang.String"><defaultValueExpression>'
            f"<![CDATA[{READ.format(path=path)}]]></defaultValueExpression></parameter>",
        ),
        "scriptlet": report(static("x"), attributes='scriptletClass="net.sf.jasperreports.engine.JRDefaultScriptlet"'),
        "groovy": report(static("x"), attributes='language="groovy"'),
    }


NAMES = list(hostile(Path("/x")))


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_template_fails_and_nothing_runs(engine: ReportEngine, secret: Path, name: str):
    blank = engine.print(report(), Data()).pictures[0]
    done = validate(engine, ValidatorSettings(), hostile(secret)[name], Data(), ExpectedPage(blank, BLANK))
    assert not done.verdict.passed
    assert not secret.with_name("made").exists()
    assert "hidden-words" not in done.verdict.model_dump_json()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("entity", "laughs", "scriptlet")])
def test_the_engine_refuses_what_passed_the_checks(engine: ReportEngine, secret: Path, name: str):
    """The second line of defence, without the first."""
    with pytest.raises(EngineRefused) as refused:
        engine.print(hostile(secret)[name], Data())
    assert not secret.with_name("made").exists()
    assert "hidden-words" not in str(refused.value)


def test_no_network_address_is_reached(engine: ReportEngine):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x.png"
        for template in (
            report(image(f'"{address}"')),
            report(image(f'new java.net.URL("{address}")')),
            report(image("$P{p}"), declared=parameter("p")),
        ):
            with pytest.raises(EngineRefused):
                engine.print(template, Data(parameters={"p": address}))
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.slow
def test_the_workers_environment_has_no_secrets(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_TEST_SECRET", "hidden-words")
    engine = ReportEngine(heap_mb=128)
    engine.start()
    try:
        assert engine.pid is not None
        environment = Path(f"/proc/{engine.pid}/environ")
        if environment.exists():
            assert b"hidden-words" not in environment.read_bytes()
    finally:
        engine.stop()


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        "java.util.Locale.setDefault(java.util.Locale.FRANCE)",
        'java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone("Asia/Tokyo"))',
    ],
)
def test_what_a_report_changes_for_the_whole_engine_does_not_reach_the_next(engine: ReportEngine, change: str):
    """Without the checks, which refuse such expressions."""
    template = report(field(f'"x"; }} {{ {change}'))
    seen = 'java.util.Locale.getDefault() + " " + java.util.TimeZone.getDefault().getID()'
    before, worker = engine.print(report(field(seen)), Data(), pages=0).elements[0].text, engine.pid
    engine.print(template, Data(), pages=0)
    assert engine.pid != worker
    assert engine.print(report(field(seen)), Data(), pages=0).elements[0].text == before
