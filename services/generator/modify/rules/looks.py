"""How texts look: size, weight, colour, face, alignment."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from shared.fonts import FAMILIES
from shared.model.edits import AnyEdit, Move, Resize, SetExpression, SetProperty, SetText

from ...editor.looks import lightness
from ..colours import COLOUR, colour
from ..names import Missing, Target
from ..numbers import number_of
from ..reading import Clause, Reading, refused
from ..view import Piece, View

LARGEST = 200
_APART = 0.4
"""How far letters and their background must be apart in lightness."""
_SPANS = 0.6
"""A text outside of the rows that takes this share of the width is aligned in its place; others are moved."""

_FACES = {
    "Liberation Sans": r"arial|helvetica|sans(?:[ -]serif)?|liberation sans|黑体|微软雅黑|雅黑|等线|无衬线体?",
    "Liberation Serif": r"times(?: new roman)?|serif|liberation serif|georgia|宋体|仿宋|楷体|衬线体",
    "Liberation Mono": r"courier(?: new)?|mono(?:space)?|liberation mono|consolas|等宽体?",
    "DejaVu Sans": r"dejavu sans|verdana",
    "DejaVu Serif": r"dejavu serif",
    "Liberation Sans Narrow": r"(?:arial|liberation sans) narrow",
}
_FACE = "|".join(f"(?:{names})" for names in sorted(_FACES.values(), key=len, reverse=True))
_KNOWN = "Arial, Times, Courier, DejaVu Sans"

_MUCH = r"(?:a (?:bit|little|touch)|slightly|somewhat|much|a lot|even|far|稍微|略微|再|更|稍|大大)?"


@dataclass(frozen=True)
class Wish:
    """One thing that a text shall be: a property and its value, or how to find the value for each text."""

    name: str
    value: str | Callable[[Piece], str]


Maker = Callable[[re.Match[str]], list[Wish]]


def _times(factor: float) -> Callable[[Piece], str]:
    def size(piece: Piece) -> str:
        step = round(piece.size * factor)
        wanted = max(step, piece.size + 1) if factor > 1 else min(step, piece.size - 1)
        return f"{min(LARGEST, max(4, wanted)):g}"

    return size


def _bigger(found: re.Match[str]) -> list[Wish]:
    return [Wish("fontSize", _times(1.5 if re.search(r"much|a lot|far|大大|很多|twice", found[0], re.I) else 1.2))]


def _smaller(found: re.Match[str]) -> list[Wish]:
    return [Wish("fontSize", _times(0.65 if re.search(r"much|a lot|far|很多|half", found[0], re.I) else 0.85))]


def _size(found: re.Match[str]) -> list[Wish]:
    size = number_of(found["size"] or found["size2"])
    return [Wish("fontSize", f"{size:g}")] if size and 4 <= size <= LARGEST else []


def _on(name: str) -> Maker:
    return lambda found: [Wish(name, "true")]


def _off(name: str) -> Maker:
    return lambda found: [Wish(name, "false")]


def _align(side: str) -> Maker:
    return lambda found: [Wish("textAlignment", side)]


def _forecolour(found: re.Match[str]) -> list[Wish]:
    return [Wish("forecolor", colour(found["colour"]) or "")]


def _backcolour(found: re.Match[str]) -> list[Wish]:
    return [Wish("backcolor", colour(found["colour"]) or ""), Wish("mode", "Opaque")]


def _face(found: re.Match[str]) -> list[Wish]:
    name = next(family for family, names in _FACES.items() if re.fullmatch(names, found["face"], re.IGNORECASE))
    assert name in FAMILIES
    return [Wish("fontName", name)]


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
        lambda found: [Wish("case", "upper")],
    ),
    (r"(?:in |all )*(?:lower ?case)|小写(?:字母)?", lambda found: [Wish("case", "lower")]),
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


def wishes(text: str) -> list[Wish] | None:
    """What a text says of looks; None where any of it says something else."""
    found: list[Wish] = []
    at = 0
    while at < len(text):
        best: tuple[int, list[Wish]] | None = None
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
    ends = end == len(text) or not (_latin(text[end - 1]) and _latin(text[end]))
    return ends and (start == 0 or not (_latin(text[start - 1]) and _latin(text[start])))


def _latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


_MAKE = (
    r"(?:make|set|turn|render|print|show|put|display|have|get|write|draw|colou?r|paint|format|give|want"
    r"|need|change|mark|"
    r"use|let|move|place)\s+"
)
_PROP = r"(?:font ?size|size|font colou?r|colou?r|font|typeface|face|alignment|style|weight|background(?: colou?r)?)"


def looks(clause: Clause) -> Reading | None:
    """“Make X bold”, “X 加粗”, “the size of X to 20”, “bold X”: any split into a name and looks."""
    text = clause.text
    if found := clause.match(
        rf"(?:{_MAKE}|adjust |increase |decrease |reduce |enlarge )(?:the )?(?P<prop>{_PROP}) of (?P<name>.+?)\s+"
        rf"(?:to|in|as)\s+(?P<look>.+)"
    ):
        return _read(clause, found["name"], f"{found['prop']} {found['look']}")
    if found := clause.match(
        r"(?P<verb>increase|enlarge|decrease|reduce|raise|lower) (?:the )?(?:font |text )?size of (?P<name>.+)"
    ):
        return _read(
            clause, found["name"], "smaller" if found["verb"].lower() in ("decrease", "reduce", "lower") else "larger"
        )
    if found := clause.match(rf"(?:{_MAKE})?(?:the )?(?P<prop>{_PROP}) of (?P<rest>.+)"):
        return _split(clause, found["rest"])
    if found := clause.match(
        r"(?:use |i want |make (?:it )?)?(?:an? )?(?P<look>bigger|larger|smaller) (?:font|text|letters)"
        r"(?: size)?(?: everywhere)?"
    ):
        return _read(clause, "everything", found["look"])
    if found := clause.match(r"(?P<verb>enlarge|increase|shrink|reduce|放大|缩小|加大|调大|调小)\s*(?P<name>.+)"):
        small = found["verb"].lower() in ("shrink", "reduce", "缩小", "调小")
        if reading := _read(clause, found["name"], "smaller" if small else "larger"):
            return reading
    if found := clause.match(
        r"(?P<look>bold|italici[sz]e|underline|cent(?:er|re)|uppercase|capitali[sz]e|(?:left|right)[ -]align"
        r"|加粗|居中)\s*(?P<name>.+)"
    ):
        look = {"italicise": "italic", "italicize": "italic", "capitalise": "uppercase", "capitalize": "uppercase"}
        if reading := _read(
            clause, found["name"], look.get(found["look"].lower(), found["look"].lower().replace(" align", " aligned"))
        ):
            return reading
    found = clause.match(
        r"align (?P<name>.+?)\s+(?P<look>(?:to the |at the |in the )?(?:left|right|cent(?:er|re)))",
        r"use (?P<look>.+) for (?P<name>.+)",
        r"(?P<name>.+) is (?P<look>too (?:small|big|large))",
        r"give (?P<name>.+?) (?P<look>(?:an? ).+)",
    )
    if found and (reading := _read(clause, found["name"], found["look"])):
        return reading
    text = re.sub(rf"^(?:{_MAKE}|把|将|让|使|对|给)", "", text, flags=re.IGNORECASE)
    if found := re.match(
        r"(?:报表的?|整个报表的?)?(?:字体|文字|字号|字)(?:大小|颜色)?|(?:the )?(?:font|text)(?: size| colou?r)?\b",
        text,
        re.IGNORECASE,
    ):
        spoken = clause.before.target if clause.before else None
        if wishes(text[found.end() :]) and spoken is None:
            return _read(clause, "everything", text[found.end() :])
    return _split(clause, text)


def attribute(clause: Clause) -> Reading | None:
    """“Red title”: how it shall look, said before its name."""
    found = clause.match(
        rf"(?:an? |the )?(?P<look>{COLOUR}|bold|italic|larger|bigger|smaller|centered|centred) (?P<name>[a-z][a-z ]*)"
    )
    return _read(clause, found["name"], found["look"]) if found else None


def _split(clause: Clause, text: str) -> Reading | None:
    """The split of the text with the longest look behind a name."""
    absent: Reading | None = None
    for at in range(len(text)):
        if at and _latin(text[at - 1]) and _latin(text[at]):
            continue
        made = wishes(text[at:])
        if made is None:
            continue
        name = re.sub(
            rf"(?:\s+(?:should|must|to|is|are|has|shall|with|be|{_PROP}|(?:to|in) be|{_PROP}\s+(?:to|in"
            rf"|as)|be in|in|to|font))+$|(?:的)?(?:字体|字号|文字|颜色|字体颜色"
            rf"|文字颜色|字体大小|大小|内容|对齐方式|背景|底色)+$|的$",
            "",
            text[:at].strip(),
            flags=re.IGNORECASE,
        )
        reading = _read(clause, name, text[at:])
        if reading is not None and reading.edits:
            return reading
        absent = absent or reading
    return absent


def _read(clause: Clause, name: str, look: str) -> Reading | None:
    made = wishes(look)
    unknown = made is None and re.fullmatch(
        r"(?:in |the )*(?P<face>[A-Za-z][\w ]{2,30}?)(?: font)?|(?P<zh>[\u3400-\u9fff]{1,6}体)", look.strip()
    )
    if made is None and not unknown:
        return None
    name = name.strip()
    if name in ("字体", "文字", "字号", "font", "the font", "text", "the text", "font size", "the font size", "字"):
        name = "everything"
    targets = (
        clause.targets(name) if name else ([clause.before.target] if clause.before and clause.before.target else None)
    )
    if isinstance(targets, Missing):
        return clause.absent(targets) if made else None
    if not isinstance(targets, list):
        return None
    if made is None:
        return None
    edits: list[AnyEdit] = []
    for target in targets:
        changed = _apply(clause.view, target, _of_header(target, made, clause.text))
        if changed is None:
            return None
        edits += changed
    return Reading(edits, target=targets[-1]) if edits else None


def unknown_face(clause: Clause) -> Reading | None:
    """A face that is not among those that the engine carries."""
    found = clause.match(
        r"(?:set|change|put|print|show|make) (?P<name>.+?) (?:in|to) (?:the )?(?:font )?(?P<face>[a-z][a-z ]{2,30}?)"
        r"(?: font)?",
        r"use (?:the font )?(?P<face>[a-z][a-z ]{2,30}?)(?: font)? for (?P<name>.+)",
        r"(?:把|将)?(?P<name>.+?)(?:的?字体)?(?:改成|改为|换成|用|设为|使用)(?P<face>[\u3400-\u9fff]{1,5}体)",
    )
    if not found or not isinstance(clause.find(found["name"]), Target):
        return None
    if not re.search(
        r"sans|serif|mono|font|体$|roman|script|grotesk|helvet|calibri|cambria|garamond|futura|tahoma",
        found["face"],
        re.IGNORECASE,
    ):
        return None
    face = found["face"].strip()
    return refused(
        f"The font {face} is not installed here; there are {_KNOWN}.", f"这里没有字体{face};可以用 {_KNOWN}。"
    )


def _of_header(target: Target, made: list[Wish], text: str) -> list[Wish]:
    """“Make the header blue” speaks of its background where it has one, unless of its words."""
    filled = [piece for piece in target.texts if piece.tag == "staticText" and _fill(piece)]
    if target.role != "header" or not filled or re.search(r"text|font|letter|word|ink|字|文", text, re.IGNORECASE):
        return made
    return [
        new
        for wish in made
        for new in ([Wish("backcolor", wish.value), Wish("mode", "Opaque")] if wish.name == "forecolor" else [wish])
    ]


def _fill(piece: Piece) -> str:
    """The background that a text has itself; empty where it has none."""
    report = piece.node.find("{*}reportElement")
    return report.get("backcolor", "") if report.get("mode") == "Opaque" else ""


def _is_lost(ink: str, back: str) -> bool:
    """Whether letters of a colour could not be read on a background."""
    return bool(re.fullmatch("#[0-9A-Fa-f]{6}", back)) and abs(lightness(ink) - lightness(back)) < _APART


def _readable(piece: Piece, back: str) -> list[AnyEdit]:
    """What has to change with a heading's background: borders that had its colour, and letters that are lost on it."""
    old = _fill(piece)
    edits: list[AnyEdit] = []
    pens = piece.node.find("{*}box")
    for pen in pens if pens is not None and old else ():
        side = pen.tag.rpartition("}")[2]
        if side != "pen" and pen.get("lineColor", "").upper() == old.upper():
            edits.append(SetProperty(element=piece.key, name=f"{side}.lineColor", value=back))
    ink = piece.node.find("{*}reportElement").get("forecolor", "#000000")
    if abs(lightness(ink) - lightness(back)) < _APART:
        new = "#FFFFFF" if lightness(back) < 0.5 else "#000000"
        edits.append(SetProperty(element=piece.key, name="forecolor", value=new))
    return edits


