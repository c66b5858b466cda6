"""How sentences fare that were written without knowledge of the rules: part of ``make measure``.

``tests/strangers`` holds what people who had read the README alone would type, with what they want to come of it. Half
of it is in ``read``, which the authors of the rules could see; half in ``unread``, which was not seen before it was
measured, once, for docs/benchmarks.md. Both have been read since, and so have ``read/later_*.yaml``, which were
written and measured later, in the same way. ``latest`` was measured last.

Each case runs through the real services, on a report built from ``samples/``. Whether an outcome is what was wanted is
a human verdict, made once by looking at the report before and after and kept in ``verdicts.json`` under a digest of
the outcome: the edits, the report spec, or the answer. An outcome without a verdict is counted as not judged.

    python -m benchmarks.strangers               # the table
    python -m benchmarks.strangers --out FOLDER  # also what a judge needs to look at: pages, replies, outcomes
    python -m benchmarks.strangers --record FILE # take over verdicts: a JSON object of digests, each with its verdict

With ``BANDSMITH_MODEL_URL`` and ``BANDSMITH_MODEL_NAME``, a language model reads the messages. The reports are built by
rules all the same, so that every case begins with the same report. ``--at-once`` keeps a slow model, or several people
who answer by hand, busy.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from unittest import mock

import orjson
import yaml

from bandsmith.attachments import attachment
from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.session_view import STATE_PREFIX, session_id
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.events import ChangeRead, IntentClassified, SpecRead, TurnFailed, TurnFinished
from bandsmith.shared.language import language_of
from bandsmith.shared.model.base import Ref
from bandsmith.shared.replies import message_in

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "strangers"
PARTS = [CORPUS / "read", CORPUS / "unread", CORPUS / "latest"]
VERDICTS = CORPUS / "verdicts.json"
SAMPLES = {
    "sales-slip": "sales-slip.jpg",
    "invoice": "invoice.png",
    "delivery-note": "delivery-note.jpg",
    "stock-list": "stock-list.xlsx",
    "quotation": "quotation.pdf",
    "timesheet": "timesheet.docx",
}
"""The reports that a case may begin with, and the sample that each is built from."""
AT_ONCE = 2
"""Cases that run at the same time, by default."""
MODEL = ("BANDSMITH_MODEL_URL", "BANDSMITH_MODEL_NAME")
"""The settings without which there is no language model."""

Verdict = Literal["right", "partly", "wrong", "refused"]
"""Partly: some of it, and the reply says what is missing. Refused: nothing was done, and the reply says so."""
COLUMNS = ("right", "partly", "refused", "wrong", "not judged")


@dataclass(frozen=True)
class Case:
    """What a user says about a report, and what they want to come of the last message."""

    id: str
    lang: str
    kind: str
    report: str
    say: tuple[str, ...]
    wanted: str
    plain: bool
    session: str
    """Its own: ids repeat in other files."""


@dataclass
class Outcome:
    """The outcome of a case."""

    case: Case
    replies: list[str] = field(default_factory=list)
    read: list[Any] = field(default_factory=list)
    """For each message its intent, with the edits or the report spec that was read, or the answer."""
    has_changed: bool = False
    """Whether the last message changed the report."""
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The case and what was read, as a digest that stays the same while the outcome does."""
        content = orjson.dumps([self.case.id, _compact(self.read)], option=orjson.OPT_SORT_KEYS)
        return f"{self.case.id}-{hashlib.sha256(content).hexdigest()[:12]}"


def _compact(value: Any) -> Any:
    """Return what was read without empty values: a field that is new and not used makes no other outcome."""
    if isinstance(value, dict):
        return {key: kept for key, one in value.items() if (kept := _compact(one)) not in (None, "", [], {}, False)}
    return [_compact(one) for one in value] if isinstance(value, list) else value


