"""Read what a sentence says about scheduled runs, if it accounts for every word: when, what is filled, where it goes.

A sentence about runs that are there ("pause the run sales") is one template. One that asks for a new run says several
things in any order, so its phrases are taken out one after another; what is left may only be words that join them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, get_args

from bandsmith.shared.model.run import RUN_NAME
from bandsmith.shared.model.run_request import RunAction, RunDraft, RunRequest
from bandsmith.shared.model.session_parts import Format

from .clock import read_clock
from .filling_sentences import is_divider
from .numbers import number_of
from .request_clauses import without_politeness
from .sentence_templates import Slots, matches, phrases

SUBJECT = "runs"
DEFAULT_TIME = 8, 0
"""When a run is due whose time of day was not said; the user sees it before it is added."""
MAX_SENTENCE_CHARS = 400
CHANGES: dict[str, RunAction] = {"pauses": "pause", "resumes": "resume", "cancels": "cancel", "starts": "now"}
TIMES = ("daily", "workdays", "weekly", "monthly", "month_end", "workday_of_month", "weekday_of_month")
PARTS = ("at", "fills", "stores", "sends", "sends_to_user", "tells", "tells_user", "named", "as_format", "paused")
RULES = frozenset(
    {"lists_runs", "asks_when", "names_runs", "joins", "corrects", "at_alone", "changes", *CHANGES, *TIMES, *PARTS}
)
_FORMATS: tuple[Format, ...] = get_args(Format)
_BLANKS = re.compile(r"(\s)\s+")
"""A run of blanks, of which one is enough; templates would take the square of a longer one."""
_MARKS = re.compile(r"[\s,，、;；:：.。!！?？/–—-]+")
_CRON_CLOCK = re.compile(r"(\d+) (\d+) ")
_RULE_CLOCK = re.compile(r"BYHOUR=(\d+);BYMINUTE=(\d+)")
_ADDRESS = re.compile(r"[^\s,，、;；和]+@[A-Za-z0-9.-]+[A-Za-z0-9]")


class Found(NamedTuple):
    """A phrase of a sentence, by the rule that reads it."""

    rule: str
    start: int
    end: int
    slots: Slots


def read_run_sentence(text: str, after_runs: bool = False) -> RunRequest | None:
    """Return what a sentence wants of scheduled runs; None where rules do not account for all of it.

    `after_runs`: the turn before was about runs, so that "it" and a mere name mean one.
    """
    sentence = without_politeness(text)
    if not sentence or len(sentence) > MAX_SENTENCE_CHARS:
        return None
    if asked := next(matches(SUBJECT, "asks_when", sentence), None):
        return RunRequest(do="list", names=[name for name in (asked["name"], asked["title"]) if name])
    if (after_runs or phrases(SUBJECT, "names_runs", sentence)) and (known := _about_known_runs(sentence)):
        return known
    if changed := _change_of_a_run(sentence, after_runs=after_runs):
        return changed
    return _new_run(sentence)


def read_run_details(text: str, known: RunRequest) -> RunRequest | None:
    """Return a known request with what the answer to a question adds to it; None where it adds nothing."""
    sentence = without_politeness(text)
    if known.gap in ("mail", "tell") and (addresses := _addresses(sentence)):
        given = {"mail": addresses, "mails_user": False} if known.gap == "mail" else {}
        if known.gap == "tell" or (known.draft.tells_user and known.gap == "mail"):
            given |= {"tell": addresses, "tells_user": False}
        return _with(known, **given)
    if known.gap == "which" and re.fullmatch(RUN_NAME, sentence):
        return known.model_copy(update={"names": [sentence]})
    if known.gap == "period" and len(sentence) <= 40:
        return _with(known, period=sentence)
    found = _accounted(sentence)
    if not found and known.gap == "where" and re.fullmatch(r"[A-Za-z0-9_~.][A-Za-z0-9_./~-]*", sentence):
        return _with(known, folder=sentence)
    details = {name: value for name, value in _details(found).items() if value}
    return _with(known, **details) if details else None


def corrects_run(text: str) -> bool:
    """Whether a message says how a run that was just shown is to be instead, and nothing else."""
    found = _accounted(without_politeness(text), is_correction=True)
    return bool(found) and {one.rule for one in found}.isdisjoint({"tells_user", "sends_to_user", "paused"})


def read_run_correction(text: str, known: RunRequest) -> RunRequest | None:
    """Return a new run as it was shown, with what a message corrects of it; None where it corrects nothing.

    A time of day leaves the days as they were, and days leave the time of day.
    """
    found = _accounted(without_politeness(text), is_correction=True)
    clock = _said_clock(found)
    at = clock or _clock_of(known.draft.rule) or DEFAULT_TIME
    details = {name: value for name, value in _details(found, at).items() if value}
    if clock and "rule" not in details:
        details["rule"] = _with_clock(known.draft.rule, *clock)
    return _with(known, **details) if details else None


def _said_clock(found: list[Found]) -> tuple[int, int] | None:
    return next((read_clock(one.slots["time"]) for one in found if one.rule in ("at", "at_alone")), None)


def _clock_of(rule: str) -> tuple[int, int] | None:
    """Return the hour and the minute of a cron expression or an RRULE that names one time of day."""
    if found := _RULE_CLOCK.search(rule):
        return int(found[1]), int(found[2])
    found = _CRON_CLOCK.match(rule)
    return (int(found[2]), int(found[1])) if found else None


def _with_clock(rule: str, hour: int, minute: int) -> str:
    """Return the rule for another time of day; empty where the rule does not name exactly one."""
    if _clock_of(rule) is None:
        return ""
    changed = _RULE_CLOCK.sub(f"BYHOUR={hour};BYMINUTE={minute}", rule)
    return _CRON_CLOCK.sub(f"{minute} {hour} ", changed, count=1) if changed == rule else changed


def _with(known: RunRequest, **news: object) -> RunRequest:
    return known.model_copy(update={"draft": RunDraft.model_validate(known.draft.model_dump() | news)})


def _about_known_runs(sentence: str) -> RunRequest | None:
    """Return what a sentence wants of the runs that are there."""
    if any(True for _ in matches(SUBJECT, "lists_runs", sentence)):
        return RunRequest(do="list")
    for rule, action in CHANGES.items():
        for slots in matches(SUBJECT, rule, sentence):
            names = [slots["all_runs"] or slots["name"]]
            return RunRequest(do=action, names=[name for name in names if name])
    return None


def _change_of_a_run(sentence: str, *, after_runs: bool) -> RunRequest | None:
    """Return that a run is to be another one: "move the run sales to 9", and after runs just "at 9 instead"."""
    if phrases(SUBJECT, "names_runs", sentence) or after_runs:
        for slots in matches(SUBJECT, "changes", sentence):
            if corrects_run(slots["news"]):
                names = [name for name in (slots["name"],) if name]
                return RunRequest(do="change", names=names, wording=slots["news"])
    if after_runs and corrects_run(sentence) and phrases(SUBJECT, "corrects", sentence):
        return RunRequest(do="change", wording=sentence)
    return None


def _new_run(sentence: str) -> RunRequest | None:
    """Return a new run, if the sentence says when, and what is filled or where it goes."""
    if not any(phrases(SUBJECT, rule, sentence) for rule in TIMES):
        return None
    found = _accounted(sentence)
    rules = {one.rule for one in found}
    if not all(is_divider(one.slots["each"]) for one in found if one.rule == "fills"):
        return None
    is_run = rules & set(TIMES) and rules & {"fills", "stores", "sends", "sends_to_user"}
    if not is_run:
        return None
    return RunRequest(do="add", draft=RunDraft.model_validate(_details(found)))


def _accounted(sentence: str, *, is_correction: bool = False) -> list[Found]:
    """Return the phrases of a sentence; none where they do not account for every word, or say one thing twice."""
    sentence = _BLANKS.sub(r"\1", sentence)
    found, rest, end = list[Found](), list[str](), 0
    joining = {"joins", "corrects"}
    for one in sorted(_candidates(sentence, is_correction=is_correction), key=lambda one: (one.start, -one.end)):
        if one.start < end:
            continue
        rest.append(sentence[end : one.start])
        found.append(one)
        end = one.end
    rest.append(sentence[end:])
    rules = [one.rule for one in found if one.rule not in joining]
    if any(_MARKS.sub("", words) for words in rest) or len(rules) != len(set(rules)):
        return []
    return [one for one in found if one.rule not in joining] if len(set(rules) & set(TIMES)) <= 1 else []


def _candidates(sentence: str, *, is_correction: bool) -> Iterator[Found]:
    for rule in (*TIMES, *PARTS, "joins", *(("corrects", "at_alone") if is_correction else ())):
        for phrase in phrases(SUBJECT, rule, sentence):
            yield Found(rule, phrase.start, phrase.end, phrase.slots)


def _details(found: list[Found], default: tuple[int, int] = DEFAULT_TIME) -> dict[str, object]:
    """Return what the phrases say of a new run, by the fields of a draft."""
    by_rule = {one.rule: one.slots for one in found}
    details: dict[str, object] = {}
    clock = read_clock(by_rule["at"]["time"]) if "at" in by_rule else default
    for rule in by_rule.keys() & set(TIMES):
        details["rule"] = _rule(rule, by_rule[rule], clock) if clock else ""
    if fills := by_rule.get("fills"):
        details |= {"source": fills["source"], "period": fills["period"], "each": fills["each"]}
    if stores := by_rule.get("stores"):
        details["folder"] = stores["folder"].rstrip(".")
    if named := by_rule.get("named"):
        details["name"] = named["name"]
    forms = {slots["format"] for slots in (by_rule.get(rule) for rule in ("stores", "sends", "as_format")) if slots}
    details["formats"] = [form for form in _FORMATS if form in forms]
    for rule, field in (("sends", "mail"), ("tells", "tell")):
        if rule in by_rule:
            details[field] = _addresses(by_rule[rule]["addresses"])
    said = {"mails_user": "sends_to_user", "tells_user": "tells_user", "paused": "paused"}
    return details | {field: rule in by_rule for field, rule in said.items()}


def _rule(rule: str, slots: Slots, clock: tuple[int, int]) -> str:
    """Return a cron expression, or the RRULE of a day that is counted within its month."""
    hour, minute = clock
    at, by_clock = f"{minute} {hour}", f"BYHOUR={hour};BYMINUTE={minute}"
    match rule:
        case "daily":
            return f"{at} * * *"
        case "workdays":
            return f"{at} * * 1-5"
        case "weekly":
            days = [slots["weekday"], *filter(None, [slots["other_weekday"]])]
            return f"FREQ=WEEKLY;BYDAY={','.join(days)};{by_clock}"
        case "monthly":
            day = re.sub(r"(?:st|nd|rd|th)$", "", slots["day"].casefold())
            return f"{at} {1 if day == 'first' else int(number_of(day) or 0)} * *"
        case "month_end":
            return f"FREQ=MONTHLY;BYMONTHDAY=-1;{by_clock}"
        case "workday_of_month":
            return f"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS={slots['position']};{by_clock}"
        case _:
            return f"FREQ=MONTHLY;BYDAY={slots['position']}{slots['weekday']};{by_clock}"


def _addresses(words: str) -> list[str]:
    return list(dict.fromkeys(_ADDRESS.findall(words)))
