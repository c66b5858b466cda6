"""Is the filled page like the form: as a picture, and text by text?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Layout, TextLine
from bandsmith.shared.model.verdict import Finding, Likeness, Printed

from ..pictures import PagePicture, ssim
from ..settings import ValidatorSettings

_ALIKE = 0.8
_NEAR = 6.0
"""Points that the middle of a text may be off."""
_FAR = 40.0
"""Points within which a text counts as moved and not as missing."""
_MOST = 40
_WIDE = str.maketrans("：，。（）；！？", ":,.();!?")


def check(
    form: PagePicture,
    page: PagePicture,
    layout: Layout,
    printed: Sequence[Printed],
    template: Template,
    settings: ValidatorSettings,
) -> tuple[Likeness, list[Finding]]:
    """How alike they are, and ``picture.unlike`` (very little), ``picture.missing``, ``.moved``, ``.extra``."""
    texts = [item for item in printed if item.text and plain(item.text)]
    wanted = [line for line in layout.lines if plain(line.text)]
    placed, findings, used = 0, [], set[int]()
    for line in wanted:
        away, index = _nearest(line, texts)
        if index is not None:
            used.add(index)
        if away <= _NEAR:
            placed += 1
        elif index is not None:
            findings.append(_moved(line, texts[index], away, template))
        else:
            findings.append(_missing(line))
    findings += [_extra(item) for index, item in enumerate(texts) if index not in used and not _stands(item, wanted)]
    likeness = Likeness(ssim=round(ssim(form, page), 4), texts=round(placed / len(wanted), 4) if wanted else 1.0)
    if likeness.ssim < settings.least_ssim or likeness.texts < settings.least_texts:
        findings.insert(
            0,
            Finding(
                code="picture.unlike",
                message=f"The filled page is not like the form: likeness {likeness.ssim:.0%}, "
                f"{likeness.texts:.0%} of the texts at their places.",
                message_zh=f"填充后的页面与表单差别很大:相似度 {likeness.ssim:.0%},{likeness.texts:.0%} 的文本在原位。",
            ),
        )
    return likeness, findings[:_MOST]


def plain(text: str) -> str:
    """A text for comparing: no blanks, no case, half-width punctuation."""
    return "".join(text.split()).casefold().translate(_WIDE)


def _nearest(line: TextLine, texts: Sequence[Printed]) -> tuple[float, int | None]:
    """How far away the nearest print of this wording is, and which it is; infinity and None beyond reach."""
    best: tuple[float, int | None] = (math.inf, None)
    for index, item in enumerate(texts):
        away = _distance(line, item)
        if away < best[0] and away <= _FAR and _says(item.text or "", line.text):
            best = away, index
    return best


def _says(text: str, wanted: str) -> bool:
    """Whether a printed text is this wording, or holds it as a line or a part of a paragraph."""
    target = plain(wanted)
    whole = plain(text)
    if target in whole:
        return True
    return any(
        Levenshtein.normalized_similarity(part, target) >= _ALIKE for part in {whole, *map(plain, text.splitlines())}
    )


def _distance(line: TextLine, item: Printed) -> float:
    """From the middle of the line on the form to the middle of the print, or to its ink where that has more lines."""
    box = item.ink or item.box
    x, y = line.box.middle
    if box.height > 1.8 * line.box.height or len(plain(item.text or "")) > 1.3 * len(plain(line.text)):
        return math.hypot(max(box.x - x, 0, x - box.right), max(box.y - y, 0, y - box.bottom))
    middle = box.middle
    return math.hypot(middle[0] - x, middle[1] - y)


def _stands(item: Printed, wanted: Sequence[TextLine]) -> bool:
    """Whether the form has, at the place of this print, some part of its wording."""
    box = item.ink or item.box
    reach = Box.between(box.x - _NEAR, box.y - _NEAR, box.right + _NEAR, box.bottom + _NEAR)
    text = plain(item.text or "")
    here = "".join(plain(line.text) for line in wanted if reach.holds(*line.box.middle))
    return bool(here) and (text in here or here in text or Levenshtein.normalized_similarity(text, here) >= _ALIKE)


def _moved(line: TextLine, item: Printed, away: float, template: Template) -> Finding:
    x, y = line.box.middle
    ink = (item.ink or item.box).middle
    return Finding(
        code="picture.moved",
        message=f"{item.key or 'A text'} is printed {away:.0f} points from its place, {_at(line.box)}.",
        message_zh=f"{item.key or '文本'} 的打印位置偏离表单 {away:.0f} 点(应在 {_at(line.box)})。",
        severity="warning",
        element=item.key,
        edits=_move(template, item, round(x - ink[0]), round(y - ink[1])),
    )


def _move(template: Template, item: Printed, dx: int, dy: int) -> list[AnyEdit]:
    element = template.by_key.get(item.key or "")
    if element is None or element.key is None or item.row or element.band.section == "detail":
        return []  # a detail row's element stands for all of its rows
    x, y = element.x + dx, element.y + dy
    inside = (
        0 <= x <= template.band_width(element.band) - element.width
        and 0 <= y <= element.band.height - element.height
        and element.frame is None
    )
    return [Move(element=element.key, x=x, y=y)] if inside else []


def _missing(line: TextLine) -> Finding:
    return Finding(
        code="picture.missing",
        message=f"The form's text at {_at(line.box)} is not on the page.",
        message_zh=f"页面上缺少表单 {_at(line.box)} 处的文本。",
        severity="warning",
    )


def _extra(item: Printed) -> Finding:
    return Finding(
        code="picture.extra",
        message=f"{item.key or 'A text'} is printed at {_at(item.box)}, where the form has nothing like it.",
        message_zh=f"{item.key or '文本'} 打印在 {_at(item.box)},而表单此处没有类似文本。",
        severity="warning",
        element=item.key,
    )


def _at(box: Box) -> str:
    return f"({box.x:.0f}, {box.y:.0f})"
