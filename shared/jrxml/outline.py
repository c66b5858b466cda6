"""An outline: a template in so few words that a prompt can hold it, and the names by which its parts are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from ..fonts import is_cjk
from ..llm.tokens import estimate
from ..xml import parse
from .bands import bands_with_elements
from .dom import local_name

_SHORT, _LONG = 40, 70
"""Characters of a text and of an expression that are shown."""
_NAMES = 30
"""Fields, parameters and variables that are named; the rest are counted."""
_FOR_HEAD = 0.4
"""Share of the budget that everything but bands and elements may take."""
_FOR_ROWS = 0.3
"""Share of what is left that the rows and their headers may take before all others: they are always worth knowing."""
_BAND_WORDS = {
    "background": "background watermark 背景 水印",
    "title": "title heading logo 标题 抬头 大标题",
    "pageHeader": "page header top 页眉 页头",
    "columnHeader": "column columns header heading 表头 列头 列标题 列名",
    "detail": "row rows detail column columns table cell 明细 行 列 表格 单元格",
    "columnFooter": "column footer 列脚",
    "pageFooter": "page footer number bottom 页脚 页码",
    "lastPageFooter": "last page footer 末页",
    "summary": "summary total totals sum end bottom signature 合计 总计 汇总 底部 签名 签字",
    "groupHeader": "group header grouped 分组 组头",
    "groupFooter": "group footer subtotal 分组 小计 组脚",
}
_DRAWN = {"line": "line", "rectangle": "rect", "ellipse": "ellipse", "break": "break"}
_DRAWN_WORDS = frozenset(
    ("line", "lines", "border", "borders", "rule", "rectangle", "box", "线", "线条", "边框", "矩形", "横线")
)
_ALIKE = {"hAlign": "textAlignment", "hTextAlign": "textAlignment"}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def outline(template: bytes, words: str = "", budget: int = 2000) -> str:
    """The page, what is declared, and the bands with their elements: name, kind, x,y, width x height, words, look.

    It has at most about `budget` tokens: what the request's `words` speak of comes first, of the rest there is a count.
    Raises ``BadInput`` when the template cannot be read.
    """
    root = parse(template)
    asked = _words_of(words)
    head = _within(_head(root, asked), int(budget * _FOR_HEAD))
    named = list(bands_with_elements(root))
    rarity = _rarity(asked, [f"{key} {_words_in(node)}" for _, _, inner in named for key, node in inner])
    sections = [_Section(name, band, inner, root, asked, rarity) for name, band, inner in named]
    room = budget - estimate("\n".join(head)) - sum(estimate(section.head) + 8 for section in sections)
    entries = [entry for section in sections for entry in section.entries]
    rows = [entry for section in sections if section.of_rows for entry in section.entries]
    chosen, spent = _chosen(rows, int(room * _FOR_ROWS))
    chosen |= _chosen([entry for entry in entries if id(entry) not in chosen], room - spent)[0]
    lines = [line for section in sections for line in section.lines(chosen)]
    return "\n".join(_within(head + lines, budget))


def _chosen(entries: Sequence[_Entry], room: int) -> tuple[set[int], int]:
    """The ids of the weightiest that there is room for, and how much of it they take."""
    chosen: set[int] = set()
    spent = 0
    for entry in sorted(entries, key=lambda entry: -entry.weight):
        if spent + entry.cost <= room:
            spent += entry.cost
            chosen.add(id(entry))
    return chosen, spent


def _rarity(asked: set[str], texts: Sequence[str]) -> dict[str, float]:
    """How much each word that is asked for tells: the more, the fewer texts have it."""
    found = Counter(word for text in texts for word in asked & _words_of(text))
    return {word: 3 * log(1 + len(texts) / count) for word, count in found.items()}


@dataclass(frozen=True)
class _Entry:
    """One line about an element, or about several that are only drawn."""

    text: str
    count: int
    weight: float

    @property
    def cost(self) -> int:
        return estimate(self.text) + 1


class _Section:
    """One band with the lines about it."""

    def __init__(
        self,
        name: str,
        band: Any,
        inner: Sequence[tuple[str, Any]],
        root: Any,
        asked: set[str],
        rarity: Mapping[str, float],
    ) -> None:
        when = (band.findtext("{*}printWhenExpression") or "").strip()
        self.head = f"{name} h{band.get('height', '0')}" + (f" when {_shown(when, _LONG)}" if when else "")
        section = re.split(r"[(\[]", name)[0]
        self.of_rows = section in ("detail", "columnHeader")
        wanted = len(asked & _words_of(_BAND_WORDS.get(section, "")))
        base = min(wanted, 2) + {"detail": 0.6, "columnHeader": 0.5, "title": 0.3}.get(section, 0.1)
        styles = _default(root)
        self.entries: list[_Entry] = []
        drawn: list[tuple[str, str]] = []
        for key, node in inner:
            kind = local_name(node)
            plain = kind in _DRAWN or (kind == "staticText" and not (node.findtext("{*}text") or "").strip())
            if plain and not asked & _DRAWN_WORDS:
                if drawn and drawn[-1][0] != kind:
                    self._draw(drawn, base)
                drawn.append((kind, key))
                continue
            self._draw(drawn, base)
            text = f"  {_element(key, node, styles)}"
            spoken = sum(rarity[word] for word in asked & _words_of(f"{key} {_words_in(node)}"))
            self.entries.append(_Entry(text, 1, base + spoken))
        self._draw(drawn, base)

    def _draw(self, drawn: list[tuple[str, str]], base: float) -> None:
        """One line about elements that have no words."""
        if drawn:
            names = [key for _, key in drawn]
            shown = ", ".join(names[:4]) + (f" … {len(names) - 4} more" if len(names) > 4 else "")
            kind = _DRAWN.get(drawn[0][0], "empty text")
            self.entries.append(_Entry(f"  {kind} {shown}", len(names), base - 1))
            drawn.clear()

    def lines(self, chosen: set[int]) -> list[str]:
        shown = [entry.text for entry in self.entries if id(entry) in chosen]
        left = sum(entry.count for entry in self.entries if id(entry) not in chosen)
        return [self.head, *shown, *([f"  … {left} more"] if left else [])]


def _head(root: Any, asked: set[str]) -> list[str]:
    """The page and everything that is declared."""
    margins = ",".join(root.get(f"{side}Margin", "20") for side in ("left", "top", "right", "bottom"))
    width, height = root.get("pageWidth", "595"), root.get("pageHeight", "842")
    lines = [f"page {width}x{height} margins {margins} columnWidth {root.get('columnWidth', '555')}"]
    default = _default(root)
    lines[0] += f" font {default.get('fontName', 'default')} {default.get('fontSize', '10')}"
    for scope in ("parameter", "field"):
        nodes = root.findall(f"{{*}}{scope}")
        named = [_declared(node) for node in nodes]
        lines += _list(f"{scope}s", named, asked)
    lines += _list("sort", [_sort(node) for node in root.findall("{*}sortField")], asked)
    lines += _list("variables", [_variable(node) for node in root.findall("{*}variable")], asked)
    groups = root.findall("{*}group")
    lines += _list(
        "groups", [f"{g.get('name')}={(g.findtext('{*}groupExpression') or '').strip()}" for g in groups], asked
    )
    styles = [style for style in root.findall("{*}style") if style.get("isDefault") != "true"]
    lines += _list("styles", [_style(style) for style in styles], asked)
    return lines


def _list(title: str, names: Sequence[str], asked: set[str]) -> list[str]:
    if not names:
        return []
    ranked = sorted(names, key=lambda name: -len(asked & _words_of(name))) if len(names) > _NAMES else names
    shown, more = ranked[:_NAMES], len(names) - _NAMES
    return [f"{title}: {', '.join(shown)}" + (f" … {more} more" if more > 0 else "")]


def _declared(node: Any) -> str:
    """Its name, with its class where that is not a string."""
    simple = node.get("class", "java.lang.String").rpartition(".")[2]
    return f"{node.get('name', '')}" + ("" if simple == "String" else f":{simple}")


def _sort(node: Any) -> str:
    return f"{node.get('name', '')}" + (" descending" if node.get("order") == "Descending" else "")


def _variable(node: Any) -> str:
    expression = _shown((node.findtext("{*}variableExpression") or "").strip(), _LONG)
    group = f" by {node.get('resetGroup')}" if node.get("resetGroup") else ""
    return f"{_declared(node)}={node.get('calculation', '')}({expression}){group}"


def _style(node: Any) -> str:
    when = [(one.findtext("{*}conditionExpression") or "").strip() for one in node.findall("{*}conditionalStyle")]
    return f"{node.get('name', '')}" + "".join(f" when {_shown(one, _LONG)}" for one in when[:3])


def _default(root: Any) -> dict[str, str]:
    style = next((one for one in root.findall("{*}style") if one.get("isDefault") == "true"), None)
    return dict(style.attrib) if style is not None else {}


def _element(name: str, node: Any, default: dict[str, str]) -> str:
    """One line about an element; what is as usual is left out."""
    report = node.find("{*}reportElement")
    place = "{0[x]},{0[y]} {0[width]}x{0[height]}".format(
        {key: report.get(key, "0") for key in ("x", "y", "width", "height")}
    )
    kind = {"staticText": "text", "textField": "field"}.get(
        local_name(node), _DRAWN.get(local_name(node), local_name(node))
    )
    parts = [name, kind, place]
    if words := _words_in(node):
        parts.append(f'"{_shown(words, _SHORT)}"' if kind == "text" else _shown(words, _LONG))
    return " ".join([*parts, *_look(node, report, default)])


def _look(node: Any, report: Any, default: dict[str, str]) -> Iterator[str]:
    words = node.find("{*}textElement")
    said = {_ALIKE.get(key, key): value for key, value in words.attrib.items()} if words is not None else {}
    font = words.find("{*}font") if words is not None else None
    if font is not None:
        said |= font.attrib
    if (size := said.get("size")) and size != default.get("fontSize", "10"):
        yield size
    for key, short in (("isBold", "bold"), ("isItalic", "italic"), ("isUnderline", "underlined")):
        if said.get(key) == "true":
            yield short
    if said.get("textAlignment", "Left") != "Left":
        yield said["textAlignment"].lower()
    if report.get("forecolor", "#000000") != "#000000":
        yield report.get("forecolor")
    if report.get("style"):
        yield f"style={report.get('style')}"
    if node.get("pattern"):
        yield f"pattern={node.get('pattern')}"
    if when := (report.findtext("{*}printWhenExpression") or "").strip():
        yield f"when {_shown(when, _SHORT)}"


def _words_in(node: Any) -> str:
    for name in ("text", "textFieldExpression", "imageExpression"):
        if found := (node.findtext(f"{{*}}{name}") or "").strip():
            return " ".join(found.split())
    return ""


def _words_of(text: str) -> set[str]:
    """The words of a text: of Chinese each two characters in a row, and a character that stands alone."""
    found = {word.lower() for word in _WORD.findall(text)}
    run = ""
    for char in (*text, " "):
        if is_cjk(char) and char.isalpha():
            run += char
        else:
            found |= {run[n : n + 2] for n in range(len(run) - 1)} or ({run} if run else set())
            run = ""
    return found - {""}


def _within(lines: Sequence[str], budget: int) -> list[str]:
    """As many lines as there is room for; one that is too long is cut."""
    kept = []
    for line in lines:
        cost = estimate(line) + 1
        if cost > budget:
            if budget > 8:
                kept.append(line[: budget - 4] + " …")
            break
        kept.append(line)
        budget -= cost
    return kept


def _shown(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
