"""Pages with a header row and rows below it, written by hand."""

from bandsmith.shared.model.layout import Layout, RulingLine

from .handmade import HandmadeMarks

HEADER = ((50, "Description"), (300, "Qty"), (380, "Unit price"), (480, "Amount"))


def write_row(page: HandmadeMarks, y: float, *texts: str | None, bold: bool = False) -> None:
    for (x, _), text in zip(HEADER, texts, strict=True):
        if text:
            page.write(x, y, text, bold=bold)


def write_header(page: HandmadeMarks, y: float) -> None:
    write_row(page, y, *(text for _, text in HEADER), bold=True)


def rule(page: HandmadeMarks, y: float, left: float = 48, right: float = 530) -> None:
    page.rules.append(RulingLine(id=f"r{len(page.rules)}", x1=left, y1=y, x2=right, y2=y, thickness=1))


def rows_of(layout: Layout) -> list[list[str | None]]:
    """The texts of the rows, by the order of their columns on the page."""
    assert layout.repeat is not None
    texts = {block.id: block for block in layout.blocks}
    slots = sorted(layout.repeat.slots, key=lambda slot: min(texts[b].box.x for b in slot.blocks if b))
    return [
        [texts[name].text if (name := slot.blocks[row]) else None for slot in slots]
        for row in range(layout.repeat.rows)
    ]
