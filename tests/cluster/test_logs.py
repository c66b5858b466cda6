"""Replicas' log lines are forwarded once."""

from __future__ import annotations

from pathlib import Path

import pytest

from bandsmith.ray.log_relay import LogRelay


def test_every_complete_line_is_forwarded_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    logs = tmp_path / "session_2026-11-21_04-00-00_000000_1" / "logs"
    logs.mkdir(parents=True)
    (tmp_path / "session_latest").symlink_to(logs.parent)
    file, other = logs / "worker-a.err", logs / "worker-b.err"
    relay = LogRelay(tmp_path)

    file.write_text(':actor_name:planner\n{"event": "one"}\n{"event": "tw')
    other.write_text('{"event": "of another"}\n')
    (logs / "raylet.err").write_text('{"event": "of Ray"}\n')
    relay.copy()
    relay.copy()
    assert sorted(capsys.readouterr().err.splitlines()) == ['{"event": "of another"}', '{"event": "one"}']

    with file.open("a") as more:
        more.write('o"}\n')
    relay.copy()
    assert capsys.readouterr().err == '{"event": "two"}\n'

    # When Ray rotates a full file
    file.write_text('{"event": "three"}\n')
    relay.copy()
    assert capsys.readouterr().err == '{"event": "three"}\n'
