"""Describe a template in few words, so that it fits into a prompt.

Every element has one line with its name, kind, position, size, content and style; what matches the words of a request
comes first, and what exceeds the budget is only counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from lxml import etree

from ..fonts import is_cjk
from ..tokens import estimate
from ..xml import parse
from .bands import NamedBand, bands_with_elements, section_in
from .dom import child, child_text, content_of, declared_nodes, local_name, report_element, tag
from .further_pages import printed_groups
from .text_styles import default_style

_MAX_TEXT_CHARS, _MAX_EXPRESSION_CHARS = 40, 70
_MAX_NAMES = 30
"""Fields, parameters and variables that are named; the others are counted."""
_MAX_DRAWN_NAMES = 4
_MAX_CONDITIONS = 3
_HEAD_SHARE = 0.4
"""Share of the budget for everything but bands and elements."""
_ROWS_SHARE = 0.3
"""Share of the remaining budget that is reserved for the rows and their headers, which always matter."""
_SECTION_LINE_TOKENS = 8
"""Tokens of a line that counts what was left out of a band."""
_WORD_WEIGHT = 3.0
_SECTION_WEIGHTS = {"detail": 0.6, "columnHeader": 0.5, "title": 0.3}
_OTHER_SECTION_WEIGHT = 0.1
_SECTION_WORDS = {
    "background": "background watermark 背景 水印",
    "title": "title heading logo 标题 抬头 大标题",
    "pageHeader": "page header top 页眉 页头",
    "columnHeader": "column columns header heading 表头 列头 列标题 列名",
    "detail": "row rows detail column columns table cell 明细 行 列 表格 单元格",
    "columnFooter": "column footer 列脚",
    "pageFooter": "page footer number bottom 页脚 页码",
    "lastPageFooter": "last page footer 末页",
    "summary": "summary total totals sum end bottom signature 合计 总计 汇总 底部 签名 签字",
    "furtherPage": "second page terms conditions 第二页 条款",
    "groupHeader": "group header grouped 分组 组头",
    "groupFooter": "group footer subtotal 分组 小计 组脚",
}
"""Words by which people speak of a section."""
_KINDS = {"staticText": "text", "textField": "field"}
_DRAWN_KINDS = {"line": "line", "rectangle": "rectangle", "ellipse": "ellipse", "break": "break"}
_DRAWN_WORDS = frozenset(
    ("line", "lines", "border", "borders", "rule", "rectangle", "box", "线", "线条", "边框", "矩形", "横线")
)
_ALIGNMENT_ATTRIBUTES = {"hAlign": "textAlignment", "hTextAlign": "textAlignment"}
_STYLE_ATTRIBUTES = ("style", "fontName", "fontSize", "isBold", "forecolor", "backcolor", "mode")
"""Attributes of a style that are shown."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def outline(template: bytes, words: str = "", budget: int = 2000) -> str:
    """Return the page, the declarations, and the bands with their elements, in about `budget` tokens at most.

    What matches the `words` of a request comes first; what is left out is counted. Raises ``BadInput`` if the template
    cannot be read.
    """
    root = parse(template)
    wanted = _words_of(words)
    head = _within(_head(root, wanted), int(budget * _HEAD_SHARE))
    bands = list(bands_with_elements(root))
    rarity = _rarity(wanted, [f"{name} {_content(node)}" for band in bands for name, node in band.elements])
    sections = [_Section(band, root, wanted, rarity) for band in bands]
    available = budget - estimate("\n".join(head))
    available -= sum(estimate(section.head) + _SECTION_LINE_TOKENS for section in sections)
    entries = [entry for section in sections for entry in section.entries]
    rows = [entry for section in sections if section.has_rows for entry in section.entries]
    chosen, spent = _choose(rows, int(available * _ROWS_SHARE))
    chosen |= _choose([entry for entry in entries if id(entry) not in chosen], available - spent)[0]
    lines = [line for section in sections for line in section.lines(chosen)]
    return "\n".join(_within(head + lines, budget))


# --- choosing what fits ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Entry:
    """A line about an element, or about several that have no content."""

    text: str
    count: int
    weight: float

    @property
    def cost(self) -> int:
        return estimate(self.text) + 1


def _choose(entries: Sequence[_Entry], budget: int) -> tuple[set[int], int]:
    """Return the ids of the weightiest entries that fit into the budget, and what they cost."""
    chosen: set[int] = set()
    spent = 0
    for entry in sorted(entries, key=lambda entry: -entry.weight):
        if spent + entry.cost <= budget:
            spent += entry.cost
            chosen.add(id(entry))
    return chosen, spent


def _rarity(wanted: set[str], texts: Sequence[str]) -> dict[str, float]:
    """Return the weight of each wanted word: the fewer texts contain it, the more it weighs."""
    counts = Counter(word for text in texts for word in wanted & _words_of(text))
    return {word: _WORD_WEIGHT * log(1 + len(texts) / count) for word, count in counts.items()}


