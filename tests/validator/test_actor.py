"""The validator's actor renders drafts, validates templates, and survives bad ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import ImageDraw

from bandsmith.services.validator.actor import ValidatorActor
from bandsmith.services.validator.settings import ValidatorSettings
from bandsmith.services.validator.validate import MAX_DRAWN_PAGES
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import (
    DraftRendered,
    ExportReport,
    ReadTemplate,
    RenderDraft,
    ReportExported,
    TemplateRead,
    TemplateValidated,
    ValidateTemplate,
)
from bandsmith.shared.fonts import CJK_FILE
from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.layout import Layout, TextLine, TextStyle
from bandsmith.shared.model.plan import Data
from bandsmith.shared.turns.verdict import Printed, Verdict

from .reports import field, report, row_field, static

FORM = report(static("Delivery note"), detail=field("$F{a}", y=0), declared=row_field("a"), height=100)
ROWS = Data(rows=[{"a": "tea"}, {"a": "coffee"}])


@pytest.fixture(scope="module")
def actor() -> Iterator[ValidatorActor]:
    actor = ValidatorActor(MemoryBus(), ValidatorSettings(limit=8, heap_mb=256))
    asyncio.run(actor.start())
    yield actor
    asyncio.run(actor.stop())


async def put(actor: ValidatorActor, content: bytes, media: str = "application/xml") -> Ref:
    return await actor._store.put(content, media)


async def draft(actor: ValidatorActor, template: bytes, data: Data = ROWS) -> RenderDraft:
    return RenderDraft(
        template=await put(actor, template), data=await put(actor, data.model_dump_json().encode(), "application/json")
    )


async def test_a_draft_returns_its_page_and_the_ink_of_each_text(actor: ValidatorActor):
    event = await actor.handle(await draft(actor, FORM))
    assert isinstance(event, DraftRendered)
    items = [Printed.model_validate(item) for item in orjson.loads(await actor._store.get(event.printed))]
    assert [(item.key, item.row, item.text) for item in items] == [
        ("s", 0, "Delivery note"), ("f", 0, "tea"), ("f", 1, "coffee"),
    ]  # fmt: skip
    for item in items:
        assert item.ink is not None
        assert item.ink.overlap(item.box) == pytest.approx(item.ink.area)
    assert (await actor._store.get(event.page)).startswith(b"\x89PNG")


async def test_ink_is_measured_without_borders(actor: ValidatorActor):
    ruled = static("x", width=60).replace("<text>", '<box><pen lineWidth="1"/></box><textElement/><text>')
    event = await actor.handle(await draft(actor, report(ruled, static("x", "plain", y=60, width=60))))
    assert isinstance(event, DraftRendered)
    boxed, plain = (Printed.model_validate(item) for item in orjson.loads(await actor._store.get(event.printed)))
    assert boxed.ink is not None and plain.ink is not None
    assert boxed.ink.width == pytest.approx(plain.ink.width, abs=1)
    assert boxed.ink.height == pytest.approx(plain.ink.height, abs=1)


@pytest.mark.slow
async def test_a_refused_draft_is_an_error_and_the_next_one_works(
    actor: ValidatorActor, monkeypatch: pytest.MonkeyPatch
):
    for bad, code in (
        (report(field("$F{gone}")), "compile.failed"),
        (report(field("Runtime.getRuntime()")), "expressions.class"),
        (report(field('new java.math.BigInteger("7").pow(300000000).toString()')), "fill.timeout"),
        (b"<jasperReport", "wellformed.syntax"),
    ):
        (engine,) = actor._own._idle
        monkeypatch.setattr(engine._worker, "_limit", 1 if code == "fill.timeout" else 8)
        with pytest.raises(TerminalError) as error:
            await actor.handle(await draft(actor, bad))
        assert error.value.code == code
    assert isinstance(await actor.handle(await draft(actor, FORM)), DraftRendered)


async def test_a_template_that_prints_its_form_passes_with_all_files(actor: ValidatorActor):
    rendered = await actor.handle(await draft(actor, FORM))
    assert isinstance(rendered, DraftRendered)
    printed = [Printed.model_validate(item) for item in orjson.loads(await actor._store.get(rendered.printed))]
    style = TextStyle(family="Liberation Sans", size=10)
    layout = Layout(
        page=Size(width=400, height=300),
        lines=[
            TextLine(id=f"l{n}", text=item.text or "", box=item.ink or Box(x=0, y=0, width=1, height=1), style=style)
            for n, item in enumerate(printed)
        ],
    )
    command = ValidateTemplate(
        template=await put(actor, FORM),
        data=await put(actor, ROWS.model_dump_json().encode(), "application/json"),
        layout=await put(actor, layout.model_dump_json().encode(), "application/json"),
        form=rendered.page,
    )
    event, again = await asyncio.gather(actor.handle(command), actor.handle(command))
    assert isinstance(event, TemplateValidated) and isinstance(again, TemplateValidated)
    assert event.passed and again.passed and event.findings == []
    assert event.likeness is not None and (event.likeness.ssim, event.likeness.texts) == (1.0, 1.0)
    assert len(event.pages) == 1 and event.pdf is not None and event.compare is not None
    assert Verdict.model_validate_json(await actor._store.get(event.verdict)).passed
    assert (await actor._store.get(event.pdf)).startswith(b"%PDF")


async def validated(
    actor: ValidatorActor, template: bytes, before: Ref | None = None, language: Language = "en"
) -> TemplateValidated:
    command = ValidateTemplate(
        template=await put(actor, template),
        data=await put(actor, ROWS.model_dump_json().encode(), "application/json"),
        layout=None,
        form=None,
        before=before,
        language=language,
    )
    event = await actor.handle(command)
    assert isinstance(event, TemplateValidated)
    return event


async def test_without_a_form_nothing_is_compared(actor: ValidatorActor):
    event = await validated(actor, FORM)
    assert event.passed and event.likeness is None and event.compare is None
    assert len(event.pages) == 1 and event.pdf is not None
    unfit = await validated(actor, report(static("a", x=380, width=60)))
    assert [finding.code for finding in unfit.findings] == ["structure.edge"]


async def test_without_a_form_any_number_of_pages_passes(actor: ValidatorActor):
    event = await validated(actor, FORM.replace(b'<band height="20">', b'<band height="180">'))
    assert event.passed and event.findings == []
    assert event.page_count > 1 and len(event.pages) == min(event.page_count, MAX_DRAWN_PAGES)


async def test_the_previous_version_is_drawn_beside_the_new_one(actor: ValidatorActor):
    before = await validated(actor, FORM)
    after = await validated(actor, FORM.replace(b"Delivery note", b"Delivery slip"), before.pages[0])
    assert after.passed and after.likeness is None and after.compare is not None
    assert (await actor._store.get(after.compare)).startswith(b"\x89PNG")


async def test_the_captions_of_the_differences_are_in_the_language_of_the_turn(
    actor: ValidatorActor, monkeypatch: pytest.MonkeyPatch
):
    """Given a report and the version before it
    When it is checked for a user of each language
    Then all captions are in that language, and no letter or digit is drawn in a font that lacks it
    """
    drawn: list[tuple[str, str]] = []
    plain = ImageDraw.ImageDraw.text

    def listen(pen: ImageDraw.ImageDraw, place: Any, text: str, **more: Any) -> None:
        drawn.append((text, Path(more["font"].path).name))
        plain(pen, place, text, **more)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", listen)
    before = await validated(actor, FORM)
    said: dict[Language, set[str]] = {"en": {"Before", "After", "passed"}, "zh": {"改动前", "改动后", "通过"}}
    for language, captions in said.items():
        drawn.clear()
        changed = FORM.replace(b"Delivery note", b"Delivery slip")
        after = await validated(actor, changed, before.pages[0], language)
        assert after.compare is not None and captions <= {text for text, _ in drawn}
        assert all(text.isascii() == (font != CJK_FILE) for text, font in drawn)
        assert all(text.isascii() for text, _ in drawn) == (language == "en")


async def test_a_report_is_exported(actor: ValidatorActor):
    rendered = await draft(actor, FORM)
    event = await actor.handle(ExportReport(template=rendered.template, data=rendered.data, format="csv"))
    assert isinstance(event, ReportExported)
    (file,) = event.files
    assert (file.media, event.pages) == ("text/csv", 1)
    assert b"coffee" in await actor._store.get(file)


async def test_an_imported_template_can_be_drafted(actor: ValidatorActor):
    document = Document(name="note.jrxml", content=await put(actor, FORM.replace(b'key="s" ', b"")))
    event = await actor.handle(ReadTemplate(document=document))
    assert isinstance(event, TemplateRead)
    rendered = await actor.handle(RenderDraft(template=event.template, data=event.data))
    assert isinstance(rendered, DraftRendered)
    items = [Printed.model_validate(item) for item in orjson.loads(await actor._store.get(rendered.printed))]
    assert [(item.key, item.text) for item in items] == [
        ("title.1", "Delivery note"), ("f", "A 1"), ("f", "A 2"), ("f", "A 3"),
    ]  # fmt: skip


async def test_an_upload_that_is_no_template_is_refused(actor: ValidatorActor):
    document = Document(name="note.jrxml", content=await put(actor, b"%PDF-1.7"))
    with pytest.raises(TerminalError, match="a PDF"):
        await actor.handle(ReadTemplate(document=document))
