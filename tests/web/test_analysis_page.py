"""The web page of an analysis in a real browser, on a phone and on a desk."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from bandsmith.services.validator.analysis.web_page import as_web_page
from bandsmith.shared.model.analysis import AnalysisDocument, Chart, ChartSeries, DocumentSection, DocumentTable

pytestmark = pytest.mark.slow
NAMES = ["Tools", "Kitchen", "文具", "Lighting", "Garden", "收纳", "Outdoor", "Office"]
TABLE = DocumentTable(columns=["category", "total"], rows=[[name, "1,234.50"] for name in NAMES], numeric=[False, True])
CHART = Chart(kind="bar", categories=NAMES, series=[ChartSeries(name="total", values=[8, 7, 6, 5, 4, 3, 2, 1])])
PAGE = AnalysisDocument(
    title="Sales", question="Which sold most?", source="shop",
    sections=[DocumentSection(heading="By category", chart=CHART, table=TABLE)], queries=[],
)  # fmt: skip


@pytest.mark.parametrize("width", [360, 1280])
async def test_every_bar_has_its_name_and_nothing_is_wider_than_the_screen(chromium: str, tmp_path: Path, width: int):
    (tmp_path / "report.html").write_text(as_web_page(PAGE, "en"), encoding="utf-8")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": width, "height": 800})
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await page.goto((tmp_path / "report.html").as_uri())
        texts = await page.locator(".chart svg text").all_text_contents()
        wide = await page.evaluate("document.documentElement.scrollWidth")
        await browser.close()
    assert [text for text in texts if text in NAMES] == NAMES
    assert wide <= width and len(asked) == 1
