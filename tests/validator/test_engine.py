"""The engine prints reports with the text sizes that ``shared.fonts`` computes, and survives every template."""

from __future__ import annotations

import base64
import math
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from bandsmith.services.validator.engine import EngineDied, EngineRefused, EngineTimeout, ReportEngine
from bandsmith.services.validator.exports import export
from bandsmith.services.validator.pictures import PagePicture
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import validate
from bandsmith.shared.confined.scratch import Scratch
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.fonts import FAMILIES, line_size, measure
from bandsmith.shared.model.plan import Data

from .reports import field, image, parameter, report, row_field, static


def texts(engine: ReportEngine, template: bytes, data: Data | None = None) -> list[str | None]:
    return [element.text for element in engine.print(template, data or Data(), pages=0).elements]


def test_each_row_prints_a_detail_band(engine: ReportEngine):
    template = report(detail=field("$F{item}", key="item", y=0), declared=row_field("item"), height=40)
    printout = engine.print(template, Data(rows=[{"item": "tea"}, {"item": "coffee"}]))
    assert [(e.key, e.row, e.text, e.box.y) for e in printout.elements] == [
        ("item", 0, "tea", 40.0),
        ("item", 1, "coffee", 60.0),
    ]
    assert printout.pages == 1
    assert engine.export(template, Data(rows=[{"item": "tea"}]), "pdf").content.startswith(b"%PDF")
    picture = PagePicture.of_png(printout.pictures[0])
    assert picture.shape == (625, 834)


def test_the_same_template_can_be_filled_again_and_again(engine: ReportEngine):
    template = report(detail=field('"again " + $F{item}', key="item", y=0), declared=row_field("item"))
    for time_ in range(40):
        assert texts(engine, template, Data(rows=[{"item": str(time_)}])) == [f"again {time_}"]


@pytest.mark.parametrize(
    ("java_class", "pattern", "value", "printed"),
    [
        ("java.lang.Integer", "", 12, "12"),
        ("java.lang.Integer", "", "12.0", "12"),
        ("java.lang.Double", "#,##0.00", 1234.5, "1,234.50"),
        ("java.math.BigDecimal", "¥#,##0.00", "1234.5", "¥1,234.50"),
        ("java.lang.Boolean", "", True, "true"),
        ("java.util.Date", "yyyy-MM-dd", "2026-03-12", "2026-03-12"),
        ("java.util.Date", "dd/MM/yyyy HH:mm", "2026-03-12T08:05:00", "12/03/2026 08:05"),
        ("java.sql.Timestamp", "yyyy年M月d日", "2026-03-12", "2026年3月12日"),
        ("java.time.LocalDate", "", "2026-03-12", "2026-03-12"),
        ("java.lang.String", "", 7, "7"),
        ("java.util.Date", "yyyy", "not a date", ""),
    ],
)
def test_values_are_converted_to_the_declared_class(
    engine: ReportEngine, java_class: str, pattern: str, value: object, printed: str
):
    more = f'isBlankWhenNull="true" pattern="{pattern}"' if pattern else 'isBlankWhenNull="true"'
    template = report(field("$P{v}", more=more), declared=parameter("v", java_class))
    assert texts(engine, template, Data.model_validate({"parameters": {"v": value}})) == [printed]


def test_the_data_set_the_locale_of_the_report(engine: ReportEngine):
    template = report(field("$P{v}", more='pattern="#,##0.00"'), declared=parameter("v", "java.lang.Double"))
    assert texts(engine, template, Data(parameters={"v": 1234.5, "REPORT_LOCALE": "de_DE"})) == ["1.234,50"]


def test_a_picture_is_passed_as_a_base64_parameter(engine: ReportEngine):
    png = bytes(cv2.imencode(".png", np.full((40, 80, 3), (0, 0, 255), np.uint8))[1])
    expression = "new java.io.ByteArrayInputStream(java.util.Base64.getDecoder().decode($P{logo}))"
    template = report(image(expression), declared=parameter("logo"))
    printout = engine.print(template, Data(parameters={"logo": base64.b64encode(png).decode()}))
    blue, green, red = PagePicture.of_png(printout.pictures[0]).pixels[60, 500]
    assert (blue, green, red) == (0, 0, 255)


