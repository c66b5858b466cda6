"""Find remarks: changes that a person drew on the picture of a page in another colour.

Theory of operation
===================

A form may have coloured headings, totals, seals, signatures, links in every row and logos with arrows. None of these
is a remark, and missing a remark is better than altering a form. So ink is taken off the page only when it clearly
asks for a change; otherwise the very same page is returned.

**Ink by pen** (`ink.py`). A pixel is coloured ink when its channels differ by 55 levels and its saturation is 80/255.
The coloured edges that subpixel rendering leaves on black print are dropped: they are small and have much darker print
beside them. Hues are counted in steps of two degrees; each of up to five peaks, with 20 degrees on either side, is a
pen. Ink too thick for a stroke and too large for an arrowhead is a fill and is dropped with what lies inside it. The
rest is split into connected parts; a stroke continues below print that crosses it and over gaps of a pixel or two.

**Shapes** (`shapes.py`). Each part is tested in this order:

- cross: ink along both diagonals of its box, over print;
- arrow: from one end of the stroke, pixels are numbered by their distance along the ink. While they form one clump no
  wider than the pen, this is the shaft; it must be 45 % of the whole. The ink around the shaft's end must spread to
  both sides and be narrow at the tip (the bar of a T is not). Both ends are tried;
- loop or box: ink once around something printed, along an ellipse or along the sides of its bounding box;
- stroke: straight and thin. In steps of 4 points it is tested for print on both sides (a strike) or only above (an
  underline); anything else is a line. A stroke with a collinear continuation is a piece of a printed rule.

**Writing** (`words.py`). The other parts are drawn alone on white, and text is detected and recognised there. If more
than 60 lines are written in a colour, the form itself uses it.

**Requests** (`requests.py`, `wording.py`). The less a shape proves, the more the words must say:

- text with an arrow from it to print is a request, whatever it says; a plain line needs text that may ask for a change;
- a strike through print is a request: deletion, or with text beside it whatever the text says;
- a loop needs text beside it that may ask for a change (a verb, a style, a colour); an underline or box needs text that
  clearly does;
- text alone must clearly ask for a change, and occur once, as what occurs in every row is printed.

**Erasing** (`erase.py`). The strokes of requests, and loops and arrows of the same pen, are replaced across their
thinnest direction by what is on either side, so that print that they crossed is joined again. Spreading the
surroundings evenly from all sides would break it.

**Targets** (`targets.py`). The clean page is read like any other. Then each request gets the block, picture or cell
that is marked, that lies ahead of the arrow's tip (up to 60 points), or that is nearest to the text (up to 60 points).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bandsmith.shared.model.layout import Layout, Remark

from ..engines import OcrEngine
from ..flatten.seal import fade_seals
from ..page import Page
from .erase import erase_strokes
from .ink import PenInk, find_pens
from .requests import PenRequest, expand, find_requests
from .shapes import PenShape, find_shapes
from .targets import find_target
from .words import read_writing

__all__ = ["DrawnRequest", "attach_remarks", "extract_remarks"]


@dataclass(frozen=True)
class DrawnRequest:
    """A request and the colour in which it is drawn."""

    request: PenRequest
    colour: str


def extract_remarks(page: Page, engine: OcrEngine) -> tuple[Page, list[DrawnRequest]]:
    """Return the page without remarks, and the remarks; the same page where there are none.

    Only pages whose text has to be recognised are searched: a document that carries its words has no pen strokes.
    """
    if page.words is not None:
        return page, []
    pixels, drawn = page.pixels, list[DrawnRequest]()
    for pen in find_pens(page.pixels):
        shapes = find_shapes(pen)
        requests = find_requests(pen, shapes, read_writing(page.pixels, pen, shapes, engine))
        if requests:
            pixels = erase_strokes(pixels, pen, _strokes(pen, requests, shapes))
            drawn += [DrawnRequest(request, "#{2:02X}{1:02X}{0:02X}".format(*pen.colour)) for request in requests]
    if not drawn:
        return page, []
    return replace(page, pixels=pixels, seals_faded=fade_seals(pixels)), drawn


def attach_remarks(drawn: list[DrawnRequest], layout: Layout) -> Layout:
    """Return the layout with the remarks and their targets; `layout` is of the page without them."""
    remarks: list[Remark] = [find_target(each.request, each.colour, layout) for each in drawn]
    return layout.model_copy(update={"remarks": sorted(remarks, key=lambda each: (each.box.y, each.box.x))})


def _strokes(pen: PenInk, requests: list[PenRequest], shapes: list[PenShape]) -> list[int]:
    """Return the parts of the pen's ink to erase: the requests', and what else only a hand draws."""
    loose = [part for shape in shapes if shape.kind in ("arrow", "loop") for part in shape.parts]
    dots = [part for request in requests if request.text for part in pen.within(expand(request.box, 2))]
    return [*(part for request in requests for part in request.parts), *loose, *dots]
