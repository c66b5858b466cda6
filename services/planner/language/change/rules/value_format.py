"""How values are written: decimals, separators, signs, dates, and what is empty."""

from __future__ import annotations

import re
from collections.abc import Callable

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.jrxml.dom import declared_nodes
from bandsmith.shared.jrxml.expressions import SCOPES, sole_reference

from ...numbers import number_of
from ...reference_resolver import Missing, Target
from ...template_view import DATES, NUMERIC, TableColumn, TemplateView, ViewElement
from ..reading import Clause, ClauseReading, refused

_LEAD = r"(?:show|print|display|format|write|give|put|use|make|set|render|round|i want)\s+(?:the )?"
_ZH_LEAD = r"(?:把|将|给|让)?"
_COUNT = r"(?P<n>\d|no|zero|one|two|three|four|five|six)"
_COUNTS = {"no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_CURRENCY = {
    "$": r"dollars?(?: signs?)?|usd|\$|美元符?号?", "€": r"euros?(?: signs?)?|eur|€|欧元符?号?",
    "£": r"pounds?(?: signs?)?|gbp|£|英镑符?号?", "¥": (
        r"yuan(?: signs?)?|rmb|cny|yen(?: signs?)?|¥|￥|人民币(?:的)?(?:符号"
        r"|标志)?|元符号|货币符号"
    ),
}  # fmt: skip
_SIGN = "|".join(f"(?:{words})" for words in _CURRENCY.values())
_NUMBER = re.compile(r"(?P<whole>#,##0|#,###|###0|##0|0|#)(?:\.(?P<places>[0#]+))?(?P<percent>%)?")


def decimals(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"(?:{_LEAD})?(?P<name>.+?)\s+(?:with|to|in|at|should have|have|has|needs?)\s+(?:only )?{_COUNT}\s*"
        rf"(?:decimals?(?: places?| digits?)?|digits after the (?:decimal )?point|places)",
        rf"(?:with |to )?{_COUNT} decimals?(?: places?)?(?P<name>)",
        rf"(?:{_LEAD})?{_COUNT} decimals?(?: places?)? (?:for|in|on) (?:the )?(?P<name>.+)",
        rf"{_ZH_LEAD}(?P<name>.+?)(?:都)?(?:保留|显示|取|精确到|用|要|改成|改为"
        rf"|设为)(?:为|成|到)?(?P<n>[零一二两三四五六\d])位?小数(?:点)?(?:位)?",
        rf"{_ZH_LEAD}(?P<name>.+?)(?P<n>不)(?:要|显示|带|保留)小数",
        rf"{_ZH_LEAD}(?P<name>.+?)(?:显示|取|用|改成|改为|设为|四舍五入)(?:为|成|到)?(?P<n>整)数?",
        r"(?:remove|drop|delete|cut|hide) (?:the |all )?(?P<n>)decimals?(?: places?)? (?:from|in|of|for) (?P<name>.+)",
        rf"(?:{_LEAD})?(?P<name>.+?) (?:without|with no) (?:any )?(?P<n>)decimals?(?: places?)?",
        r"(?:round|show|print|display|format) (?P<name>.+?) (?:to|as|in|with)(?P<n>) whole numbers?",
    )
    if not found:
        return None
    count = _COUNTS.get(found["n"].lower())
    if count is None:
        count = 0 if found["n"] in ("不", "整", "") else int(number_of(found["n"]) or 0)

    def written(pattern: str) -> str:
        return _numbered(pattern, places=count)

    return _numbers(clause, found["name"], written)


def separators(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"(?:{_LEAD})?(?:thousands?|grouping)[ -]?(?:separators?|commas?) (?:for|in|on|to) (?:the )?(?P<name>.+)",
        rf"(?:{_LEAD})?(?P<name>.+?) with (?:thousands?[ -]?)?(?:separators?|commas)",
        r"add (?:thousands?[ -]?)?(?:separators?|commas) to (?:the )?(?P<name>.+)",
        rf"{_ZH_LEAD}(?P<name>.+?)(?:用|加上?|显示|使用|带|添加)千分位(?:分隔符|符号?|逗号|格式)?(?:显示)?",
    )
    return _numbers(clause, found["name"], lambda pattern: _numbered(pattern, grouped=True)) if found else None


def percent(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"(?:{_LEAD})?(?P<name>.+?) (?:as|in|with) (?:a )?(?:percent(?:age)?s?(?: signs?)?|%)",
        rf"{_ZH_LEAD}(?P<name>.+?)(?:用|以|显示为|显示成|改为|改成|按)百分比(?:格式|形式)?(?:显示)?",
    )
    return _numbers(clause, found["name"], lambda pattern: _numbered(pattern, percent=True)) if found else None


