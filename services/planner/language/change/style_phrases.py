"""Looks in words: bigger, 加粗, in red, at 12 points, to the right; each as what a text shall be."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bandsmith.shared.fonts import FAMILIES

from ..colours import COLOUR, colour
from ..numbers import number_of
from ..template_view import Piece

LARGEST = 200
_FACES = {
    "Liberation Sans": r"arial|helvetica|sans(?:[ -]serif)?|liberation sans|黑体|微软雅黑|雅黑|等线|无衬线体?",
    "Liberation Serif": r"times(?: new roman)?|serif|liberation serif|georgia|宋体|仿宋|楷体|衬线体",
    "Liberation Mono": r"courier(?: new)?|mono(?:space)?|liberation mono|consolas|等宽体?",
    "DejaVu Sans": r"dejavu sans|verdana",
    "DejaVu Serif": r"dejavu serif",
    "Liberation Sans Narrow": r"(?:arial|liberation sans) narrow",
}
_FACE = "|".join(f"(?:{names})" for names in sorted(_FACES.values(), key=len, reverse=True))

_MUCH = r"(?:a (?:bit|little|touch)|slightly|somewhat|much|a lot|even|far|稍微|略微|再|更|稍|大大)?"


@dataclass(frozen=True)
class StyleChange:
    """One thing that a text shall be: a property and its value, or how to find the value for each text."""

    name: str
    value: str | Callable[[Piece], str]


Maker = Callable[[re.Match[str]], list[StyleChange]]


def _times(factor: float) -> Callable[[Piece], str]:
    def size(piece: Piece) -> str:
        step = round(piece.size * factor)
        wanted = max(step, piece.size + 1) if factor > 1 else min(step, piece.size - 1)
        return f"{min(LARGEST, max(4, wanted)):g}"

    return size


def _bigger(found: re.Match[str]) -> list[StyleChange]:
    return [
        StyleChange("fontSize", _times(1.5 if re.search(r"much|a lot|far|大大|很多|twice", found[0], re.I) else 1.2))
    ]


def _smaller(found: re.Match[str]) -> list[StyleChange]:
    return [StyleChange("fontSize", _times(0.65 if re.search(r"much|a lot|far|很多|half", found[0], re.I) else 0.85))]


def _size(found: re.Match[str]) -> list[StyleChange]:
    size = number_of(found["size"] or found["size2"])
    return [StyleChange("fontSize", f"{size:g}")] if size and 4 <= size <= LARGEST else []


def _on(name: str) -> Maker:
    return lambda found: [StyleChange(name, "true")]


def _off(name: str) -> Maker:
    return lambda found: [StyleChange(name, "false")]


def _align(side: str) -> Maker:
    return lambda found: [StyleChange("textAlignment", side)]


def _forecolour(found: re.Match[str]) -> list[StyleChange]:
    return [StyleChange("forecolor", colour(found["colour"]) or "")]


def _backcolour(found: re.Match[str]) -> list[StyleChange]:
    return [StyleChange("backcolor", colour(found["colour"]) or ""), StyleChange("mode", "Opaque")]


def _face(found: re.Match[str]) -> list[StyleChange]:
    name = next(family for family, names in _FACES.items() if re.fullmatch(names, found["face"], re.IGNORECASE))
    assert name in FAMILIES
    return [StyleChange("fontName", name)]


_BACK = r"(?:background(?: colou?r)?|fill(?: colou?r)?|背景(?:颜色|色)?|底色|底纹|填充(?:颜色|色)?)"
_TO = r"\s*(?:(?:to|in|as|of|=|:|改为|改成|设为|设置为|设成|换成|变为|变成|用|为|是|成|调成|调为|：)\s*)?"
_NOT = r"(?:(?:should |must )?(?:not|no|never)(?: be)?(?: in)? |un|remove (?:the )?|without |不要再?|取消|去掉|不|去除)"
_TOKENS: tuple[tuple[str, Maker], ...] = (
    (rf"(?:with |on )?(?:an? )?(?P<colour>{COLOUR})\s*(?:as )?(?:an? |the )?{_BACK}", _backcolour),
    (rf"(?:with |on )?(?:an? |the )?{_BACK}{_TO}(?P<colour>{COLOUR})", _backcolour),
    (rf"{_NOT}(?:加粗|粗体|bold)", _off("isBold")),
    (rf"{_NOT}(?:斜体|倾斜|italics?)", _off("isItalic")),
    (rf"{_NOT}(?:下划线|underlined?)", _off("isUnderline")),
    (r"(?:in )?(?:bold(?:face)?|heavier)|加粗|变粗|粗体|粗一些|粗一点", _on("isBold")),
    (r"(?:in )?(?:italics?|slanted)|用?斜体|倾斜", _on("isItalic")),
    (r"underlined?|(?:加上?|带|画)?下划线", _on("isUnderline")),
    (
        rf"{_MUCH}\s*(?:larger|bigger|enlarged|increased|too small|twice as (?:big|large))|"
        rf"(?:太小了?)[,，]?|{_MUCH}(?:改|放|变|加|调|弄|搞)?大(?:一些|一点|些|点|一号|很多)?(?:儿)?",
        _bigger,
    ),
    (
        rf"{_MUCH}\s*(?:smaller|reduced|decreased|too (?:big|large)|half as (?:big|large))|"
        rf"(?:太大了?)[,，]?|{_MUCH}(?:改|缩|变|减|调|弄)?小(?:一些|一点|些|点|一号|很多)?(?:儿)?",
        _smaller,
    ),
    (
        rf"(?:(?:at|in|font)?\s*(?:size)?{_TO}(?P<size>\d+(?:\.\d+)?)\s*(?:pt|points?|磅|号字?|px|个点))|"
        rf"(?:(?:font )?size|字号|大小|字体大小){_TO}(?P<size2>\d+(?:\.\d+)?"
        rf"|[一二三四五六七八九十]+)(?:\s*(?:pt|points?|磅|号字?))?",
        _size,
    ),
    (
        r"(?:align(?:ed|ment)?)?\s*(?:to the |in the |at the |at |on the )?(?:cent(?:er|re)(?:d|red|ed)?"
        r"|middle)|居中(?:对齐|显示)?|放(?:在)?中间",
        _align("Center"),
    ),
    (
        r"(?:left|flush left)[ -]?(?:align(?:ed)?|justified)|(?:align(?:ed|ment)? )?(?:to the |on the "
        r"|at the |in the )?left(?: side| edge)?|(?:左对齐|居左|靠左(?:对齐|边)?|(?:放|移)(?:到|在)?最?左边?)",
        _align("Left"),
    ),
    (
        r"(?:right|flush right)[ -]?(?:align(?:ed)?|justified)|(?:align(?:ed|ment)? )?(?:to the |on the "
        r"|at the |in the )?right(?: side| edge)?|(?:右对齐|居右|靠右(?:对齐|边)?|(?:放|移)(?:到|在)?最?右边?)",
        _align("Right"),
    ),
    (
        r"(?:in |with |the )*(?:all )?(?:upper ?case|capitals?|caps|capital "
        r"letters|block letters)|(?:字母)?大写(?:字母)?",
        lambda found: [StyleChange("case", "upper")],
    ),
    (r"(?:in |all )*(?:lower ?case)|小写(?:字母)?", lambda found: [StyleChange("case", "lower")]),
    (rf"(?:in |use |用|使用)?(?:the )?(?P<face>{_FACE})(?: font| typeface|字体)?", _face),
    (
        rf"(?:in |printed in |显示)?(?:为|成)?(?P<colour>{COLOUR})(?: colou?r(?:ed)?| ink| letters| text| font)?",
        _forecolour,
    ),
)
_FILL = re.compile(
    r"\s*(?:,|，|\band\b|\bbut\b|\bto\b|\bbe\b|\bin\b|\bas\b|\bfont\b|\bcolou?r\b|\btext\b|\bthe\b|\ba\b"
    r"|\balign\w*|并且?|而且|且|和|再|都|字体|字号|文字|颜色|字|"
    r"的|了|吧|点|一下|些|也|改成|改为|改|换成|换为|变成|变为|设为|设置为|设成"
    r"|设置成|设|弄成|调成|调整为|调整成|显示为|显示成|显示|标成|标|用|为|成"
    r"|加|带|应该|要|太|全部|对齐方式?)\s*",
    re.IGNORECASE,
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), make) for pattern, make in _TOKENS)


def style_changes(text: str) -> list[StyleChange] | None:
    """What a text says of looks; None where any of it says something else."""
    found: list[StyleChange] = []
    at = 0
    while at < len(text):
        best: tuple[int, list[StyleChange]] | None = None
        for pattern, make in _COMPILED:
            hit = pattern.match(text, at)
            if hit and hit.end() > at and _whole_words(text, hit.start(), hit.end()):
                made = make(hit)
                if made and (best is None or hit.end() > best[0]):
                    best = hit.end(), made
        if best is not None:
            at = best[0]
            found += best[1]
            continue
        fill = _FILL.match(text, at)
        if not fill or fill.end() == at:
            if text[at].isspace():
                at += 1
                continue
            return None
        at = fill.end()
    return found or None


def _whole_words(text: str, start: int, end: int) -> bool:
    """Whether a find ends where words end, so that no “bold” is found in “boldly”."""
    ends = end == len(text) or not (latin(text[end - 1]) and latin(text[end]))
    return ends and (start == 0 or not (latin(text[start - 1]) and latin(text[start])))


def latin(char: str) -> bool:
    return char.isascii() and char.isalnum()
