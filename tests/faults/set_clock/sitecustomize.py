"""Python imports this module as it starts, where its folder is on PYTHONPATH: the time of day follows a file.

CLOCK_FILE names the file, which holds the seconds that the clock is ahead of the machine's. ``time.monotonic`` stays as
it is, and so do deadlines and sleeps.
"""

import os
import threading
import time
from pathlib import Path

import time_machine

FILE = Path(os.environ["CLOCK_FILE"])
LOOK_EVERY = 0.02
"""Seconds between two looks at the file."""


def follow() -> None:
    ahead = None
    while True:
        if (read := float(FILE.read_text())) != ahead:
            ahead = read
            clock.move_to(time_machine.escape_hatch.time.time() + ahead)
        time.sleep(LOOK_EVERY)


clock = time_machine.travel(time.time() + float(FILE.read_text())).start()
threading.Thread(target=follow, name="clock", daemon=True).start()