def _within(lines: Sequence[str], budget: int) -> list[str]:
    """Return the first lines that fit into the budget; the last one may be cut."""
    kept = []
    for line in lines:
        cost = estimate(line) + 1
        if cost > budget:
            if budget > _SECTION_LINE_TOKENS:
                kept.append(line[: budget - 4] + " …")
            break
        kept.append(line)
        budget -= cost
    return kept


# --- bands -----------------------------------------------------------------------------------------------------------


class _Section:
    """A band with the lines about it."""

    def __init__(self, band: NamedBand, root: etree._Element, wanted: set[str], rarity: Mapping[str, float]) -> None:
        when = child_text(band.node, "printWhenExpression")
        self.head = f"{band.name} h{band.node.get('height', '0')}"
        self.head += f" when {_shortened(when, _MAX_EXPRESSION_CHARS)}" if when else ""
        section = section_in(band.name)
        self.has_rows = section in ("detail", "columnHeader")
        matches = len(wanted & _words_of(_SECTION_WORDS.get(section, "")))
        base = min(matches, 2) + _SECTION_WEIGHTS.get(section, _OTHER_SECTION_WEIGHT)
        defaults = _default_style(root)
        self.entries: list[_Entry] = []
        drawn: list[tuple[str, str]] = []
        for name, node in band.elements:
            kind = local_name(node)
            has_content = kind not in _DRAWN_KINDS and not (kind == "staticText" and not child_text(node, "text"))
            if not has_content and not wanted & _DRAWN_WORDS:
                if drawn and drawn[-1][0] != kind:
                    self._add_drawn(drawn, base)
                drawn.append((kind, _element(name, node, defaults)))
                continue
            self._add_drawn(drawn, base)
            weight = sum(rarity[word] for word in wanted & _words_of(f"{name} {_content(node)}"))
            self.entries.append(_Entry(f"  {_element(name, node, defaults)}", 1, base + weight))
        self._add_drawn(drawn, base)

    def _add_drawn(self, drawn: list[tuple[str, str]], base: float) -> None:
        """Add one line about elements without content, and empty the list of them."""
        if drawn:
            described = [text for _, text in drawn]
            omitted = len(described) - _MAX_DRAWN_NAMES
            kind = _DRAWN_KINDS.get(drawn[0][0], "empty text")
            shown = "; ".join(described[:_MAX_DRAWN_NAMES]) + (
                f" … {omitted} more of kind {kind}" if omitted > 0 else ""
            )
            self.entries.append(_Entry(f"  {shown}", len(described), base - 1))
            drawn.clear()

    def lines(self, chosen: set[int]) -> list[str]:
        shown = [entry.text for entry in self.entries if id(entry) in chosen]
        omitted = sum(entry.count for entry in self.entries if id(entry) not in chosen)
        return [self.head, *shown, *([f"  … {omitted} more"] if omitted else [])]


# --- the page and the declarations -----------------------------------------------------------------------------------


def _head(root: etree._Element, wanted: set[str]) -> list[str]:
    """Return the lines about the page and the declarations."""
    margins = ",".join(root.get(f"{side}Margin", "20") for side in ("left", "top", "right", "bottom"))
    width, height = root.get("pageWidth", "595"), root.get("pageHeight", "842")
    lines = [f"page {width}x{height} margins {margins} columnWidth {root.get('columnWidth', '555')}"]
    default = _default_style(root)
    lines[0] += f" font {default.get('fontName', 'default')} {default.get('fontSize', '10')}"
    for scope in ("parameter", "field"):
        lines += _list(f"{scope}s", [_declared(node) for node in root.findall(tag(scope))], wanted)
    lines += _list("sort", [_sort(node) for node in root.findall(tag("sortField"))], wanted)
    lines += _list("variables", [_variable(node) for node in root.findall(tag("variable"))], wanted)
    groups = printed_groups(root)
    lines += _list("groups", [f"{node.get('name')}={child_text(node, 'groupExpression')}" for node in groups], wanted)
    styles = [style for style in root.findall(tag("style")) if style.get("isDefault") != "true"]
    lines += _list("styles", [_style(style) for style in styles], wanted)
    return lines


def _list(title: str, names: Sequence[str], wanted: set[str]) -> list[str]:
    if not names:
        return []
    ranked = sorted(names, key=lambda name: -len(wanted & _words_of(name))) if len(names) > _MAX_NAMES else names
    shown, omitted = ranked[:_MAX_NAMES], len(names) - _MAX_NAMES
    return [f"{title}: {', '.join(shown)}" + (f" … {omitted} more" if omitted > 0 else "")]


def _declared(node: etree._Element) -> str:
    """Return a declaration's name, with its class unless that is String."""
    simple = node.get("class", "java.lang.String").rpartition(".")[2]
    return f"{node.get('name', '')}" + ("" if simple == "String" else f":{simple}")


def _sort(node: etree._Element) -> str:
    return f"{node.get('name', '')}" + (" descending" if node.get("order") == "Descending" else "")