def cases(folder: Path) -> list[Case]:
    """Return all cases of a folder."""
    found = []
    for path in sorted(folder.glob("*.yaml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            fields = {name: case[name] for name in ("id", "lang", "plain")} | {"report": case.get("report", "none")}
            wanted = "\n".join(filter(None, (case["wanted"], case.get("also_fine"))))
            session = f"{path.stem}-{case['id']}"
            found.append(Case(kind=case["class"], say=tuple(case["say"]), wanted=wanted, session=session, **fields))
    return found


async def run(chosen: Sequence[Case], at_once: int = AT_ONCE) -> list[Outcome]:
    """Return the outcomes of the cases, of which `at_once` run at the same time."""
    with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, {"BANDSMITH_HOME": home}):
        store = Path(home) / "bus"
        await _build_reports(store, {case.report for case in chosen} - {"none"})
        async with local(store=store) as bus:
            client, limit = Client(bus), asyncio.Semaphore(at_once)

            async def one(case: Case) -> Outcome:
                async with limit:
                    return await _outcome(bus, client, case)

            return await asyncio.gather(*(one(case) for case in chosen))


async def _build_reports(store: Path, reports: Iterable[str]) -> None:
    """Build the reports that cases begin with, each in a session of its name, without a language model."""
    with mock.patch.dict(os.environ, {name: "" for name in MODEL}):
        async with local(store=store) as bus:
            for report in sorted(reports):
                await Client(bus).say(report, "", [attachment(ROOT / "samples" / SAMPLES[report])])


async def _outcome(bus: Bus, client: Client, case: Case) -> Outcome:
    if case.report != "none":
        await _copy_session(bus, case.report, case.session)
    outcome = Outcome(case)
    before = await _version(client, case)
    for text in case.say:
        before = await _version(client, case)
        await _turn(bus, client, text, outcome)
    outcome.has_changed = await _version(client, case) != before
    return outcome


async def _copy_session(bus: Bus, source: str, target: str) -> None:
    """Copy the state of one session to another."""
    stored = await bus.read_state(STATE_PREFIX + session_id(source))
    assert stored is not None
    state = {**orjson.loads(stored[0]), "id": session_id(target), "name": target}
    await bus.write_state(STATE_PREFIX + session_id(target), orjson.dumps(state), None)


async def _version(client: Client, case: Case) -> int | None:
    try:
        report = (await client.session(case.session)).report
    except BandsmithError:
        return None
    return report.number if report else None


async def _turn(bus: Bus, client: Client, text: str, outcome: Outcome) -> None:
    """Send one message, and add what was read in it and what was replied."""
    read: dict[str, Any] = {}
    async for event in client.turn(outcome.case.session, text):
        match event:
            case IntentClassified() | ChangeRead() | SpecRead():
                if isinstance(event, IntentClassified):
                    read |= {"intent": event.intent, "format": event.format}
                read |= await _requests(bus, getattr(event, "change", None), getattr(event, "spec", None))
            case TurnFinished():
                outcome.replies.append(event.reply)
                read["status"], read["asks"] = event.status, event.asks.kind if event.asks else ""
                if "edits" not in read and "spec" not in read:
                    read["reply"] = event.reply
                outcome.files = {name: await client.fetch(ref) for name, ref in event.files.items()}
            case TurnFailed():
                outcome.replies.append(message_in(event, language_of(text)))
                read["failed"] = event.code
    outcome.read.append(read)


async def _requests(bus: Bus, change: Ref | None, spec: Ref | None) -> dict[str, Any]:
    """Return the edits and the report spec that were read."""
    found: dict[str, Any] = {}
    if change:
        request = orjson.loads(await bus.get(change))
        found = {name: request[name] for name in ("edits", "unread")}
        found["refusals"] = len(request["refusals"])
    if spec:
        found["spec"] = orjson.loads(await bus.get(spec))["spec"]
    return found


# --- verdicts -------------------------------------------------------------------------------------------------------


def verdict(outcome: Outcome, judged: dict[str, Verdict]) -> str:
    """Return the verdict on an outcome; a message that changed nothing and was not read is refused without a judge."""
    last = outcome.read[-1]
    if outcome.digest in judged:
        return judged[outcome.digest]
    is_unread = last.get("intent") == "unknown" or "failed" in last or last.get("unread") or last.get("refusals")
    return "refused" if is_unread and not outcome.has_changed else "not judged"


def table(outcomes: Iterable[Outcome], judged: dict[str, Verdict]) -> str:
    """Return the shares of the verdicts by class and language, as Markdown."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for outcome in outcomes:
        counts[outcome.case.kind, outcome.case.lang][verdict(outcome, judged)] += 1
    lines = ["| class | language | cases | " + " | ".join(COLUMNS) + " |", "|---|---|---|" + "---|" * len(COLUMNS)]
    for (kind, lang), count in sorted(counts.items()):
        cells = " | ".join(str(count[column]) for column in COLUMNS)
        lines.append(f"| {kind} | {lang} | {count.total()} | {cells} |")
    total = sum(counts.values(), Counter())
    lines.append(f"| all | | {total.total()} | " + " | ".join(str(total[column]) for column in COLUMNS) + " |")
    return "\n".join(lines)


def show(outcomes: Iterable[Outcome], folder: Path) -> None:
    """Write what a judge looks at: for each case a folder with what was said, wanted, read and printed."""
    for outcome in outcomes:
        at = folder / outcome.case.id
        at.mkdir(parents=True, exist_ok=True)
        for name in ("page-1.png", "report.jrxml", "report.csv", "report.pdf"):
            if name in outcome.files:
                (at / name).write_bytes(outcome.files[name])
        case = outcome.case
        record = {
            "digest": outcome.digest, "report": case.report, "say": case.say, "wanted": case.wanted,
            "replies": outcome.replies, "read": outcome.read, "changed": outcome.has_changed,
        }  # fmt: skip
        (at / "case.json").write_text(json.dumps(record, ensure_ascii=False, indent=1), encoding="utf-8")


def judged_outcomes() -> dict[str, Verdict]:
    """Return all verdicts by the digest of the outcome."""
    if not VERDICTS.exists():
        return {}
    found: dict[str, Verdict] = json.loads(VERDICTS.read_text(encoding="utf-8"))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpus", type=Path, nargs="*", default=PARTS, help="folders of the cases")
    parser.add_argument("--only", nargs="*", default=[], metavar="ID", help="ids of cases, or how they begin")
    parser.add_argument("--out", type=Path, help="folder for what a judge looks at")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help="cases that run at the same time")
    parser.add_argument("--record", type=Path, help="file of verdicts to take over")
    chosen = parser.parse_args()
    judged = judged_outcomes()
    if chosen.record:
        judged |= json.loads(chosen.record.read_text(encoding="utf-8"))
        VERDICTS.write_text(json.dumps(judged, indent=0, sort_keys=True) + "\n", encoding="utf-8")
        return 0
    for folder in chosen.corpus:
        wanted = [case for case in cases(folder) if not chosen.only or case.id.startswith(tuple(chosen.only))]
        outcomes = asyncio.run(run(wanted, chosen.at_once))
        if chosen.out:
            show(outcomes, chosen.out)
        print(folder.name, table(outcomes, judged), sep="\n\n", end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
