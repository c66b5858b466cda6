"""What a layout is planned as, and how far from the form it prints."""

from bandsmith.services.generator.planning import plan
from bandsmith.services.validator.compare_pages import measured
from bandsmith.services.validator.engine import Printout, ReportEngine
from bandsmith.services.validator.pictures import PagePicture
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.layout import Layout
from bandsmith.shared.model.plan import Band, Plan, StaticText, TextElement
from bandsmith.shared.turns.verdict import Printed

from .forms import blank


def bands(report: Plan) -> dict[str, Band]:
    return {band.name: band for band in report.bands if band.elements}


def texts(band: Band) -> list[str]:
    return [e.text if isinstance(e, StaticText) else e.expression for e in band.elements if isinstance(e, TextElement)]


def filled(engine: ReportEngine, layout: Layout) -> tuple[Printout, list[Printed]]:
    report, data = plan(layout, blank(), "form")
    printout = engine.print(build_jrxml(report), data)
    return printout, measured(printout.elements, PagePicture.of_png(printout.pictures[0]))


def off(layout: Layout, items: list[Printed]) -> dict[str, tuple[float, float]]:
    """By text, the distance between the middles of the printed ink and the ink on the form."""
    out = {}
    for block in layout.blocks:
        same = [item for item in items if item.text and item.text.split() == block.text.split() and item.ink]
        near = min(same, key=lambda item: abs(item.ink.middle[1] - block.box.middle[1]), default=None)
        assert near is not None, f"{block.text!r} is not printed"
        out[block.text] = (near.ink.middle[0] - block.box.middle[0], near.ink.middle[1] - block.box.middle[1])
    return out
