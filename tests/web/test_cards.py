"""Questions about data, plans of analyses and proposals of work, on the page; the services are scripted."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, async_playwright, expect

from bandsmith.shared.events import (
    AnalysisRendered,
    AnswerRead,
    BindingsStored,
    PlaceholdersRead,
    ReadAnswer,
    ReadPlaceholders,
    RenderAnalysis,
    RunTool,
    StepTaken,
    StoreBindings,
    TakeStep,
    ToolRan,
)
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import Source, write_sources
from tests.gateway.scripted import Script
from tests.workflow.service_events import CALL, ROWS_KNOWN, ref

from .conftest import Place
from .test_api import build
from .test_look import violations

pytestmark = pytest.mark.slow


@pytest.fixture
def script() -> Script:
    filling = Filling(source="shop", review=True)
    new = ROWS_KNOWN.model_copy(update={"is_new": True})
    rendered = AnalysisRendered(
        markdown=ref("markdown"), web_page=ref("web"), printout=ref("pdf"), printout_pages=[ref("page")],
        preview="Sales grew.",
    )  # fmt: skip
    shown = "```sql\nSELECT 1\n```\n\n| n |\n|---|\n| 1 |"
    return {
        RenderAnalysis: [rendered],
        ReadPlaceholders: [PlaceholdersRead(source="shop", database=ref("database"), works=[new], filling=filling)],
        StoreBindings: [BindingsStored(bindings=ref("bindings"), bindings_shown=shown)],
        ReadAnswer: [AnswerRead(agrees=None), AnswerRead(agrees=True)],
        TakeStep: [
            StepTaken(work_action="call", work_reply="{}", work_call=CALL),
            StepTaken(work_action="done", work_reply="{}"),
        ],
        RunTool: [
            ToolRan(
                work_result="Placed.", work_packs=[], work_change=ref("c"), work_change_id="1", work_shown="- Algebra"
            )
        ],
    }


@pytest.fixture
async def page(chromium: str, place: Place) -> AsyncIterator[Page]:
    """The page of a user who has the source "shop"."""
    shop = Source(name="shop", url="sqlite:///shop.db", users=["ann"])
    write_sources(SourceSettings().file, {"shop": shop})
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await (await browser.new_context(locale="en-GB")).new_page()
        await page.goto(f"{place.address}/enter?key={place.access.invite('user ann', 'editor')}")
        await page.get_by_label("Message").wait_for()
        yield page
        await browser.close()


async def choose(page: Page, name: str) -> None:
    """Choose in the menu what the next message is for."""
    await page.get_by_role("button", name="Reports").click()
    await page.get_by_role("button", name=name).click()


async def say(page: Page, text: str) -> None:
    await page.get_by_label("Message").fill(text)
    await page.keyboard.press("Enter")


async def test_a_source_is_asked_and_its_answer_has_the_query(page: Page):
    await choose(page, "Ask shop")
    await expect(page.locator(".chip.accent")).to_contain_text("Ask shop")
    await say(page, "how many customers are there?")
    await expect(page.locator(".query summary")).to_be_visible()


async def test_the_plan_of_an_analysis_is_changed_approved_and_run(page: Page):
    """Given the plan of an analysis as a card
    When the user says what should be different, and approves the next plan
    Then the plan comes again, and the analysis runs, and its page with the chart is shown
    """
    await choose(page, "Analyse shop")
    await say(page, "how did sales develop?")
    card = page.get_by_role("region", name="Question")
    await expect(card).to_contain_text("first: What is first?")
    await say(page, "without the second step")
    await expect(page.locator(".asked")).to_have_count(2)
    await expect(card).to_contain_text("first: What is first?")
    await card.get_by_role("button", name="Yes").click()
    await expect(page.get_by_role("link", name="report.html")).to_be_visible()
    await expect(page.get_by_role("img", name="Picture report-1.png")).to_be_attached()
    await expect(card).to_have_count(0)


async def test_the_queries_of_a_filling_are_reviewed_on_a_card(page: Page, place: Place, axe: str):
    """Given the data of a report
    When the user fills it from a source, and approves the query that is shown with its first rows
    Then the filled report is in the conversation
    """
    async with place.client("user ann") as ann:
        await build(ann)
    await page.goto(f"{place.address}/#march")
    await page.get_by_role("button", name="Data", exact=True).click()
    await page.get_by_role("button", name="Fill from shop").click()
    card = page.get_by_role("region", name="Question")
    await expect(card.locator(".sql")).to_contain_text("SELECT")
    await expect(card.locator("td").first).to_be_visible()
    assert await violations(page, axe) == []
    await card.get_by_role("button", name="Yes").click()
    await expect(page.get_by_role("link", name="filled.pdf")).to_be_visible()


async def test_work_is_planned_and_shown_as_cards_before_it_is_stored(page: Page):
    """Given the plan of a task as a card
    When the user says what should be different, approves the next plan, and the change that it leads to
    Then the change is stored
    """
    await choose(page, "Plan work")
    await say(page, "plan the revision of algebra")
    card = page.get_by_role("region", name="Question")
    await expect(card).to_contain_text("The plan:")
    await say(page, "not on Mondays")
    await expect(page.locator(".asked")).to_have_count(2)
    await card.get_by_role("button", name="Yes").click()
    await expect(card).to_contain_text("Algebra")
    await card.get_by_role("button", name="Yes").click()
    await expect(page.locator(".reply").last).to_contain_text("Stored")
