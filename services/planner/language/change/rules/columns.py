"""Columns: new ones, computed ones, their order and their widths."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.add_column import AddColumn
from bandsmith.shared.edits.move_column import MoveColumn
from bandsmith.shared.edits.resize_column import ResizeColumn
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fields.value_types import DECIMAL, INTEGER, STRING
from bandsmith.shared.jrxml.expressions import sole_reference

from ...numbers import LENGTH, length, number_of, place_of
from ...reference_resolver import Missing, Several
from ...template_view import TableColumn, TemplateView
from ..reading import Clause, ClauseReading, refused

_COUNTER = re.compile(
    r"(?:serial|row|line|running|item|sequence|consecutive) ?(?:numbers?|no\.?|nos\.?)|numbering|no\.|#"
    r"|序号|行号|编号列?",
    re.IGNORECASE,
)
_ROW = "REPORT_COUNT"
_ROW_NUMBER = f"$V{{{_ROW}}}"

_NTH_PLACE = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th)) "
    r"(?:column|place|position|spot|slot)|column \d+"
)
_AFTER = r"(?:after|behind|to the right of|next to|following)"
_BEFORE = r"(?:before|in front of|to the left of)"
_ENDS = r"(?:at|to) the (?:very )?(?:end|right|beginning|start|front|left)|as the (?:last|first) column"
_POSITION = (
    rf"(?:\s*,?\s*(?:(?P<after>{_AFTER} .+?)|between (?P<between>.+?) and .+?|"
    rf"(?P<before>{_BEFORE} .+?)|(?P<first>(?:at|to) the (?:beginning"
    rf"|start|front|left|very left)|first)|"
    r"(?P<last>(?:at|to) the (?:end|right|very right|far right)|last)))?"
)
_COMPUTED = r"(?:\s*,?\s*(?:=|which is|that is|being|equal to|equals|calculated as|computed as|as)\s*(?P<sum>.+?))?"
_POSITION_ZH = (
    r"(?:在)?(?:(?P<first>最?前面|最左边|开头|最前)|(?P<last>最?后面|最右边|"
    r"末尾|最后)|(?P<after>.+?)(?:列|栏)?(?:的)?(?:后面|之后"
    r"|右边|右侧|后)|(?P<before>.+?)(?:列|栏)?(?:的)?(?:前面|之前|左边|左侧|前))"
)
_COMPUTED_ZH = r"(?:\s*[,，]?\s*(?:=|等于|为|是|＝|内容为|计算为|公式为|公式是)\s*(?P<sum>.+?))?"
_ADD_ZH = r"(?:加上|增加|新增|添加|插入|加|新建|追加)"


def add(clause: Clause) -> ClauseReading | None:
    if turned := re.fullmatch(
        rf"(.+?)(\s*=\s*.+?)(\s+(?:(?:{_AFTER}|{_BEFORE}) .+|{_ENDS}))", clause.text, re.IGNORECASE
    ):
        text = turned[1] + turned[3] + turned[2]  # a place that is said behind the formula
        clause = Clause(text, clause.request, clause.view, clause.names, clause.before)
    found = clause.match(
        rf"(?:add|insert|append|create|include)\s+(?:a |an |another |one )?(?:more |new |extra |computed "
        rf"|calculated )*column\s+(?:called |named |titled |labelled |labeled "
        rf"|for |with )?(?:the )?(?P<label>.+?){_POSITION}{_COMPUTED}",
        rf"(?:add|insert|append|create|include)\s+(?:a |an |another |one )?(?:new )?(?P<label>(?!column).+?) "
        rf"column{_POSITION}{_COMPUTED}",
        rf"{_POSITION_ZH}(?:再)?{_ADD_ZH}(?:上)?(?:一|1)?(?:个|列|栏)?(?:新)?"
        rf"(?:列|栏)?(?:叫做?|名为|名叫|名称为|为)?(?P<label>.+?)"
        rf"(?:列|栏)?{_COMPUTED_ZH}",
        rf"{_ADD_ZH}(?:上)?(?:一|1)(?:个)?(?:新)?(?:列|栏)(?:叫做?|名为|名叫"
        rf"|名称为|为)?[:：]?(?P<label>.+?)(?:列|栏)?(?:,"
        rf"|，)?{_COMPUTED_ZH}",
        rf"{_ADD_ZH}(?:上)?(?:一|1)?个?(?P<label>.+?)(?:列|栏|这一列)(?:,|，)?{_COMPUTED_ZH}",
    )
    if not found or not clause.view.columns:
        return None
    said = found.groupdict()
    if re.search(r"[,，]", said["label"]):
        return None
    label = clause.words(re.sub(r"^(?:列|栏)|(?:一列|列|栏)$", "", said["label"].strip()) or said["label"])
    if (
        not label
        or len(label) > 40
        or len(label.split()) > 4
        or re.fullmatch(r"[一二两1个新空]|new|empty|blank|another|extra|more|one", label)
        or re.search(r"[=<>*×÷]|合计|总计|行$|\bcolumns\b", label)
    ):
        return None
    after = _after(clause, said)
    if isinstance(after, ClauseReading):
        return after
    if after is _NOWHERE:
        return None
    computed: str | None = None
    if said.get("sum"):
        reckoned = expression(clause, said["sum"] or "")
        if not isinstance(reckoned, str):
            return reckoned
        computed = reckoned
    view = clause.view
    taken = set(view.classes) | {node.get("name", "") for node in view.root if isinstance(node.tag, str)}
    field = name_for(label, "column", taken, column=True)
    if _COUNTER.fullmatch(label) and not computed:
        if any(one.field == _ROW for one in view.columns):
            return refused("language.rows_numbered_already")
        computed = _ROW_NUMBER
    java_class, pattern = (DECIMAL, "#,##0.00") if computed else _class_of(label)
    if computed == _ROW_NUMBER:
        java_class, pattern = INTEGER, None
    edit = AddColumn(field=field, label=label, java_class=java_class, pattern=pattern, expression=computed, after=after)
    return ClauseReading([edit])


_NOWHERE = "\0"


def _after(clause: Clause, said: dict[str, str | None]) -> str | ClauseReading | None:
    """The field of the column before the new place; ``_NOWHERE`` where the words name none."""
    if said.get("first"):
        return ""
    named = said.get("after") or said.get("before") or said.get("between")
    if not named:
        return None
    name = re.sub(rf"^(?:{_AFTER}|{_BEFORE}|在)\s*", "", named, flags=re.IGNORECASE)
    column = clause.column(name)
    if isinstance(column, Missing):
        return clause.absent(column)
    if not isinstance(column, TableColumn):
        return _NOWHERE
    return _before(clause.view, column) if said.get("before") else column.field


def _before(view: TemplateView, column: TableColumn, moved: TableColumn | None = None) -> str:
    """The field of the column on the left of one, but of the one that is moved; empty for the first."""
    others = [one for one in view.columns if moved is None or one.field != moved.field]
    at = next(n for n, one in enumerate(others) if one.field == column.field)
    return others[at - 1].field if at else ""


def _class_of(label: str) -> tuple[str, str | None]:
    """What a new column most likely holds, by its heading."""
    match meaning(label).kind:
        case "date" | "datetime":
            return "java.util.Date", "yyyy-MM-dd"
        case "integer":
            return INTEGER, None
        case "money":
            return DECIMAL, "#,##0.00"
        case "number":
            return DECIMAL, "#,##0.##"
        case "percent":
            return DECIMAL, "0.0%"
    return STRING, None


# --- computed columns: sums of columns and numbers -------------------------------------------------------------------

_OPERATORS = (
    ("*", r"\*|×|✕|x(?=\s)|乘以?|times|multiplied by"),
    ("/", r"/|÷|除以|divided by|over"),
    ("+", r"\+|加上?|plus"),
    ("-", r"-|−|减去?|minus|less"),
)
_DEPTH = 3
"""How deep brackets may lie in one another."""
_ANY = "|".join(words for _, words in _OPERATORS)


def expression(clause: Clause, text: str) -> str | ClauseReading | None:
    """A Java expression of what was said: columns and numbers with + - × ÷; brackets, then products, before sums."""
    found = _reckoned(clause, text, 0)
    return found if isinstance(found, ClauseReading) or found is None else found[0]


def _reckoned(clause: Clause, text: str, depth: int) -> tuple[str, bool] | ClauseReading | None:
    inner: list[str] = []

    def keep(bracket: re.Match[str]) -> str:
        inner.append(bracket[1])
        return f"\0{len(inner) - 1}\0"

    text = re.sub(r"[(（]([^()（）]+)[)）]", keep, text.strip())
    parts = re.split(rf"\s*({_ANY})\s*", text, flags=re.IGNORECASE)
    if depth > _DEPTH or len(parts) > 13 or (len(parts) < 3 and not inner):
        return None
    values: list[tuple[str, bool]] = []
    for words in parts[::2]:
        bracket = re.fullmatch(r"\s*\0(\d+)\0\s*", words)
        value = _reckoned(clause, inner[int(bracket[1])], depth + 1) if bracket else _value(clause, words)
        if isinstance(value, ClauseReading) or value is None:
            return value
        values.append((value[0], True) if bracket else value)
    signs = [
        next(sign for sign, said in _OPERATORS if re.fullmatch(said, words.strip(), re.IGNORECASE))
        for words in parts[1::2]
    ]
    sums, operators = [values[0]], []
    for sign, value in zip(signs, values[1:], strict=True):
        if sign in "*/":
            sums[-1] = _joined(sums[-1], sign, value)
        else:
            operators.append(sign)
            sums.append(value)
    whole = sums[0]
    for sign, value in zip(operators, sums[1:], strict=True):
        whole = _joined(whole, sign, value)
    return whole


def _joined(left: tuple[str, bool], sign: str, right: tuple[str, bool]) -> tuple[str, bool]:
    if sign == "*" and not left[1] and right[1]:
        left, right = right, left
    match sign:
        case "*":
            return f"{left[0]}.multiply({right[0]})", True
        case "/":
            return f"{left[0]}.divide({right[0]}, 4, java.math.RoundingMode.HALF_UP)", True
        case "+":
            return f"{left[0]}.add({right[0]})", True
    return f"{left[0]}.subtract({right[0]})", True


def _value(clause: Clause, words: str) -> tuple[str, bool] | ClauseReading | None:
    """A column or number as a BigDecimal, and whether it is the field itself."""
    words = words.strip(" ()（）")
    share = re.fullmatch(r"(\d+(?:\.\d+)?)\s*[%％]", words)
    number = float(share[1]) / 100 if share else number_of(words)
    if number is not None:
        return f'new java.math.BigDecimal("{number:.10g}")', False
    column = clause.column(words)
    if isinstance(column, Missing):
        return clause.absent(column)
    if isinstance(column, Several) or column is None or not column.numeric:
        return None
    shown = column.cells[0].expression
    if not sole_reference(shown, "FV"):
        return None
    if column.java_class == DECIMAL:
        return shown, True
    if column.java_class in (INTEGER, "java.lang.Long"):
        return f"new java.math.BigDecimal({shown})", False
    return f"new java.math.BigDecimal({shown}.toString())", False


# --- order and width -------------------------------------------------------------------------------------------------


def move(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"(?:move|put|place|shift|bring)\s+(?:the )?(?P<name>.+?)\s+(?:(?P<after>(?:right )?{_AFTER} "
        rf".+)|(?P<before>(?:right )?{_BEFORE} .+)|(?P<first>(?:at|to) the (?:beginning|start|front|very "
        rf"left|far left)|first)|(?P<last>(?:at|to) the (?:end|very right|far right)|(?:the )?last)"
        rf"|(?:(?:to(?: be)?|as|in(?:to)?) )?(?:the )?(?P<nth>{_NTH_PLACE}))",
        rf"make\s+(?:the )?(?P<name>.+?)\s+(?:(?:be )?the )(?P<nth>{_NTH_PLACE})",
        r"make\s+(?:the )?(?P<name>.+?)\s+(?:come|go|be|stand) "
        r"(?:(?P<last>last|at the end)|(?P<first>first|at the front))",
        r"(?:把|将)?(?P<name>.+?)(?:移动?|放|挪|调整?|排|拖)(?:到|在|至)?(?P<nth>第(?:\d+|[一二三四五六七八九十]+)|最后)"
        r"(?:个)?(?:列|栏|位|位置)?(?:去)?",
        rf"(?:把|将)?(?P<name>.+?)(?:移动?|放|挪|调整?|排|拖)(?:到|在|至)?{_POSITION_ZH}(?:去)?",
    )
    if not found:
        return None
    moved = clause.column(re.sub(r"(?:列|栏)$", "", found["name"]) or found["name"])
    if not isinstance(moved, TableColumn):
        moved = clause.column(found["name"])
    if isinstance(moved, Missing):
        return clause.absent(moved) if re.search(r"column|列|栏", clause.text) else None
    if not isinstance(moved, TableColumn):
        return None
    said = found.groupdict()
    others = [one for one in clause.view.columns if one.field != moved.field]
    if said.get("nth"):
        return _put(clause, moved, others, said["nth"])
    if said.get("first"):
        return ClauseReading([MoveColumn(field=moved.field, after="")])
    if said.get("last"):
        return ClauseReading([MoveColumn(field=moved.field, after=others[-1].field)] if others else [])
    name = re.sub(
        rf"^(?:right )?(?:{_AFTER}|{_BEFORE})\s*", "", said["after"] or said["before"] or "", flags=re.IGNORECASE
    )
    beside = clause.column(name)
    if isinstance(beside, Missing):
        return clause.absent(beside)
    if not isinstance(beside, TableColumn) or beside.field == moved.field:
        return None
    after = beside.field if said["after"] else _before(clause.view, beside, moved)
    return ClauseReading([MoveColumn(field=moved.field, after=after)])


def _put(clause: Clause, moved: TableColumn, others: list[TableColumn], place: str) -> ClauseReading | None:
    """A column in the place of this number among all of them."""
    words = re.sub(r"\s*(?:place|position|spot|slot)$", " column", place, flags=re.IGNORECASE)
    number = place_of(words if not words.startswith("第") else f"{words}列")
    number = len(others) + 1 if place == "最后" or number == -1 else number
    if number is None or not others:
        return None
    if not 0 < number <= len(others) + 1:
        return refused("language.no_such_column_position", count=len(others) + 1)
    return ClauseReading([MoveColumn(field=moved.field, after=others[number - 2].field if number > 1 else "")])


def swap(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        r"(?:swap|exchange|switch|interchange)\s+(?:the )?(?:columns? )?(?P<one>.+?)\s+(?:and|with|&)\s+"
        r"(?:the )?(?P<two>.+?)(?:\s+columns?)?",
        r"(?:交换|对调|互换|调换)(?:一下)?(?P<one>.+?)(?:和|与|跟|、)(?P<two>.+?)(?:的)?(?:位置|顺序)?",
        r"(?:把|将)?(?P<one>.+?)(?:和|与|跟|、)(?P<two>.+?)(?:的)?(?:位置|顺序)?"
        r"(?:交换|对调|互换|调换)(?:一下)?(?:位置|顺序)?",
    )
    if not found:
        return None
    pair = [clause.column(found["one"]), clause.column(found["two"])]
    for one in pair:
        if isinstance(one, Missing):
            return clause.absent(one)
    places = [n for one in pair for n, column in enumerate(clause.view.columns) if column is one]
    if len(places) != 2 or places[0] == places[1]:
        return None
    left, right = sorted(places)
    columns = clause.view.columns
    edits: list[AnyEdit] = [MoveColumn(field=columns[left].field, after=columns[right].field)]
    if right - left > 1:
        edits.append(MoveColumn(field=columns[right].field, after=columns[left - 1].field if left else ""))
    return ClauseReading(edits)


def width(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        rf"(?:set |change |make )?(?:the )?width of (?:the )?(?P<name>.+?) (?:to|=|be) ?{LENGTH}",
        rf"(?:make |set |change )?(?:the )?(?P<name>.+?) (?:column )?(?:width (?:to |of |= ?)?{LENGTH}"
        rf"|(?:to |= ?)?{LENGTH.replace('length', 'length2').replace('unit', 'unit2')} wide)",
        r"(?:make |i want )?(?:the )?(?P<name>.+?)(?: (?:is|are|should be))? (?:a (?:bit|little) |much "
        r"|slightly )?(?P<up>wider|broader|too narrow)",
        r"(?:make |i want )?(?:the )?(?P<name>.+?)(?: (?:is|are|should be))? (?:a (?:bit|little) |much "
        r"|slightly )?(?P<down>narrower|slimmer|too wide|too broad)",
        r"(?P<up>widen|broaden) (?:the )?(?P<name>.+)",
        r"(?P<down>narrow) (?:the )?(?P<name>.+)",
        rf"(?:把|将)?(?P<name>.+?)(?:的)?(?:列宽|宽度|宽)(?:改为|改成|设为|设置为"
        rf"|设成|调成|调到|调整为|为|是)?{LENGTH}",
        r"(?:把|将)?(?P<name>.+?)(?:的)?(?:列宽|宽度)?(?P<up>太窄了?|(?:再|改"
        r"|变|调|加|拉|放|弄)?宽(?:一点|一些|点|些|一下)?)",
        r"(?:把|将)?(?P<name>.+?)(?:的)?(?:列宽|宽度)?(?P<down>太宽了?|(?:再"
        r"|改|变|调|缩|收|弄)?窄(?:一点|一些|点|些|一下)?)",
    )
    if not found:
        return None
    column = clause.column(found["name"])
    if isinstance(column, Missing):
        return clause.absent(column)
    if not isinstance(column, TableColumn):
        return None
    said = found.groupdict()
    number, unit = (said.get("length") or said.get("length2")), (said.get("unit") or said.get("unit2"))
    points = length(number, unit) if number else round(column.width * (1.25 if said.get("up") else 0.8))
    if not 8 <= points <= clause.view.width:
        return None
    return ClauseReading([ResizeColumn(field=column.field, width=points)])


def reckon(clause: Clause) -> ClauseReading | None:
    """“实发工资 = 基本工资 + 奖金 - 扣款”: a column that is reckoned is reckoned otherwise from then on."""
    found = clause.match(
        r"(?:calculate |compute |set |make |change )?(?:the )?(?P<name>.+?)\s*"
        r"(?:=|should be|is|as|to(?: be)?|equals)\s*(?P<sum>.+)",
        r"(?:把|将)?(?P<name>.+?)(?:列)?(?:的)?(?:公式|计算公式|算法)?\s*"
        r"(?:=|＝|等于|改成|改为|设为|是|应该是|按)\s*(?P<sum>.+?)(?:计算|来算)?",
    )
    if not found or not re.search(_ANY, found["sum"], re.IGNORECASE):
        return None
    column = clause.column(found["name"])
    if not isinstance(column, TableColumn) or len(column.cells) != 1:
        return None
    cell = column.cells[0]
    if [letter for letter, _ in cell.references] != ["V"]:
        return None
    java = expression(clause, found["sum"])
    if not isinstance(java, str):
        return java
    return ClauseReading([SetExpression(element=cell.key, expression=java)])


def even(clause: Clause) -> ClauseReading | None:
    found = clause.match(
        r"(?:make |set )?(?:all )?(?:the )?columns?(?: widths?)? (?:all )?"
        r"(?:equal(?:ly wide| width)?|the same width|as wide as each other|even(?:ly wide)?)",
        r"(?:distribute|even out) (?:the |all )*columns(?: widths?)?(?: evenly)?",
        r"(?:把|将)?(?:所有|各|全部|每)?(?:的)?列(?:的)?(?:宽度?|列宽)?(?:都)?"
        r"(?:设为|改为|改成|调成|调整为|平均|一样|相等|均匀)+(?:分布|分配|宽|相等|一样宽?|一致)?",
    )
    columns = clause.view.columns
    if not found or not columns:
        return None
    width = sum(column.width for column in columns) // len(columns)
    # Each takes from all others, so what was set first is set again.
    return ClauseReading([ResizeColumn(field=column.field, width=width) for column in (*columns, *columns)])


RULES = (add, even, reckon, swap, move, width)