def currency(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"(?:{_LEAD}|add )?(?:an? |the )?(?P<sign>{_SIGN}) (?:before|in front of|to|for|with) (?:the "
        rf"|each )?(?P<name>.+)",
        rf"(?:{_LEAD})?(?P<name>.+?) (?:in|as|with(?: an?)?) (?P<sign>{_SIGN})(?: signs?| symbols?)?",
        rf"(?:在)?{_ZH_LEAD}(?P<name>.+?)(?:的)?(?:前面|前)?(?:都)?(?:加上?|"
        rf"显示|添加|带上?|用)(?:一个)?(?P<sign>{_SIGN})(?:显示|表示)?",
    )
    if not found:
        return None
    sign = next(sign for sign, words in _CURRENCY.items() if re.fullmatch(words, found["sign"], re.IGNORECASE))
    return _numbers(clause, found["name"], lambda pattern: _numbered(pattern, sign=sign))


def no_currency(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"(?:remove|drop|delete|hide) (?:the )?(?:currency|{_SIGN})(?: signs?| symbols?)? (?:from|in|"
        rf"of|before) (?P<name>.+)",
        rf"(?:去掉|删除|不显示|删掉)(?P<name>.+?)(?:前面)?的?(?:货币符号|{_SIGN})",
    )
    return (
        _numbers(clause, found["name"], lambda pattern: re.sub(r"[$€£¥￥]\s*|'[A-Z]{3} ?'", "", pattern))
        if found
        else None
    )


def date_format(clause: Clause) -> ClauseReading | None:
    pattern = (
        r"(?P<pattern>[\ue000-\ue0ff]|[yMdHhmsE]{1,4}(?:[-/. :年月日]{0,2}[yMdHhmsEa]{1,4})+日?|年月日|yyyy年mm?月dd?日"
        r"|iso(?: format)?)"
    )
    found = clause.match(
        rf"(?:{_LEAD})?(?P<name>.+?)\s+(?:as|in|like|with(?: the)?(?: pattern| format)?|in the format|"
        rf"to)\s+(?:the format )?{pattern}(?: format)?",
        rf"(?:change|set) (?:the )?(?:date )?format of (?P<name>.+?) to {pattern}",
        rf"(?:change|set|use)? ?(?:the )?(?P<name>date)s? format (?:to|as|of|=)? ?{pattern}",
        rf"{_ZH_LEAD}(?P<name>.+?)(?:的)?(?:格式)?(?:改为|改成|设为|显示成|显示为"
        rf"|用|换成|采用|按)(?:格式)?{pattern}(?:格式|的格式)?(?:显示)?",
    )
    if not found:
        return None
    wanted = _date_pattern(clause.words(found["pattern"]))
    if wanted is None:
        return None
    pieces = _values(clause, re.sub(r"(?:的)?格式$| format$", "", found["name"], flags=re.IGNORECASE))
    if not isinstance(pieces, list):
        return pieces
    dated = [piece for piece in pieces if _class_of(clause.view, piece) in DATES]
    if not dated:
        return refused("language.text_has_no_date_format")
    return ClauseReading([SetProperty(element=piece.key, name="pattern", value=wanted) for piece in dated])


def blank(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        r"(?:leave|show|print|keep|display) (?P<name>.+?) (?:blank|empty|nothing) (?:when|if|where) (?:it "
        r"is |there is |they are )?(?:null|empty|no value|missing|nothing)",
        r"(?:don'?t|do not|never) (?:show|print) (?:null|“null”)(?: (?:in|for) (?P<name>.+))?",
        rf"{_ZH_LEAD}(?P<name>.*?)(?:为空|为null|是空|没有值|无值|空值)(?:时"
        rf"|的时候|的话)?(?:就)?(?:不显示|留空|显示为?空白?|不打印|留白|显示空)"
        rf"(?:null)?",
        rf"{_ZH_LEAD}(?P<name>.*?)不(?:要)?(?:显示|打印)null",
    )
    if not found:
        return None
    pieces = _values(clause, found["name"]) if found["name"] else [p for p in clause.view.texts if p.tag == "textField"]
    if not isinstance(pieces, list):
        return pieces
    return ClauseReading([SetProperty(element=piece.key, name="isBlankWhenNull", value="true") for piece in pieces])


