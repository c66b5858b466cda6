"""Remarks drawn on a page of the report, or on the form that it is built from, are carried out."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from samples.pen import MarkerPen

from .conftest import SAMPLES, Talk

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="package")]

REQUEST = "a sales report with customer, product, quantity and amount"
RED = "#E02020"


def rename_customer(pen: MarkerPen, at: dict) -> None:
    """Write “rename to Client” below the table, with an arrow to the heading “Customer”."""
    x, y, _, height = at["Customer"]
    pen.write(x + 60, y + 330, "rename to Client", 14)
    pen.arrow((x + 70, y + 315), (x + 30, y + height - 4))


async def drawn_on(talk: Talk, tmp_path: Path, draw) -> Path:
    """Page 1 of the report with remarks in red pen; `draw` gets the pen, the words and their positions."""
    end = await talk.say("show me the report")
    page = Image.open(io.BytesIO(await talk.client.fetch(end.files["page-1.png"]))).convert("RGB")
    template = await talk.template()
    width = int(re.search(r'pageWidth="(\d+)"', template)[1])
    draw(MarkerPen(page, page.width / width, RED), places(template))
    file = tmp_path / "page.png"
    page.save(file)
    return file


def places(template: str) -> dict[str, tuple[float, float, float, float]]:
    """By its words, where each fixed text of title and column header is on page 1: x, y, width, height in points."""
    left, top = (float(re.search(rf'{side}Margin="(\d+)"', template)[1]) for side in ("left", "top"))
    found, y = {}, top
    for section in ("title", "columnHeader"):
        band = re.search(rf"<{section}>(.*?)</{section}>", template, re.DOTALL)
        if band is None:
            continue
        for text in re.findall(r"<staticText>.*?</staticText>", band[1], re.DOTALL):
            at = {name: float(re.search(rf'\b{name}="(\d+)"', text)[1]) for name in ("x", "y", "width", "height")}
            words = re.search(r"<text><!\[CDATA\[(.*?)\]\]>", text)[1]
            found[words] = (left + at["x"], y + at["y"], at["width"], at["height"])
        y += float(re.search(r'<band height="(\d+)"', band[1])[1])
    return found


async def test_remarks_on_a_form_are_carried_out_once_it_is_built(talk: Talk):
    end = await talk.say("", SAMPLES / "invoice-remarks.png", language="en")
    assert end.intent == "initial_generation" and end.status == "done" and end.passed
    template = await talk.template()
    page = await talk.page()
    assert "Service" in template and "Description" not in template
    assert "04-00-75" not in page and "31926819" in page
    assert re.search(r'size="22', template), end.reply


@pytest.mark.parametrize("words", ["", "apply the remarks"])
async def test_remarks_on_a_page_of_the_report_change_what_they_point_at(talk: Talk, tmp_path: Path, words: str):
    await talk.say(REQUEST)
    end = await talk.say(words, await drawn_on(talk, tmp_path, rename_customer))
    assert end.intent == "modify_report" and end.status == "done" and end.passed
    template = await talk.template()
    assert "<![CDATA[Client]]>" in template and "<![CDATA[Customer]]>" not in template
    assert "<![CDATA[Product]]>" in template


async def test_a_column_is_found_by_its_place_after_the_page_has_changed(talk: Talk, tmp_path: Path):
    await talk.say(REQUEST)
    await talk.say("landscape")

    def draw(pen: MarkerPen, at: dict) -> None:
        x, y, _, height = at["Product"]
        pen.strike(x, x + 60, y + height / 2)

    end = await talk.say("", await drawn_on(talk, tmp_path, draw))
    assert end.intent == "modify_report" and end.passed
    assert "$F{product}" not in await talk.template()
    assert "$F{customer}" in await talk.template()


async def test_words_beside_the_remarks_are_carried_out_too(talk: Talk, tmp_path: Path):
    await talk.say(REQUEST)
    file = await drawn_on(talk, tmp_path, rename_customer)
    end = await talk.say("please make these changes and rename Product to Item", file)
    assert end.passed
    template = await talk.template()
    assert "<![CDATA[Client]]>" in template and "<![CDATA[Item]]>" in template
    if talk.mind:  # asked about the words, it keeps what rules read in them and in the remarks
        assert talk.mind.calls == ["modification", "review_outcome"]


@pytest.mark.parametrize("host", ["model"], indirect=True)
async def test_a_model_that_replaces_what_rules_read_carries_out_words_and_remarks_alone(talk: Talk, tmp_path: Path):
    await talk.say(REQUEST)
    file = await drawn_on(talk, tmp_path, rename_customer)
    [header] = re.findall(r'key="([^"]+)"(?:(?!key=").)*CDATA\[Customer\]', await talk.template(), re.DOTALL)
    edits = [{"do": "text", "element": header, "text": "Buyer"}]
    talk.mind.says["modification"] = {"plan": "", "rules": "replace", "look": [], "edits": edits, "undone": ""}

    assert (await talk.say("please make these changes and rename Product to Item", file)).passed
    template = await talk.template()
    assert "<![CDATA[Buyer]]>" in template
    assert "<![CDATA[Client]]>" not in template and "<![CDATA[Product]]>" in template
    asked, _ = talk.mind.asked  # the second is the review
    assert "rename to Client" in asked.text and "Item" in asked.text
