"""``bandsmith runs``: reports that are filled and delivered at given times."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bandsmith.shared.bus.base import Bus
from bandsmith.shared.errors import BadInput, RetryableError
from bandsmith.shared.events import TurnFailed, TurnFinished
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.document import TABLES, TEMPLATES, Document
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import RUN_NAME, Missed, Run, RunState, Times
from bandsmith.shared.model.run_request import RunEdit
from bandsmith.shared.runs.steps import edited, is_done, session_of, start_command, started_now
from bandsmith.shared.runs.store import Runs, unknown
from bandsmith.shared.runs.times import next_due, zone_of

from ..attachments import attachment, check
from ..client import Client
from ..locale import user_language
from . import run_arguments as arguments
from .fill import named_values
from .messages import message, print_json, quiet_log, sentence
from .own_store import with_bus
from .run_options import addresses_of, checked_options, delivery_of, formats_of, local_zone, times_of
from .template_files import bindings_beside, store_sample

app = typer.Typer(rich_markup_mode="markdown")

ADD_EXAMPLES = """
**Examples**

    bandsmith runs add statement report.jrxml --data rows.csv --at "0 8 1 * *" --to reports
    bandsmith runs add sales report.jrxml --source shop --param month={last_month} --at "0 8 1 * *" --to reports
    bandsmith runs add weekly report.jrxml --data rows.csv --at "FREQ=WEEKLY;BYDAY=MO" --mail ann@example.com --format xlsx
"""  # noqa: E501 - shown as it is
LIST_EXAMPLES = """
**Examples**

    bandsmith runs list
    bandsmith runs list --json
"""
SHOW_EXAMPLES = """
**Examples**

    bandsmith runs show statement
"""
EDIT_EXAMPLES = """
**Examples**

    bandsmith runs edit statement --at "0 9 1 * *"
    bandsmith runs edit statement --format xlsx --mail ann@example.com
"""
NOW_EXAMPLES = """
**Examples**

    bandsmith runs now statement
"""
PAUSE_EXAMPLES = """
**Examples**

    bandsmith runs pause statement
    bandsmith runs resume statement
"""
CANCEL_EXAMPLES = """
**Examples**

    bandsmith runs cancel statement
