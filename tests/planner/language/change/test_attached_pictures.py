"""A picture that comes with a request is printed; it travels with the data, not with what is kept of the edits."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from bandsmith.services.generator.modify_template import modify_template
from bandsmith.services.planner.language.change import read_change
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.shared.events import ModifyTemplate, ReadChange
from bandsmith.shared.llm import Usage
from bandsmith.shared.model.document import Document
from bandsmith.shared.turns.request import ChangeRequest
from tests.generator.test_actor import MemoryStore

from .templates import ALL
from .test_modify import SOME, Turn


def picture(media: str = "PNG", size: tuple[int, int] = (300, 120)) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", size, "#102060").save(target, media)
    return target.getvalue()


async def asked(text: str, files: dict[str, bytes]) -> tuple[MemoryStore, ChangeRequest, dict[str, object]]:
    """Return what is read in a request that comes with files, and the report that it is about."""
    store = MemoryStore()
    template, data = ALL["leave"]()
    report: dict[str, object] = {
        "template": await store.put(template, "application/xml"),
        "data": await store.put(data.model_dump_json().encode(), "application/json"),
        "language": "en",
    }
    pictures = [Document(name=name, content=await store.put(content, "image/png")) for name, content in files.items()]
    turn = {"text": text, "remarks": [], "layout": None, "history": [], "failure": None, "allowance": SOME}
    command = ReadChange.model_validate({**report, **turn, "pictures": pictures})
    change, _ = await read_change(store, command, None, SOME)
    return store, change, report


@pytest.mark.parametrize("media", ["PNG", "JPEG", "BMP", "TIFF", "WEBP"])
async def test_an_attached_picture_is_printed(engine: ReportEngine, media: str) -> None:
    store, change, report = await asked("put this logo at the top right", {"mark.png": picture(media)})
    request = await store.put(change.model_dump_json().encode(), "application/json")
    event = await modify_template(store, ModifyTemplate.model_validate({**report, "change": request}))
    after = Turn(store, event, Usage())
    assert base64.b64decode(str(after.data.parameters["logo"])).startswith(b"\x89PNG")
    assert [one.key for one in engine.print(after.template, after.data, pages=0).elements if one.kind == "image"] == [
        "logo"
    ]
    assert b'"content":null' in store.kept[event.edits.key]


async def test_a_large_picture_is_reduced() -> None:
    _, change, _ = await asked("use this picture as the logo", {"big.png": picture(size=(5000, 2000))})
    (edit,) = change.edits
    png = base64.b64decode(getattr(edit, "content", ""))
    assert Image.open(io.BytesIO(png)).size == (1200, 480)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "No picture is attached"),
        ({"a.png": picture(), "b.png": picture()}, "Several pictures are attached"),
        ({"a.png": b"<svg/>"}, "a.png cannot be read as a picture"),
        ({"a.png": picture()[:60]}, "a.png cannot be read as a picture"),
    ],
)
async def test_without_one_readable_picture_nothing_is_changed(files: dict[str, bytes], reason: str) -> None:
    _, change, _ = await asked("put this logo at the top right", files)
    assert change.edits == []
    assert [refusal.en.startswith(reason) for refusal in change.refusals] == [True]
