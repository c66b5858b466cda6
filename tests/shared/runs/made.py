"""Runs to test with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.run import Delivery, Run, RunState, Times
from bandsmith.shared.runs.times import next_due

START = datetime(2026, 11, 23, 7, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def ref(name: str) -> Ref:
    return Ref(key=name.ljust(64, "0"), media="application/xml", size=1)


def times(rule: str, zone: str = "UTC", **more: Any) -> Times:
    return Times(rule=rule, zone=zone, **{"begins": datetime(2026, 1, 1), **more})


def scheduled(name: str = "statement", rule: str = "0 8 * * *", at: datetime = START, **more: Any) -> RunState:
    run = Run(
        name=name,
        template=Document(name="report.jrxml", content=ref("a")),
        data=Document(name="rows.csv", content=ref("b")),
        times=times(rule),
        **{"delivery": Delivery(title=name, folder="reports"), **more},
    )
    return RunState(run=run, next_due=next_due(run.times, at))
