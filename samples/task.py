"""Carry out tasks with recorded replies of a model: ``make demo-task``. No model and no network is needed.

A timetable is imported, `bandsmith chat` plans the revision of two subjects, a yes confirms the plan and another one
what is stored. The calendar is drawn before and after, into the folder that is given. A second task builds a report,
fills it from a small shop database, and schedules that; the run is then started once, and its file is shown.

    python -m samples.task FOLDER
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import date, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedRequest
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings

from . import report_task, shop
from .calendar_picture import picture

TIMETABLE = Path(__file__).with_name("timetable.ics")
RECORDED = date(2026, 11, 23)
"""Day 1 of the timetable. All dates are put off by weeks, since work is placed ahead only."""
FIRST_DAY = date.today() + timedelta(days=-date.today().weekday() % 7)
LAST_DAY = FIRST_DAY + timedelta(days=18)
UNTIL = f"before {LAST_DAY + timedelta(days=1):%-d %B}"
REQUEST = (
    f"/task plan the revision for linear algebra and mechanics {UNTIL}, two blocks a day at most, never on Sundays"
)
SUBJECT = {"items": 6, "slots": 2, "not_after": LAST_DAY.isoformat(), "excluded_weekdays": [7], "max_slots_a_day": 2}
PLAN = {
    "action": "plan_done",
    "speak": "I would place six blocks of each subject.",
    "complexity": "simple",
    "plan_steps": [
        {
            "content": f"Place six blocks each of linear algebra and mechanics {UNTIL}, at most two blocks a day, "
            "not on Sundays.",
            "done_when": "All twelve blocks stand in the calendar.",
        },
        {"content": "Check whether any day is overloaded.", "done_when": "analyze_health says to close."},
    ],
}
STEPS: list[dict[str, object]] = [
    {
        "action": "continue",
        "tool_call": {"name": "context_tools_add", "arguments": {"domain": "schedule", "packs": ["mutation"]}},
    },
    {"action": "continue", "tool_call": {"name": "get_overview", "arguments": {}}},
    {
        "action": "confirm",
        "tool_call": {
            "name": "place_work",
            "arguments": {"work": [{"name": name, **SUBJECT} for name in ("Linear algebra", "Mechanics")]},
        },
    },
    {"action": "next_plan", "goal_check": "The result of the call shows twelve placed blocks; nothing is pending."},
    {
        "action": "continue",
        "tool_call": {"name": "context_tools_add", "arguments": {"domain": "schedule", "packs": ["deep_analyze"]}},
    },
    {"action": "continue", "tool_call": {"name": "analyze_health", "arguments": {}}},
    {"action": "done", "goal_check": "The analysis finds no day with strain and says to close."},
]
PLACED = 12
"""Items that stand in the calendar afterwards."""
SUMMARY = {"summary": "All twelve blocks of revision are in your calendar. No day is overloaded."}
"""The replies were written by hand, as models write them; where each belongs follows from what happened before it."""


def reply(asked: ScriptedRequest) -> str:
    """Return the recorded reply to a request."""
    if asked.prompt != "task_step":
        return json.dumps({"task_plan": PLAN, "task_summary": SUMMARY}[asked.prompt])
    taken = sum(message["role"] == "assistant" for message in asked.messages)
    return json.dumps(STEPS[min(taken, len(STEPS) - 1)])


def main(folder: Path) -> int:
    """Run the demo; return 0 if the work is in the calendar and the run has delivered its file."""
    folder.mkdir(parents=True, exist_ok=True)
    url = f"sqlite:///{folder.resolve() / 'calendars.db'}"
    (folder / "calendars.db").unlink(missing_ok=True)
    os.environ |= {"BANDSMITH_CALENDARS": url, "BANDSMITH_HOME": str(folder.resolve() / "home")}
    with ScriptedModel(reply) as server:
        _use(server)
        timetable = folder / "timetable.ics"
        timetable.write_text(_put_off(TIMETABLE.read_text("utf-8")), "utf-8")
        _run("calendar", "import", str(timetable), "--from", FIRST_DAY.isoformat(), "--days", "21")
        _draw(folder / "calendar-before.svg", "Before")
        _run("chat", REQUEST, "yes", "yes", "--out", str(folder / "files"))
        placed = _draw(folder / "calendar-after.svg", "After: six blocks of each subject")
    print(f"{folder}/: calendar-before.svg calendar-after.svg\n")
    delivered = _carry_out_report_task(folder)
    return 0 if placed == PLACED and delivered else 1


def _carry_out_report_task(folder: Path) -> bool:
    """Build, fill and schedule a report, start the run once, and return whether it has delivered its file."""
    os.environ["BANDSMITH_DELIVERY_FOLDER"] = str(folder.resolve())
    for old in (folder / "reports").glob("*.pdf"):
        old.unlink()
    if (folder / "home" / "sources.toml").exists():  # of an earlier demo
        _run("runs", "cancel", report_task.RUN)
    shop.add(folder / "shop.db")
    session = f"sales-{uuid4().hex[:8]}"
    with ScriptedModel(report_task.reply) as server:
        _use(server)
        _run("chat", report_task.REQUEST, *report_task.ANSWERS, "--session", session, "--out", str(folder / "report"))
    before = set((folder / "reports").glob("*.pdf"))
    _run("runs", "list")
    done = _run("runs", "now", report_task.RUN) == 0
    made = set((folder / "reports").glob("*.pdf")) - before
    print(*(f"The run has delivered {file}" for file in sorted(made)), sep="\n")
    return done and bool(made)


def _put_off(timetable: str) -> str:
    """Return the timetable in the weeks from the next Monday on."""
    weeks = FIRST_DAY - RECORDED
    return re.sub(
        r"(DT(?:START|END):)(\d{8})",
        lambda found: f"{found[1]}{datetime.strptime(found[2], '%Y%m%d') + weeks:%Y%m%d}",
        timetable,
    )


def _use(server: ScriptedModel) -> None:
    own = {"URL": server.url, "NAME": "recorded", "KEY": "none"}
    os.environ |= {f"BANDSMITH_MODEL_{name}": value for name, value in own.items()}


def _run(*arguments: str) -> int:
    """Run `bandsmith` in a separate process, and return its exit code."""
    print(f"$ bandsmith {' '.join(arguments)}", flush=True)
    program = [sys.executable, "-c", "from bandsmith.cli import main; main()", *arguments]
    return subprocess.run(program, check=False).returncode


def _draw(file: Path, title: str) -> int:
    """Draw the calendar, and return how many items stand in it."""
    store = CalendarStore(CalendarSettings().url)
    schedule = store.load("main").schedule
    store.close()
    file.write_text(picture(schedule, title), encoding="utf-8")
    return sum(item.at is not None for item in schedule.items)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
