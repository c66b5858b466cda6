"""Resolve what words refer to in a template: by wording, field name, position or role on the page.

Theory of operation
===================

A reference is resolved in a fixed order, and the first answer counts:

1. a column by its number ("the third column");
2. a role ("the title", "页脚"), which means whatever has this role in the template;
3. the best fit among the labels of columns and the texts of the page (``fuzzy_match.py``). Words that also look like a
   condition or a sentence need an almost exact fit. Two things that fit equally well make the reference ambiguous
   (``Several``), except that a column is preferred to other texts.

Words that fit nothing are ``Missing`` only if they look like a name. Generic words ("the font", "数据") and parts of
sentences are no reference at all (None), so that another rule, or a model, may read the clause.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bandsmith.shared.replies import Text, text

from .fuzzy_match import column_fit, fit, normal, term_of
from .numbers import column_number, number_of
from .template_view import TableColumn, TemplateView, ViewElement

FIT_THRESHOLD = 86
"""How well words must fit what they name, out of 100."""
EXACT_FIT_THRESHOLD = 95
"""The same for words that look like more than a name, such as a condition."""
MAX_LISTED_COLUMNS = 12
AMBIGUITY_TOLERANCE = 3
"""Two things are ambiguous where their fits differ by at most this much."""

_LEAD = re.compile(
    r"(?:the|a|an|my|our|this|that|these|those|all(?: of)? the|text|texts|words?|label|field|columns?|element|value of|"
    r"note|line)\s+|(?:名为|叫做|写着)|(?:表格里?的|报表的|页面上的|最下面的?"
    r"|底部的?|下面的?|最上面的?|顶部的?|右上角的?|左上角的?)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:columns?|fields?|texts?|labels?|words?|wording|cells?|values?|at the (?:bottom|top|end)|"
    r"(?:in|of|on) the (?:report|table|page|form|header|footer))|"
    r"(?:这|那)?(?:一|两|三|几|些|个)?(?:列|栏|字段)|(?:这|那)?[一二三四五六七八两几]个字"
    r"|(?:这|那)(?:行|段|些|个|一行)?(?:字|文字)?|"
    r"字样|文字|文本|标签|的",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?:the )?((?:line|note|text|value|field) .+?)(?: columns?)?", re.IGNORECASE)
_GENERIC = re.compile(
    r"(?:the |all |an? |left |right |top |bottom |whole |page |cell |table )*(?:columns?|all|page|margins?"
    r"|numbers?|backgrounds?|borders?|fonts?|texts?|"
    r"an?|rows?|cells?|table|report|form|colou?rs?|sizes?|width|height|spacing|duplicates|data|values?"
    r"|things?|stuff|it|them)(?: sizes?| colou?rs?)?|"
    r"(?:表格|页面|所有|全部|单元格|的|上|下|左|右|页)*(?:边框|背景|边距|列|"
    r"页面|间距|颜色|字|行|空白|空行|数据|内容|值|格式|样式|宽度|高度|底色|重复"
    r"|公司名称?)",
    re.IGNORECASE,
)
"""Words for what every report has. They never name something that is missing."""
_NOMINAL = re.compile(
    r"\b(?:who|which|that|with|where|when|whose|if|rows?|everything|not|into|below|over|under|than|per|every|between|"
    r"from|in|each|like)\b|[<>=]|为|的[行人]|如果|每|之间|大于|小于|所有|全部|整|字体|字号|\d|[改变太加换]成?$",
    re.IGNORECASE,
)

Role = str
_ROLES: dict[Role, str] = {
    "title": r"(?:大|主|报表)?标题|报表名称?|(?:main |report |page )?(?:title|heading|headline)",
    "header": (
        r"表头行?|列头|列标题|标题行|表头文字|(?:table |column )?header(?: row"
        r"| cells)?|column (?:headers|headings|titles)|headers|headings"
    ),
    "rows": (
        r"明细行?|数据行?|表格内容|表体|行内容|(?:data |detail |table )?rows"
        r"|details?(?: rows| band)?|table body|body"
    ),
    "table": r"(?:整个)?表格|表|(?:whole |entire )?table|all (?:the )?columns|(?:所有|全部|每一?|各)(?:的)?列",
    "numbers": r"(?:all )?(?:the )?(?:numbers|numeric columns)|(?:所有|全部)?(?:的)?数字列?",
    "footer": r"页脚|页尾|(?:page )?footer",
    "page_number": r"页码|页号|page numbers?|page no\.?",
    "logo": r"logo|标志|图标|商标|图片|照片|picture|image|photo|公司logo|company logo",
    "lines": (
        r"(?:所有|全部)(?:的)?(?:横|竖|直|分割|分隔)?线条?|all (?:the )?(?:ruling "
        r")?(?:lines|rules)|线条|(?:ruling )?lines"
    ),
    "line": r"(?:那条|这条|一条)?(?:横|直|分割|分隔)?线|(?:ruling |horizontal |dividing )?(?:line|rule)",
    "everything": r"(?:所有|全部|全文|全部的|所有的|整个报表的?|整张表的?)(?:的)?(?:文字|字体|字|内容|文本)|everything|"
    r"all (?:the )?(?:text|texts|fonts|words)|(?:the )?whole (?:report|form|page)|全文",
}  # fmt: skip


@dataclass(frozen=True)
class Target:
    """What words refer to: elements, and the column if they are a whole column."""

    words: str
    pieces: tuple[ViewElement, ...] = ()
    column: TableColumn | None = None
    role: Role = ""

    @property
    def texts(self) -> list[ViewElement]:
        return [piece for piece in self.pieces if piece.is_text]


@dataclass(frozen=True)
class Missing:
    """Words that name something that does not exist."""

    words: str
    kind: str = "element"
    """``column`` if the words ask for a column."""


@dataclass(frozen=True)
class Several:
    """Words that are ambiguous."""

    words: str


Reference = Target | Missing | Several | None
"""None for words that are not a name."""


class ReferenceResolver:
    """Resolves references to one template."""

    def __init__(self, view: TemplateView) -> None:
        self.view = view

    def find(self, words: str, quoted: bool = False) -> Reference:
        """Return the one thing that words refer to."""
        words = words.strip(" ,，、:：")
        if not words or len(words) > 60:
            return None
        if not quoted:
            ordinal = self._ordinal(words)
            if ordinal is not None:
                return ordinal
            role = self._role(words) or self._role(_bare(words))
            if role is not None:
                return role
        bare = words if quoted else _bare(words)
        of_column = not quoted and _asks_for_column(words)
        # “Line total” may be a name or the total of a line. Try it as a name first, then accept only an exact fit.
        named = _NAMED.fullmatch(words)
        if named and not quoted and (found := self._best(named[1], quoted, of_column)) is not None:
            return found
        found = self._best(bare, quoted, of_column, EXACT_FIT_THRESHOLD if named and not quoted else FIT_THRESHOLD)
        if found is not None:
            return found
        bare = named[1] if named and not quoted else bare
        if quoted or (not _GENERIC.fullmatch(bare) and _is_nominal(bare) and not self._holds_a_name(bare)):
            return Missing(bare, "column" if _asks_for_column(words) else "element")
        return None

    def find_all(self, words: str, quoted: bool = False) -> list[Target] | Missing | Several | None:
        """Return everything that a list of names refers to."""
        whole = self.find(words, quoted)
        if isinstance(whole, Target):
            return [whole]
        ordinals = self._first_or_last(words) or self._numbered(words)
        if ordinals is not None:
            return ordinals
        parts = [part for part in re.split(r"\s*(?:[,，、&]|\band\b|和|与|及|跟|以及)\s*", words) if part]
        if len(parts) < 2:
            return whole
        found = [self.find(part) for part in parts]
        for reference in found:
            if not isinstance(reference, Target):
                return reference
        return [reference for reference in found if isinstance(reference, Target)]

    def column(self, words: str, quoted: bool = False) -> TableColumn | Missing | Several | None:
        """Return the column that words refer to."""
        found = self.find(words, quoted)
        if isinstance(found, Target):
            if found.column is not None:
                return found.column
            # A value above the rows may be named like a column without being one.
            return Missing(_quotable(words), "column") if not found.role else None
        if isinstance(found, Missing):
            return Missing(found.words, "column")
        return found

    def columns(self, words: str, quoted: bool = False) -> list[TableColumn] | Missing | Several | None:
        found = self.find_all(words, quoted)
        if isinstance(found, list):
            if all(target.column is not None for target in found):
                return [target.column for target in found if target.column is not None]
            return None if any(target.role for target in found) else Missing(_quotable(words), "column")
        return Missing(found.words, "column") if isinstance(found, Missing) else found

    def _ordinal(self, words: str) -> Target | Missing | None:
        """Return a column by its number: 第三列, the third column, column 3, the last column."""
        number = column_number(words)
        if number is None:
            return None
        columns = self.view.columns
        if number == 0 or abs(number) > len(columns):
            return Missing(words, "column")
        return _column_target(columns[number - 1 if number > 0 else number], words)

    def _first_or_last(self, words: str) -> list[Target] | None:
        count = r"(?P<n>\d+|[两一二三四五六七八九十]+|two|three|four|five)"
        found = re.fullmatch(
            rf"(?:the )?(?P<end>first|last|前|最?后|头)\s*{count}\s*(?:columns|列|栏)", words, re.IGNORECASE
        )
        if not found:
            return None
        number = {"two": 2, "three": 3, "four": 4, "five": 5}.get(found["n"].lower()) or int(number_of(found["n"]) or 0)
        columns = self.view.columns
        if not 0 < number < len(columns):
            return None
        chosen = columns[:number] if found["end"].lower() in ("first", "前", "头") else columns[-number:]
        return [_column_target(column, words) for column in chosen]

    def _numbered(self, words: str) -> list[Target] | None:
        """Return columns by their numbers: columns 2 and 3, 第二、三列."""
        numeral = r"\d{1,2}|[一二两三四五六七八九十]+"
        found = re.fullmatch(
            rf"(?:the )?columns ((?:\d{{1,2}})(?:\s*(?:,|and|&)\s*\d{{1,2}})+)"
            rf"|第?((?:{numeral})(?:[列栏]?\s*[、,，和与及]\s*第?"
            rf"(?:{numeral}))+)[两二三]?[列栏]",
            words.strip(), re.IGNORECASE,
        )  # fmt: skip
        if not found:
            return None
        numbers = [int(number_of(digits) or 0) for digits in re.findall(numeral, found[1] or found[2])]
        columns = self.view.columns
        if any(not 0 < number <= len(columns) for number in numbers):
            return None
        return [_column_target(columns[number - 1], words) for number in numbers]

    def _role(self, words: str) -> Target | Missing | Several | None:
        role = next((name for name, wording in _ROLES.items() if re.fullmatch(wording, words, re.IGNORECASE)), None)
        view = self.view
        if role is None:
            return None
        detail = [piece for piece in view.in_sections("detail") if piece.is_text]
        pieces = {
            "title": lambda: [view.title] if view.title else [],
            "header": lambda: view.header,
            "rows": lambda: detail,
            "table": lambda: [*view.header, *detail],
            "numbers": lambda: [piece for column in view.columns if column.numeric for piece in column.pieces],
            "footer": lambda: view.footer,
            "page_number": lambda: view.page_numbers,
            "logo": lambda: view.pictures,
            "line": lambda: view.lines,
            "lines": lambda: view.lines,
            "everything": lambda: view.texts,
        }[role]()
        if role in ("logo", "line") and len(pieces) > 1:
            return Several(words)
        return _role_target(pieces, words, role)

    def _best(
        self, words: str, quoted: bool, of_column: bool, min_fit: float = FIT_THRESHOLD
    ) -> Target | Several | None:
        """Return what fits the words best, if it fits well enough and nothing else fits equally well."""
        scored = [(column_fit(words, column), _column_target(column, words)) for column in self.view.columns]
        if not of_column:
            in_rows = {piece.key for column in self.view.columns for piece in column.pieces}
            numbers = {piece.key for piece in self.view.page_numbers}
            for piece in self.view.texts:
                if not quoted and piece.key in numbers:
                    continue
                if quoted or piece.key not in in_rows:
                    scored.append((self._text_fit(words, piece), Target(words, (piece,))))
        best = max((score for score, _ in scored), default=0.0)
        if best < (min_fit if quoted or not _NOMINAL.search(words) else EXACT_FIT_THRESHOLD):
            return None
        near = [target for score, target in scored if score >= best - AMBIGUITY_TOLERANCE]
        columns = [target for target in near if target.column is not None]
        if len(near) > 1 and quoted:
            heads = [target for target in near if target.column is None]
            return heads[0] if len(heads) == 1 else Several(words)
        if len(columns) == 1:
            return columns[0]
        return near[0] if len(near) == 1 else Several(words)

    def _holds_a_name(self, words: str) -> bool:
        """Whether words that fit nothing contain the name of something, so that they are more than a name."""
        wanted = normal(words)
        names = {normal(column.label) for column in self.view.columns}
        names |= {normal(piece.words) for piece in self.view.texts}
        if any(len(name) >= 2 and name in wanted for name in names):
            return True
        return (
            re.search("|".join(_ROLES[role] for role in ("title", "header", "footer", "page_number")), wanted)
            is not None
        )

    def _text_fit(self, words: str, piece: ViewElement) -> float:
        wanted = normal(words)
        fits = [fit(wanted, normal(part)) for part in (piece.words, *piece.words.split("\n")) if part]
        for scope, name in piece.references:
            if scope in "PF":
                fits.append(96.0 if wanted == name.replace("_", " ") or term_of(words) == name else 0.0)
        return max(fits, default=0.0)


def missing(found: Missing, view: TemplateView) -> Text:
    """Return the refusal for a reference to something that does not exist."""
    if found.kind != "column":
        return Text.of("language.no_such_element", words=found.words)
    if not view.columns:
        return Text.of("language.no_rows_no_columns")
    labels = [column.label.replace("\n", " ") for column in view.columns][:MAX_LISTED_COLUMNS]
    code = "language.no_such_column" if column_number(found.words) is None else "language.no_such_column_number"
    return Text(
        text(code, "en", words=found.words, count=len(view.columns), columns=", ".join(labels)),
        text(code, "zh", words=found.words, count=len(view.columns), columns="、".join(labels)),
    )


def _column_target(column: TableColumn, words: str) -> Target:
    return Target(words, tuple(column.pieces), column)


def _role_target(pieces: list[ViewElement], words: str, role: Role) -> Target | Missing:
    return Target(words, tuple(pieces), role=role) if pieces else Missing(words)


def _asks_for_column(words: str) -> bool:
    return re.search(r"\bcolumns?\b|\bfields?\b|[列栏]$|字段", words.strip(), re.IGNORECASE) is not None


def _is_nominal(words: str) -> bool:
    """Whether words that fit nothing in this report look like a name."""
    if _NOMINAL.search(words) or not re.search(r"[^\W\d_]", words):
        return False
    return len(words.split()) <= 3 and len(re.findall(r"[\u3400-\u9fff]", words)) <= 8


def _quotable(words: str) -> str:
    """Return the words to quote in a refusal about a column that does not exist."""
    return words.strip() if _NAMED.fullmatch(words.strip()) else _bare(words)


def _bare(words: str) -> str:
    """Return words without articles and without words for the kind of thing, such as “column”."""
    text = words.strip()
    while True:
        shorter = _LEAD.match(text)
        if shorter and shorter.end() < len(text):
            text = text[shorter.end() :].strip()
            continue
        tail = re.search(rf"(?:{_TAIL.pattern})$", text, re.IGNORECASE)
        if tail and tail.start() > 0:
            text = text[: tail.start()].strip()
            continue
        return text
