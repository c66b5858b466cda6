"""`bandsmith build` as a person meets it: what it writes, says and exits with. The services are scripted here."""

from __future__ import annotations

import json
import re
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bandsmith import local
from bandsmith.cli.output_folder import BUILD_FILES
from bandsmith.shared.bus.memory import Broker
from bandsmith.shared.errors import BadInput, MissingPart
from bandsmith.shared.events import Event, ExtractLayout, ValidateTemplate

from ..workflow.play import ANSWERS, validated

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
    """Runs the command line as `talk` does, with what a build leaves in the store."""
    stored.objects |= {key: key.encode() for key in OBJECTS}
    return talk


def form(name: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"a picture")
    return path


def tree(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


# --- what it writes -------------------------------------------------------------------------------------------------


def test_one_input_leaves_its_files_directly_in_the_folder(bandsmith):
    said = bandsmith("build", form("form.jpg"), "--out", "report")
    assert said.code == 0 and said.err == ""
    assert tree(Path("report")) == set(BUILD_FILES)
    assert Path("report/report.jrxml").read_bytes() == b"mapped"
    assert all(f"report/{name}" in said.out for name in BUILD_FILES)


def test_many_inputs_leave_theirs_in_folders_of_their_names_and_the_same_name_twice_is_told_apart(bandsmith):
    bandsmith("build", form("a/form.jpg"), form("b/form.jpg"), form("slip.PNG"), "--out", "reports")
    assert tree(Path("reports")) == {f"{name}/{file}" for name in ("form", "form-2", "slip") for file in BUILD_FILES}


def test_a_second_build_takes_the_place_of_the_first_and_leaves_other_files_alone(bandsmith, script):
    form("out/notes.txt")
    bandsmith("build", form("form.jpg"))
    script[ValidateTemplate] = lambda command: validated(errors=1).model_copy(update={"pdf": None, "pages": []})
    said = bandsmith("build", "form.jpg")
    assert said.code == 0
    assert tree(Path("out")) == {*BUILD_FILES, "notes.txt"} - {"report.pdf", "page-1.png"}


def test_a_report_that_could_not_be_finished_is_written_and_says_what_is_left(bandsmith, script):
    script[ValidateTemplate] = lambda command: validated(errors=1)
    said = bandsmith("build", form("form.jpg"))
    assert said.code == 0 and "unfinished" in said.out and "structure.overlap: Overlap 0." in said.out
    assert tree(Path("out")) == set(BUILD_FILES)


def test_nothing_is_left_behind_where_the_output_cannot_go(bandsmith):
    form("taken/file")
    said = bandsmith("build", form("form.jpg"), "--out", "taken/file")
    assert said.code == 2 and said.err.count("\n") == 1 and "taken/file" in said.err
    assert tree(Path()) == {"form.jpg", "taken/file"}


# --- what it says ---------------------------------------------------------------------------------------------------


def test_every_node_has_a_line_with_its_time(bandsmith):
    said = bandsmith("build", form("form.jpg"))
    timed = re.findall(r"^  ✓ (\w+) +\d+\.\d\d s", said.out, re.MULTILINE)
    assert timed[:3] == ["start", "load_session", "process_input"] and timed[-1] == "finalize"


def test_json_is_all_there_is_on_standard_output(bandsmith):
    said = bandsmith("build", form("form.jpg"), form("slip.jpg"), "--json")
    first, second = json.loads(said.out)["builds"]
    assert first["status"] == "done" and first["passed"] and first["likeness"]["ssim"] == 0.9
    assert Path(first["files"]["report.jrxml"]).is_file() and second["folder"] == "out/slip"
    assert [node["node"] for node in first["nodes"]][:2] == ["load_session", "process_input"]


# --- what goes wrong ------------------------------------------------------------------------------------------------


def test_an_input_that_fails_is_told_in_one_sentence_and_the_others_go_on(bandsmith, script):
    def extract(command: ExtractLayout) -> Event:
        if command.document.name == "blank.jpg":
            raise BadInput("The page is blank; give a page with a form on it.")
        return ANSWERS[ExtractLayout]({})[0]

    script[ExtractLayout] = extract
    said = bandsmith("build", form("blank.jpg"), form("form.jpg"))
    assert said.code == 2
    assert said.err == "blank.jpg: The page is blank; give a page with a form on it.\n"
    assert tree(Path("out")) == {f"form/{name}" for name in BUILD_FILES}


def test_the_sentence_is_chinese_where_the_environment_is(bandsmith, monkeypatch):
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
def test_a_file_that_cannot_be_a_form_is_refused_before_anything_starts(bandsmith, monkeypatch, name, make, words):
    monkeypatch.delattr(local, "local")
    make(Path(name))
    said = bandsmith("build", name)
    assert said.code == 2 and said.out == ""
    assert said.err.startswith(f"{name}: {words}") and said.err.count("\n") == 1
    assert not Path("out").exists()


def test_a_part_that_is_missing_is_named_and_has_an_exit_code_of_its_own(bandsmith, monkeypatch):
    @asynccontextmanager
    async def without_engine():
        raise MissingPart("The report engine is not set up; run `make setup`.")
        yield

    monkeypatch.setattr(local, "local", without_engine)
    said = bandsmith("build", form("form.jpg"))
    assert said.code == 3 and said.err == "The report engine is not set up; run `make setup`.\n"


def test_what_nobody_foresaw_is_a_sentence_too_and_no_traceback(bandsmith, monkeypatch):
    def broken():
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(local, "local", broken)
    said = bandsmith("build", form("form.jpg"))
    assert said.code == 1 and "Traceback" not in said.err and "secret" not in said.err
    assert said.err.startswith("Something went wrong inside Bandsmith")
