"""The parts of a text in which several were read as one, such as two columns or a label and its value."""

from __future__ import annotations

from collections.abc import Sequence

from .fonts import measure
from .model.layout import TextLine


def parts_of(line: TextLine, parts: Sequence[str]) -> list[TextLine]:
    """Return the parts of a line: the first at its start, the last at its end, others where their letters stand."""
    if not parts:
        return [line]
    style, box = line.style, line.box
    widths = [measure(part, style.family, style.size, style.bold).advance for part in parts]
    gap = max(0.0, box.width - sum(widths)) / (len(parts) - 1)
    scale = min(1.0, box.width / sum(widths))
    found, x = [], box.x
    for number, (text, width) in enumerate(zip(parts, widths, strict=True), 1):
        own = box.model_copy(update={"x": x, "width": width * scale})
        found.append(line.model_copy(update={"id": f"{line.id}.{number}", "text": text, "box": own}))
        x += width * scale + gap
    return found
