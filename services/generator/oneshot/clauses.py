"""Clauses: what a wish says besides its columns; each is taken out of the text when it was understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from shared.model.wish import Computed, Operator, Paper, Sort

from .kinds import meaning
from .labels import cleaned, listed, split
from .samples import Language

END = r"(?=\s*(?:[,;.\n。()]|$))"
_EN = r"[A-Za-z][\w/%#&' -]{0,40}?"
"""A few English words."""
_ZH = r"[^\s按,;。、()]{1,12}?"
_QUOTED = r"[\"“”'‘《「]([^\"“”’》」\n]{1,120})[\"“”'’》」]"


@dataclass
class Clauses:
    """What was understood, in the wording of the wish."""

    rest: str
    """What is left of the text."""
    title: str | None = None
    footer: str | None = None
    page_numbers: bool = True
    paper: Paper = field(default_factory=Paper)
    language: Language | None = None
    sort: list[Sort] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    computed: dict[str, Computed] = field(default_factory=dict)
    summed: list[str] = field(default_factory=list)
    averaged: list[str] = field(default_factory=list)
    counted: bool = False
    wants_totals: bool = False
    no_totals: bool = False

    def take(self, pattern: str, use: Callable[[re.Match[str]], str | None]) -> None:
        """Give every match to `use`, and put what it answers in its place; None leaves it."""

        def replace(found: re.Match[str]) -> str:
            instead = use(found)
            return found[0] if instead is None else instead

        self.rest = re.sub(pattern, replace, self.rest, flags=re.IGNORECASE)


def clauses(text: str) -> Clauses:
    """Reads the clauses in an order in which none takes the words of another."""
    said = Clauses(text)
    for read in (_wording, _page, _computed, _sort, _groups, _header, _totals):
        read(said)
    return said


def _wording(said: Clauses) -> None:
    """Title, footer, page numbers and language."""

    def title(found: re.Match[str]) -> str:
        said.title = said.title or next(part for part in found.groups() if part).strip()
        return " "

    def footer(found: re.Match[str]) -> str:
        said.footer = next(part for part in found.groups() if part).strip()
        return " "

    def unnumbered(_: re.Match[str]) -> str:
        said.page_numbers = False
        return " "

    said.take(rf"(?:a |the )?footer(?: text)?\s*(?:[:=]|is|says?|saying|reading|with|of)?\s*{_QUOTED}", footer)
    said.take(r"(?:a |the )?footer(?: text)?\s*(?::|=| says?| reading)\s*([^\n;.,]{2,120})", footer)
    said.take(rf"页脚(?:处|要|上)?(?:写着?|为|是|显示|注明|:)?\s*{_QUOTED}", footer)
    said.take(r"页脚(?:处|要|上)?(?:写着?|为|是|显示|注明|:)\s*([^,;。\n]{1,60})", footer)
    said.take(rf"(?:titled|entitled|called|named|(?:with |and )?(?:the |a )?title(?: is| of)?:?)\s*{_QUOTED}", title)
    said.take(r"(?:^|\n)\s*title\s*:\s*([^\n,;.]{2,80})", title)
    said.take(rf"(?:标题|题目|表名|名称|名字)(?:为|是|叫|写)?:?\s*{_QUOTED}", title)
    said.take(r"(?:标题|题目|表名)(?:为|是|叫做?|写|:)\s*([^,;。\n]{2,40})", title)
    said.take(rf"(?:名为|题为|叫做?|命名为)\s*{_QUOTED}|《([^》\n]{{2,60}})》", title)
    said.take(r"(?:with )?(?:no|without|omit|skip)(?: any)? page ?(?:numbers?|numbering)", unnumbered)
    said.take(r"(?:不要|不需要|不用|无需?|去掉)(?:显示)?页码", unnumbered)
    said.take(r"(?:with |and |show |include )*page ?numbers?|(?:要有?|加上?|显示|带)页码", lambda _: " ")

    def language(found: re.Match[str]) -> str:
        said.language = "en" if found[0].lower().strip().endswith("english") or "英文" in found[0] else "zh"
        return found[1] if found.lastindex else " "

    said.take(r"\b(?:in|use) (?:english|chinese)\b", language)
    said.take(r"(?:用|使用)?(?:英文|中文)版?的?(?=报表|报告|表|单)|(?:用|使用)(?:英文|中文)", language)


def _page(said: Clauses) -> None:
    def size(found: re.Match[str]) -> str:
        said.paper = said.paper.model_copy(
            update={"size": found[1].upper() if found[1][0] in "aA" else found[1].title()}
        )
        return " "

    def orientation(found: re.Match[str]) -> str:
        wide = re.search(r"landscape|横", found[0], re.IGNORECASE)
        said.paper = said.paper.model_copy(update={"orientation": "landscape" if wide else "portrait"})
        return " "

    paper = r"(?:[- ]?(?:size|sized|paper|page|format)|纸张?|尺寸|大小)"
    said.take(rf"(?:on |in |use |用|使用)?(?<![0-9A-Za-z])(A[345])(?![0-9A-Za-z]){paper}?的?", size)
    said.take(rf"(?:on |in |us )*\b(letter|legal){paper}", size)
    said.take(
        r"(?:in |use |with )?(?:a )?\b(?:landscape|portrait)(?:[- ](?:mode|format|orientation|layout|page))?",
        orientation,
    )
    said.take(
        r"(?:页面|纸张|纸)?(?:用|为|采用|要)?(?:横向|横版|横排|横着|纵向|竖向|竖版|竖排)(?:打印|显示|页面|排版)?的?",
        orientation,
    )


_OPERATORS: dict[str, Operator] = {
    "+": "+", "加": "+", "加上": "+", "plus": "+", "-": "-", "−": "-", "减": "-", "减去": "-", "minus": "-", "*": "*",
    "×": "*", "x": "*", "乘": "*", "乘以": "*", "times": "*", "/": "/", "÷": "/", "除以": "/", "divided by": "/",
}  # fmt: skip
_OPERATOR = (
    r"(\s*[+*×/÷−]\s*|(?<=[\u3400-\u9fff])\s*-\s*|\s+[-x]\s+|\s*(?:加上|减去|乘以|除以|加|减|乘)\s*"
    r"|\s+(?:plus|minus|times|divided by)\s+)"
)


def _computed(said: Clauses) -> None:
    """`金额(金额=数量×单价)`, `usage (= current - previous)`, `variance = budget - actual`."""
    word = r"[^\s,;:()=、。+*×/÷]"
    some = rf"{word}+(?: {word}+){{0,3}}?"
    one = rf"(?:{word}+?(?:(?: |-){word}+?){{0,3}}?)"
    sign = r"\s*(?:=|等于|\bequals\b|\bis\b)\s*"
    formula = rf"({one}(?:{_OPERATOR}{one})+)"

    def within(found: re.Match[str]) -> str | None:
        return found[1] if _keep(said, found[1], found[2]) else None

    said.take(rf"({some})\s*\(\s*(?:{some})?{sign}{formula}\s*\)", within)
    said.take(rf"(?<![\w(])({some}){sign}{formula}{END}", within)


def _keep(said: Clauses, label: str, formula: str) -> bool:
    parts = re.split(_OPERATOR, formula)
    operators = {_OPERATORS.get(part.strip().lower()) for part in parts[1::2]}
    operator = operators.pop()
    if operators or operator is None or len(parts) > 15:
        return False
    operands = [cleaned(part) for part in parts[::2]]
    last = cleaned(listed(label)[-1]) if listed(label) else ""
    if not last or not all(operands):
        return False
    said.computed[last] = Computed(operator=operator, operands=operands)
    return True


_DOWN = r"(?:desc\w*|降序|倒序|从高到低|从大到小|从新到旧|由高到低|由大到小|highest first|largest first|newest first|latest first)"
_UP = r"(?:asc\w*|升序|正序|从低到高|从小到大|从旧到新|从早到晚|由低到高|由小到大|lowest first|smallest first|oldest first)"
_NEWS = {"newest": "date", "latest": "date", "oldest": "date", "earliest": "date", "most recent": "date"}


def _sort(said: Clauses) -> None:
    def by(found: re.Match[str]) -> str:
        direction = found[0][found.end(1) - found.start() :]
        descending = re.search(_DOWN, direction, re.IGNORECASE) is not None
        said.sort += [Sort(column=label, descending=descending) for label in listed(found[1])][:3]
        return ", "

    def first(found: re.Match[str]) -> str:
        label = cleaned(found[2] or "") or _NEWS.get(found[1].lower(), "")
        low = found[1].lower() in ("lowest", "smallest", "oldest", "earliest")
        said.sort += [Sort(column=label, descending=not low)] if label else []
        return ", "

    direction = rf"(?:\s*[,(]?\s*(?:in )?(?:{_DOWN}|{_UP})(?: order)?\)?)?"
    said.take(
        rf"(?:and |then )?(?:sort(?:ed)?|order(?:ed)?|arranged?)(?: it| them| rows| the rows)? by (?:the )?({_EN}){direction}{END}",
        by,
    )
    said.take(
        rf"(highest|largest|biggest|newest|latest|most recent|lowest|smallest|oldest|earliest)(?: ({_EN}))? first{END}",
        first,
    )
    said.take(
        rf"(?:并|且)?(?:按照?|依|根据)({_ZH})(?:的)?(?:{_DOWN}|{_UP})?(?:进行)?(?:{_DOWN}|{_UP}|排序|排列)(?:排序|排列)?(?:显示)?",
        by,
    )


def _groups(said: Clauses) -> None:
    def group(found: re.Match[str]) -> str | None:
        labels = [label for part in found.groups() if part for label in _several(part)]
        labels = [label for label in labels if label]
        if not labels:
            return None
        said.groups += [label for label in labels if label.casefold() not in {one.casefold() for one in said.groups}]
        return ", "

    def with_totals(found: re.Match[str]) -> str | None:
        said.wants_totals = True
        return group(found)

    def dimension(found: re.Match[str]) -> str | None:
        """`by department` groups where that is a known kind of word or date, and nothing else was said of groups."""
        labels = _several(found[1])
        if said.groups or not all(_is_dimension(label) for label in labels):
            return None
        return group(found)

    by = r"(?:by|on)"
    more = rf"(?:(?:\s*,)?\s*(?:and )?(?:then|within that)(?: {by})?|\s+and(?: {by})?|\s*,)\s+"
    said.take(
        rf"(?:and |rows |it )?(?:group|categori[sz]|sub-?divid|break|broken|split|section|organi[sz])(?:ed|e|ing|s)?"
        rf"(?: it| them| rows| the rows| up| down| down by| data)*\s*(?:{by}|per|into)\s+(?:the )?({_EN})(?:{more}(?:the )?({_EN}))?"
        rf"(?=\s*(?:[,;.:\n。()]|$|\bwith\b|\bshow|\band (?:show|sort|add|include|a |the |sub|grand|total)|\band$))",
        group,
    )
    each = r"(?:per|by|for each|for every|of each|under each)"
    said.take(
        rf"(?:with |and |show |include |have |add )*(?:a |the )?(?:sub-?totals?|subtotal(?:ed|led)|totals?|sums?|summary)(?: row)?"
        rf" {each} ({_EN})(?=\s*(?:[,;.\n()]|$|\band\b|\bwith\b))",
        with_totals,
    )
    said.take(
        rf"(?:with |and |show |include )*(?:a )?(?:sub-?total|section|group|page)s? (?:for|per) (?:each|every) ({_EN}){END}",
        group,
    )

    def of_its_own(found: re.Match[str]) -> str | None:
        return with_totals(found) if _is_dimension(found[1]) else None

    said.take(rf"(?:include |with |and |show |have |add )+({_EN}) sub-?totals{END}", of_its_own)
    by_zh = rf"(?:按照?|根据|依照?)\s*({_ZH})(?:[、,]?\s*(?:再|然后|并|其次)\s*(?:按照?|根据)?\s*({_ZH}))?\s*(?:进行|来|做)?"
    said.take(rf"{by_zh}(?:分组|归类|分类|分页|分段)(?:显示|展示|排列|列出)?(?:的|并|,?(?=小计|合计))?", group)
    said.take(rf"{by_zh}(?:汇总|小计|合计|统计)(?:的|并)?", with_totals)
    said.take(rf"(?:每个?|各)({_ZH})(?:都)?(?:要|需要|要有|有|加|做|一个)*(?:小计|合计)", with_totals)
    said.take(rf"\bper ({_EN})(?=\s*(?:[,;.\n]|$))", dimension)
    said.take(rf"(?<=[,\s])by ({_EN})(?=\s*(?:[,;.:\n]|$|\bwith\b))", dimension)


def _several(text: str) -> list[str]:
    return [cleaned(one) for one in split(text)]


def _is_dimension(label: str) -> bool:
    """Whether rows may well be grouped by it: a term for words or dates."""
    meant = meaning(label)
    return meant.kind in ("text", "date") and meant.known


def _header(said: Clauses) -> None:
    def heads(found: re.Match[str]) -> str | None:
        labels = listed(found[1])
        if not labels:
            return None
        said.header += labels
        return "; "

    top = (
        r"(?:(?:shown )?(?:on|at|in)(?: the)? (?:very )?(?:top|header|head)(?: of (?:the page|it))?|above(?: the table)?"
        r"|as header(?: fields?)?)"
    )
    said.take(
        rf"(?:showing|shows?|with|has|having|have|put|include|:|;)\s+((?:(?!\bwith\b|\bshowing\b)[^;.\n:]){{2,160}}?)\s+{top}",
        heads,
    )
    said.take(
        r"(?:the )?header(?: fields?| lines?| section)?(?: should)?(?: with| showing| shows?| has| have| contains?|:| of| are)+\s*([^;.\n]{2,200})",
        heads,
    )
    above = r"(?:表头|抬头|页眉|头部|表格?上方|顶部|上方|单头|主表)"
    stop = r"(?=[;。\n]|,\s*(?:明细|表格|表体|下面|下方|列|然后|内容|正文)|$)"
    said.take(
        rf"{above}(?:部分|处|上)?(?:要|需要|应该?|须)?(?:有|显示|包括|包含|写上?|列出|放|为|是|:)+((?:(?!明细|表格).){{1,120}}?){stop}",
        heads,
    )


def _totals(said: Clauses) -> None:
    def none(_: re.Match[str]) -> str:
        said.no_totals = True
        return ", "

    def some(_: re.Match[str]) -> str:
        said.wants_totals = True
        return ", "

    def sums(found: re.Match[str]) -> str:
        said.wants_totals = True
        said.summed += [label for label in listed(found[1]) if not _is_every(label)]
        return ", "

    def averages(found: re.Match[str]) -> str:
        said.averaged += listed(found[1])
        return ", "

    def count(_: re.Match[str]) -> str:
        said.counted = True
        return ", "

    lead = r"(?:please |and |with |also |show |shows |showing |include |includes |including |add |plus |have |finally |then |at the end )*(?:a |an |the |their )?"
    place = r"(?:\s*(?:(?:at|on|in)(?: the)?(?: very)? (?:bottom|end|foot|last row|last page)|below|underneath|beneath)(?: the table| of (?:the )?(?:table|page|report|it))?)"
    said.take(
        r"(?:with |and )?(?:no|without)(?: any)? (?:grand )?(?:sub-?)?totals?(?: row)?|(?:不要|不需要|不用|无需?)(?:合计|总计|汇总|小计)",
        none,
    )
    said.take(rf"{lead}(?:average|mean)(?: of)?(?: the)? ({_EN})(?:{place}|(?= per | for each )){END}", averages)
    said.take(rf"{lead}({_EN}) averages?{place}{END}", averages)
    said.take(
        rf"{lead}(?:sum|sums|total|totals|grand total)(?: row)? (?:of|for)(?: the| all(?: the)?)? ({_EN}(?:,? and {_EN})?){place}?{END}",
        sums,
    )
    said.take(rf"{lead}(?:count|number) of ({_EN}){place}?{END}", count)
    said.take(
        rf"(?<=[,;.\n\s]){lead}(?:grand totals?|sub-?totals|totals|total (?:row|line)|summary row)(?: and (?:a |the )?(?:grand )?totals?)?(?: (?:for|of) (?:all|the)? ?amounts)?{place}?{END}",
        some,
    )
    said.take(rf"{lead}(?:grand )?(?:sub-?)?total(?: amount)?{place}{END}", some)
    said.take(rf"(?<=\s)(?:and |with |plus )(?:a |an |the )?grand total{END}", some)
    last = r"(?:最后(?:一行)?|最下面|底部|末尾|表尾|下方|结尾)"
    said.take(r"(?:并|且|,)?(?:显示|统计|计算|要有?|列出)(?:总)?(?:人数|条数|个数|总数|笔数)", count)
    said.take(rf"{last}?(?:计算|显示|求)?({_ZH})(?:的|求)?平均(?:值|数|分)?(?=[,;。\n]|$)", averages)
    said.take(rf"{last}(?:计算|显示|求)?平均({_ZH})(?=[,;。\n]|$)", averages)
    said.take(rf"(?<![、\w])({_ZH})(?:都)?(?:要|需要|需|做|进行)(?:合计|求和|汇总|总计)", sums)
    say = r"(?:要|需要|需|应)?(?:有|显示|加上?|做|列出|给出|打印|带|算)?(?:上|出)?"
    said.take(
        rf"(?:(?<=[,;。\n])|{last},?)\s*{say}(?:合计|总计|汇总|求和)({_ZH})(?=[,;。\n]|$)", _if_labels(said, sums)
    )
    total = r"(?:小计|合计|总计|总合计|汇总|总额)"
    said.take(
        rf"(?:{last},?\s*{say}|(?<=[,;。\n\s])\s*(?:并|且|还)?{say}){total}(?:[和与及、]{total})*(?:行|栏|一行)?(?=[,;。\n]|$)",
        some,
    )
    said.take(rf"(?:要|需要|显示|加上?)(?:有)?{total}(?:[和与及、]{total})*(?:行|栏)?", some)


def _if_labels(said: Clauses, use: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
    def used(found: re.Match[str]) -> str:
        if re.fullmatch(r"行|栏|值|数|一行|一下", found[1]):
            said.wants_totals = True
            return ", "
        return use(found)

    return used


def _is_every(label: str) -> bool:
    return label.casefold() in ("amounts", "all amounts", "all columns", "numbers", "all", "everything", "columns")


def words_left(text: str) -> Iterator[str]:
    """What nobody has read: words of some meaning."""
    for word in re.findall(r"[A-Za-z]{3,}|[\u3400-\u9fff]+", text):
        bare = re.sub(_FILLING_ZH, "", word)
        if bare and bare.casefold() not in _FILLING:
            yield bare


_FILLING = frozenset(
    "the and with for that this please report table list make create generate build show need want like would can you "
    "out into from all each its their below then following columns column fields field simple new give have has "
    "should could document form sheet design produce prepare print get also will our use using".split()
)
_FILLING_ZH = r"[的了吧呢吗和与及或请帮我要做个张份一这那是有以用出来弄搞写列]|报表|表格|生成|制作|包含|包括|需要|显示|如下|字段|以下|数据|信息"
