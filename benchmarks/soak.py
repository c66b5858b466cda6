"""Soak test: mixed work for as long as you like, each service in a separate process, with their memory recorded.

python -m benchmarks.soak [--minutes 30] [--csv out/soak.csv] [--plot docs/soak.svg]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import aclosing, suppress
from pathlib import Path
from unittest import mock

from bandsmith.attachments import attachment
from bandsmith.client import Client
from bandsmith.services.planner.language.spec.rule_reader import nothing_to_change
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.events import TurnFailed, TurnFinished
from bandsmith.shared.telemetry.log import configure

from .processes import PARTS, Services, apart
from .results import Result
from .soak_figures import trend, warm, write

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
AT_ONCE = 2
SAMPLE_INTERVAL_S = 5.0
TURN_TIMEOUT_S = 300.0
"""Time after which a turn counts as lost."""

FIRST_TURNS = (
    ("generate a sales report with customer, product and amount, total at the bottom", None),
    ("做一个员工考勤表，包含姓名、部门、日期和工时", None),
    ("an inventory list with item, quantity and price, grouped by warehouse", None),
    ("", "stock-list.xlsx"),
    ("", "timesheet.docx"),
    ("", "quotation.pdf"),
    ("", "invoice.png"),
    ("", "sales-slip.jpg"),
    ("", "delivery-note.jpg"),
    ("", "invoice-remarks.png"),
)
REQUESTS = (
    "make the title larger",
    "delete the second column",
    "make the header bold",
    "add page numbers",
    "标题居中",
    "把标题改成“月度报表”",
    "undo",
    "redo",
    "what is the difference between $F and $P?",
    "怎么加小计？",
    "preview",
    "export pdf",
    "export to excel",
    "export the jrxml",
)
REFUSALS = {nothing_to_change().code}
"""Codes of legitimate refusals: a request that does not apply to this report is not carried out."""
TURNS = 7
"""Turns of each conversation, the first included."""


def conversations(seed: int = 1) -> Iterator[list[tuple[str, str | None]]]:
    """Generate conversations without end, the same ones for a seed: each first turn in order, then random requests."""
    chance = random.Random(seed)
    for first in itertools.cycle(FIRST_TURNS):
        yield [first, *((request, None) for request in chance.sample(REQUESTS, TURNS - 1))]


class Soak:
    """The work, and a row of figures every few seconds."""

    def __init__(self, services: Services, minutes: float, interval: float = SAMPLE_INTERVAL_S) -> None:
        self._services = services
        self._interval = interval
        self._seconds = 60 * minutes
        self._began = time.monotonic()
        self._work = enumerate(conversations())
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.rows: list[dict[str, float]] = []
        self.ended: list[str] = []
        """Services whose process ended before the soak did."""

    async def run(self) -> None:
        bus = await NatsBus.connect(self._services.url)
        try:
            sampling = asyncio.create_task(self._sample())
            await asyncio.gather(*(self._talk(Client(bus)) for _ in range(AT_ONCE)))
            sampling.cancel()
        finally:
            await bus.close()

    @property
    def passed(self) -> float:
        return time.monotonic() - self._began

    async def _talk(self, client: Client) -> None:
        for number, turns in self._work:
            for text, file in turns:
                if self.passed > self._seconds or self._services.ended():
                    return
                await self._turn(client, f"soak-{number}", text, file)
            if number % 5 == 0:
                await client.delete(f"soak-{number}")

    async def _turn(self, client: Client, session: str, text: str, file: str | None) -> None:
        attached = [attachment(SAMPLES / file)] if file else []
        last = None
        with suppress(TimeoutError):
            async with asyncio.timeout(TURN_TIMEOUT_S), aclosing(client.turn(session, text, attached)) as events:
                async for event in events:
                    last = event
        if isinstance(last, TurnFinished):
            self.done[file or text] += 1
            await client.files(last.files)
        elif isinstance(last, TurnFailed) and last.code in REFUSALS:
            self.refused[file or text] += 1
        else:
            self.failed[f"{file or text}: {last.code if isinstance(last, TurnFailed) else 'lost'}"] += 1

    async def _sample(self) -> None:
        for number in itertools.count():
            await asyncio.sleep(max(0.0, number * self._interval - self.passed))
            used = await asyncio.to_thread(self._services.use)
            row = {
                "seconds": self.passed,
                "turns": self.done.total() + self.refused.total(),
                "failed": self.failed.total(),
            }
            row |= {f"{part} {what}": getattr(used[part], what) for part in PARTS for what in ("pss", "rss", "cpu")}
            self.rows.append(row)


def report(soak: Soak, complaints: list[str]) -> str:
    last = soak.rows[-1]
    lines = [
        f"| part | MB after {warm(soak.rows) / 60:.1f} minutes | MB at the end | MB an hour | cores |",
        "|---|---|---|---|---|",
    ]
    for part in PARTS:
        start, slope = trend(soak.rows, part)
        cores = (last[f"{part} cpu"] - soak.rows[0][f"{part} cpu"]) / last["seconds"]
        lines.append(f"| {part} | {start:.0f} | {last[f'{part} pss']:.0f} | {slope:+.0f} | {cores:.2f} |")
    counts = f"{soak.done.total()} turns done, {soak.refused.total()} refused, {soak.failed.total()} failed"
    lines += ["", f"{counts}, in {last['seconds'] / 60:.1f} minutes."]
    lines += [f"failed {count} times: {what}" for what, count in soak.failed.most_common(10)]
    lines += [f"logged: {line}" for line in complaints[:10]]
    return "\n".join(lines)


async def smoke() -> list[Result]:
    """Work for a quarter of a minute, and write nothing."""
    soak, _ = await asyncio.to_thread(run, 0.25, 3.0, None)
    if soak.failed:
        raise RuntimeError(f"turns failed: {dict(soak.failed)}")
    return [Result("soak: turns", str(soak.done.total() + soak.refused.total()), "", "")]


def run(minutes: float, interval: float, table: Path | None) -> tuple[Soak, list[str]]:
    """Run the soak, and return it with what the services logged. The figures go to `table`."""
    with tempfile.TemporaryDirectory(prefix="bandsmith-soak-") as folder:
        home = Path(folder)
        with mock.patch.dict(os.environ, BANDSMITH_HOME=folder), apart(home, store=home / "bus") as services:
            soak = Soak(services, minutes, interval)
            try:
                asyncio.run(soak.run())
            finally:
                if table:
                    write(soak.rows, table)
            soak.ended = services.ended()
            return soak, services.complaints()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--minutes", type=float, default=30.0)
    options.add_argument("--csv", type=Path, default=Path("out/soak.csv"))
    options.add_argument("--plot", type=Path, default=Path("docs/soak.svg"))
    given = options.parse_args()
    configure()
    soak, complaints = run(given.minutes, SAMPLE_INTERVAL_S, given.csv)
    print(report(soak, complaints))
    from .soak_plot import draw  # noqa: PLC0415 - matplotlib is of the group `bench`

    draw(soak.rows, given.plot)
    if soak.ended:
        print(f"ended before the soak did: {', '.join(soak.ended)}", file=sys.stderr)
    return 1 if soak.ended or soak.failed else 0


if __name__ == "__main__":
    sys.exit(main())
