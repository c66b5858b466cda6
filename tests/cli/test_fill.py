"""`bandsmith fill`: files, what is said, and exit codes, with scripted services."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bandsmith.cli.fill import named_values
from bandsmith.cli.fill_source import edited
from bandsmith.shared.bus.memory import Broker
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import BindData, DataBound, PlaceholdersRead, ReadPlaceholders

from ..workflow.service_events import ROWS_KNOWN, ref


@pytest.fixture
def fill(talk, stored: Broker):
    """Run ``bandsmith fill`` on a template and a CSV file."""
    stored.objects |= {"filled": b"the report", "rows": b"{}"}
    Path("report.jrxml").write_text("<jasperReport/>")
    Path("rows.csv").write_text("a,b\n1,2\n")

    def run(*options: str, data: str = "rows.csv"):
        return talk("fill", "report.jrxml", "--data", data, *options)

    return run


def test_without_a_format_a_pdf_is_written(fill):
    result = fill("--out", "october")
    assert result.code == 0 and "filled with 12 rows" in result.out
    assert Path("october/filled.pdf").read_bytes() == b"the report"


def test_every_format_that_is_named_is_written(fill):
    assert fill("--xlsx", "--html", "--png").code == 0
    assert {path.name for path in Path("out").glob("filled*")} == {"filled.xlsx", "filled.html", "filled-1.png"}


def test_what_does_not_match_is_said_and_the_exit_code_is_one(fill, script):
    notes = ["The file has no column for Qty."]
    script[BindData] = lambda _: DataBound(rows=ref("rows"), row_count=3, left_out=1, notes=notes)
    result = fill()
    assert result.code == 1 and "The file has no column for Qty." in result.out
    assert Path("out/filled.pdf").is_file()


def test_json_has_the_result_and_nothing_else(fill):
    result = fill("--json")
    assert json.loads(result.out)["files"] == {"filled.pdf": "out/filled.pdf"}


@pytest.mark.parametrize(
    ("options", "data"),
    [((), "missing.csv"), ((), "report.jrxml"), (("--param", "month"), "rows.csv"), (("--param", "=7"), "rows.csv")],
)
def test_wrong_files_and_options_are_refused_before_anything_starts(fill, options: tuple[str, ...], data: str):
    result = fill(*options, data=data)
    assert result.code == 2 and len(result.err.splitlines()) == 1
    assert not Path("out").exists()


def test_a_file_of_the_user_is_not_replaced(fill):
    Path("out").mkdir()
    Path("out/filled.pdf").write_text("mine")
    assert fill().code == 2 and Path("out/filled.pdf").read_text() == "mine"
    assert fill("--force").code == 0


def test_a_parameter_is_given_once_and_may_contain_equals_signs():
    assert named_values(["a=1=2", "b="]) == {"a": "1=2", "b": ""}
    with pytest.raises(BadInput):
        named_values(["a=1", "a=2"])


@pytest.mark.parametrize("option", [("--review",), ("--into", "own.jrxml")])
def test_options_of_a_source_are_refused_with_a_file_of_rows(fill, option: tuple[str, ...]):
    result = fill(*option)
    assert result.code == 2 and "--source" in result.err and not Path("out").exists()


@pytest.fixture
def shown(talk, stored: Broker, script):
    """Run ``bandsmith fill --source`` where queries that have not been reviewed are to be shown."""
    script[ReadPlaceholders] = lambda asked: PlaceholdersRead(
        source="shop", database=ref("database"), works=[ROWS_KNOWN], filling=asked.filling
    )
    stored.objects |= {"filled": b"the report", "rows": b"{}", "bindings": b"source: shop\nreviewed: false\n"}
    Path("report.jrxml").write_text("<jasperReport/>")
    return lambda *options: talk("fill", "report.jrxml", "--source", "shop", "--review", *options)


def test_queries_that_no_one_can_be_asked_about_are_written_for_review(shown):
    result = shown("--json")
    answer = json.loads(result.out)
    assert result.code == 1 and "reviewed: true" in answer["reply"] and not Path("out").exists()
    assert Path("report.bindings.yaml").read_bytes() == b"source: shop\nreviewed: false\n"


def test_a_folder_that_cannot_be_written_is_said(shown):
    Path("report.bindings.yaml").mkdir()
    result = shown()
    assert result.code == 2 and len(result.err.strip().splitlines()) == 1


def test_an_editor_that_fails_or_a_file_that_says_nothing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho 'bindings: [' > $1\n")
    broken.chmod(0o755)
    for editor, words in (("no-such-editor", "no-such-editor"), ("false", "false"), (str(broken), "binding file")):
        monkeypatch.setenv("VISUAL", editor)
        with pytest.raises(BadInput, match=words):
            edited(b"source: shop\nreviewed: false\n")
    monkeypatch.setenv("VISUAL", "true")
    assert b"reviewed: true" in edited(b"source: shop\nreviewed: false\n")
