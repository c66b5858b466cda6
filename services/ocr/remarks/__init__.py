"""Remarks: what somebody drew on the picture of a page, in a colour of its own, to have it changed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bandsmith.shared.model.layout import Layout, Remark

from ..engines import Engine
from ..flatten.seal import without_seals
from ..page import Page
from .erase import wiped
from .ink import Pen, find_pens
from .requests import Request, find_requests, grown
from .shapes import Shape, find_shapes
from .targets import aim
from .words import read_writing

__all__ = ["Drawn", "aim_remarks", "take_remarks"]


@dataclass(frozen=True)
class Drawn:
    """A request and the colour that it is drawn in."""

    request: Request
    colour: str


def take_remarks(page: Page, engine: Engine) -> tuple[Page, list[Drawn]]:
    """The page as if nobody had drawn on it, and what was drawn; the same page where nothing was.

    Only pages that are read by OCR are looked at: a document that carries its words has no pen strokes.
    """
    if page.words is not None:
        return page, []
    pixels, drawn = page.pixels, list[Drawn]()
    for pen in find_pens(page.pixels):
        shapes = find_shapes(pen)
        requests = find_requests(pen, shapes, read_writing(page.pixels, pen, shapes, engine))
        if requests:
            pixels = wiped(pixels, pen, _strokes(pen, requests, shapes))
            drawn += [Drawn(request, "#{2:02X}{1:02X}{0:02X}".format(*pen.colour)) for request in requests]
    if not drawn:
        return page, []
    return replace(page, pixels=pixels, clean=without_seals(pixels)), drawn


def aim_remarks(drawn: list[Drawn], layout: Layout) -> Layout:
    """The layout with its remarks, each with what it is about; `layout` is of the page without them."""
    remarks: list[Remark] = [aim(each.request, each.colour, layout) for each in drawn]
    return layout.model_copy(update={"remarks": sorted(remarks, key=lambda each: (each.box.y, each.box.x))})


def _strokes(pen: Pen, requests: list[Request], shapes: list[Shape]) -> list[int]:
    """The parts of the pen's ink to take off: the requests', and what else only a hand draws."""
    loose = [part for shape in shapes if shape.kind in ("arrow", "loop") for part in shape.parts]
    dots = [part for request in requests if request.text for part in pen.within(grown(request.box, 2))]
    return [*(part for request in requests for part in request.parts), *loose, *dots]