def _values(clause: Clause, name: str) -> list[ViewElement] | ClauseReading | None:
    """The text fields that words name: a column's cells, a value above or beneath the rows."""
    name = re.sub(r"^(?:all (?:the )?|所有的?|全部的?)", "", name.strip(), flags=re.IGNORECASE) or "it"
    if re.fullmatch(r"numbers?|数字|数值|values|数", name, re.IGNORECASE):
        return [piece for column in clause.view.columns if column.numeric for piece in column.cells]
    targets = clause.targets(name)
    if isinstance(targets, Missing):
        return clause.absent(targets)
    if not isinstance(targets, list):
        return None
    pieces = [
        piece
        for target in targets
        for piece in ([*target.column.cells, *_totals(clause.view, target.column)] if target.column else target.pieces)
        if piece.tag == "textField"
    ]
    return pieces or None


def _totals(view: TemplateView, column: TableColumn) -> list[ViewElement]:
    """What is totalled of a column, and printed as its values are: all but counts."""
    totals = {
        node.get("name")
        for node in view.root.iterchildren("{*}variable")
        if node.get("calculation", "Nothing") not in ("Nothing", "Count", "DistinctCount")
        and re.search(rf"\$[FV]\{{{re.escape(column.field)}\}}", node.findtext("{*}variableExpression") or "")
    }
    return [
        piece
        for piece in view.in_sections("summary", "columnFooter", "groupFooter")
        if len(piece.references) == 1 and piece.references[0][0] == "V" and piece.references[0][1] in totals
    ]


def _numbers(clause: Clause, name: str, written: Callable[[str], str]) -> ClauseReading | None:
    pieces = _values(clause, name)
    if not isinstance(pieces, list):
        return pieces
    numeric = [piece for piece in pieces if _is_numeric(clause.view, piece)]
    if not numeric:
        words = clause.words(name)
        return refused("language.text_has_no_number_format", column=words)
    before = clause.before.edits if clause.before else []
    new = {one.element: one.value for one in before if isinstance(one, SetProperty) and one.name == "pattern"}
    edits: list[AnyEdit] = [
        SetProperty(element=piece.key, name="pattern", value=written(pattern))
        for piece in numeric
        if (pattern := new.get(piece.key) or piece.pattern or _plain(clause.view, piece))
    ]
    column = next((one for one in clause.view.columns if numeric[0] in one.cells), None)
    return ClauseReading(edits, target=Target(name, tuple(numeric), column))


def _plain(view: TemplateView, piece: ViewElement) -> str:
    """The pattern that stands for none: whole numbers have no decimals."""
    return "#,##0.00" if (_class_of(view, piece) or "").endswith(("BigDecimal", "Double", "Float")) else "0"


def _numbered(
    pattern: str, places: int | None = None, grouped: bool = False, percent: bool = False, sign: str = ""
) -> str:
    """A number pattern with something of it changed; what stands around its digits stays."""
    found = _NUMBER.search(pattern)
    if found is None:
        pattern, found = "#,##0.00", _NUMBER.search("#,##0.00")
    assert found is not None
    decimals = len(found["places"] or "") if places is None else places
    whole = (
        "#,##0" if grouped or "," in found["whole"] or (places and not percent) else "0" if percent else found["whole"]
    )
    if percent and places is None:
        whole, decimals = "0", 0
    digits = whole + ("." + "0" * decimals if decimals else "") + ("%" if percent or found["percent"] else "")
    before = sign or pattern[: found.start()]
    return before + digits + ("" if sign else pattern[found.end() :])


def _date_pattern(words: str) -> str | None:
    if words == "年月日":
        return "yyyy'年'M'月'd'日'"
    if re.fullmatch(r"iso(?: format)?", words, re.IGNORECASE):
        return "yyyy-MM-dd"
    text = words.replace("YYYY", "yyyy").replace("DD", "dd").replace("D", "d")
    # A month is not a minute: small m's beside days and years mean months.
    if "y" in text and "M" not in text:
        text = re.sub(r"m+", lambda m: m[0].upper(), text, count=1)
    if not re.fullmatch(r"[yMdHhmsEa\-/. :,年月日]+", text) or not re.search(r"[yMd]", text):
        return None
    return re.sub(r"([年月日])", r"'\1'", text)


def _class_of(view: TemplateView, piece: ViewElement) -> str | None:
    """The Java class of what a text field prints alone."""
    found = sole_reference(piece.expression)
    if not found:
        return None
    scope, name = found
    node = declared_nodes(view.root, SCOPES[scope]).get(name)
    return node.get("class", "java.lang.String") if node is not None else None


def _is_numeric(view: TemplateView, piece: ViewElement) -> bool:
    java_class = _class_of(view, piece)
    if java_class is not None:
        return java_class in NUMERIC
    return bool(re.search(r"\.(?:multiply|add|subtract|divide)\(", piece.expression))


RULES = (date_format, decimals, separators, percent, currency, no_currency, blank)
