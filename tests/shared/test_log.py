"""The log: quiet unless asked, lines that a program can read, and every line with the message it is about."""

import io
import json
from collections.abc import Iterator

import pytest
import structlog

from shared import log
from shared.events import Envelope
from shared.settings import LogSettings

ENVELOPE = Envelope(id="c1", kind="RecallKnowledge", session="s1", turn="t1", node="retrieve", payload={})


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def test_only_what_is_wrong_is_said_unless_asked(capfd: pytest.CaptureFixture[str]) -> None:
    log.configure()
    structlog.get_logger().info("all is well")
    structlog.get_logger().warning("something is not")

    out, err = capfd.readouterr()
    assert out == ""
    assert [json.loads(line)["event"] for line in err.splitlines()] == ["something is not"]


def test_a_line_says_which_message_it_is_about(capfd: pytest.CaptureFixture[str]) -> None:
    log.configure(LogSettings(log_level="info"))
    with log.about(ENVELOPE):
        structlog.get_logger().info("handled")
    structlog.get_logger().info("idle")

    handled, idle = (json.loads(line) for line in capfd.readouterr().err.splitlines())
    assert {"session": "s1", "turn": "t1", "node": "retrieve", "message": "c1"}.items() <= handled.items()
    assert "session" not in idle


def test_a_log_that_was_closed_stops_nobody_and_is_written_again_when_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log.configure()
    kept = structlog.get_logger()
    closed, later = io.StringIO(), io.StringIO()
    closed.close()

    monkeypatch.setattr("sys.stderr", closed)
    kept.warning("nobody hears this")
    monkeypatch.setattr("sys.stderr", later)
    kept.warning("this is heard")

    assert json.loads(later.getvalue())["event"] == "this is heard"