_TEN = Piece("", "staticText", "", 0, 0, 0, 0, 0, "", size=10.0)


def _apply(view: View, target: Target, made: list[Wish]) -> list[AnyEdit] | None:
    texts = target.texts
    filled = _bar(view, target)
    edits: list[AnyEdit] = []
    for wish in made:
        if wish.name == "case":
            cased = _cased(texts, str(wish.value))
            if cased is None:
                return None
            edits += cased
            continue
        if wish.name == "forecolor" and not texts:
            drawn = [piece for piece in target.pieces if piece.tag in ("line", "rectangle", "ellipse")]
            edits += [SetProperty(element=piece.key, name="lineColor", value=str(wish.value)) for piece in drawn]
            continue
        if wish.name == "fontSize" and not texts and not isinstance(wish.value, str):
            # A picture has no letters: it grows as its size would.
            times = float(wish.value(_TEN)) / _TEN.size
            edits += [
                Resize(element=piece.key, width=round(piece.width * times), height=round(piece.height * times))
                for piece in target.pieces if piece.tag == "image"
            ]  # fmt: skip
            continue
        if wish.name == "textAlignment" and not texts:
            edits += [_moved(view, piece, str(wish.value)) for piece in target.pieces]
            continue
        on = [filled] if wish.name == "backcolor" and filled else [] if wish.name == "mode" and filled else texts
        for piece in on:
            value = wish.value if isinstance(wish.value, str) else wish.value(piece)
            head = target.column is not None and piece == target.column.head
            if head and wish.name == "forecolor" and _is_lost(value, _fill(piece)):
                continue
            edits.append(SetProperty(element=piece.key, name=wish.name, value=value))
            if wish.name == "backcolor" and target.role == "header" and not filled:
                edits += _readable(piece, value)
            if wish.name == "textAlignment" and target.role != "everything" and _is_loose(view, piece):
                edits.append(_moved(view, piece, value))
    return edits


