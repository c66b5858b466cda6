"""A receipt that a scripted model is asked about."""

from __future__ import annotations

import io
import json
from typing import Any

from PIL import Image, ImageDraw

from bandsmith.services.planner.read_form import read_form
from bandsmith.shared.events import FormRead, ReadForm
from bandsmith.shared.llm import Allowance, model_from
from bandsmith.shared.llm.scripted import ScriptedModel, ScriptedReply
from bandsmith.shared.model.form_reading import FormReading
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import (
    Block,
    Layout,
    Picture,
    Repeat,
    Slot,
    TextLine,
    TextStyle,
)
from tests.generator.test_actor import MemoryStore

STYLE = TextStyle(family="DejaVu Sans", size=9)
TEXTS = (
    ("Corner Shop", 40, 40, 0.9),
    ("Oat milk", 40, 100, 0.9),
    ("3.80", 200, 100, 0.9),
    ("Bread", 40, 114, 0.8),
    ("2.40", 200, 114, 1.0),
    ("l:", 2, 300, 0.4),
)


def page(**changes: Any) -> Layout:
    """A receipt of which the rules take the first item alone for a row."""
    lines = [
        TextLine(id=f"l{number}", text=text, box=Box(x=x, y=y, width=40, height=7), style=STYLE, confidence=confidence)
        for number, (text, x, y, confidence) in enumerate(TEXTS, 1)
    ]
    blocks = [Block(id=f"b-{n.id}", text=n.text, lines=[n.id], box=n.box, style=STYLE) for n in lines]
    rows = Repeat(box=lines[1].box, tops=[98], pitch=14, slots=[Slot(label="Item", blocks=["b-l2"])])
    picture = Picture(id="p1", box=Box(x=300, y=300, width=60, height=60))
    layout = Layout(page=Size(width=420, height=595), lines=lines, blocks=blocks, repeat=rows, pictures=[picture])
    return layout.model_copy(update=changes)


def drawn() -> bytes:
    """The page as a PNG: right of *Bread*, between its name and its amount, something is printed."""
    written = io.BytesIO()
    form = Image.new("RGB", (875, 1240), "white")
    ImageDraw.Draw(form).text((178, 238), "rye rye rye", fill="black")
    form.save(written, "PNG")
    return written.getvalue()


class Asked:
    """One form that a scripted model was asked about."""

    def __init__(self, model: ScriptedModel, event: FormRead, reading: FormReading | None) -> None:
        self.model, self.event, self.reading = model, event, reading

    @property
    def prompt(self) -> str:
        return self.model.requests[0].text


async def ask(*replies: dict[str, Any] | ScriptedReply, layout: Layout | None = None, sees: bool = False) -> Asked:
    store = MemoryStore()
    command = ReadForm(
        layout=await store.put((layout or page()).model_dump_json().encode(), "application/json"),
        form=await store.put(drawn(), "image/png"),
        text="a receipt",
        language="en",
        allowance=Allowance(calls=10, tokens=100_000),
    )
    script = [one if isinstance(one, ScriptedReply) else json.dumps(one) for one in replies]
    with ScriptedModel(script) as server:
        model = model_from(server.settings(vision=sees))
        assert model is not None
        event = await read_form(store, command, model)
        await model.close()
    reading = FormReading.model_validate_json(await store.get(event.reading)) if event.reading else None
    return Asked(server, event, reading)


RIGHT: dict[str, Any] = {"wrong": "", "rows_are_right": True}
ITEMS: dict[str, Any] = {
    "rows_are_right": False,
    "tables": [{"columns": [{"name": "Item"}, {"name": "Amount"}], "rows": ["2 | 3", "4 | 5"]}],
}
