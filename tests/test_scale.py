"""The plan for a million sessions a day: its page is fresh, and its arithmetic does what a reader expects of it."""

import json

import pytest

from benchmarks import scale
from benchmarks.footprint import FILE
from benchmarks.scale import NOW, SERVICES, THEN, Assumed, Plan

MEASURED = json.loads(FILE.read_text())


@pytest.fixture
def plan() -> Plan:
    return Plan(MEASURED)


def test_the_tables_of_the_page_are_fresh():
    page = scale.PAGE.read_text(encoding="utf-8")
    assert page == scale.fresh(page), "docs/scale.md is stale: run `python -m benchmarks.scale --write`"


def test_twice_the_sessions_need_twice_of_everything(plan: Plan):
    twice = Plan(MEASURED, Assumed(sessions=2 * plan.a.sessions))
    assert twice.live == 2 * plan.live
    for shape in (NOW, THEN):
        assert twice.limits(shape) == pytest.approx({name: 2 * taken for name, taken in plan.limits(shape).items()})
    for service in SERVICES:
        assert 2 * plan.cores(service) == pytest.approx(twice.cores(service))


def test_the_proposed_design_carries_the_load(plan: Plan):
    assert max(plan.limits(NOW).values()) > 1
    assert max(plan.limits(THEN).values()) < 1


def test_a_gpu_relieves_the_cores_of_inference_only(plan: Plan):
    spared = plan.cpu("ocr") - plan.cpu("ocr", gpu=True)
    assert spared == pytest.approx(plan.a.pictures * MEASURED["page"]["engine"])
    assert plan.cpu("ocr", gpu=True) > 0
    assert plan.cpu("validator", gpu=True) == plan.cpu("validator")


def test_storage_grows_with_retention(plan: Plan):
    half = NOW.model_copy(update={"event_days": NOW.event_days / 2})
    assert plan.terabytes("events", half) == pytest.approx(plan.terabytes("events", NOW) / 2)
    assert plan.index("events", half) == pytest.approx(plan.index("events", NOW) / 2)
    assert plan.terabytes("objects", half) == plan.terabytes("objects", NOW)
