"""Questions about dates that are printed beside labels: how many days lie between two, and when something was done."""

from __future__ import annotations

import re
from datetime import date

from ..language.references import with_value
from ..language.sentence_templates import Slots
from .printed_questions import label_value
from .printed_values import printed_text
from .report import OwnReport

_DATE = re.compile(r"(\d{4})\s?(?:-|年|/|\.)\s?(\d{1,2})\s?(?:-|月|/|\.)\s?(\d{1,2})")


def days_between(report: OwnReport, slots: Slots) -> str | None:
    """“送货日期和签收日期差几天？”, “How many days between the invoice date and the due date?”"""
    one, other = _date_of(report, slots["one"]), _date_of(report, slots["other"])
    if one is None or other is None:
        return None
    count = abs((other - one).days)
    return report.say("days_between", one=slots["one"], other=slots["other"], first=one, second=other, count=count)


def _date_of(report: OwnReport, words: str) -> date | None:
    """Return the one date that is printed beside a label."""
    target = report.target(words)
    if target is None or target.column is not None:
        return None
    found = {groups for piece in with_value(report.view, target).texts for groups in _DATE.findall(
        printed_text(report, piece)
    )}  # fmt: skip
    if len(found) != 1:
        return None
    year, month, day = map(int, found.pop())
    try:
        return date(year, month, day)
    except ValueError:
        return None


def done_when(report: OwnReport, slots: Slots) -> str | None:
    """“什么时候盘点的？”, “When was it counted?”: what is printed beside the label of that date."""
    labels = slots["dated"].split("|") if slots["dated"] else [f"{slots['deed']}日期", f"{slots['deed']}时间"]
    return _first(report, labels)


def done_by(report: OwnReport, slots: Slots) -> str | None:
    """“谁盘点的？”: what is printed beside the label of who did it."""
    deed = slots["deed"]
    return _first(report, [f"{deed}人", f"{deed}员", deed])


def _first(report: OwnReport, labels: list[str]) -> str | None:
    answers = (label_value(report, Slots({"label": label})) for label in labels)
    return next((answer for answer in answers if answer), None)


RULES = (days_between, done_when, done_by)