@pytest.mark.parametrize("family", [*FAMILIES, "Arial", "宋体"])
@pytest.mark.parametrize("bold", [False, True])
def test_printed_text_has_the_measured_size(engine: ReportEngine, family: str, bold: bool):
    """Latin, Chinese and symbols are printed in their own faces: the ink ends where it should."""
    text, size = "Total 合计（元）2026年3月 ☑ H", 20
    known = family if family in FAMILIES else {"Arial": "Liberation Sans", "宋体": "Liberation Serif"}[family]
    expected = measure(text, known, size, bold)
    height = math.ceil(expected.line_height)
    element = (
        f'<staticText><reportElement key="s" x="10" y="10" width="380" height="{height}"/>'
        f'<textElement><font fontName="{family}" size="{size}" isBold="{str(bold).lower()}"/></textElement>'
        f"<text><![CDATA[{text}]]></text></staticText>"
    )
    printout = engine.print(report(element), Data())
    assert printout.elements[0].text == text
    ink = PagePicture.of_png(printout.pictures[0]).ink_in(printout.elements[0].box)
    assert ink is not None
    # The bold face of DejaVu has its own tick, slightly narrower than the emboldened one.
    assert ink.right == pytest.approx(10 + expected.ink.right, abs=4 if "DejaVu" in family else 1)
    assert ink.y == pytest.approx(10 + expected.baseline(height) + expected.ink.y, abs=1)
    assert ink.bottom == pytest.approx(10 + expected.baseline(height) + expected.ink.bottom, abs=1)


@pytest.mark.parametrize("text", ["ا", "א", "ა", "Ա"], ids=["Arabic", "Hebrew", "Georgian", "Armenian"])
def test_letters_of_further_scripts_are_printed_and_no_empty_boxes(engine: ReportEngine, text: str):
    element = static(text, height=30).replace("<text>", '<textElement><font size="20"/></textElement><text>')
    printout = engine.print(report(element), Data())
    ink = PagePicture.of_png(printout.pictures[0]).ink_in(printout.elements[0].box)
    assert ink is not None
    assert ink.width == pytest.approx(measure(text, "Liberation Sans", 20).ink.width, abs=1)


@pytest.mark.parametrize("family", FAMILIES)
def test_only_lines_without_enough_height_are_dropped(engine: ReportEngine, family: str):
    """The engine uses the same line height as ``Measure``, to a tenth of a point."""
    elements: list = []
    wanted = []
    for half in range(12, 60, 5):
        for lines, text in ((1, "Hxg"), (1, "Hx 中"), (3, "Hx 中")):
            needed = lines * measure(text, family, half / 2).line_height
            for height in (math.floor(needed), math.ceil(needed)):
                font = f'<textElement><font fontName="{family}" size="{half / 2}"/></textElement><text>'
                element = static("\n".join([text] * lines), f"s{len(elements)}", width=380, height=height)
                elements.append(element.replace("<text>", font))
                wanted.append(needed <= height)
    printout = engine.print(report(*elements, page=(400, 400), height=300), Data(), pages=0)
    assert [not element.cut for element in printout.elements] == wanted


@pytest.mark.parametrize("text", ["", "Total due: 1,234.50", "合计 Total ☑", "a" * 3000])
def test_the_size_of_a_line_is_the_same_with_and_without_its_ink(text: str):
    for family, bold in ((family, bold) for family in FAMILIES for bold in (False, True)):
        drawn, size = measure(text, family, 9.5, bold), line_size(text, family, 9.5, bold)
        assert (drawn.advance, drawn.line_height) == (size.advance, size.line_height)


@pytest.mark.slow
def test_a_worker_that_hangs_is_replaced(engine: ReportEngine, monkeypatch: pytest.MonkeyPatch):
    endless = report(field('new java.math.BigInteger("7").pow(300000000).toString()'))
    monkeypatch.setattr(engine._worker, "_limit", 1)
    with pytest.raises(EngineTimeout):
        engine.print(endless, Data())
    monkeypatch.undo()
    assert texts(engine, report(field('"still here"'))) == ["still here"]


@pytest.mark.slow
def test_calls_of_one_job_share_its_time(engine: ReportEngine, monkeypatch: pytest.MonkeyPatch):
    engine.start()
    monkeypatch.setattr(engine, "_limit", 1.0)
    with engine.job(Data()), pytest.raises(EngineTimeout):
        for number in range(1000):
            engine.print(report(static(str(number))), Data())
    assert texts(engine, report(field('"still here"'))) == ["still here"]


