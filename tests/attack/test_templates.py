"""Hostile templates: as a user's own file, each of them becomes a sentence or a harmless print."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import pytest

from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import Upload, validate
from bandsmith.shared.model.plan import Data
from tests.attack.expressions import EXPRESSIONS
from tests.attack.templates import PARTS, with_values
from tests.validator.reports import crosstab, field, image, report, row_field, static

pytestmark = pytest.mark.slow

SECRET = "hidden-words"
DECLARED = row_field("a") + row_field("city") + row_field("kind") + row_field("amount", "java.math.BigDecimal")
DATA = Data(rows=[{"a": "x", "city": "Ulm", "kind": "b", "amount": "1"}])


def in_a_text(expression: str) -> bytes:
    return report(detail=written(field("EXPRESSION", y=0), expression), declared=DECLARED)


def in_a_default_value(expression: str) -> bytes:
    default = "<defaultValueExpression><![CDATA[EXPRESSION]]></defaultValueExpression>"
    declared = written(f'<parameter name="p" class="java.lang.String">{default}</parameter>', expression)
    return report(field("$P{p}"), declared=declared + DECLARED)


def in_a_crosstab(expression: str) -> bytes:
    cells = crosstab().replace("<bucketExpression><![CDATA[$F{city}]]>", "<bucketExpression><![CDATA[EXPRESSION]]>")
    return report(written(cells, expression), declared=DECLARED)


def behind_a_comment(expression: str) -> bytes:
    text = field('"a"').replace('<![CDATA["a"]]>', "<!-- x -->EXPRESSION<?y z?>")
    return report(written(text, expression), declared=DECLARED)


def written(xml: str, expression: str) -> str:
    """Put an expression in its place, in CDATA or in plain XML."""
    kept = "".join(char for char in expression if char in "\t\n" or (char >= " " and not 0xD800 <= ord(char) < 0xE000))
    return xml.replace("<![CDATA[EXPRESSION]]>", f"<![CDATA[{kept}]]>").replace("EXPRESSION", escape(kept))


PLACES: list[Callable[[str], bytes]] = [in_a_text, in_a_default_value, in_a_crosstab, behind_a_comment]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "secret").write_text(SECRET)
    yield tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["secret"], "nothing was made"
    assert (tmp_path / "secret").read_text() == SECRET


def attack(engine: ReportEngine, content: bytes, may_end_worker: bool = False) -> None:
    """Validate a template as a user's own file; nothing of it may reach a file, a secret or the next report."""
    engine.start()
    worker = engine.pid
    done = validate(engine, ValidatorSettings(), content, DATA, upload=Upload(content))
    assert SECRET not in done.verdict.model_dump_json()
    assert not done.printout or all(SECRET not in (element.text or "") for element in done.printout.elements)
    assert not done.pdf or SECRET.encode() not in done.pdf
    assert may_end_worker or engine.pid == worker, "it ended its worker, or changed the JVM"
    assert all(finding.message and finding.message_zh for finding in done.verdict.findings)
    if engine.pid != worker:
        harmless = report(static("x"), declared=DECLARED)
        assert validate(engine, ValidatorSettings(), harmless, DATA, upload=Upload(harmless)).pdf


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
@pytest.mark.parametrize("expression", EXPRESSIONS, ids=range(len(EXPRESSIONS)))
def test_an_expression_computes_a_value_or_nothing(
    engine: ReportEngine, folder: Path, expression: str, place: Callable[[str], bytes]
):
    paths = {"secret": str(folder / "secret"), "made": str(folder / "made")}
    attack(engine, place(with_values(expression, paths)))


@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_a_template_opens_and_loads_nothing(engine: ReportEngine, folder: Path, name: str):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x"
        values = {"secret": str(folder / "secret"), "made": str(folder / "made"), "address": address}
        attack(engine, PARTS[name](values))
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize(
    "detail",
    [
        pytest.param(static("lorem ipsum " * 90_000), marks=pytest.mark.slow),
        "".join(static(f"{number} " + "lorem " * 150, f"s{number}", y=0) for number in range(1000)),
        field("new java.util.Date(0)").replace("<textField", f'<textField pattern="{"y" * 1_000_000}"', 1),
    ],
    ids=["text", "texts", "pattern"],
)
def test_a_million_characters_end_in_a_sentence_or_a_page(engine: ReportEngine, folder: Path, detail: str):
    attack(engine, report(detail, declared=DECLARED))


def test_the_corpus_is_as_large_as_the_manual_says():
    assert len(EXPRESSIONS) * len(PLACES) + len(PARTS) >= 400


def test_an_image_of_a_file_stays_blank(engine: ReportEngine, folder: Path):
    attack(engine, report(image(f'"{folder / "secret"}"'), static("x"), declared=DECLARED))
