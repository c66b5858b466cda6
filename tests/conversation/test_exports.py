"""What a report prints is in the files that it is exported to."""

from __future__ import annotations

import io

import docx
import pytest
from docx.document import Document
from docx.table import Table
from lxml import html

from .conftest import SAMPLES, Talk

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="package")]


def bare(text: str) -> str:
    return "".join(text.split())


def written(place: Document | Table) -> str:
    tables = place.tables if isinstance(place, Document) else [place]
    return "\n".join(bare(cell.text) for table in tables for row in table.rows for cell in row.cells)


async def test_the_word_file_of_a_photographed_slip_has_every_text(talk: Talk):
    await talk.say("", SAMPLES / "sales-slip.jpg", language="zh")
    web = await talk.say("导出 HTML")
    end = await talk.say("导出 Word")
    page = html.document_fromstring((await talk.client.fetch(web.files["report.html"])).decode())
    blocks = [node for node in page.iter("td", "div") if not node.findall(".//td")]
    printed = {text for node in blocks if (text := bare(node.text_content()))}
    document = written(docx.Document(io.BytesIO(await talk.client.fetch(end.files["report.docx"]))))

    assert "联系电话：0573-87002216" in document and "客户签收：" in document
    assert len(printed) > 40 and not [text for text in printed if text not in document]
    assert end.complete and end.reply == "已导出为 report.docx。"
