"""`bandsmith build`: files, output and exit codes, with scripted services."""

from __future__ import annotations

import json
import re
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bandsmith import local
from bandsmith.output_folder import BUILD_FILES
from bandsmith.shared.bus.memory import Broker
from bandsmith.shared.errors import BadInput, MissingPart
from bandsmith.shared.events import Event, ExtractLayout, ValidateTemplate
from bandsmith.written_files import RECORD

from ..workflow.service_answers import ANSWERS
from ..workflow.service_events import validated

OBJECTS = (
    "mapped",
    "mapped-data",
    "corrected",
    "pdf",
    "page",
    "compare",
    "overlay",
    "layout",
    "verdict-0",
    "verdict-1",
)


@pytest.fixture
def bandsmith(talk, stored: Broker):
    """Run the command line as `talk` does, with the files of a build in the store."""
    stored.objects |= {key: key.encode() for key in OBJECTS}
    return talk


def form(name: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"a picture")
    return path


def tree(folder: Path) -> set[str]:
    """The files in a folder, without the record of what was written."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != RECORD}


# --- files ----------------------------------------------------------------------------------------------------------


def test_a_single_input_writes_into_the_folder_itself(bandsmith):
    result = bandsmith("build", form("form.jpg"), "--out", "report")
    assert result.code == 0 and result.err == ""
    assert tree(Path("report")) == set(BUILD_FILES)
    assert Path("report/report.jrxml").read_bytes() == b"mapped"
    assert all(f"report/{name}" in result.out for name in BUILD_FILES)


def test_several_inputs_write_into_folders_with_unique_names(bandsmith):
    bandsmith("build", form("a/form.jpg"), form("b/form.jpg"), form("slip.PNG"), "--out", "reports")
    assert tree(Path("reports")) == {f"{name}/{file}" for name in ("form", "form-2", "slip") for file in BUILD_FILES}


def test_a_second_build_replaces_the_first_and_keeps_other_files(bandsmith, script):
    form("out/notes.txt")
    bandsmith("build", form("form.jpg"))
    script[ValidateTemplate] = lambda command: validated(errors=1).model_copy(update={"pdf": None, "pages": []})
    result = bandsmith("build", "form.jpg")
    assert result.code == 1
    assert tree(Path("out")) == {*BUILD_FILES, "notes.txt"} - {"report.pdf", "page-1.png"}


def test_an_unfinished_report_is_written_with_its_findings(bandsmith, script):
    script[ValidateTemplate] = lambda command: validated(errors=1)
    result = bandsmith("build", form("form.jpg"))
    assert result.code == 1 and "unfinished" in result.out and "structure.overlap: Overlap 0." in result.out
    assert tree(Path("out")) == set(BUILD_FILES)


@pytest.mark.parametrize("change", [False, True], ids=["never written by Bandsmith", "changed after it was written"])
def test_a_file_of_the_user_is_not_overwritten(bandsmith, change: bool):
    if change:
        bandsmith("build", form("form.jpg"))
    form("out/report.jrxml").write_text("mine")
    before = {path: Path("out", path).read_bytes() for path in tree(Path("out"))}
    result = bandsmith("build", form("form.jpg"))
    assert result.code == 2 and "report.jrxml in out was not written by Bandsmith" in result.err
    assert {path: Path("out", path).read_bytes() for path in tree(Path("out"))} == before

    assert bandsmith("build", form("form.jpg"), "--force").code == 0
    assert Path("out/report.jrxml").read_bytes() == b"mapped"


def test_a_folder_of_an_earlier_version_is_written_again(bandsmith):
    bandsmith("build", form("form.jpg"))
    Path("out/verdict.json").write_text('{"passed": true}')
    Path("out", RECORD).unlink()
    assert bandsmith("build", "form.jpg").code == 0


def test_nothing_is_written_if_the_output_folder_is_invalid(bandsmith):
    form("taken/file")
    result = bandsmith("build", form("form.jpg"), "--out", "taken/file")
    assert result.code == 2 and result.err.count("\n") == 1 and "taken/file" in result.err
    assert tree(Path()) == {"form.jpg", "taken/file"}


# --- output ---------------------------------------------------------------------------------------------------------


def test_verbose_prints_a_line_with_its_seconds_for_every_node(bandsmith):
    result = bandsmith("build", form("form.jpg"), "--verbose")
    timed = re.findall(r"^  ✓ (\w+) +\d+\.\d\d s", result.out, re.MULTILINE)
    assert timed[:3] == ["start", "load_session", "process_input"] and timed[-1] == "finalize"


def test_each_of_several_builds_has_one_line_of_progress(bandsmith):
    result = bandsmith("build", form("a.jpg"), form("b.jpg"))
    assert sorted(re.findall(r"^  ✓ \d+\.\d s  (\w+)$", result.out, re.MULTILINE)) == ["a", "b"]


def test_with_json_standard_output_is_json_only(bandsmith):
    result = bandsmith("build", form("form.jpg"), form("slip.jpg"), "--json")
    first, second = json.loads(result.out)["builds"]
    assert first["status"] == "done" and first["passed"] and first["likeness"]["ssim"] == 0.9
    assert Path(first["files"]["report.jrxml"]).is_file() and second["folder"] == "out/slip"
    assert [node["node"] for node in first["nodes"]][:2] == ["load_session", "process_input"]


# --- errors ---------------------------------------------------------------------------------------------------------


def test_a_failing_input_does_not_stop_the_others(bandsmith, script):
    def extract(command: ExtractLayout) -> Event:
        if command.document.name == "blank.jpg":
            raise BadInput("The page is blank; give a page with a form on it.")
        return ANSWERS[ExtractLayout]({})[0]

    script[ExtractLayout] = extract
    result = bandsmith("build", form("blank.jpg"), form("form.jpg"))
    assert result.code == 2
    assert result.err == "blank.jpg: The page is blank; give a page with a form on it.\n"
    assert tree(Path("out")) == {f"form/{name}" for name in BUILD_FILES}


def test_errors_are_chinese_in_a_chinese_locale(bandsmith, monkeypatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    Path("empty.png").touch()
    assert bandsmith("build", "empty.png").err == "empty.png: 文件是空的。\n"


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(65 * 1024 * 1024)


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        ("empty.png", Path.touch, "The file is empty."),
        ("missing.png", lambda path: None, "There is no such file"),
        ("folder.png", Path.mkdir, "This is not a file."),
        (
            "program.exe",
            lambda path: path.write_text("MZ"),
            "This type of file is not supported; the supported types are png,",
        ),
        ("large.pdf", large, "The file is larger than 64 MB"),
    ],
)
def test_an_unsuitable_file_is_refused_before_anything_starts(bandsmith, monkeypatch, name, make, words):
    monkeypatch.delattr(local, "local")
    make(Path(name))
    result = bandsmith("build", name)
    assert result.code == 2 and result.out == ""
    assert result.err.startswith(f"{name}: {words}") and result.err.count("\n") == 1
    assert not Path("out").exists()


def test_a_missing_component_has_its_own_exit_code(bandsmith, monkeypatch):
    @asynccontextmanager
    async def without_engine():
        raise MissingPart("The report engine is not set up; run `make setup`.")
        yield

    monkeypatch.setattr(local, "local", without_engine)
    result = bandsmith("build", form("form.jpg"))
    assert result.code == 3 and result.err == "The report engine is not set up; run `make setup`.\n"


def test_an_unexpected_error_prints_a_sentence_without_traceback(bandsmith, monkeypatch):
    def broken():
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(local, "local", broken)
    result = bandsmith("build", form("form.jpg"))
    assert result.code == 1 and "Traceback" not in result.err and "secret" not in result.err
    assert result.err.startswith("Something went wrong inside Bandsmith")
