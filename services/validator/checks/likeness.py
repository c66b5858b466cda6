"""Compare the filled page with the form, as a picture and text by text.

Theory of operation
===================

A template made from a form, filled with the data read off that form, should print the form again. Two figures say how
nearly it does (`Likeness`), and findings say where it does not.

*The picture.* Both pages are rendered at 150 dots per inch; the filled page is cut or padded to the form's size.
`pictures.ssim` reduces them to grey at 75 dpi, blurs them by one pixel so that a hair's breadth of displacement does
not count, and takes the mean structural similarity over windows of 7 x 7 pixels, with the constants and the sample
covariance of scikit-image. SSIM compares local means, contrasts and patterns, so an empty area counts as alike and a
page of little ink scores high; for that reason it does not decide alone.

*The texts.* The layout knows every line on the form and the box of its ink. The printout knows every text and the box
of its element; `PagePicture.ink_in` measures its ink on the rendered page. Ink is what differs from a median-filtered
background by more than 48 of 255 levels, so light text on a dark fill is ink too; long thin runs are ruling lines and
are left out. For each line of the form, in order:

1. Printed texts within `SEARCH_RADIUS_PT` with the same wording are candidates. Wording is compared without spaces,
   case and the width of punctuation. A text matches if it contains the line or if it, or one of its lines, is at least
   `MIN_WORDING_SIMILARITY` alike by normalised edit distance, because the form was read by OCR.
2. The nearest candidate is the line's print. Its distance is measured between the middles of both inks, or to the
   nearest point of the printed ink where that has several lines.
3. Up to `POSITION_TOLERANCE_PT` the line is in its position; beyond that it is *moved*; without a candidate it is
   *missing*.

A printed text that is no line's print, where the form has no similar wording either, is *extra*. The share of the
form's lines that are in position is `Likeness.texts`.

These findings are warnings: OCR errors cause some of them. Only a page below `min_ssim` or `min_texts` of the settings
fails, as *unlike*. The same pictures, drawn side by side with the differing ink marked, are `compare.png`
(`compare_image`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, TextLine
from bandsmith.shared.replies import Text
from bandsmith.shared.turns.verdict import Finding, Likeness, Printed

from ..pictures import PagePicture, ssim
from ..settings import ValidatorSettings
from .base import Check, FindingCode, Stage

MIN_WORDING_SIMILARITY = 0.8
POSITION_TOLERANCE_PT = 6.0
"""How far the middle of a text may be off."""
SEARCH_RADIUS_PT = 40.0
"""Within this distance a text counts as moved and not as missing."""
MAX_LIKENESS_FINDINGS = 40
_HALF_WIDTH = str.maketrans("：，。（）；！？", ":,.();!?")


class Code(FindingCode):
    UNLIKE = "picture.unlike"
    MISSING = "picture.missing"
    MOVED = "picture.moved"
    EXTRA = "picture.extra"


class PageComparison(NamedTuple):
    """Page 1 of a filled report and the form that it has to look like."""

    form: PagePicture
    page: PagePicture
    layout: Layout
    printed: Sequence[Printed]
    template: Template
    settings: ValidatorSettings


def compare(pages: PageComparison) -> tuple[Likeness, list[Finding]]:
    """Return how alike the pages are, and where they differ."""
    texts = [item for item in pages.printed if item.text and normalized(item.text)]
    lines = [line for line in pages.layout.lines if normalized(line.text)]
    in_position, findings, matched = 0, [], set[int]()
    for line in lines:
        distance, index = _nearest(line, texts)
        if index is not None:
            matched.add(index)
        if distance <= POSITION_TOLERANCE_PT:
            in_position += 1
        elif index is not None:
            findings.append(_moved(line, texts[index], distance, pages.template))
        else:
            findings.append(Finding.of(Code.MISSING, severity="warning", position=_position(line.box)))
    findings += [
        _extra(item) for index, item in enumerate(texts) if index not in matched and not _is_on_form(item, lines)
    ]
    similarity = round(ssim(pages.form, pages.page), 4)
    likeness = Likeness(ssim=similarity, texts=round(in_position / len(lines), 4) if lines else 1.0)
    if likeness.ssim < pages.settings.min_ssim or likeness.texts < pages.settings.min_texts:
        findings.insert(0, Finding.of(Code.UNLIKE, ssim=likeness.ssim, texts=likeness.texts))
    return likeness, findings[:MAX_LIKENESS_FINDINGS]


def normalized(text: str) -> str:
    """A text without spaces, in lower case, with half-width punctuation."""
    return "".join(text.split()).casefold().translate(_HALF_WIDTH)


def _nearest(line: TextLine, texts: Sequence[Printed]) -> tuple[float, int | None]:
    """The distance and index of the nearest print of a line; infinity and None where none is within reach."""
    best: tuple[float, int | None] = (math.inf, None)
    for index, item in enumerate(texts):
        distance = _distance(line, item)
        if distance < best[0] and distance <= SEARCH_RADIUS_PT and _has_wording(item.text or "", line.text):
            best = distance, index
    return best


def shifted_share(pages: PageComparison) -> float:
    """Return the share of the form's lines that are printed straight above or below their position."""
    texts = [item for item in pages.printed if item.text and normalized(item.text)]
    lines = [line for line in pages.layout.lines if normalized(line.text)]
    nearest = [_nearest(line, texts) for line in lines]
    in_position = {index for distance, index in nearest if distance <= POSITION_TOLERANCE_PT}
    others = [item for index, item in enumerate(texts) if index not in in_position]
    elsewhere = [line for line, (distance, _) in zip(lines, nearest, strict=True) if distance > POSITION_TOLERANCE_PT]
    shifted = sum(any(_is_straight_below(line, item) for item in others) for line in elsewhere)
    return shifted / max(1, len(lines))