def _bar(view: View, target: Target) -> Piece | None:
    """The filled bar that lies under the header row, where there is one."""
    if target.role != "header":
        return None
    return next(
        (
            piece
            for piece in view.in_sections("columnHeader")
            if piece.tag == "rectangle"
            and piece.node.find("{*}reportElement").get("backcolor")
            and piece.width >= view.width * 0.5
        ),
        None,
    )


def _is_loose(view: View, piece: Piece) -> bool:
    """Whether a text stands alone, so that aligning it on the page is what is meant."""
    return (
        piece.section not in ("columnHeader", "detail", "groupHeader", "groupFooter")
        and piece.width < _SPANS * view.width
    )


def _moved(view: View, piece: Piece, side: str) -> Move:
    left, right = view.sides
    x = {"Left": left, "Center": (left + right - piece.width) // 2, "Right": right - piece.width}[side]
    return Move(element=piece.key, x=max(0, x))


def _cased(texts: list[Piece], case: str) -> list[AnyEdit] | None:
    """Edits that turn wording into capitals or small letters; None where there are no letters that have them."""
    edits: list[AnyEdit] = []
    for piece in texts:
        if piece.tag == "staticText":
            text = piece.words.upper() if case == "upper" else piece.words.lower()
            if text == piece.words and not re.search(r"[A-Za-z]", text):
                return None
            edits.append(SetText(element=piece.key, text=text))
        elif re.fullmatch(r"\$[PF]\{[^{}]+\}", piece.expression) and not piece.pattern:
            edits.append(SetExpression(element=piece.key, expression=f"{piece.expression}.to{case.title()}Case()"))
        else:
            return None
    return edits


RULES = (looks, attribute, unknown_face)
