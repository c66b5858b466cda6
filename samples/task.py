"""Carry out a task with recorded replies of a model: ``make demo-task``. No model and no network is needed.

A timetable is imported, `bandsmith chat` plans the revision of two subjects, a yes confirms the plan and another one
what is stored. The calendar is drawn before and after, into the folder that is given.

    python -m samples.task FOLDER
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedRequest
from bandsmith.shared.schedule.store import CalendarStore
from bandsmith.shared.settings import CalendarSettings

from .calendar_picture import picture

TIMETABLE = Path(__file__).with_name("timetable.ics")
FIRST_DAY = "2026-11-23"
REQUEST = (
    "/task plan the revision for linear algebra and mechanics before 12 December, two blocks a day at most, "
    "never on Sundays"
)
SUBJECT = {"items": 6, "slots": 2, "not_after": "2026-12-11", "excluded_weekdays": [7], "max_slots_a_day": 2}
PLAN = {
    "action": "plan_done",
    "speak": "I would place six blocks of each subject.",
    "complexity": "simple",
    "plan_steps": [
        {
            "content": "Place six blocks each of linear algebra and mechanics before 12 December, at most two blocks "
            "a day, not on Sundays.",
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
SUMMARY = {"summary": "All twelve blocks of revision are in your calendar. No day is overloaded."}
"""The replies were written by hand, as models write them; where each belongs follows from what happened before it."""


def reply(asked: ScriptedRequest) -> str:
    """Return the recorded reply to a request."""
    if asked.prompt != "task_step":
        return json.dumps({"task_plan": PLAN, "task_summary": SUMMARY}[asked.prompt])
    taken = sum(message["role"] == "assistant" for message in asked.messages)
    return json.dumps(STEPS[min(taken, len(STEPS) - 1)])


def main(folder: Path) -> int:
    """Run the demo and return the exit code of the conversation."""
    folder.mkdir(parents=True, exist_ok=True)
    url = f"sqlite:///{folder.resolve() / 'calendars.db'}"
    (folder / "calendars.db").unlink(missing_ok=True)
    with ScriptedModel(reply) as server:
        own = {"URL": server.url, "NAME": "recorded", "KEY": "none"}
        os.environ |= {f"BANDSMITH_MODEL_{name}": value for name, value in own.items()}
        os.environ |= {"BANDSMITH_CALENDARS": url, "BANDSMITH_HOME": str(folder.resolve() / "home")}
        _run("calendar", "import", str(TIMETABLE), "--from", FIRST_DAY, "--days", "21")
        _draw(folder / "calendar-before.svg", "Before")
        code = _run("chat", REQUEST, "yes", "yes", "--out", str(folder / "files"))
        _draw(folder / "calendar-after.svg", "After: six blocks of each subject")
    print(f"{folder}/: calendar-before.svg calendar-after.svg")
    return code


def _run(*arguments: str) -> int:
    """Run `bandsmith` in a separate process, and return its exit code."""
    print(f"$ bandsmith {' '.join(arguments)}", flush=True)
    program = [sys.executable, "-c", "from bandsmith.cli import main; main()", *arguments]
    return subprocess.run(program, check=False).returncode


def _draw(file: Path, title: str) -> None:
    store = CalendarStore(CalendarSettings().url)
    file.write_text(picture(store.load("main").schedule, title), encoding="utf-8")
    store.close()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
