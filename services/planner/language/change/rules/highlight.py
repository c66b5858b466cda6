"""Values that are shown otherwise where a comparison holds."""

from __future__ import annotations

import re

from bandsmith.shared.edits.highlight import Comparison, Highlight

from ...colours import COLOUR, colour
from ...numbers import number_of
from ...reference_resolver import Missing
from ...template_view import TableColumn
from ..reading import Clause, ClauseReading, refused

_COMPARISONS: tuple[tuple[Comparison, str], ...] = (
    (">=", (
        r"(?:is |are )?(?:at least|no less than|not less than|greater than or equal to|>=|≥|from)|(?:大于等于"
        r"|大于或等于|不低于|不少于|不小于|至少|≥|>=)"
    )),
    ("<=", (
        r"(?:is |are )?(?:at most|no more than|not more than|less than or equal to|<=|≤|up to)|(?:小于等于"
        r"|小于或等于|不高于|不超过|不大于|不多于|至多|最多|≤|<=)"
    )),
    ("!=", r"(?:is |are )?(?:not equal to|is not|isn't|other than|!=|<>|≠)|(?:不等于|不是|不为|≠|!=)"),
    (">", (
        r"(?:is |are )?(?:over|above|more than|greater than|larger than|higher than|bigger than|exceed"
        r"(?:s|ing)?|>)|(?:大于|超过|高于|多于|超出|>|＞)"
    )),
    ("<", (
        r"(?:is |are )?(?:below|under|less than|smaller than|lower than|fewer "
        r"than|<)|(?:小于|低于|少于|不足|不到|<|＜)"
    )),
    ("==", r"(?:is equal to|equal to|equals?|is exactly|==|=|is|are)|(?:等于|是|为|=)"),
)  # fmt: skip
_COMPARES = "|".join(rf"(?:(?<![A-Za-z])(?:{words})(?![A-Za-z]))" for _, words in _COMPARISONS)
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


def highlight(clause: Clause) -> ClauseReading | None:
    text = clause.text
    row = re.search(_ROW, text, re.IGNORECASE) is not None
    text = re.sub(rf"\s*{_ROW}\s*(?:都|的)?", " ", text, flags=re.IGNORECASE).strip()
    chinese = re.search("[\u3400-\u9fff]", text) is not None
    style = _STYLE_ZH if chinese else _STYLE
    bold, shade = False, None
    begun = re.match(rf"(?:{_VERB}|{_VERB_ZH})", text, re.IGNORECASE) is not None
    if re.search(r"background|背景|底色", text, re.IGNORECASE):
        return None
    while True:
        # From the end, for a value may be the name of a colour as well.
        hits = [hit for hit in style.finditer(text) if hit[0].strip()]
        hits = [hit for hit in hits if not (hit.groupdict().get("colour") and shade)]
        if not hits:
            break
        hit = hits[-1]
        if hit.groupdict().get("colour"):
            shade = colour(hit["colour"])
        bold = bold or any(hit.groupdict().get(name) for name in ("both", "bold", "only"))
        text = (text[: hit.start()] + " " + text[hit.end() :]).strip()
    if not (shade or bold or begun):
        return None
    text = re.sub(r"\s+", " ", text).strip(" ,，")
    text = re.sub(rf"^(?:(?:{_VERB})\s+)?(?:all |the |any )*", "", text, flags=re.IGNORECASE) if not chinese else text
    if re.match(r"(?:rows?|lines?|entries) (?:where|when|with|whose|if|in which)\b", text, re.IGNORECASE) or re.search(
        r"的(?:行|那一?行|记录)$", text
    ):
        row = True
        text = re.sub(
            r"^(?:rows?|lines?|entries) (?:where|when|with|whose|if|in which)\s+(?:the )?",
            "",
            text,
            flags=re.IGNORECASE,
        )
        text = re.sub(r"的(?:行|那一?行|记录)$", "", text)
    text = re.sub(r"^(?:把|将|当|如果|若)+", "", text)
    text = re.sub(r"^(?:when|where|if) (?:the )?", "", text, flags=re.IGNORECASE)
    text = re.sub(rf"(?:的时候|时候|的话|时|的|则|就|都|{_VERB_ZH})+$", "", text).strip()
    return _compared(clause, text, shade or ("#000000" if bold else "#FF0000"), bold, row)


def _compared(clause: Clause, text: str, shade: str, bold: bool, row: bool) -> ClauseReading | None:
    sign = re.fullmatch(
        r"(?:the )?(?P<sign>negative|positive) (?P<name>.+)|(?P<zhsign>负的?|负数的?)(?P<zhname>.+)|(?P<name2>.+?)"
        r"(?: (?:is|are))? ?(?P<sign2>negative|positive)|(?P<zhname2>.+?)(?:为|是)?(?P<zhsign2>负数?|负值)",
        text,
        re.IGNORECASE,
    )
    if sign:
        said = {key: value for key, value in sign.groupdict().items() if value}
        name = next(value for key, value in said.items() if "name" in key)
        down = not any(value.lower() == "positive" for value in said.values())
        found = clause.column(name)
        if isinstance(found, Missing):
            return clause.absent(found)
        if isinstance(found, TableColumn):
            return _reading(found, "<" if down else ">", "0", shade, bold, row)
        return None
    parts = re.fullmatch(
        rf"(?P<name>.+?)\s*(?:(?:that|which|when|where|if|whose value|的值)\s*)?"
        rf"(?P<how>{_COMPARES})\s*(?P<value>[\ue000-\ue0ff]"
        rf"|[^<>=≥≤]{{1,40}})",
        text,
        re.IGNORECASE,
    )
    if not parts:
        return None
    comparison = next(sign for sign, words in _COMPARISONS if re.fullmatch(words, parts["how"], re.IGNORECASE))
    column = clause.column(
        re.sub(r"\s+(?:that|which|values?|of)$|的$|列$", "", parts["name"].strip(), flags=re.IGNORECASE)
    )
    value = clause.words(parts["value"]).strip()
    bare = re.sub(r"^[$¥￥€£]\s*|\s*(?:元|块|个|件|pieces|dollars|yuan)$", "", value)
    if isinstance(column, Missing):
        return clause.absent(column) if number_of(bare) is not None else None
    if not isinstance(column, TableColumn):
        return None
    number = number_of(bare)
    if column.numeric:
        return (
            _reading(column, comparison, f"{number:g}" if number < 1e6 else f"{number:.0f}", shade, bold, row)
            if number is not None
            else None
        )
    if comparison in ("==", "!="):
        return _reading(column, comparison, value, shade, bold, row)
    return refused("language.text_not_comparable", column=column.label, value=value)


def _reading(
    column: TableColumn, comparison: Comparison, value: str, shade: str, bold: bool, row: bool
) -> ClauseReading:
    return ClauseReading(
        [Highlight(field=column.field, comparison=comparison, value=value, colour=shade, bold=bold, row=row)]
    )


RULES = (highlight,)