def _is_straight_below(line: TextLine, item: Printed) -> bool:
    across = abs((item.ink or item.box).middle[0] - line.box.middle[0])
    return across <= POSITION_TOLERANCE_PT and _has_wording(item.text or "", line.text)


def _has_wording(text: str, wording: str) -> bool:
    """Whether a printed text is this wording, or contains it as a line or a part of a paragraph."""
    target = normalized(wording)
    whole = normalized(text)
    if target in whole:
        return True
    return any(_are_similar(part, target) for part in {whole, *map(normalized, text.splitlines())})


def _are_similar(one: str, other: str) -> bool:
    return Levenshtein.normalized_similarity(one, other) >= MIN_WORDING_SIMILARITY


def _distance(line: TextLine, item: Printed) -> float:
    """From the middle of a line on the form to the middle of a print, or to its ink if that has more lines."""
    box = item.ink or item.box
    x, y = line.box.middle
    if box.height > 1.8 * line.box.height or len(normalized(item.text or "")) > 1.3 * len(normalized(line.text)):
        return math.hypot(max(box.x - x, 0, x - box.right), max(box.y - y, 0, y - box.bottom))
    middle = box.middle
    return math.hypot(middle[0] - x, middle[1] - y)


def _is_on_form(item: Printed, lines: Sequence[TextLine]) -> bool:
    """Whether the form has some part of a print's wording in the same position."""
    box = item.ink or item.box
    margin = POSITION_TOLERANCE_PT
    area = Box.between(box.x - margin, box.y - margin, box.right + margin, box.bottom + margin)
    text = normalized(item.text or "")
    wording = "".join(normalized(line.text) for line in lines if area.holds(*line.box.middle))
    return bool(wording) and (text in wording or wording in text or _are_similar(text, wording))


def _moved(line: TextLine, item: Printed, distance: float, template: Template) -> Finding:
    x, y = line.box.middle
    ink = (item.ink or item.box).middle
    return Finding.of(
        Code.MOVED,
        severity="warning",
        element=item.key,
        edits=_moving_edits(template, item, round(x - ink[0]), round(y - ink[1])),
        name=_name(item),
        distance=distance,
        position=_position(line.box),
    )


def _moving_edits(template: Template, item: Printed, dx: int, dy: int) -> list[AnyEdit]:
    element = template.by_key.get(item.key or "")
    if element is None or element.key is None or item.row or element.band.section == "detail":
        return []  # an element of the detail band stands for all rows
    x, y = element.x + dx, element.y + dy
    fits = (
        0 <= x <= template.band_width(element.band) - element.width
        and 0 <= y <= element.band.height - element.height
        and element.frame is None
    )
    return [Move(element=element.key, x=x, y=y)] if fits else []


def _extra(item: Printed) -> Finding:
    return Finding.of(Code.EXTRA, severity="warning", element=item.key, name=_name(item), position=_position(item.box))


def _name(item: Printed) -> str | Text:
    return item.key or Text.of("validator.unnamed_text")


def _position(box: Box) -> str:
    return f"({box.x:.0f}, {box.y:.0f})"


CHECK: Check[PageComparison] = Check(Stage.LIKENESS, Code)
