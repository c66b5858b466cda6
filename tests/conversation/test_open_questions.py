"""What is asked before something is replaced, and what becomes of the question.

A file that comes while a question is open is a new request: the question is dropped, and the file is used.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import SAMPLES, Talk

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="package")]

REPORT = "generate a sales report with customer and amount"


async def asked_about_a_reset(talk: Talk) -> None:
    await talk.say(REPORT)
    assert (await talk.say("reset")).asks


async def test_a_table_replaces_the_report_once_that_is_agreed_to(talk: Talk, tmp_path: Path):
    await asked_about_a_reset(talk)
    table = tmp_path / "sales.csv"
    table.write_text("Origin,Kind,Amount\nChina,A,12.50\nPeru,B,33.20\n")

    asked = await talk.say("", table, language="en")
    assert asked.asks and asked.asks.text.startswith("There is a report already")
    built = await talk.say("yes")

    assert built.intent == "initial_generation" and built.passed
    assert "Peru" in await talk.page() and len((await talk.session()).versions) == 2


async def test_a_template_becomes_the_report(talk: Talk, tmp_path: Path):
    await asked_about_a_reset(talk)
    file = tmp_path / "own.jrxml"
    file.write_text((await talk.template()).replace("Customer", "Client"))

    end = await talk.say("", file, language="en")

    assert end.passed and "Client" in await talk.template() and len((await talk.session()).versions) == 2


async def test_a_picture_replaces_the_report_once_that_is_agreed_to(talk: Talk):
    await asked_about_a_reset(talk)
    asked = await talk.say("", SAMPLES / "invoice.png", language="en")
    assert asked.asks and asked.asks.text.startswith("There is a report already")


@pytest.mark.parametrize("words", [REPORT, "generate sales report with customer and amount"])
async def test_a_report_described_again_is_asked_about(talk: Talk, words: str):
    await talk.say(REPORT)
    await talk.say("make the title larger")
    asked = await talk.say(words)
    assert asked.asks and asked.asks.text.startswith("There is a report already")
    assert (await talk.say("no")).passed is None and len((await talk.session()).versions) == 2