def test_all_that_is_done_for_a_template_is_one_job(engine: ReportEngine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(engine, "_limit", 0.0)
    content = report(static("x"))
    done = validate(engine, ValidatorSettings(), content, Data())
    assert [finding.code for finding in done.verdict.findings] == ["fill.timeout"]
    for file_format in ("pdf", "png", "xlsx"):
        with pytest.raises(TerminalError) as refused:
            export(engine, content, Data(), file_format)
        assert refused.value.code == "fill.timeout"


@pytest.mark.slow
def test_a_worker_that_runs_out_of_memory_is_replaced(engine: ReportEngine):
    with pytest.raises(EngineDied):
        engine.print(report(field('String.valueOf(new char[Integer.MAX_VALUE - 8]).length() + ""')), Data())
    assert texts(engine, report(field('"still here"'))) == ["still here"]


@pytest.mark.slow
def test_a_call_is_retried_when_its_worker_is_killed(engine: ReportEngine):
    engine.start()
    process = engine._worker._process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)  # so that it is at work for as long as it lives
    threading.Timer(0.2, os.kill, (process.pid, signal.SIGKILL)).start()
    assert texts(engine, report(field('"done"'))) == ["done"]
    assert engine._worker._process is not process


def test_an_endless_report_stops_at_the_page_limit(engine: ReportEngine):
    lines = "x\\n" * 5_000  # of one row
    template = report(detail=field(f'"{lines}"', y=0, more='textAdjust="StretchHeight"'), page=(400, 60), height=20)
    with pytest.raises(EngineRefused, match=r"20\d maximum pages"):
        engine.print(template, Data(rows=[{}]))


def test_many_rows_may_take_many_pages(engine: ReportEngine):
    template = report(detail=field('"x"', y=0), page=(400, 20), height=20)
    assert engine.print(template, Data(rows=[{}] * 300), pages=1).pictures


@pytest.mark.slow
def test_the_worker_exits_with_its_owner(engine: ReportEngine):
    other = ReportEngine(limit=8, heap_mb=128)
    other.start()
    process, sock = other._worker._process, other._worker._socket
    assert process is not None and sock is not None
    sock.close()
    assert process.wait(10) is not None


def left_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def ends_by_stop(other: ReportEngine) -> None:
    other.stop()


def ends_by_kill(other: ReportEngine) -> None:
    process = other._worker._process
    assert process is not None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    other.stop()


@pytest.mark.slow
@pytest.mark.parametrize("end", [ends_by_stop, ends_by_kill])
def test_temporary_files_are_removed_with_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: Callable[[ReportEngine], None]
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fonts = set(Path("/tmp").glob("jr-font*"))
    other = ReportEngine(limit=8, heap_mb=128)
    other.export(report(static("x")), Data(), "pdf")
    assert left_in(tmp_path), "the engine writes its fonts there"
    end(other)
    assert list(tmp_path.iterdir()) == []
    assert set(Path("/tmp").glob("jr-font*")) <= fonts


def test_a_new_engine_removes_only_abandoned_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    used, stale = Scratch(), tmp_path / "bandsmith-worker-stale"
    stale.mkdir()
    (stale / "jr-font.ttf").write_bytes(b"font")
    for folder in (used.path, stale):
        os.utime(folder, (0, 0))
    new = Scratch()
    assert set(tmp_path.iterdir()) == {used.path, new.path}
    used.remove()
    new.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may always leave the network")
def test_the_worker_has_no_network(engine: ReportEngine):
    assert texts(engine, report(field('"x"'))) == ["x"]
    assert engine.walls.network


def test_engine_messages_contain_no_paths(engine: ReportEngine):
    with pytest.raises(EngineRefused) as refused:
        engine.print(report(field("$F{gone}")), Data())
    assert refused.value.stage == "compile"
    assert refused.value.reasons == ["Field not found : gone"]


def test_concurrent_calls_run_one_after_another(engine: ReportEngine):
    said: list[list[str | None]] = []
    threads = [
        threading.Thread(target=lambda n=n: said.append(texts(engine, report(field(f'"{n}"'), name=f"r{n}"))))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 60
    for thread in threads:
        thread.join(deadline - time.monotonic())
    assert sorted(said) == [["0"], ["1"], ["2"], ["3"]]