def _variable(node: etree._Element) -> str:
    expression = _shortened(child_text(node, "variableExpression"), _MAX_EXPRESSION_CHARS)
    group = f" by {node.get('resetGroup')}" if node.get("resetGroup") else ""
    return f"{_declared(node)}={node.get('calculation', '')}({expression}){group}"


def _style(node: etree._Element) -> str:
    conditions = [child_text(one, "conditionExpression") for one in node.findall(tag("conditionalStyle"))]
    own = [f"{name}={node.get(name)}" for name in _STYLE_ATTRIBUTES if node.get(name)]
    return (
        f"{node.get('name', '')}"
        + (f" ({' '.join(own)})" if own else "")
        + "".join(f" when {_shortened(one, _MAX_EXPRESSION_CHARS)}" for one in conditions[:_MAX_CONDITIONS])
    )


def _default_style(root: etree._Element) -> dict[str, str]:
    style = default_style(declared_nodes(root, "style"))
    return dict(style.attrib) if style is not None else {}


# --- elements --------------------------------------------------------------------------------------------------------


def _element(name: str, node: etree._Element, default: Mapping[str, str]) -> str:
    """Return one line about an element; what is as usual is left out."""
    report = report_element(node)
    tag_name = local_name(node)
    kind = _KINDS.get(tag_name, _DRAWN_KINDS.get(tag_name, tag_name))
    parts = [name, kind, _place(node)]
    if content := _content(node):
        is_text = kind == "text"
        parts.append(
            f'"{_shortened(content, _MAX_TEXT_CHARS)}"' if is_text else _shortened(content, _MAX_EXPRESSION_CHARS)
        )
    return " ".join([*parts, *_unusual_style(node, report, default)])


def _unusual_style(node: etree._Element, report: etree._Element, default: Mapping[str, str]) -> Iterator[str]:
    text_element = child(node, "textElement")
    attributes: dict[str, str] = {}
    if text_element is not None:
        attributes = {_ALIGNMENT_ATTRIBUTES.get(key, key): value for key, value in text_element.attrib.items()}
        font = child(text_element, "font")
        attributes |= font.attrib if font is not None else {}
    if (size := attributes.get("size")) and size != default.get("fontSize", "10"):
        yield size
    for key, short in (("isBold", "bold"), ("isItalic", "italic"), ("isUnderline", "underlined")):
        if attributes.get(key) == "true":
            yield short
    if attributes.get("textAlignment", "Left") != "Left":
        yield attributes["textAlignment"].lower()
    if (font_name := attributes.get("fontName")) and font_name != default.get("fontName"):
        yield f"font={font_name}"
    if (colour := _colour(node, report)) != "#000000":
        yield colour
    if report.get("mode") == "Opaque" or (report.get("backcolor") and local_name(node) in _DRAWN_KINDS):
        yield f"on {report.get('backcolor', '#FFFFFF')}"
    yield from _line_widths(node)
    if report.get("style"):
        yield f"style={report.get('style')}"
    if node.get("pattern"):
        yield f"pattern={node.get('pattern')}"
    if when := child_text(report, "printWhenExpression"):
        yield f"when {_shortened(when, _MAX_TEXT_CHARS)}"


def _colour(node: etree._Element, report: etree._Element) -> str:
    """Return the colour of a text, or of the pen of a line or another shape."""
    pens = node.findall(f"{tag('graphicElement')}/{tag('pen')}")
    drawn = [colour for pen in pens if (colour := pen.get("lineColor"))]
    return drawn[0] if drawn else report.get("forecolor") or "#000000"


def _line_widths(node: etree._Element) -> Iterator[str]:
    """Yield how thick a text's borders are, or the pen of a shape; nothing where that is the engine's own width."""
    borders = dict.fromkeys(pen.get("lineWidth", "0") for pen in node.iterfind(f"{tag('box')}/*"))
    if drawn := [width for width in borders if width not in ("0", "0.0")]:
        yield f"bordered {'/'.join(drawn)}"
    pen = node.find(f"{tag('graphicElement')}/{tag('pen')}")
    if pen is not None and pen.get("lineWidth"):
        yield f"pen {pen.get('lineWidth')}"


# --- words -----------------------------------------------------------------------------------------------------------


def _content(node: etree._Element) -> str:
    return " ".join(content_of(node).split())


def _words_of(text: str) -> set[str]:
    """Return the words of a text; of Chinese, every pair of adjacent characters, and characters that stand alone."""
    found = {word.lower() for word in _WORD.findall(text)}
    run = ""
    for char in (*text, " "):
        if is_cjk(char) and char.isalpha():
            run += char
        else:
            found |= {run[n : n + 2] for n in range(len(run) - 1)} or ({run} if run else set())
            run = ""
    return found - {""}


def _shortened(text: str, max_chars: int) -> str:
    return text if len(text) <= max_chars else text[: max_chars - 1] + "…"


def _place(node: etree._Element) -> str:
    """Return the position and the size of an element: ``80,34 120x1``."""
    report = report_element(node)
    return "{},{} {}x{}".format(*(report.get(key, "0") for key in ("x", "y", "width", "height")))
