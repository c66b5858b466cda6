"""A report is renamed and shared on the page; who has the link looks, and changes nothing."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from .conftest import Open
from .test_page import built

pytestmark = pytest.mark.slow


async def test_a_report_is_renamed_and_shared_and_the_link_revoked(browse: Open):
    """Given a report
    When its user renames it, makes a link, and revokes all links
    Then someone with nothing but the link sees the report without anything to change it, and nothing soon after
    """
    page = await browse()
    await built(page)
    await page.get_by_role("button", name="Name and sharing").click()
    await page.get_by_role("textbox", name="Name").fill("March sales")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("h1.title")).to_have_text("March sales")
    await page.get_by_role("button", name="Make a link").click()
    link = await page.get_by_role("textbox", name="Link").input_value()

    guest = await browse(lets_in=False)
    await guest.goto(link)
    await expect(guest.get_by_role("img", name="Page 1 of the report")).to_be_visible()
    await expect(guest.locator("h1.title")).to_have_text("March sales")
    for gone in ("Message", "Undo", "Reports", "Name and sharing"):
        await expect(guest.get_by_label(gone, exact=True)).to_have_count(0)

    await page.get_by_role("button", name="Revoke all links").click()
    await expect(page.get_by_role("status")).to_contain_text("no longer work")
    answer = await guest.request.get(f"{link.partition('/shared')[0]}/api/sessions/{link.partition('#')[2]}")
    while answer.ok:
        answer = await guest.request.get(answer.url)
    assert answer.status == 410
    await expect(guest.get_by_role("alert")).to_have_text("This link was revoked; ask for a new one.")
    await guest.reload()
    await expect(guest.get_by_role("alert")).to_have_text("This link was revoked; ask for a new one.")
    await expect(guest.get_by_text("Connection lost")).to_have_count(0)


async def test_a_new_report_begins_beside_an_open_one(browse: Open):
    page = await browse()
    await built(page)
    await page.get_by_role("button", name="New report").click()
    await expect(page.get_by_role("button", name="Choose a file")).to_be_visible()
    await page.get_by_role("button", name="Reports").click()
    await page.locator(".drawer .open").first.click()
    await expect(page.locator(".page img")).to_be_visible()


async def test_a_report_is_exported_for_java_from_the_menu(browse: Open):
    page = await browse()
    await built(page)
    await page.locator(".downloads summary").click()
    await page.get_by_role("button", name="For Java (ZIP)").click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="report-java.zip").click()
    assert (await (await download.value).path()).read_bytes().startswith(b"PK")
