"""Build three templates and fill them with 1, 12 and 60 rows, for the manual: `python -m samples.filled`.

Each template is built from a form of this folder, and filled with its own rows, again and again. The templates are
written to docs/filled-*.jrxml, and the pages that they print to docs/filled-*.png.
"""

from __future__ import annotations

import asyncio
import io
import json
import tempfile
import uuid
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from PIL import Image

from bandsmith.attachments import Attachment
from bandsmith.cli.build import build
from bandsmith.client import Client
from bandsmith.local import local
from bandsmith.shared.bus.base import Bus
from bandsmith.shared.events import TurnFinished
from bandsmith.shared.model.filling import Filling
from samples import draw, statement

FORMS: dict[str, Callable[[], Image.Image]] = {
    "invoice": draw.invoice,
    "statement": statement.statement,
    "delivery-note": lambda: draw.delivery_note(is_received=False),
}
ROW_COUNTS = (1, 12, 60)
PAGE_WIDTH_PX, GAP_PX, COLOURS = 380, 10, 48
DOCS = Path(__file__).parents[1] / "docs"


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with local() as bus:
            for name in FORMS:
                files = await built(bus, name, Path(folder))
                (DOCS / f"filled-{name}.jrxml").write_bytes(files["report.jrxml"])
                _side_by_side(await _filled_pages(bus, files)).save(DOCS / f"filled-{name}.png", optimize=True)


async def built(bus: Bus, name: str, folder: Path) -> dict[str, bytes]:
    """Draw a form of the manual into a folder, and return what is built from it, by file name."""
    path = folder / f"{name}.png"
    FORMS[name]().save(path, dpi=(draw.DPI, draw.DPI))
    _, files = await build(bus, path, None, lambda _: None)
    return files


async def _filled_pages(bus: Bus, files: dict[str, bytes]) -> list[Image.Image]:
    """Return the pages that a template prints with each number of rows."""
    sample = json.loads(files["data.json"])
    client, pages = Client(bus), list[Image.Image]()
    for count in ROW_COUNTS:
        data = {**sample, "rows": list(islice(cycle(sample["rows"]), count))}
        attached = [
            Attachment(name="report.jrxml", content=files["report.jrxml"]),
            Attachment(name="rows.json", content=json.dumps(data).encode()),
        ]
        async for event in client.turn(uuid.uuid4().hex, "", attached, filling=Filling(formats=["png"])):
            if isinstance(event, TurnFinished):
                pictures = await client.files(event.files)
                pages += [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures.values()]
    return pages


def _side_by_side(pages: list[Image.Image]) -> Image.Image:
    small = [page.resize((PAGE_WIDTH_PX, round(page.height * PAGE_WIDTH_PX / page.width))) for page in pages]
    height = max(page.height for page in small)
    sheet = Image.new("RGB", (len(small) * (PAGE_WIDTH_PX + GAP_PX) + GAP_PX, height + 2 * GAP_PX), "#c8ccd0")
    for number, page in enumerate(small):
        sheet.paste(page, (GAP_PX + number * (PAGE_WIDTH_PX + GAP_PX), GAP_PX))
    return sheet.quantize(COLOURS, dither=Image.Dither.NONE)


if __name__ == "__main__":
    asyncio.run(main())
