"""What a run needs before it can be added."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.services.planner.runs.checks import NotPossible, completed
from bandsmith.shared.events import ReadRunRequest
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.binding import BindingFile
from bandsmith.shared.model.run_request import RunDraft, RunRequest
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import source_of, write_sources


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source of this name."""
    monkeypatch.setenv("BANDSMITH_HOME", str(tmp_path))
    database = tmp_path / "shop.db"
    database.touch()
    write_sources(SourceSettings().file, {"shop": source_of("shop", str(database))})


def request_with(each: str) -> RunRequest:
    return RunRequest(do="add", draft=RunDraft(rule="FREQ=DAILY", folder="out", each=each))


def command() -> ReadRunRequest:
    return ReadRunRequest(
        text="x", language="en", known_runs=[], owner="", run_request=None, run_title="Hours", bindings=None,
        has_rows=False, allowance=Allowance(),
    )  # fmt: skip


def bindings(each: str) -> BindingFile:
    return BindingFile(source="shop", each=each)


def test_a_run_divides_the_rows_as_its_queries_do_in_whatever_words_it_was_asked_for():
    assert completed(command(), request_with("师傅"), bindings("worker")).draft.each == "worker"


@pytest.mark.parametrize(("said", "known"), [("customer", ""), ("", "customer")])
def test_queries_that_do_not_divide_the_rows_as_asked_make_no_run(said: str, known: str):
    with pytest.raises(NotPossible):
        completed(command(), request_with(said), bindings(known))
