"""A step in Python computes in a separate process that can do nothing else, even if the check let everything pass."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pyarrow
import pytest

from bandsmith.services.validator.python import sandbox
from bandsmith.services.validator.python.check import CodeRefused
from bandsmith.services.validator.python.sandbox import CodeFailed, NotIsolated, PythonSandbox
from bandsmith.shared.confined import Walls
from bandsmith.shared.confined.probe import probe
from bandsmith.shared.result_tables import to_bytes

ROWS = pyarrow.table({"month": ["2026-01", "2026-02", "2026-03"], "total": [10.0, 20.0, 33.0]})
FORECAST = """
import numpy as np
import pandas as pd
from scipy import stats
line = stats.linregress(np.arange(len(rows)), rows["total"])
result = pd.DataFrame({"month": pd.to_datetime(["2026-04-01"]), "forecast": [line.intercept + line.slope * 3]})
"""
ESCAPES = """
import pandas
builtins = pandas.__builtins__
imported, opened, ended = builtins["__import__"], builtins["open"], builtins["Exception"]
os, socket, subprocess, ctypes = (imported(name) for name in ("os", "socket", "subprocess", "ctypes"))
attempts = {
    "read a file": lambda: opened(PATH).read(),
    "read the users": lambda: opened("/etc/passwd").read(),
    "list a folder": lambda: os.listdir(HOME),
    "write a file": lambda: opened(PATH, "w"),
    "remove a file": lambda: os.unlink(PATH),
    "open a socket": lambda: socket.socket(),
    "open a local socket": lambda: socket.socket(socket.AF_UNIX),
    "start a program": lambda: subprocess.run(["/bin/true"]),
    "become a program": lambda: os.execv("/bin/true", ["true"]),
    "start a process": lambda: os.fork(),
    "signal the owner": lambda: os.kill(os.getppid(), 9),
    "read the owner's environment": lambda: opened(f"/proc/{os.getppid()}/environ").read(),
    "see a secret": lambda: os.environ["BANDSMITH_MODEL_KEY"],
    "trace the owner": lambda: ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0 or 1 / 0,
}
done = []
for name, attempt in attempts.items():
    try:
        attempt()
        done.append(name)
    except ended:
        pass
result = {"done": " ".join(done) or "nothing"}
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux" or not set(sandbox.NEEDED_WALLS) <= set(probe().standing),
        reason="this kernel cannot isolate code, so none is run",
    ),
]


def run(code: str, limit: float = 60.0, max_rows: int = 100) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = (
        PythonSandbox(limit).run(code, {"rows": to_bytes(ROWS)}, max_rows).content.to_pylist()
    )
    return rows


def test_a_forecast_is_computed_from_the_rows_of_a_query():
    assert run(FORECAST) == [{"month": "2026-04-01", "forecast": pytest.approx(44)}]


def test_a_result_over_the_limit_is_cut_and_says_so():
    table = PythonSandbox().run("result = rows", {"rows": to_bytes(ROWS)}, 2)
    assert table.content.num_rows == 2 and table.is_cut


def test_an_error_names_its_line_and_quotes_no_value():
    with pytest.raises(CodeFailed, match="KeyError: 'none' in line 2"):
        run("x = 1\nresult = rows['none'] + x")
    with pytest.raises(CodeFailed) as failed:
        run("import pandas as pd\nresult = pd.to_datetime(rows['month'] + ' of Ada')")
    assert "Ada" not in failed.value.reason.en.partition(" in line")[0]


def test_code_that_got_past_the_check_reaches_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    secret = tmp_path / "letter.txt"
    secret.write_text("hidden")
    monkeypatch.setenv("BANDSMITH_MODEL_KEY", "hidden")
    monkeypatch.setattr(sandbox, "check_code", lambda *_: None)
    code = ESCAPES.replace("PATH", repr(str(secret))).replace("HOME", repr(str(tmp_path)))
    assert run(code) == [{"done": "nothing"}]
    assert secret.read_text() == "hidden"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("x = [0]\nwhile True:\n    x = x + x\nresult = x", "MemoryError"),
        ("import numpy as np\nresult = np.zeros(10 ** 10)", "MemoryError|failed"),
        ("result = str(10 ** 10 ** 10)", "took longer|failed|stopped"),
        ("while True:\n    pass\nresult = 1", "took longer"),
        ("def f(n):\n    return f(n + 1)\nresult = f(0)", "RecursionError"),
    ],
)
def test_code_that_takes_too_much_is_stopped_and_the_next_step_runs(code: str, reason: str):
    began = time.monotonic()
    with pytest.raises(CodeFailed, match=reason):
        run(code, limit=8)
    assert time.monotonic() - began < 60
    assert run("result = rows['total'].sum()") == [{"value": 63.0}]


def test_where_the_machine_cannot_isolate_code_none_is_run(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Walls, "standing", ["network"])
    with pytest.raises(NotIsolated, match="bandsmith doctor"):
        run("result = rows")


def test_hostile_code_never_reaches_a_process(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sandbox, "WorkerProcess", None)
    with pytest.raises(CodeRefused):
        run("import os\nresult = os.environ")
