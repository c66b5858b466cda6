"""A worker opens no file of its user, reaches no network, starts no program and is replaced when it is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bandsmith.shared.confined import FatalRequests, TimeBudget, Walls, WorkerDied, WorkerProcess, WorkerTimeout
from bandsmith.shared.confined.fatal import FORGOTTEN_AFTER_S, MAX_REMEMBERED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the walls are those of Linux")

ATTEMPTS = """
import ctypes, fcntl, json, os, resource, signal, socket, subprocess, sys
from pathlib import Path
from bandsmith.shared.confined import confine

outside, scratch = Path(sys.argv[1]), Path(sys.argv[2])
walls = confine(read=[], write=[scratch], max_memory_bytes=1 << 30)

libc = ctypes.CDLL(None, use_errno=True)

def fork():
    if (pid := os.fork()) == 0:
        os._exit(0)

attempts = {
    "read a file": lambda: outside.read_text(),
    "list a folder": lambda: os.listdir(outside.parent),
    "read the list of users": lambda: Path("/etc/passwd").read_text(),
    "read its owner's environment": lambda: Path(f"/proc/{os.getppid()}/environ").read_bytes(),
    "write a file": lambda: outside.with_name("made").write_text("x"),
    "change a file": lambda: outside.write_text("x"),
    "remove a file": lambda: outside.unlink(),
    "make a link": lambda: (scratch / "link").symlink_to(outside) or (scratch / "link").read_text(),
    "read a device": lambda: open("/dev/zero", "rb").read(1),
    "open a socket": lambda: socket.socket(),
    "open a socket of this machine": lambda: socket.socket(socket.AF_UNIX),
    "start a program": lambda: subprocess.run(["/bin/true"]),
    "become another program": lambda: os.execv("/bin/true", ["true"]),
    "start a process": fork,
    "cut a file short": lambda: os.truncate(outside, 0),
    "open a file to everybody": lambda: os.chmod(outside, 0o666),
    "lock a folder": lambda: os.chmod(outside.parent, 0),
    "change a file's time": lambda: os.utime(outside, (0, 0)),
    "change a file's attributes": lambda: os.setxattr(outside, "user.x", b"x"),
    "signal its owner": lambda: os.kill(os.getppid(), 0),
    "have the kernel signal its owner": lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid()),
    "limit its owner": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE),
    "share memory": lambda: libc.shmget(0, 4096, 0o1600) >= 0 or 1 / 0,
    "leave a message": lambda: libc.msgget(0, 0o1600) >= 0 or 1 / 0,
    "make a namespace": lambda: libc.unshare(0x10000000) == 0 or 1 / 0,
    "take much memory": lambda: bytearray(2 << 30),
}
done = []
for name, attempt in attempts.items():
    try:
        attempt()
        done.append(name)
    except (OSError, ZeroDivisionError, MemoryError):
        pass
(scratch / "own").write_text("x")
print(json.dumps({"done": done, "missing": walls.missing}))
"""
WORKER = "tests.shared.obedient_worker"


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerProcess]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    process = WorkerProcess(WORKER, list, limit=5, missing="validator.engine.not_starting")
    yield process
    process.stop()


def test_a_worker_can_do_nothing_but_compute(tmp_path: Path):
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    (home / "letter.txt").write_text("hidden")
    run = subprocess.run(
        [sys.executable, "-P", "-c", ATTEMPTS, str(home / "letter.txt"), str(scratch)],
        capture_output=True, text=True, check=True, cwd=home,
    )  # fmt: skip
    told = json.loads(run.stdout)
    if told["missing"]:
        pytest.skip(f"this kernel does not offer: {', '.join(told['missing'])}")
    assert told["done"] == []
    assert (home / "letter.txt").read_text() == "hidden"
    assert (home / "letter.txt").stat().st_mtime > 0
    assert (scratch / "own").exists()


def test_a_worker_knows_no_secret_and_no_home(worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_LLM_API_KEY", "hidden-words")
    reply, _ = worker.call({"do": "environment"})
    assert "hidden-words" not in json.dumps(reply)
    assert reply["environment"]["HOME"] != os.environ.get("HOME")


def test_a_late_worker_is_replaced_and_its_request_not_tried_again(worker: WorkerProcess):
    worker.start()
    first = worker.pid
    with pytest.raises(WorkerTimeout):
        worker.call({"do": "sleep"}, budget=TimeBudget(0.5))
    assert worker.call({"do": "environment"})[0]
    second = worker.pid
    assert second != first
    with pytest.raises(WorkerTimeout):
        worker.call({"do": "sleep"}, budget=TimeBudget(600))
    assert worker.pid == second


def test_another_request_about_what_killed_a_worker_is_not_tried_either(worker: WorkerProcess):
    with pytest.raises(WorkerDied):
        worker.call({"do": "exit"}, subject=b"a template")
    for _ in range(2):
        with pytest.raises(WorkerDied):
            worker.call({"do": "environment"}, subject=b"a template")
    assert worker.call({"do": "environment"}, subject=b"a changed template")[0]


def test_a_request_is_tried_again_after_some_minutes():
    """The machine may have been busy, or without memory."""
    now = 0.0
    fatal = FatalRequests(lambda: now)
    fatal.add(b"one", WorkerTimeout())
    with pytest.raises(WorkerTimeout):
        fatal.check(b"one")
    fatal.check(b"another")
    now = FORGOTTEN_AFTER_S
    fatal.check(b"one")


def test_only_the_last_requests_that_killed_a_worker_are_remembered():
    fatal = FatalRequests()
    for number in range(MAX_REMEMBERED + 1):
        fatal.add(bytes([number]), WorkerDied())
    fatal.check(bytes([0]))
    with pytest.raises(WorkerDied):
        fatal.check(bytes([MAX_REMEMBERED]))


def test_calls_with_one_budget_end_together_when_it_is_spent(worker: WorkerProcess):
    budget = TimeBudget(1.0)
    with pytest.raises(WorkerTimeout):
        for number in range(100):
            worker.call({"do": "nap", "number": number}, budget=budget)
    assert 0 < number < 99, "each nap takes a tenth of it"
    with pytest.raises(WorkerTimeout):
        worker.call({"do": "environment"}, budget=budget)
    assert worker.call({"do": "environment"})[0], "what had no time left was not tried, and may be tried again"


def test_a_request_that_ends_the_worker_is_not_tried_again(worker: WorkerProcess):
    for _ in range(2):
        with pytest.raises(WorkerDied):
            worker.call({"do": "exit"})
    assert worker.call({"do": "environment"})[0]


def test_a_worker_that_sends_no_message_is_replaced(worker: WorkerProcess):
    worker.start()
    first = worker.pid
    for _ in range(2):
        with pytest.raises(WorkerDied):
            worker.call({"do": "babble"})
    assert worker.call({"do": "environment"})[0]
    assert worker.pid != first


def test_a_worker_that_somebody_else_killed_gets_its_request_again(worker: WorkerProcess, tmp_path: Path):
    reply, _ = worker.call({"do": "environment"})
    assert worker.pid is not None
    os.kill(worker.pid, 9)
    assert worker.call({"do": "environment"})[0]["walls"] == reply["walls"]


def test_what_is_missing_has_a_name():
    assert Walls(files=True, network=True).missing == ["calls", "privileges"]
