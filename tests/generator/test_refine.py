"""Refinement corrects elements that are off and leaves the others."""

from itertools import pairwise

import pytest

from bandsmith.services.generator.planning import plan
from bandsmith.services.generator.refinement.join import join
from bandsmith.services.generator.refinement.refine import refine
from bandsmith.services.generator.refinement.windows import windows
from bandsmith.services.validator.compare_pages import measured
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.pictures import PagePicture
from bandsmith.shared.editing import Editor
from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.layout import Layout, Slot
from bandsmith.shared.model.plan import Data
from bandsmith.shared.turns.verdict import Printed

from .forms import Form, blank, invoice


def printing(engine: ReportEngine, template: bytes, data: Data) -> list[Printed]:
    printout = engine.print(template, data)
    return measured(printout.elements, PagePicture.of_png(printout.pictures[0]))


def refined(engine: ReportEngine, template: bytes, data: Data, layout: Layout) -> list[list[AnyEdit]]:
    editor, items = Editor(template), printing(engine, template, data)
    return [refine(editor, window.keys, layout, items) for window in windows(editor)]


def error(items: list[Printed], layout: Layout) -> float:
    """The sum of the distances of all texts from their positions."""
    total = 0.0
    for block in layout.blocks:
        near = [i.ink.middle for i in items if i.ink and i.text and i.text.split() == block.text.split()]
        x, y = block.box.middle
        total += min((abs(a - x) + abs(b - y) for a, b in near), default=50.0)
    return total


@pytest.mark.parametrize("key", ["block1", "block3", "block7"], ids=["title", "value", "rows"])
def test_a_displaced_element_moves_back(engine: ReportEngine, key: str) -> None:
    layout = invoice().layout()
    report, data = plan(layout, blank(), "invoice")
    editor = Editor(build_jrxml(report))
    node = editor.element(key)
    assert node is not None
    place = node[0]
    editor.apply([Move(element=key, x=int(place.get("x")) + 5, y=max(0, int(place.get("y")) - 3))])
    displaced = editor.bytes()
    before = error(printing(engine, displaced, data), layout)
    corrected, changed = join(displaced, refined(engine, displaced, data, layout))
    assert changed >= 1
    assert error(printing(engine, corrected, data), layout) < before - 4


def test_a_text_of_the_wrong_size_is_resized(engine: ReportEngine) -> None:
    layout = invoice().layout()
    report, data = plan(layout, blank(), "invoice")
    editor = Editor(build_jrxml(report))
    editor.apply([SetProperty(element="block1", name="fontSize", value="16")])
    edits = [edit for part in refined(engine, editor.bytes(), data, layout) for edit in part]
    assert SetProperty(element="block1", name="fontSize", value="18") in edits


def test_the_text_of_a_cell_is_shifted_by_padding(engine: ReportEngine) -> None:
    form = Form()
    cells = form.grid([30, 130, 230], [50, 80])
    form.text("Name", 40, 69, room=cells[0][0])
    report, data = plan(form.layout(), blank(), "cell")
    editor = Editor(build_jrxml(report))
    editor.apply([SetProperty(element="block1", name="leftPadding", value="2")])
    edits = [edit for part in refined(engine, editor.bytes(), data, form.layout()) for edit in part]
    assert edits == [SetProperty(element="block1", name="leftPadding", value="10")]


def test_what_follows_rows_that_print_higher_keeps_its_distances(engine: ReportEngine) -> None:
    form = Form()
    tops, heights = [60.0, 80.0, 112.0], [20.0, 32.0, 20.0]
    texts = ("Lamp", "Shelf of oak,\nwith brackets,\nwall mounted", "Board")
    slots = [
        Slot(
            label=None,
            blocks=[form.text(text, 40, top + 12, value=True) for text, top in zip(texts, tops, strict=True)],
        ),
        Slot(label=None, blocks=[form.text("4.50", 300, top + 12, value=True) for top in tops]),
    ]
    form.repeats(tops, 20, slots, [], heights=heights)
    totals = [form.text(text, 240, 144 + 11 * number) for number, text in enumerate(("Net", "Tax", "Gross"))]
    layout = form.layout()
    report, data = plan(layout, blank(), "list")
    template = build_jrxml(report)

    corrected, _ = join(template, refined(engine, template, data, layout))

    places = [(int(node[0].get("y")), int(node[0].get("height"))) for node in map(Editor(corrected).element, totals)]
    assert all(upper + height <= lower + 1 for (upper, height), (lower, _) in pairwise(places))


def test_a_correct_draft_moves_by_a_point_at_most(engine: ReportEngine) -> None:
    layout = invoice().layout()
    report, data = plan(layout, blank(), "invoice")
    places = {element.key: (element.x, element.y) for band in report.bands for element in band.elements}
    for edit in [edit for part in refined(engine, build_jrxml(report), data, layout) for edit in part]:
        assert isinstance(edit, Move)
        x, y = places[edit.element]
        assert abs((edit.x or 0) - x) <= 1 and abs((edit.y or 0) - y) <= 1


def test_the_element_of_a_cut_text_is_enlarged(engine: ReportEngine) -> None:
    layout = invoice().layout()
    report, data = plan(layout, blank(), "invoice")
    editor = Editor(build_jrxml(report))
    node = editor.element("block3")
    assert node is not None
    node[0].set("width", "50")
    cut = editor.bytes()
    corrected, _ = join(cut, refined(engine, cut, data, layout))
    assert any(item.text and item.text.split() == ["Meadow", "Bindery"] for item in printing(engine, corrected, data))


def test_edits_that_lose_too_many_elements_are_dropped() -> None:
    template = build_jrxml(plan(invoice().layout(), blank(), "invoice")[0])
    assert join(template, [[Delete(element=f"block{n}") for n in range(1, 6)]]) == (template, 0)
    smaller, changed = join(template, [[Delete(element="block2")], [Move(element="block1", x=1)]])
    assert changed == 2 and smaller != template
