"""``make demo-task``: both tasks are carried out with recorded replies, and the scheduled run delivers its file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_demo_places_the_work_and_its_run_delivers_a_report(tmp_path: Path):
    ran = subprocess.run(
        [sys.executable, "-m", "samples.task", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    assert len(list((tmp_path / "reports").glob("*.pdf"))) == 2
    assert "The run has delivered" in ran.stdout
    assert (tmp_path / "calendar-after.svg").read_text("utf-8").startswith("<svg")
