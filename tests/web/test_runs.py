"""Scheduled runs over HTTP and on the page: each user sees their own, and agrees to every change before it is made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright, expect

from bandsmith.services.planner.actor import PlannerActor
from bandsmith.services.planner.language.run_sentences import read_run_sentence
from bandsmith.shared.events import Command, Event
from bandsmith.shared.language import LANGUAGES, Language
from bandsmith.shared.model.run import RunResult, RunState
from bandsmith.shared.owners import digest_of_owner
from bandsmith.shared.replies import text
from bandsmith.shared.runs.store import Runs
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import Source, write_sources
from bandsmith.web.identity import Identity, Role
from tests.gateway.run_talk import BINDINGS
from tests.gateway.scripted import ScriptedActor
from tests.shared.runs.made import scheduled
from tests.workflow.play import with_report

from .conftest import Place
from .test_accounts import WAYS
from .test_cards import say
from .test_look import violations

ANN = "user ann"
DUE = datetime(2030, 1, 2, 8, tzinfo=UTC)
FAILED = RunResult(due=DUE, ended=DUE, outcome="failed", attempts=3, told="The mail server cannot be reached.")
Enter = Callable[..., Awaitable[Page]]


class Services(ScriptedActor):
    """The real planner, and the other services scripted."""

    planner: PlannerActor

    async def handle(self, command: Command) -> Event:
        return await (self.planner.handle(command) if command.service == "planner" else super().handle(command))


@pytest.fixture
def actor() -> ScriptedActor:
    return Services({})


def of(owner: str, name: str = "statement", **more: Any) -> RunState:
    return scheduled(f"{digest_of_owner(owner)}-{name}").model_copy(update={"next_due": DUE, **more})


async def stored(place: Place) -> dict[str, RunState]:
    runs = await Runs(place.bus).of_owner(f"{digest_of_owner(ANN)}-", 9)
    return {state.run.name.partition("-")[2]: state for state in runs}


# --- over HTTP ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
async def test_a_user_s_list_has_their_own_runs(place: Place, way: str):
    owner = f"{place.issuer.address} ann" if way == "token" else ANN
    for state in (of(owner, results=[FAILED]), of("user ben", "other")):
        await Runs(place.bus).add(state)
    async with WAYS[way](place, "ann") as ann, WAYS[way](place, "eve") as eve:
        [run] = (await ann.get("/api/runs")).json()
        assert (await eve.get("/api/runs")).json() == []
    assert (run["name"], run["places"], run["last"], run["told"]) == ("statement", ["reports"], "failed", FAILED.told)
    assert datetime.fromisoformat(run["next_due"]) == DUE


async def test_an_admin_s_list_has_the_runs_of_every_user(place: Place):
    for state in (of(ANN), of("user ben", "other"), scheduled("of-this-machine")):
        await Runs(place.bus).add(state)
    async with place.with_key("eve", "admin") as eve, place.client(None) as stranger:
        assert len((await eve.get("/api/runs")).json()) == 3
        assert (await stranger.get("/api/runs")).status_code == 401


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["statement", "sales-by-month", "now", "all", "it", "0123456789abcdef-march_2026"])
def test_the_page_s_sentences_are_read_by_rules(language: Language, name: str):
    for action in ("pause", "resume", "now", "cancel"):
        read = read_run_sentence(text(f"web.page.ask.run.{action}", language, name=name))
        assert read is not None and (read.do, read.names) == (action, [name])


# --- on the page --------------------------------------------------------------------------------------------------


@pytest.fixture
async def enter(chromium: str, place: Place, actor: Services) -> AsyncIterator[Enter]:
    """Open the page as ann, in a role and a language."""
    actor.planner = PlannerActor(place.bus)
    write_sources(SourceSettings().file, {"shop": Source(name="shop", url="sqlite:///shop.db", users=["ann"])})
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        async def enter_as(role: Role = "editor", **options: Any) -> Page:
            page = await (await browser.new_context(**{"locale": "en-GB", **options})).new_page()
            await page.goto(f"{place.address}/enter?key={place.access.invite(ANN, role)}")
            await page.locator("header.top").wait_for()
            return page

        yield enter_as
        await browser.close()


@pytest.mark.slow
async def test_a_run_is_paused_resumed_started_and_removed_after_a_yes(place: Place, enter: Enter, axe: str):
    """Given a run that failed the last time
    When its user chooses what to do with it in the menu, and agrees on the card that shows it
    Then that is done, and not before
    """
    await Runs(place.bus).add(of(ANN, results=[FAILED]))
    page = await enter(timezone_id="UTC")
    card, runs = page.get_by_role("region", name="Question"), page.locator(".runs li")

    async def change(button: str, question: str) -> None:
        await page.get_by_role("button", name="Reports", exact=True).click()
        await page.get_by_role("button", name=f"{button}: statement").click()
        await expect(card).to_contain_text(question)

    await page.get_by_role("button", name="Reports", exact=True).click()
    for words in ("statement", "Next: 2 Jan 2030, 08:00", "To reports", "Last time: failed", FAILED.told):
        await expect(runs).to_contain_text(words)
    assert await violations(page, axe) == []
    await page.keyboard.press("Escape")

    await change("Pause", "Pause this run?")
    assert not (await stored(place))["statement"].paused
    await card.get_by_role("button", name="Yes").click()
    await expect(page.locator(".reply p").last).to_have_text("Paused the run “statement”.")
    assert (await stored(place))["statement"].paused

    await change("Resume", "Resume this run?")
    await card.get_by_role("button", name="No").click()
    await expect(card).to_have_count(0)
    assert (await stored(place))["statement"].paused

    await change("Run now", "Start this run now?")
    await card.get_by_role("button", name="Yes").click()
    await expect(page.locator(".reply").last).to_contain_text("Started the run “statement”.")
    assert (await stored(place))["statement"].current is not None

    await change("Remove", "Remove this run?")
    await card.get_by_role("button", name="Yes").click()
    await expect(page.locator(".reply p").last).to_have_text("Removed the run “statement”.")
    assert await stored(place) == {}


@pytest.mark.slow
async def test_a_run_is_added_from_a_card_and_listed(place: Place, enter: Enter):
    """Given a report that was filled from a source
    When its user says when it is filled again and where it goes, and agrees on the card that shows the run
    Then the menu lists it
    """
    key = Identity(ANN, "editor").key("march")
    bindings = await place.bus.put(BINDINGS, "application/yaml")
    report = with_report(1).model_copy(update={"id": key, "name": "Sales by month", "bindings": bindings})
    await place.bus.write_state(f"session-{key}", report.model_dump_json().encode(), None)
    page = await enter(timezone_id="UTC")
    await page.goto(f"{place.address}/#march")
    await expect(page.get_by_role("heading", name="Sales by month")).to_be_visible()
    await say(page, "every Monday at 8 fill this report from shop for last month and mail it to ann@example.com")
    card = page.get_by_role("region", name="Question")
    for words in ("name: sales-by-month", "ann@example.com", "08:00", "Add this run?"):
        await expect(card).to_contain_text(words)
    assert await stored(place) == {}
    await card.get_by_role("button", name="Yes").click()
    await expect(page.locator(".reply").last).to_contain_text("Added the run “sales-by-month”.")
    await page.get_by_role("button", name="Reports", exact=True).click()
    await expect(page.locator(".runs li")).to_contain_text("sales-by-month")
    assert list(await stored(place)) == ["sales-by-month"]


@pytest.mark.slow
async def test_a_run_is_paused_in_chinese_by_keyboard(place: Place, enter: Enter):
    await Runs(place.bus).add(of(ANN))
    page = await enter(locale="zh-CN")
    await page.get_by_role("button", name="报表列表").click()
    await page.get_by_role("button", name="暂停：statement").focus()
    await page.keyboard.press("Enter")
    yes = page.get_by_role("region", name="问题").get_by_role("button", name="是")
    await yes.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".reply p").last).to_have_text("已暂停定时任务“statement”。")


@pytest.mark.slow
async def test_a_reader_sees_the_runs_and_nothing_that_changes_them(place: Place, enter: Enter):
    await Runs(place.bus).add(of(ANN, paused=True))
    page = await enter("reader")
    await page.get_by_role("button", name="Reports", exact=True).first.click()
    await expect(page.locator(".runs li")).to_contain_text("Paused")
    await expect(page.locator(".runs button")).to_have_count(0)
