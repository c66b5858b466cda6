"""The columns of a report: their kinds, formulas and totals. A name that finds no column leaves its clause unread."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bandsmith.shared.fields.column_kinds import meaning
from bandsmith.shared.language import Language
from bandsmith.shared.model.spec import MAX_COLUMNS, MAX_LABEL_CHARS, Column, Computed, Kind, Totalling, numeric

from ..sentence_templates import matches
from .clauses import SpecClauses
from .clauses.grouping import same_group
from .column_names import columns_named, countable, labels_in_one, means, named_by
from .column_totals import TWO_SIDES, adds_up, are_two_sided, is_price, usual_totals
from .item import Item
from .labels import printed
from .requested_numbers import with_counts, with_patterns, with_sums
from .scores import as_scores, is_total_score, of_scores, with_score_formulas
from .sections import SUBJECT, Sections
from .summary_lines import Closing, is_sum_of_others, is_total
from .usual_formulas import outstanding, part_by_rate, with_usual_formulas

_OVERALL = frozenset({
    "overall", "all", "everything", "all columns", "all amounts", "amounts", "the report",
    "全部", "所有", "所有金额", "全表",
})  # fmt: skip
_NUMERIC = ("number", "integer", "money")
_FIELD_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")
"""A label that is the name of a field as it stands: `order_id`."""
_RUNNING = ("running balance", "running total", "cumulative", "累计余额", "滚动余额")


class ColumnBuilder:
    """Builds the columns of one request, and notes what it assumed of them."""

    def __init__(
        self,
        request: SpecClauses,
        sections: Sections,
        named: Sequence[Item],
        is_table: bool,
        language: Language,
        unread: list[str],
    ) -> None:
        """`named` are the columns in the words of the request; `is_table` says that they are the head of a table.

        Clauses that find no column are added to `unread`.
        """
        self._request, self._sections, self._named = request, sections, named
        self._table, self._language, self._unread = is_table, language, unread
        self.assumed_totals: list[str] = []
        self.sum_column = ""
        """Label of a column that adds up the amounts before it."""
        self.worked_out: list[str] = []
        """Formulas of columns that others imply: a variance beside budget and actual."""
        self.added_amount = ""
        """Label of a column that was added because a total needs it."""

    # --- columns -----------------------------------------------------------------------------------------------------

    def named(self, closing: Closing) -> list[Column]:
        """Return the columns that the request names, with the totals of their rows."""
        labels = self._dimensions()
        for item in self._named[:MAX_COLUMNS]:
            if any(item.label.casefold() == known.casefold() for known in labels):
                self._unread += [] if any(means(key, item.label) for key in self._request.computed) else [item.clause]
            else:
                labels.append(item.label)
        if not self._table:  # a formula also names a column
            labels += [key for key in self._request.computed if not any(means(key, label) for label in labels)]
        self._check_count(len(labels))
        columns = _with_numeric_operands([self._column(label, labels) for label in labels[:MAX_COLUMNS]])
        columns = self._with_sum(self._with_shares(with_counts(columns)))
        columns = columns if self._table else self._with_score_formulas(columns)
        if not self._table and not self._sections.lists["data"] and not self._sections.given_rows:
            columns, self.worked_out = with_usual_formulas(columns)
        columns = self._with_amount(self._calculated(with_sums(columns, self._sections.sums, self._unread)), closing)
        return self.totalled(with_patterns(columns, self._sections, self._unread), closing)

    def _check_count(self, found: int) -> None:
        """`Three columns` with two or four names was not understood."""
        expected = self._sections.expected_columns
        if expected and int(expected.label) != found:
            self._sections.misses_names = True
            self._unread.append(expected.clause)

    def _with_shares(self, columns: list[Column]) -> list[Column]:
        for label, whole in self._sections.shares.items():
            column = next((column for column in columns if means(label, column.label)), None)
            wanted = columns_named(whole.label, [c for c in columns if c is not column])
            if column is None or not wanted:
                self._unread.append(whole.clause)
                continue
            changed = column.model_copy(update={"type": "percent", "share_of": wanted[0].label})
            columns = [changed if each is column else each for each in columns]
        return columns

    def _with_sum(self, columns: list[Column]) -> list[Column]:
        """Let a column called a total add up the amounts before it; it is noted."""
        names = [column.label for column in columns]
        total = next((n for n, column in enumerate(columns) if is_sum_of_others(column.label)), None)
        if total is None or self._table or columns[total].computed:
            return columns
        if any(means(label, names[total]) for label in self._sections.sums):
            return columns  # how many it adds up is said
        amounts = [column.label for column in columns[:total] if column.type == "money" and adds_up(column)]
        if not amounts and len(unknown := _unknown_before(columns, total)) > 1:
            columns = [_as_number(column) if column in unknown else column for column in columns]
            amounts = [column.label for column in unknown]
        if not 2 <= len(amounts) <= 8 or are_two_sided(amounts) or any(map(is_price, names)):
            return columns
        self.sum_column = columns[total].label
        computed = Computed(operator="+", operands=amounts)
        kind: Kind = "money" if columns[total].type == "money" else "number"
        columns[total] = columns[total].model_copy(update={"computed": computed, "type": kind})
        return columns

    def _with_score_formulas(self, columns: list[Column]) -> list[Column]:
        """Let 总分 add up the subjects before it, and 平均分 divide it by their number; the sum is noted."""
        found = with_score_formulas(columns)
        total = next(
            (new for old, new in zip(columns, found, strict=True) if is_total_score(new) and new is not old), None
        )
        self.sum_column = total.label if total else self.sum_column
        return found

    def _with_amount(self, columns: list[Column], closing: Closing) -> list[Column]:
        """Add quantity times price, where a total is wanted and no column holds amounts; it is noted."""
        in_block = any(line.kind != "last" for line in closing.summary)
        of_amount = any(meaning(item.label).name == "amount" for item in self._sections.lists["totals"])
        wanted = self._sections.all_totals or closing.wants_total or in_block or of_amount
        price = next((c for c in columns if is_price(c.label)), None)
        quantity = next((c for c in columns if c.type in ("integer", "number") and adds_up(c)), None)
        bare = [column for column in columns if column.label.isascii() and is_total(column.label)]
        total = next((column for column in bare if not column.computed), None)
        if total and price and quantity and not self._table and not self._sections.lists["data"]:
            self.added_amount = total.label
            computed = Computed(operator="*", operands=[quantity.label, price.label])
            return [c.model_copy(update={"computed": computed}) if c is total else c for c in columns]
        has_amounts = any(column.type == "money" and adds_up(column) for column in columns)
        if self._table or has_amounts or not wanted or price is None or quantity is None:
            return columns
        self.added_amount = "金额" if self._language == "zh" else "Amount"
        computed = Computed(operator="*", operands=[quantity.label, price.label])
        return [*columns, Column(label=self.added_amount, type="money", computed=computed)]

    def _dimensions(self) -> list[str]:
        named = [item.label for item in self._named]
        return [label for label in self._request.dimensions if not any(means(label, each) for each in named)]

    def _column(self, label: str, labels: Sequence[str]) -> Column:
        computed, running = (None, False) if self._table else self._formula(label, labels)
        said = next((item.kind for item in self._named if item.label == label and item.kind), None)
        kind = said or ("percent" if label.endswith(("%", "(%)")) else meaning(label).kind)
        if computed and kind not in ("money", "number", "integer", "percent"):
            kind = self._kind_of_result(computed)
        elif computed and kind in ("number", "integer") and computed.operator in ("+", "-"):
            kind = "money" if self._kind_of_result(computed) == "money" else kind
        name = label if _FIELD_NAME.fullmatch(label) else None
        return Column(label=self._printed(label), name=name, type=kind, computed=computed, running=running)

    def _kind_of_result(self, computed: Computed, seen: frozenset[str] = frozenset()) -> Kind:
        """Return the kind of what a formula gives: only amounts make an amount, only whole numbers a whole one."""
        kinds = {self._kind_of_operand(each, seen) for each in computed.needed if numeric(each) is None}
        if "money" in kinds:
            return "money"
        is_whole = kinds == {"integer"} and computed.operator != "/" and not any(map(_is_fraction, computed.needed))
        return "integer" if is_whole else "number"

    def _kind_of_operand(self, operand: str, seen: frozenset[str]) -> Kind:
        kind = next((item.kind for item in self._named if means(item.label, operand) and item.kind), None)
        kind = kind or meaning(operand).kind
        key = next((key for key in self._request.computed if means(key, operand)), None)
        if kind in _NUMERIC or key is None or key in seen:
            return kind
        return self._kind_of_result(self._request.computed[key], seen | {key})

    def _formula(self, label: str, labels: Sequence[str]) -> tuple[Computed | None, bool]:
        """Return the formula of a column with the labels of others as operands, and whether it adds up row by row."""
        key = next((key for key in self._request.computed if means(key, label)), None)
        if key is None:
            return self._running(label, labels)
        formula = self._request.computed[key]
        needed = [operand if numeric(operand) else named_by(operand, labels) for operand in formula.needed]
        is_square = len(set(needed)) < len(set(formula.needed))  # two words were taken for the same column
        if is_square or not all(operand in labels or numeric(operand) is not None for operand in needed):
            self._unread.append(self._request.sources.get(key, key))
            return None, False
        shown, count = [self._printed(operand) for operand in needed], len(formula.operands)
        return formula.model_copy(update={"operands": shown[:count], "less": shown[count:]}), False

    def _running(self, label: str, labels: Sequence[str]) -> tuple[Computed | None, bool]:
        is_said = any(means(item.label, label) for item in self._sections.running)
        if not is_said and not any(word in label.casefold() for word in _RUNNING):
            return None, False
        plain = {each.casefold(): each for each in labels}
        pair = next((pair for pair in TWO_SIDES if set(pair) <= plain.keys()), None)
        if pair is None:
            if label in plain.values():
                self._unread.append(next((item.clause for item in self._named if item.label == label), label))
            return None, False
        return Computed(operator="-", operands=[self._printed(plain[word]) for word in pair]), True

    def _calculated(self, columns: list[Column]) -> list[Column]:
        """Fill in the formula of a column that is only said to be computed: quantity times price."""
        for item in self._sections.calculated:
            target = next((column for column in columns if means(item.label, column.label)), None)
            target = target or next((column for column in columns if column.label.startswith(item.label)), None)
            target = target or next(iter(columns_named(item.label, columns)), None)
            rules = (of_scores, outstanding, part_by_rate) if target and not target.computed else ()
            if found := next((one for rule in rules if target and (one := rule(target, columns))), None):
                columns = [found if column is target else column for column in columns]
                continue
            price = next((c for c in columns if is_price(c.label)), None)
            quantity = next((c for c in columns if c.type in ("integer", "number") and c is not target), None)
            if target is None or price is None or quantity is None or target.computed:
                self._unread += [item.clause] if target is None or not target.computed else []
                continue
            computed = Computed(operator="*", operands=[quantity.label, price.label])
            changed = target.model_copy(update={"computed": computed, "type": "money"})
            columns = [changed if column is target else column for column in columns]
        return columns

    # --- totals ------------------------------------------------------------------------------------------------------

    def totalled(self, columns: list[Column], closing: Closing) -> list[Column]:
        """Return the columns with the totals that were asked for, else the usual ones, which are noted."""
        if self._sections.no_totals or (self._sections.no_grand_total and not self._request.groups):
            return without_totals(columns)
        columns = self._with_expected_numbers(columns)
        has_count = self._sections.expected_totals is not None
        named: dict[str, Totalling] = {one.label: "sum" for one in columns if has_count and _may_add_up(one)}
        for item in (*self._sections.lists["totals"], *closing.totals):
            self._name_total(item, "sum", columns, named)
        for item in self._sections.lists["averages"]:
            self._name_total(item, "average", columns, named)
        if self._sections.all_averages:
            columns = as_scores(columns)
            named |= {column.label: "average" for column in columns if column.type in _NUMERIC}
        rows = [item for item in self._sections.counted if self.counts_rows(item)]
        if all_sums := [item for item in rows if "总数" in item.clause and usual_totals(columns, True)]:
            self._sections.all_totals = True  # beside amounts, 总数 means what they come to
        if len(rows) > len(all_sums):
            counted = countable(columns, named)
            named |= {counted.label: "count"} if counted else {}
        asked = self._sections.all_totals or closing.wants_total or bool(self._request.groups)
        if closing.summary or not any(total == "sum" for total in named.values()):
            named = self._usual(columns, named, asked, bool(closing.summary))
        columns = [column.model_copy(update={"total": named.get(column.label, "none")}) for column in columns]
        columns = [_as_number(one) if not self._table and _is_unknown_sum(one) else one for one in columns]
        is_wanted = (self._sections.all_totals or closing.wants_total) and not closing.summary
        if is_wanted and all(column.total == "none" for column in columns):
            self._unread.append("合计" if self._language == "zh" else "total")
        return columns

    def _with_expected_numbers(self, columns: list[Column]) -> list[Column]:
        """Make numbers of the unknown columns where only they make up how many are to be added up."""
        expected = self._sections.expected_totals
        if expected is None:
            return columns
        known = [column for column in columns if column.type in _NUMERIC and adds_up(column)]
        unknown = [column for column in columns if column.type == "text" and not meaning(column.label).known]
        count = int(expected.label)
        if len(known) == count:
            return columns
        if len(known) + len(unknown) == count:
            return [_as_number(column) if column in unknown else column for column in columns]
        self._unread.append(expected.clause)
        return columns

    def _usual(
        self, columns: list[Column], named: dict[str, Totalling], asked: bool, in_block: bool
    ) -> dict[str, Totalling]:
        found = [column.label for column in usual_totals(columns, asked) if column.label not in named]
        if in_block and (money := [column.label for column in columns if column.type == "money"]):
            found = [label for label in found if label in money]  # the lines of the block are about amounts
        if asked or in_block:
            if not found and not named and asked and not self._request.groups:
                found = [column.label for column in columns if adds_up(column)]
        elif not named:
            self.assumed_totals = found
        elif not asked:
            return named
        return {**named, **dict.fromkeys(found, "sum")}

    def _name_total(
        self, item: Item, totalling: Totalling, columns: Sequence[Column], named: dict[str, Totalling]
    ) -> None:
        label = item.label.removeprefix("总") if len(item.label) > 2 else item.label
        for wording in (item.label, label):
            if found := columns_named(wording, columns) or self._named_in_one(wording, columns):
                if any(map(_has_no_numbers, found)):
                    break
                named |= {column.label: totalling for column in found}
                return
        if label.casefold() in _OVERALL or any(same_group(label, group) for group in self._request.groups):
            self._sections.all_totals = True
            return
        self._unread.append(item.clause)

    @staticmethod
    def _named_in_one(wording: str, columns: Sequence[Column]) -> list[Column]:
        labels = labels_in_one(wording, [column.label for column in columns])
        return [column for column in columns if column.label in labels]

    def counts_rows(self, item: Item) -> bool:
        """Whether the rows are counted: they are named after the report or a column, or only called rows."""
        if not item.label or any(matches(SUBJECT, "row_noun", item.label)):
            return True
        noun = item.label.casefold().rstrip("s")
        if noun in [word.rstrip("s") for word in (self._sections.name or "").casefold().split()]:
            return True
        return any(means(noun, each.label) or each.label.casefold().startswith(noun) for each in self._named)

    def _printed(self, label: str) -> str:
        return printed_label(label, self._language)


def printed_label(label: str, language: Language) -> str:
    """Return a label as a report in this language prints it."""
    return (printed(label) if language == "en" else label)[:MAX_LABEL_CHARS]


def without_totals(columns: Sequence[Column]) -> list[Column]:
    return [column.model_copy(update={"total": "none"}) for column in columns]


def _with_numeric_operands(columns: list[Column]) -> list[Column]:
    """Make a number of each column that another is computed from."""
    known = {column.label: column.type for column in columns}
    kinds: dict[str, Kind] = {}
    for column in columns:
        computed = column.computed
        for place, operand in enumerate(computed.operands if computed else ()):
            kinds[operand] = _kind_of_part(column, place, known)
        for operand in computed.less if computed else ():
            kinds[operand] = "money" if column.type == "money" else "number"
    return [
        column.model_copy(update={"type": kinds[column.label]})
        if column.label in kinds and column.type not in ("money", "number", "integer", "percent")
        else column
        for column in columns
    ]


def _kind_of_part(column: Column, place: int, known: Mapping[str, Kind]) -> Kind:
    """Return the kind of an operand whose label says nothing of it: the sum of amounts has amounts for its parts.

    The parts of a product, and what is divided by, are counted or measured.
    """
    assert column.computed is not None
    operator, others = column.computed.operator, [*column.computed.operands]
    del others[place]
    is_scaled = operator in ("*", "/") and place == 0 and all(numeric(other) is not None for other in others)
    is_divided = operator == "/" and place == 0 and not any(known.get(other) == "money" for other in others)
    if column.type == "money" and (operator in ("+", "-") or is_scaled or is_divided):
        return "money"
    return "integer" if column.type == "integer" else "number"


def _is_fraction(operand: str) -> bool:
    number = numeric(operand)
    return number is not None and number != int(number)


def _is_unknown_sum(column: Column) -> bool:
    """Whether a column is added up of whose values nothing else is known: only numbers have a sum."""
    return column.type == "text" and column.total in ("sum", "average") and not meaning(column.label).known


def _may_add_up(column: Column) -> bool:
    """Whether a column of numbers has a sum, or a label that says nothing of its values."""
    return column.type in _NUMERIC and (adds_up(column) or not meaning(column.label).known)


def _unknown_before(columns: Sequence[Column], total: int) -> list[Column]:
    """Return the columns directly before a total of whose values nothing is known: a total adds up numbers."""
    found: list[Column] = []
    for column in reversed(columns[:total]):
        if column.type != "text" or column.computed or meaning(column.label).known:
            break
        found.insert(0, column)
    return found


def _has_no_numbers(column: Column) -> bool:
    """Whether a column is known to hold words or dates, which have no sum."""
    is_text = column.type == "text" and column.computed is None and meaning(column.label).known
    return is_text or column.type in ("date", "datetime", "flag")


def _as_number(column: Column) -> Column:
    return column.model_copy(update={"type": "number"})
