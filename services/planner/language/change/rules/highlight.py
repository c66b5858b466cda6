"""Values that look different where a condition holds. What the conditions are is in ``templates/*/highlight.toml``."""

from __future__ import annotations

import re
from typing import get_args

from bandsmith.shared.edits.highlight import Highlight
from bandsmith.shared.jrxml.conditions import Comparison

from ...colours import COLOUR, colour
from ...numbers import number_of
from ...references import Missing
from ...sentence_templates import Slots, matches
from ...template_view import TableColumn
from ..reading import Clause, ClauseReading, refused

PHRASES = frozenset({"signed", "compared", "named", "amounts"})
"""Sentences of the files: conditions, and names and numbers within them."""
MAX_SHORT_NUMBER = 1e6
"""Larger numbers are rounded, for their short form has an exponent."""
_VERB = r"(?:highlight|mark|show|print|flag|colou?r|display|make|paint|write|render|set|turn)"
_VERB_ZH = r"(?:标记|标注|标|高亮(?:显示)?|突出(?:显示)?|显示|变|设|用|改|打印|标示)"
_ROW = r"(?:(?:the |those )?(?:whole|entire|complete) (?:rows?|lines?)|整行|整条|整一行|一整行)"
_STYLE = re.compile(
    rf"(?:\s*(?:,|，)?\s*(?:and )?(?:in|as|with|use|using|be|to)?\s*(?:the )?(?:colou?r )?(?P<both>bold "
    rf")?(?P<colour>{COLOUR})(?: (?:and )?(?P<bold>bold))?(?: text| font| letters| colou?r)?(?![a-z]))"
    rf"|(?P<only>\s*(?:and )?(?:in )?\bbold\b|加粗)",
    re.IGNORECASE,
)
_STYLE_ZH = re.compile(
    rf"(?:就|则|都|的|请)*(?:用)?(?:{_VERB_ZH})*(?:为|成|用|上)?(?P<colour>{COLOUR})(?:字体|字|的)?(?:来)?(?:{_VERB_ZH}"
    rf"|显示|标出|表示|标记)?|(?:就|则|都)*(?P<only>加粗)(?:显示)?",
    re.IGNORECASE,
)


_LEAD = re.compile(rf"^(?:(?:{_VERB})\s+)?(?:all |the |any )*", re.IGNORECASE)
_ROWS_WHERE = re.compile(
    r"^(?:rows?|lines?|entries) (?:where|when|with|whose|if|in which)\s+(?:the )?|的(?:行|那一?行|记录)$", re.IGNORECASE
)
_BACKGROUND = re.compile(r"background|背景|底色", re.IGNORECASE)
_DEFAULT_COLOUR, _DEFAULT_BOLD_COLOUR = "#FF0000", "#000000"


def highlight(clause: Clause) -> ClauseReading | None:
    """“Mark amounts over 100 in red”, “金额大于100的标红”: a condition, with a colour or bold letters."""
    if any(matches("value_format", "blank", clause.text)) or _BACKGROUND.search(clause.text):
        return None  # “留白” leaves a value empty: it is no white
    text = re.sub(rf"\s*{_ROW}\s*(?:都|的)?", " ", clause.text, flags=re.IGNORECASE).strip()
    has_verb = re.match(rf"(?:{_VERB}|{_VERB_ZH})", text, re.IGNORECASE) is not None
    chinese = re.search("[\u3400-\u9fff]", text) is not None
    condition, shade, bold = _without_style(text, _STYLE_ZH if chinese else _STYLE)
    if not (shade or bold or has_verb):
        return None
    condition = re.sub(r"\s+", " ", condition).strip(" ,，")
    if not chinese:
        condition = _LEAD.sub("", condition)
    row = re.search(_ROW, clause.text, re.IGNORECASE) is not None or _ROWS_WHERE.search(condition) is not None
    condition = _ROWS_WHERE.sub("", condition)
    condition = re.sub(r"^(?:把|将|当|如果|若)+", "", condition)
    condition = re.sub(r"^(?:when|where|if) (?:the )?", "", condition, flags=re.IGNORECASE)
    condition = re.sub(rf"(?:的时候|时候|的话|时|的|则|就|都|{_VERB_ZH})+$", "", condition).strip()
    return _condition(clause, condition, shade or (_DEFAULT_BOLD_COLOUR if bold else _DEFAULT_COLOUR), bold, row)


def _without_style(text: str, style: re.Pattern[str]) -> tuple[str, str | None, bool]:
    """Return a clause without its style, the colour it names, and whether it asks for bold letters."""
    shade, bold = None, False
    while True:
        found = [match for match in style.finditer(text) if match[0].strip()]
        found = [match for match in found if not (match["colour"] and shade)]
        if not found:
            return text, shade, bold
        # From the end, for a value may be the name of a colour as well.
        last = found[-1]
        groups = last.groupdict()
        if groups["colour"]:
            shade = colour(groups["colour"])
        bold = bold or any(groups.get(name) for name in ("both", "bold", "only"))
        text = (text[: last.start()] + " " + text[last.end() :]).strip()


def _condition(clause: Clause, text: str, shade: str, bold: bool, row: bool) -> ClauseReading | None:
    """Return the highlight of the values for which a condition holds: “amount over 100”, “negative prices”."""
    absent: ClauseReading | None = None
    for slots in matches("highlight", "signed", text):
        column = clause.column(slots["name"])
        if isinstance(column, TableColumn):
            return _reading(column, _comparison(slots["sign"]), "0", shade, bold, row)
        if isinstance(column, Missing):
            absent = absent or clause.absent(column)
    for slots in matches("highlight", "compared", text):
        reading = _compared(clause, slots, shade, bold, row)
        if reading is not None and reading.edits:
            return reading
        absent = absent or reading
    return absent


def _compared(clause: Clause, slots: Slots, shade: str, bold: bool, row: bool) -> ClauseReading | None:
    name = slots["name"]
    if bare := next(matches("highlight", "named", name), None):
        name = bare["name"]
    column = clause.column(name)
    value = clause.words(slots["value"] or slots["figure"])
    number = _number(value)
    if isinstance(column, Missing):
        return clause.absent(column) if number is not None else None
    if not isinstance(column, TableColumn):
        return None
    comparison = _comparison(slots["comparison"])
    if column.numeric:
        if number is None:
            return None
        written = f"{number:g}" if number < MAX_SHORT_NUMBER else f"{number:.0f}"
        return _reading(column, comparison, written, shade, bold, row)
    if comparison in ("==", "!="):
        return _reading(column, comparison, value, shade, bold, row)
    return refused("language.text_not_comparable", column=column.label, value=value)


def _comparison(sign: str) -> Comparison:
    return next(comparison for comparison in get_args(Comparison) if comparison == sign)


def _number(words: str) -> float | None:
    """Return the number that words stand for, without its currency or unit."""
    while slots := next(matches("highlight", "amounts", words), None):
        words = slots["amount"]
    return number_of(words)


def _reading(
    column: TableColumn, comparison: Comparison, value: str, shade: str, bold: bool, row: bool
) -> ClauseReading:
    return ClauseReading(
        [Highlight(field=column.field, comparison=comparison, value=value, colour=shade, bold=bold, row=row)]
    )


RULES = (highlight,)
