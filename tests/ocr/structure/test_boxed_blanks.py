"""Light boxes beside labels are places to fill in."""

from __future__ import annotations

from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Fill

from .handmade import HandmadeMarks


def form(labels: list[str], colour: str = "#E6F2FB") -> HandmadeMarks:
    marks = HandmadeMarks()
    for n, label in enumerate(labels):
        y = 100 + 24 * n
        marks.write(120, y, label, right=True)
        marks.fills.append(Fill(id=f"f{n}", box=Box(x=124, y=y - 5, width=200, height=16), colour=colour))
    return marks


def test_light_boxes_behind_labels_are_blanks_with_their_names():
    blanks = form(["Full name", "Mobile phone", "Home address"]).understood().blanks

    assert [blank.label for blank in blanks] == ["Full name", "Mobile phone", "Home address"]
    assert all(blank.box.width == 200 for blank in blanks)


def test_dark_bars_and_a_single_box_are_no_blanks():
    assert not form(["Full name", "Mobile phone", "Home address"], "#00ADEF").understood().blanks
    assert not form(["Full name"]).understood().blanks
