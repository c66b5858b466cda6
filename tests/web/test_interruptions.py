"""A request that is stopped, or cut off in its middle, on the page; the services are scripted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, Route, async_playwright, expect
from playwright.async_api import Request as Sent

from bandsmith.shared.events import Command, Event, MapFields
from bandsmith.web import turns
from bandsmith.web.identity import Identity
from tests.gateway.scripted import ScriptedActor

from .conftest import Place
from .test_api import PHOTO, build
from .test_cards import say

pytestmark = pytest.mark.slow


class Services(ScriptedActor):
    """Services that name fields only once they may."""

    def __init__(self) -> None:
        super().__init__({})
        self.may_go_on = asyncio.Event()

    async def handle(self, command: Command) -> Event:
        if isinstance(command, MapFields):
            await self.may_go_on.wait()
        return await super().handle(command)


@pytest.fixture
def actor() -> Services:
    return Services()


@pytest.fixture
async def page(chromium: str, place: Place) -> AsyncIterator[Page]:
    """The page of a user whose photo has come to the naming of its fields."""
    async with place.client("user ann") as ann:
        assert (await ann.post("/api/sessions/march/turns", files=PHOTO)).status_code == 202
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await (await browser.new_context(locale="en-GB")).new_page()
        await page.goto(f"{place.address}/enter?key={place.access.invite('user ann', 'editor')}&session=march")
        await expect(page.locator(".steps .now")).to_have_text("Naming the fields")
        yield page
        await browser.close()


async def test_a_request_is_stopped_and_another_one_works(page: Page, actor: Services):
    """Given a report that is being built
    When its user presses Stop, and then asks for something else
    Then the conversation says that nothing came of the first request, and the second one is carried out
    """
    await page.get_by_role("button", name="Stop", exact=True).click()
    await expect(page.locator(".reply").last).to_contain_text("cancelled; there is no report yet")
    await expect(page.locator(".steps")).to_have_count(0)
    assert await page.get_by_role("img", name="Page 1 of the report").count() == 0
    actor.may_go_on.set()
    await say(page, "a sales report with customer and amount")
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_attached()


async def test_what_happened_while_the_connection_was_lost_is_shown(page: Page, place: Place, actor: Services):
    """Given a report that is being built
    When the connection is lost, the report is finished meanwhile, and the connection comes back
    Then the page says that it was lost, and shows the conversation and the report as if it had never been
    """
    await page.context.set_offline(True)
    await expect(page.locator(".offline")).to_be_visible()
    actor.may_go_on.set()
    async with asyncio.timeout(60):
        while not (await place.door.client.session(Identity("user ann", "editor").key("march"))).turns:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await page.context.set_offline(False)
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_attached()
    await expect(page.locator(".offline")).to_have_count(0)
    await expect(page.locator(".steps")).to_have_count(0)
    shown = await page.locator(".log").inner_text()
    await page.reload()
    await expect(page.locator(".reply")).to_have_count(1)
    assert await page.locator(".log").inner_text() == shown


async def test_an_answer_that_comes_late_does_not_bring_back_a_request_that_is_over(page: Page, actor: Services):
    """Given a page that asks how far a report is
    When the answer is on its way for so long that the report is finished and shown before it comes
    Then the report stays, and nothing is said to be under way
    """
    is_asked, is_finished, came_late = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def answer(route: Route) -> None:
        is_first = not is_asked.is_set()
        response = await route.fetch()
        is_asked.set()
        if is_first:
            await is_finished.wait()
        await route.fulfill(response=response)
        if is_first:
            came_late.set()

    await page.route("**/api/sessions/march", answer)
    await page.reload()
    await is_asked.wait()
    actor.may_go_on.set()
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_attached()
    is_finished.set()
    await came_late.wait()
    await page.wait_for_timeout(500)
    await expect(page.locator(".steps")).to_have_count(0)
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_attached()


WATCH = """() => {
  window.saidToBeLost = 0
  const look = () => { window.saidToBeLost += document.querySelectorAll(".offline").length }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
}"""


async def test_nothing_is_said_when_the_server_ends_a_long_stream_of_events(
    page: Page, actor: Services, monkeypatch: pytest.MonkeyPatch
):
    """Given a server that ends every stream of events after its time
    When the page connects again three times, and the report is finished then
    Then the page never says that the connection is lost, and shows the report
    """
    monkeypatch.setattr(turns, "STREAM_S", 0.5)
    monkeypatch.setattr(turns, "ADMITTED_S", 0.2)
    await page.reload()
    await page.evaluate(WATCH)
    for _ in range(3):
        await page.wait_for_event("request", predicate=_is_stream)
    actor.may_go_on.set()
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_attached()
    assert await page.evaluate("window.saidToBeLost") == 0


async def test_a_server_that_stays_away_is_said_to_be_lost_until_it_is_back(
    page: Page, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(turns, "STREAM_S", 0.5)
    monkeypatch.setattr(turns, "ADMITTED_S", 0.2)
    await page.reload()
    await expect(page.locator(".steps .now")).to_have_text("Naming the fields")
    await page.route("**/api/**", lambda route: route.abort())
    await expect(page.locator(".offline")).to_be_visible()
    await page.unroute_all()
    await expect(page.locator(".offline")).to_have_count(0)


async def test_a_page_that_begins_without_the_server_says_so_and_begins_once_it_is_there(page: Page):
    await page.route("**/api/**", lambda route: route.abort())
    await page.reload()
    await expect(page.locator(".offline")).to_have_text("Connection lost. Trying again ...")
    await page.unroute_all()
    await expect(page.locator(".steps .now")).to_have_text("Naming the fields")
    await expect(page.locator(".offline")).to_have_count(0)


def _is_stream(request: Sent) -> bool:
    return request.url.endswith("/events")


async def test_what_cannot_be_sent_is_kept_and_the_reason_is_gone_with_its_cause(page: Page, actor: Services):
    """Given a user without a connection
    When they send something, in each language
    Then the page says so in that language, keeps what they wrote, and takes the sentence back with the connection
    """
    error, box = page.locator(".composer .error"), page.locator("#message")
    for sentence, other in (("There is no connection.", "中文"), ("目前没有连接。", "English")):
        await page.context.set_offline(True)
        await box.fill("make it red")
        await page.keyboard.press("Enter")
        await expect(error).to_contain_text(sentence)
        await expect(box).to_have_value("make it red")
        await page.context.set_offline(False)
        await expect(error).to_have_count(0)
        await page.get_by_role("button", name=other).click()
        await expect(page.get_by_role("button", name=other)).to_have_count(0)


async def test_a_reload_shows_the_end_of_a_long_conversation(page: Page, place: Place, actor: Services):
    actor.may_go_on.set()
    async with place.client("user ann") as ann:
        for number in range(12):
            await build(ann, turn=f"turn-{number}")
    await page.reload()
    await expect(page.get_by_role("img", name="Page 1 of the report")).to_be_attached()
    await expect(page.locator(".turn")).to_have_count(13)
    await expect(page.locator(".turn").last.locator(".reply")).to_be_in_viewport(ratio=1)


async def test_a_reload_shows_the_same_steps(page: Page, actor: Services):
    before = await page.locator(".log").inner_text()
    await page.reload()
    await expect(page.locator(".steps .now")).to_have_text("Naming the fields")
    assert await page.locator(".log").inner_text() == before


async def test_a_second_window_stops_the_request_of_the_first(page: Page, place: Place, actor: Services):
    second = await page.context.new_page()
    await second.goto(f"{place.address}/#march")
    await second.get_by_role("button", name="Stop", exact=True).click()
    for window in (page, second):
        await expect(window.locator(".steps")).to_have_count(0)
        await expect(window.locator(".reply").last).to_contain_text("cancelled; there is no report yet")
