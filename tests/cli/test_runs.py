"""``bandsmith runs``: made, listed, run now, paused and cancelled, with scripted services."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bandsmith.shared.bus.memory import Broker
from bandsmith.shared.events import BindData, DataBound, DeliverFiles, FilesDelivered

from ..workflow.service_events import ref


@pytest.fixture
def runs(talk, stored: Broker, script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Run ``bandsmith runs``, with one run for the first day of each month."""
    monkeypatch.setenv("BANDSMITH_DELIVERY_FOLDER", str(tmp_path))
    stored.objects |= {"filled": b"the report", "rows": b"{}"}
    script[DeliverFiles] = lambda _: FilesDelivered(delivered_to=["reports/statement.pdf"])
    Path("report.jrxml").write_text("<jasperReport/>")
    Path("rows.csv").write_text("a,b\n1,2\n")

    def run(*words: str):
        return talk("runs", *words)

    added = run("add", "statement", *FILES, "--at", "0 8 1 * *", "--to", "reports", "--zone", "Asia/Shanghai")
    assert added.code == 0 and "It is due on" in added.out and "-01 08:00" in added.out
    return run


FILES = ("report.jrxml", "--data", "rows.csv")


def test_runs_are_listed_with_their_next_time(runs):
    [listed] = json.loads(runs("list", "--json").out)
    assert (listed["name"], listed["paused"], listed["running"]) == ("statement", False, False)
    assert listed["next_due"].endswith("-01T00:00:00+00:00")


def test_a_run_that_is_run_now_is_waited_for(runs):
    result = runs("now", "statement")
    assert result.code == 0 and result.out.startswith("Done:") and "reports/statement.pdf" in result.out


def test_a_report_that_lacks_values_is_not_delivered(runs, script):
    script[BindData] = lambda _: DataBound(rows=ref("rows"), row_count=3, left_out=1, notes=["no column for Qty"])
    result = runs("now", "statement")
    assert result.code == 1 and "not delivered" in result.out


def test_a_paused_run_is_shown_as_such_until_it_is_resumed(runs):
    assert runs("pause", "statement").code == 0 and "paused" in runs("list").out
    assert "-01 08:00" in runs("resume", "statement").out and "paused" not in runs("list").out


def test_a_cancelled_run_is_gone(runs):
    assert runs("cancel", "statement").code == 0
    assert runs("show", "statement").code == 2 and "There are no runs" in runs("list").out


def test_a_run_reads_a_source_by_the_queries_that_were_kept(runs):
    command = ("add", "sales", "report.jrxml", "--source", "shop", "--at", "0 8 1 * *", "--to", "reports")
    refused = runs(*command)
    assert refused.code == 2 and "bandsmith fill report.jrxml --source" in refused.err

    Path("report.bindings.yaml").write_text("source: shop")
    assert runs(*command).code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--at", "every Monday", "--to", "reports"), "not a valid schedule"),
        (("--at", "", "--to", "reports"), "--at"),
        (("--at", "0 8 1 * *", "--to", "/etc"), "BANDSMITH_DELIVERY_FOLDER"),
        (("--at", "0 8 1 * *", "--webhook", "https://x.example.com/" + "a" * 3000), "--webhook"),
        (("--at", "0 8 1 * *", *("--mail", "ann@example.com") * 30), "--mail"),
        (("--at", "0 8 1 * *"), "--to FOLDER"),
        (("--at", "0 8 1 * *", "--mail", "ann"), "not a valid mail address"),
        (("--at", "0 8 1 * *", "--to", "reports", "--zone", "Mars/Base"), "no time zone"),
        (("--at", "FREQ=DAILY;COUNT=1", "--to", "reports", "--from", "2020-01-01"), "no time in the future"),
        (("--at", "0 8 1 * *", "--to", "reports", "--format", "xml"), "no format"),
    ],
)
def test_what_cannot_be_scheduled_is_refused_with_one_sentence(runs, options: tuple[str, ...], words: str):
    refused = runs("add", "other", *FILES, *options)
    assert refused.code == 2 and words in refused.err and len(refused.err.splitlines()) == 1


def test_a_name_is_taken_once_and_has_to_be_plain(runs):
    for name in ("statement", "../x", "a" * 60):
        refused = runs("add", name, *FILES, "--at", "0 8 1 * *", "--to", "reports")
        assert refused.code == 2 and name in refused.err


def test_an_edit_changes_what_it_names_and_nothing_else(runs):
    edited = runs("edit", "statement", "--at", "30 9 2 * *", "--format", "xlsx", "--mail", "ann@example.com")
    assert edited.code == 0 and "-02 09:30" in edited.out
    [listed] = json.loads(runs("list", "--json").out)
    assert listed["times"]["rule"] == "30 9 2 * *" and listed["times"]["zone"] == "Asia/Shanghai"
    assert listed["delivery"]["mail"] == ["ann@example.com"] and listed["delivery"]["folder"].endswith("reports")


@pytest.mark.parametrize("words", [(), ("--at", "never"), ("--format", "bmp"), ("--mail", "ann"), ("--to", "/etc")])
def test_an_edit_that_cannot_be_made_leaves_the_run(runs, words: tuple[str, ...]):
    before = runs("show", "statement", "--json").out
    assert runs("edit", "statement", *words).code == 2
    assert runs("show", "statement", "--json").out == before
    assert runs("edit", "weekly", "--at", "0 9 1 * *").code == 2