"""


@app.command(epilog=ADD_EXAMPLES)
def add(
    name: arguments.Name,
    template: arguments.Template,
    at: arguments.At,
    data: arguments.Data = None,
    source: arguments.Source = "",
    to: arguments.To = "",
    mail: arguments.Mail = None,
    webhook: arguments.Webhook = "",
    param: arguments.Param = None,
    each: arguments.Each = "",
    form: arguments.Formats = None,
    zone: arguments.Zone = "",
    begins: arguments.Begins = None,
    excluded: arguments.Excluded = None,
    missed: Annotated[Missed, typer.Option(help="Which times are made up for when nothing was running.")] = "latest",
    retries: arguments.Retries = 2,
    tell: arguments.Tell = None,
    paused: arguments.Paused = False,
    as_json: arguments.AsJson = False,
) -> None:
    """Fill TEMPLATE at given times, and deliver the files."""
    quiet_log()
    if not re.fullmatch(RUN_NAME, name):
        raise BadInput.of("runs.name", code="run", name=name)
    _check_files(template, data, source)
    if not (to or mail or webhook):
        raise BadInput.of("runs.nowhere", code="run")
    times = times_of(at, zone or local_zone(), begins, excluded or [])
    due = _first_due(times)
    formats, delivery = formats_of(form or []), delivery_of(name, to, mail or [], webhook)
    filling = Filling(parameters=named_values(param or []), formats=formats, source=source or None, each=each[:80])
    told, language = addresses_of("--tell", tell or []), user_language()
    run = checked_options(lambda: Run(
        name=name, template=_UNSTORED, filling=filling, times=times, delivery=delivery, language=language,
        missed=missed, retries=retries, tell=told,
    ))  # fmt: skip
    state = with_bus(lambda bus: _store(bus, RunState(run=run, next_due=due, paused=paused), template, data))
    _print_added(state, as_json)


def _first_due(times: Times) -> datetime:
    """Return the first time at which the run is due. Raises ``BadInput`` where there is none."""
    due = next_due(times, datetime.now(UTC))
    if due is None:
        raise BadInput.of("runs.never", code="run")
    return due


def _print_added(state: RunState, as_json: bool) -> None:
    name = state.run.name
    if as_json:
        print_json(_summary(state))
    elif state.paused:
        print(message("runs.talk.added_paused", name=name))
    else:
        print(message("runs.added", name=name, due=_next(state)))
        print(message("runs.keep_running"))


def _check_files(template: Path, data: Path | None, source: str) -> None:
    check(template, TEMPLATES)
    if (data is None) == (not source):
        raise BadInput.of("cli.fill.data_or_source", code="run")
    if data is not None:
        check(data, TABLES)


@app.command("list", epilog=LIST_EXAMPLES)
def list_command(as_json: arguments.AsJson = False) -> None:
    """List the runs, with the time at which each is due next."""

    async def read(bus: Bus) -> list[RunState]:
        runs = Runs(bus)
        found = [await runs.read(name) for name in await runs.names()]
        return [stored.state for stored in found if stored]

    states = with_bus(read)
    if as_json:
        print_json([_summary(state) for state in states])
        return
    if not states:
        print(message("runs.none"))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "times", "next", "last"):
        table.add_column(message(f"runs.columns.{column}"))
    for state in states:
        last = message(f"runs.states.{state.results[-1].outcome}") if state.results else ""
        table.add_row(state.run.name, Text(state.run.times.rule), _next(state), last)
    Console().print(table)


@app.command(epilog=SHOW_EXAMPLES)
def show(name: arguments.Name, as_json: arguments.AsJson = False) -> None:
    """Show a run with its last results."""
    state = with_bus(lambda bus: _read(bus, name))
    if as_json:
        print_json(_summary(state) | {"results": [one.model_dump(mode="json") for one in state.results]})
        return
    console = Console()
    times, places = state.run.times, ", ".join(state.run.delivery.places)
    console.print(Text(f"{name}  {times.rule}  {times.zone}  → {places}", style="bold"), soft_wrap=True)
    console.print(Text(f"{message('runs.columns.next')}: {_next(state)}"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("due", "outcome", "attempts", "told"):
        table.add_column(message(f"runs.columns.{column}"))
    for result in state.results:
        outcome = message(f"runs.states.{result.outcome}")
        table.add_row(_local(result.due, times.zone), outcome, str(result.attempts), Text(result.told))
    if state.results:
        console.print(table)


@app.command(epilog=EDIT_EXAMPLES)
def edit(
    name: arguments.Name,
    at: arguments.At = "",
    to: arguments.To = "",
    mail: arguments.Mail = None,
    form: arguments.OtherFormats = None,
    excluded: arguments.Excluded = None,
    tell: arguments.Tell = None,
) -> None:
    """Change a run. What is not named stays as it is; addresses take the place of those before."""
    quiet_log()
    days, mails, tells = [day.date() for day in excluded or []], mail or [], tell or []
    places = delivery_of(name, to, mails, "")
    wanted = checked_options(
        lambda: RunEdit(
            rule=at,
            excluded=days,
            formats=formats_of(form or []),
            folder=places.folder,
            mail=places.mail,
            tell=addresses_of("--tell", tells),
        )
    )
    if not wanted:
        raise BadInput.of("runs.talk.nothing_to_change", code="run")
    state = with_bus(lambda bus: Runs(bus).change(name, lambda state: edited(state, wanted, datetime.now(UTC))))
    print(message("runs.talk.changed", name=name, due=_next(state)))


@app.command(epilog=NOW_EXAMPLES)
def now(name: arguments.Name, as_json: arguments.AsJson = False) -> None:
    """Run it now, whatever its times are, and wait for the result. If it is under way already, wait for that."""

    async def run(bus: Bus) -> TurnFinished | TurnFailed:
        log_end = await bus.last_sequence()
        state = await Runs(bus).change(name, lambda state: _with_attempt(state, log_end))
        assert state.current is not None
        await bus.send(start_command(state))
        async with aclosing(Client(bus).follow(session_of(state.run), state.current.turn)) as events:
            async for event in events:
                if isinstance(event, TurnFinished | TurnFailed):
                    return event
        raise RetryableError.of("cli.bus_closed")

    from ..local import SERVICES  # noqa: PLC0415 - slow; the help must not wait for it

    with_bus(lambda bus: _read(bus, name))  # a wrong name is told before the services start
    end = with_bus(run, SERVICES)
    told = end.reply if isinstance(end, TurnFinished) else sentence(end)
    if as_json:
        print_json({"name": name, "done": is_done(end), "reply": told})
    else:
        print(message("runs.done" if is_done(end) else "runs.failed", told=told))
    raise typer.Exit(0 if is_done(end) else 1)


@app.command(epilog=PAUSE_EXAMPLES)
def pause(name: arguments.Name) -> None:
    """Start no more of a run until it is resumed."""
    with_bus(lambda bus: Runs(bus).change(name, lambda state: state.model_copy(update={"paused": True})))
    print(message("runs.paused", name=name))


@app.command(epilog=PAUSE_EXAMPLES)
def resume(name: arguments.Name) -> None:
    """Start a paused run again from its next time on. Times that passed meanwhile are not made up for."""
    due = datetime.now(UTC)
    state = with_bus(
        lambda bus: Runs(bus).change(
            name,
            lambda state: state.model_copy(update={"paused": False, "next_due": next_due(state.run.times, due)}),
        )
    )
    print(message("runs.resumed", name=name, due=_next(state)))


@app.command(epilog=CANCEL_EXAMPLES)
def cancel(name: arguments.Name) -> None:
    """Remove a run. A run in progress is completed."""
    with_bus(lambda bus: Runs(bus).remove(name))
    print(message("runs.removed", name=name))


async def _store(bus: Bus, state: RunState, template: Path, data: Path | None) -> RunState:
    """Store a run with its template, and its data or the queries that read them. Raises ``BadInput``."""
    queries = await asyncio.to_thread(_queries, template) if data is None else b""
    client = Client(bus)
    document = await client.store(await asyncio.to_thread(attachment, template))
    rows = await client.store(await asyncio.to_thread(attachment, data)) if data else None
    found = {"sample": await store_sample(bus, template, data)}
    if queries:
        found["bindings"] = await bus.put(queries, "application/yaml")
    filling = state.run.filling.model_copy(update=found)
    run = state.run.model_copy(update={"template": document, "data": rows, "filling": filling})
    state = state.model_copy(update={"run": run})
    await Runs(bus).add(state)
    return state


def _queries(template: Path) -> bytes:
    """Return the queries that an earlier filling kept beside the template. Raises ``BadInput`` where there are none."""
    try:
        return bindings_beside(template).read_bytes()
    except OSError:
        raise BadInput.of("runs.no_queries", code="run", name=template.name) from None


def _with_attempt(state: RunState, log_end: int) -> RunState:
    """Return the state with the attempt that is under way, else with one for now."""
    return state if state.current is not None else started_now(state, datetime.now(UTC), log_end)


_UNSTORED = Document(name="report.jrxml", content=Ref(key="0" * 64, media="application/xml", size=0))
"""Stands for the template until it is stored."""


async def _read(bus: Bus, name: str) -> RunState:
    stored = await Runs(bus).read(name)
    if stored is None:
        raise unknown(name)
    return stored.state


def _local(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(zone_of(zone)):%Y-%m-%d %H:%M}"


def _next(state: RunState) -> str:
    if state.current is not None:
        return message("runs.states.running")
    if state.paused:
        return message("runs.states.paused")
    return _local(state.next_due, state.run.times.zone) if state.next_due else message("runs.states.over")


def _summary(state: RunState) -> dict[str, object]:
    run = state.run
    return {
        "name": run.name,
        "times": run.times.model_dump(mode="json"),
        "delivery": run.delivery.model_dump(mode="json"),
        "next_due": state.next_due.isoformat() if state.next_due else None,
        "paused": state.paused,
        "running": state.current is not None,
    }
