"""What is changed on the page without words: by the bar, by keys, and in the table of data."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Request, expect

from .conftest import Open
from .test_page import built, say, shown_version

pytestmark = pytest.mark.slow
PASTE = """(cell, text) => {
  const copied = new DataTransfer()
  copied.setData("text/plain", text)
  cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: copied, bubbles: true, cancelable: true }))
}"""


async def test_the_bar_changes_the_selection_without_a_sentence(browse: Open):
    """Given a report with two selected elements
    When the user makes them red and then larger by the bar
    Then edits are sent and no text, the selection stays, and undo takes back one after the other
    """
    page = await browse()
    await built(page)
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.url.endswith("/turns") else None)
    await page.locator(".mark").nth(0).click()
    await page.locator(".mark").nth(1).click(modifiers=["Shift"])
    await page.get_by_role("button", name="Red", exact=True).click()
    await shown_version(page, 2)
    await expect(page.get_by_role("button", name="Red", exact=True)).to_have_attribute("aria-pressed", "true")
    await page.get_by_role("button", name="Larger").click()
    await shown_version(page, 3)
    await expect(page.locator(".chip.accent")).to_contain_text("2 elements selected")
    assert len(sent) == 2
    assert all(b'name="text"\r\n\r\n\r\n' in (request.post_data_buffer or b"") for request in sent)
    await page.keyboard.press("Control+z")
    await shown_version(page, 4)
    assert b'{"do":"undo"}' in (sent[2].post_data_buffer or b"")
    await expect(page.get_by_role("button", name="Red", exact=True)).to_have_attribute("aria-pressed", "true")


async def test_the_bar_and_keys_change_weight_size_side_and_colour(browse: Open):
    """Given a report with its title selected
    When the user makes it bold by a key, smaller and blue and aligned right by the bar, and takes all back by keys
    Then the template is what each step says, and redo brings the last one again
    """
    page = await browse()
    await built(page)
    title = page.locator(".mark").first
    await title.click()
    bar = page.get_by_role("toolbar", name="Format the selection")
    was_bold = await bar.get_by_role("button", name="Bold").get_attribute("aria-pressed")
    size = float(await bar.get_by_label("Font size in points").input_value())

    await title.focus()
    await page.keyboard.press("Control+b")
    await shown_version(page, 2)
    await expect(bar.get_by_role("button", name="Bold")).not_to_have_attribute("aria-pressed", was_bold)
    await bar.get_by_role("button", name="Smaller").click()
    await shown_version(page, 3)
    await expect(bar.get_by_label("Font size in points")).to_have_value(f"{size - 1:g}")
    await bar.get_by_role("button", name="Align right").click()
    await shown_version(page, 4)
    await expect(bar.get_by_role("button", name="Align right")).to_have_attribute("aria-pressed", "true")
    await bar.get_by_role("button", name="Blue", exact=True).click()
    await shown_version(page, 5)
    await expect(bar.get_by_role("button", name="Blue", exact=True)).to_have_attribute("aria-pressed", "true")

    await page.keyboard.press("Control+z")
    await shown_version(page, 6)
    await expect(bar.get_by_role("button", name="Blue", exact=True)).to_have_attribute("aria-pressed", "false")
    await page.keyboard.press("Control+Shift+Z")
    await shown_version(page, 7)
    await expect(bar.get_by_role("button", name="Blue", exact=True)).to_have_attribute("aria-pressed", "true")


async def test_a_title_is_reworded_in_place_and_deleted_by_a_key(browse: Open):
    page = await browse()
    await built(page)
    await page.locator(".mark").first.click()
    await page.get_by_label("Text", exact=True).fill("Sales in March")
    await page.keyboard.press("Enter")
    await shown_version(page, 2)
    await page.get_by_role("button", name="Element Sales in March").focus()
    await page.keyboard.press("Delete")
    await shown_version(page, 3)
    await expect(page.get_by_role("button", name="Element Sales in March")).to_have_count(0)
    await expect(page.locator(".chip.accent")).to_have_count(0)


async def test_the_data_are_changed_in_a_table_and_printed_at_once(browse: Open):
    page = await browse()
    await built(page)
    await page.get_by_role("button", name="Data", exact=True).click()
    await page.get_by_label("Customer, row 1").fill("Ann Miller")
    await page.get_by_role("button", name="Add a row").click()
    await page.get_by_role("button", name="Fill the report").click()
    await shown_version(page, 2)
    await page.get_by_role("button", name="Report", exact=True).click()
    await expect(page.get_by_role("button", name="Element Ann Miller")).to_be_visible()


async def test_the_pages_of_a_long_report_are_shown_and_those_that_are_not_are_counted(browse: Open):
    """Given a report of one page
    When its user pastes the rows of a spreadsheet into the table, and fills the report with them
    Then the first pages are shown, and the page says how many there are
    """
    page = await browse()
    await built(page)
    await page.get_by_role("button", name="Data", exact=True).click()
    rows = "\n".join(f"Customer {number}\t{number}.50" for number in range(250))
    await page.get_by_label("Customer, row 1").evaluate(PASTE, rows)
    await expect(page.get_by_label("Customer, row 250")).to_have_value("Customer 249")
    await page.get_by_role("button", name="Fill the report").click()
    await shown_version(page, 2)
    await page.get_by_role("button", name="Report", exact=True).click()
    await expect(page.get_by_role("img", name="Page 5 of the report")).to_be_attached()
    await expect(page.locator(".hint").first).to_have_text(re.compile(r"^The first 5 of \d+ pages"))


async def test_a_value_that_its_field_cannot_have_is_named(browse: Open):
    page = await browse()
    await built(page)
    await page.get_by_role("button", name="Data", exact=True).click()
    await page.get_by_label("Amount, row 1").fill("much")
    await expect(page.get_by_label("Amount, row 1")).to_have_attribute("aria-invalid", "true")
    await page.get_by_role("button", name="Fill the report").click()
    await expect(page.locator(".reply").last).to_contain_text("“much” in row 1 is not a number")


async def test_what_was_typed_into_the_table_is_not_lost(browse: Open):
    """Given a report whose rows were changed in the table, one of them to what its column cannot have
    When the user looks at the report and comes back, fills it, and is told what is wrong
    Then everything that was typed still stands in the table, and one more change is enough
    """
    page = await browse()
    await built(page)
    data, report = (page.get_by_role("button", name=name, exact=True) for name in ("Data", "Report"))
    await data.click()
    customer, amount = page.get_by_label("Customer, row 1"), page.get_by_label("Amount, row 1")
    await customer.fill("Ann Miller")
    await amount.fill("much")
    await report.click()
    await data.click()
    await expect(customer).to_have_value("Ann Miller")
    await page.get_by_role("button", name="Fill the report").click()
    await expect(page.locator(".reply").last).to_contain_text("Amount: “much” in row 1 is not a number")
    await expect(customer).to_have_value("Ann Miller")
    await expect(amount).to_have_value("much")
    await amount.fill("12")
    await page.get_by_role("button", name="Fill the report").click()
    await report.click()
    await expect(page.get_by_role("button", name="Element Ann Miller")).to_be_visible()


async def test_two_versions_are_compared(browse: Open):
    page = await browse()
    await built(page)
    await page.locator(".mark").first.click()
    await page.get_by_role("button", name="Blue", exact=True).click()
    await shown_version(page, 2)
    await page.get_by_role("navigation", name="Versions").get_by_role("button").first.click()
    await page.get_by_role("button", name="Compare with the current version").click()
    await expect(page.get_by_role("img", name="Page of version 2")).to_be_visible()
    await expect(page.locator(".differences div")).not_to_have_count(0)
    await expect(page.get_by_role("region", name="Different in the current version")).to_be_visible()
    await page.get_by_role("button", name="Differences").wait_for(state="detached")
    await page.get_by_role("button", name="Back to the current version").click()
    await page.get_by_role("button", name="Differences").click()
    await expect(page.get_by_role("img", name="Before and after")).to_be_visible()


async def test_a_pending_question_is_a_card_and_its_answer_goes_on(browse: Open):
    page = await browse()
    await built(page)
    await say(page, "start over")
    card = page.get_by_role("region", name="Question")
    await card.get_by_role("button", name="No").click()
    await expect(card).to_have_count(0)
    await expect(page.locator(".page img")).to_be_visible()


async def test_a_file_that_was_asked_for_stays_in_the_conversation(browse: Open):
    page = await browse()
    await built(page)
    await say(page, "export to excel")
    await page.get_by_role("link", name="report.xlsx").wait_for()
    await page.reload()
    await expect(page.locator(".page img")).to_be_visible()  # the conversation has its place and its width
    async with page.expect_download() as download:
        await page.get_by_role("link", name="report.xlsx").click()
    assert (await (await download.value).path()).read_bytes().startswith(b"PK")


async def test_a_lost_connection_is_told_and_what_happened_meanwhile_is_shown(browse: Open):
    """Given two windows with the same report, of which one is offline
    When the other changes the report, and the first one is online again
    Then the first one says that it was offline, and shows the change
    """
    first = await browse()
    await built(first)
    second = await browse(f"/#{first.url.partition('#')[2]}")
    await expect(second.locator(".page img")).to_be_visible()
    await first.context.set_offline(True)
    await first.evaluate("dispatchEvent(new Event('offline'))")
    await expect(first.locator(".offline")).to_be_visible()
    await say(second, "make the title larger")
    await shown_version(second, 2)
    await first.context.set_offline(False)
    await first.evaluate("dispatchEvent(new Event('online'))")
    await shown_version(first, 2)
    await expect(first.locator(".offline")).to_have_count(0)
