"""A template that runs without an end costs its own turn: others overtake it, and its worker is not one of theirs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from bandsmith.services.validator.actor import ValidatorActor
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import ExportReport, ReportExported, TemplateValidated, ValidateTemplate
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.plan import Data
from tests.shared.processes import until

from .reports import field, report

pytestmark = pytest.mark.slow

DATA = Data()


def endless(number: int = 0) -> bytes:
    """A template that passes every check and computes for minutes."""
    return report(field(f'new java.math.BigInteger("7").pow(30000000{number}).toString()'))


def plain(text: str = "tea") -> bytes:
    return report(field(f'"{text}"'))


@pytest.fixture
async def actor() -> AsyncIterator[ValidatorActor]:
    actor = ValidatorActor(MemoryBus(), ValidatorSettings(limit=12, heap_mb=256))
    await actor.start()
    yield actor
    await actor.stop()


async def put(actor: ValidatorActor, content: bytes) -> Ref:
    return await actor._store.put(content, "application/xml")


async def checked(actor: ValidatorActor, template: bytes, *, foreign: bool) -> TemplateValidated:
    """Validate a template, as one that Bandsmith made or as a user's own file."""
    ref, data = await put(actor, template), await put(actor, DATA.model_dump_json().encode())
    command = ValidateTemplate(template=ref, data=data, layout=None, form=None, upload=ref if foreign else None)
    event = await actor.handle(command)
    assert isinstance(event, TemplateValidated)
    return event


async def exported(actor: ValidatorActor, template: bytes) -> ReportExported:
    ref, data = await put(actor, template), await put(actor, DATA.model_dump_json().encode())
    event = await actor.handle(ExportReport(template=ref, data=data, format="csv", upload=ref))
    assert isinstance(event, ReportExported)
    return event


def codes(event: TemplateValidated) -> list[str]:
    return [finding.code for finding in event.findings]


async def test_a_report_of_ours_does_not_wait_for_a_foreign_template(actor: ValidatorActor):
    """Given two foreign templates without an end, and a third that waits for them
    When a report of ours is checked
    Then it is done before any of them has ended
    """
    hostile = [asyncio.create_task(checked(actor, endless(number), foreign=True)) for number in range(3)]
    await asyncio.sleep(0.5)
    assert (await checked(actor, plain(), foreign=False)).passed
    assert not any(task.done() for task in hostile)
    for task in hostile:
        assert codes(await task) == ["fill.timeout"]


async def test_a_foreign_template_overtakes_one_that_takes_long(actor: ValidatorActor):
    """Given a foreign template without an end
    When another user's template comes behind it, and another once its worker was killed
    Then the first is printed while the endless one runs, and the other by a worker that was ready at once
    """
    hostile = asyncio.create_task(checked(actor, endless(), foreign=True))
    await asyncio.sleep(0.5)
    assert (await checked(actor, plain(), foreign=True)).passed
    assert not hostile.done()
    spare = actor._foreign.ready_pids
    assert len(spare) == 1
    assert codes(await hostile) == ["fill.timeout"]
    assert (await checked(actor, plain("coffee"), foreign=True)).passed
    assert actor._foreign.ready_pids[:1] == spare


async def test_no_worker_prints_reports_of_ours_and_foreign_templates(actor: ValidatorActor):
    assert actor._foreign.ready_pids == [], "it starts with the first foreign template"
    await checked(actor, plain(), foreign=False)
    await exported(actor, plain())
    ours, theirs = actor._own.ready_pids, actor._foreign.ready_pids
    assert len(ours) == len(theirs) == 1 and ours != theirs


async def test_a_worker_that_nobody_needs_ends_and_the_first_of_ours_stays(
    actor: ValidatorActor, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bandsmith.services.validator.engine.lane.IDLE_S", 0.1)
    await checked(actor, plain(), foreign=False)
    await checked(actor, plain(), foreign=True)
    await asyncio.to_thread(until, lambda: not actor._foreign.ready_pids)
    assert len(actor._own.ready_pids) == 1
    assert (await checked(actor, plain("again"), foreign=True)).passed


async def test_a_template_that_killed_a_worker_kills_no_other(actor: ValidatorActor):
    """Given a foreign template whose check killed a worker
    When its user asks for a file of it, and to check it again
    Then the same sentence comes without another worker being killed, and a changed template is tried
    """
    assert codes(await checked(actor, endless(), foreign=True)) == ["fill.timeout"]
    await checked(actor, plain(), foreign=True)
    workers = actor._foreign.ready_pids
    with pytest.raises(TerminalError) as refused:
        await exported(actor, endless())
    assert refused.value.code == "fill.timeout"
    assert codes(await checked(actor, endless(), foreign=True)) == ["fill.timeout"]
    assert sorted(actor._foreign.ready_pids) == sorted(workers)
    assert (await checked(actor, endless().replace(b".pow(300000000)", b".pow(2)"), foreign=True)).passed
