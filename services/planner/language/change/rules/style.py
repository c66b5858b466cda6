"""How texts look: size, weight, colour, face, alignment."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.resize import Resize
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.jrxml.expressions import sole_reference
from bandsmith.shared.jrxml.text_styles import lightness

from ...colours import COLOUR
from ...reference_resolver import Missing, Target
from ...template_view import TemplateView, ViewElement
from ..reading import Clause, ClauseReading, refused
from ..style_phrases import StyleChange, latin, style_changes

_APART = 0.4
"""How far letters and their background must be apart in lightness."""
_SPANS = 0.6
"""A text outside of the rows that takes this share of the width is aligned in its place; others are moved."""

_KNOWN = "Arial, Times, Courier, DejaVu Sans"
_MAKE = (
    r"(?:make|set|turn|render|print|show|put|display|have|get|write|draw|colou?r|paint|format|give|want"
    r"|need|change|mark|"
    r"use|let|move|place)\s+"
)
_PROP = r"(?:font ?size|size|font colou?r|colou?r|font|typeface|face|alignment|style|weight|background(?: colou?r)?)"


def looks(clause: Clause) -> ClauseReading | None:
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
        if style_changes(text[found.end() :]) and spoken is None:
            return _read(clause, "everything", text[found.end() :])
    return _split(clause, text)


def attribute(clause: Clause) -> ClauseReading | None:
    """“Red title”: how it shall look, said before its name."""
    found = clause.match(
        rf"(?:an? |the )?(?P<look>{COLOUR}|bold|italic|larger|bigger|smaller|centered|centred) (?P<name>[a-z][a-z ]*)"
    )
    return _read(clause, found["name"], found["look"]) if found else None


def _split(clause: Clause, text: str) -> ClauseReading | None:
    """The split of the text with the longest look behind a name."""
    absent: ClauseReading | None = None
    for at in range(len(text)):
        if at and latin(text[at - 1]) and latin(text[at]):
            continue
        made = style_changes(text[at:])
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


def _read(clause: Clause, name: str, look: str) -> ClauseReading | None:
    made = style_changes(look)
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
        changed = edits_of(clause.view, target, _of_header(target, made, clause.text))
        if changed is None:
            return None
        edits += changed
    return ClauseReading(edits, target=targets[-1]) if edits else None


def unknown_face(clause: Clause) -> ClauseReading | None:
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
    return refused("language.font_not_installed", font=face, fonts=_KNOWN)


def _of_header(target: Target, made: list[StyleChange], text: str) -> list[StyleChange]:
    """“Make the header blue” speaks of its background where it has one, unless of its words."""
    filled = [piece for piece in target.texts if piece.tag == "staticText" and _fill(piece)]
    if target.role != "header" or not filled or re.search(r"text|font|letter|word|ink|字|文", text, re.IGNORECASE):
        return made
    return [
        new
        for change in made
        for new in (
            [StyleChange("backcolor", change.value), StyleChange("mode", "Opaque")]
            if change.name == "forecolor"
            else [change]
        )
    ]


def _fill(piece: ViewElement) -> str:
    """The background that a text has itself; empty where it has none."""
    report = piece.node.find("{*}reportElement")
    return report.get("backcolor", "") if report.get("mode") == "Opaque" else ""


def _is_lost(ink: str, back: str) -> bool:
    """Whether letters of a colour could not be read on a background."""
    return bool(re.fullmatch("#[0-9A-Fa-f]{6}", back)) and abs(lightness(ink) - lightness(back)) < _APART


def _readable(piece: ViewElement, back: str) -> list[AnyEdit]:
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


_TEN = ViewElement("", "staticText", "", 0, 0, 0, 0, 0, "", size=10.0)


def edits_of(view: TemplateView, target: Target, made: list[StyleChange]) -> list[AnyEdit] | None:
    texts = target.texts
    filled = _bar(view, target)
    edits: list[AnyEdit] = []
    for change in made:
        if change.name == "case":
            cased = _cased(texts, str(change.value))
            if cased is None:
                return None
            edits += cased
            continue
        if change.name == "forecolor" and not texts:
            drawn = [piece for piece in target.pieces if piece.tag in ("line", "rectangle", "ellipse")]
            edits += [SetProperty(element=piece.key, name="lineColor", value=str(change.value)) for piece in drawn]
            continue
        if change.name == "fontSize" and not texts and not isinstance(change.value, str):
            # A picture has no letters: it grows as its size would.
            times = float(change.value(_TEN)) / _TEN.size
            edits += [
                Resize(element=piece.key, width=round(piece.width * times), height=round(piece.height * times))
                for piece in target.pieces if piece.tag == "image"
            ]  # fmt: skip
            continue
        if change.name == "textAlignment" and not texts:
            edits += [_moved(view, piece, str(change.value)) for piece in target.pieces]
            continue
        on = [filled] if change.name == "backcolor" and filled else [] if change.name == "mode" and filled else texts
        for piece in on:
            value = change.value if isinstance(change.value, str) else change.value(piece)
            head = target.column is not None and piece == target.column.head
            if head and change.name == "forecolor" and _is_lost(value, _fill(piece)):
                continue
            edits.append(SetProperty(element=piece.key, name=change.name, value=value))
            if change.name == "backcolor" and target.role == "header" and not filled:
                edits += _readable(piece, value)
            if change.name == "textAlignment" and target.role != "everything" and _is_loose(view, piece):
                edits.append(_moved(view, piece, value))
    return edits


def _bar(view: TemplateView, target: Target) -> ViewElement | None:
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


def _is_loose(view: TemplateView, piece: ViewElement) -> bool:
    """Whether a text stands alone, so that aligning it on the page is what is meant."""
    return (
        piece.section not in ("columnHeader", "detail", "groupHeader", "groupFooter")
        and piece.width < _SPANS * view.width
    )


def _moved(view: TemplateView, piece: ViewElement, side: str) -> Move:
    left, right = view.sides
    x = {"Left": left, "Center": (left + right - piece.width) // 2, "Right": right - piece.width}[side]
    return Move(element=piece.key, x=max(0, x))


def _cased(texts: list[ViewElement], case: str) -> list[AnyEdit] | None:
    """Edits that turn wording into capitals or small letters; None where there are no letters that have them."""
    edits: list[AnyEdit] = []
    for piece in texts:
        if piece.tag == "staticText":
            text = piece.words.upper() if case == "upper" else piece.words.lower()
            if text == piece.words and not re.search(r"[A-Za-z]", text):
                return None
            edits.append(SetText(element=piece.key, text=text))
        elif sole_reference(piece.expression, "PF") and not piece.pattern:
            edits.append(SetExpression(element=piece.key, expression=f"{piece.expression}.to{case.title()}Case()"))
        else:
            return None
    return edits


RULES = (looks, attribute, unknown_face)
