"""Find several things that one name means: “both dates”, “all columns except the price”, 说明下面那两条.

What users say is in ``templates/*/groups.toml``. A number that is said has to be that of the things that are found.
"""

from __future__ import annotations

from collections.abc import Callable

from .described_elements import DescribedElements
from .numbers import number_of
from .reference_words import without_kind
from .references import Missing, Several, Target, column_target, with_value
from .sentence_templates import Slots, matches
from .template_view import TemplateView
from .view_elements import TableColumn

FindAll = Callable[[str], list[Target] | Missing | Several | None]
"""Returns everything that a list of names refers to."""

SUBJECT = "groups"
RULES = frozenset({"all_but", "headings_of", "listed", "of_kind", "block"})


class NamedGroups:
    """Resolves names of several things in one template."""

    def __init__(self, view: TemplateView, find_all: FindAll, described: DescribedElements) -> None:
        self._view, self._find_all, self._described = view, find_all, described

    def find(self, words: str) -> list[Target] | None:
        """Return what words name together, nothing where their number is another; None where they name no group."""
        for rule, build in (
            ("all_but", self._all_but), ("listed", self._listed), ("of_kind", self._of_kind), ("block", self._block),
        ):  # fmt: skip
            for slots in matches(SUBJECT, rule, words.strip(" ,，、")):
                if (found := build(slots)) is not None:
                    return found
        return None

    def first(self, words: str) -> list[Target]:
        """Return several things whose name has a name of one of them in it: “the headings of Qty and Amount”."""
        for rule, build in (("headings_of", self._headings_of), ("of_kind", self._of_kind)):
            for slots in matches(SUBJECT, rule, words.strip(" ,，、")):
                if found := build(slots):
                    return found
        return []

    def _headings_of(self, slots: Slots) -> list[Target]:
        """“The headings of Qty and Amount”, 数量、金额的表头: without their values."""
        found = self._find_all(slots["names"])
        columns = [one.column for one in found if one.column] if isinstance(found, list) else []
        heads = [column.head for column in columns if column.head is not None]
        is_whole = isinstance(found, list) and len(heads) == len(found)
        return [Target("heading", (head,), alone=True) for head in heads] if is_whole else []

    def _all_but(self, slots: Slots) -> list[Target] | None:
        """“All columns except the price”, 除了备注其他列."""
        left_out = self._find_all(slots["names"])
        if not isinstance(left_out, list):
            return None
        keys = {piece.key for one in left_out for piece in with_value(self._view, one).pieces}
        if slots["all"] == "columns":
            columns = [one for one in self._view.columns if not keys & {piece.key for piece in one.pieces}]
            is_part = len(columns) + len(left_out) == len(self._view.columns)
            return [column_target(one, one.label) for one in columns] if is_part else None
        if slots["all"] == "headings":
            heads = tuple(piece for piece in self._view.header if piece.key not in keys)
            return [Target("headings", heads)] if heads and len(heads) < len(self._view.header) else None
        rest = tuple(piece for piece in self._view.texts if piece.key not in keys)
        return [Target("everything", rest, role="everything")] if keys and rest else None

    def _listed(self, slots: Slots) -> list[Target] | None:
        """“The three labels A, B and C”, 甲、乙、丙这三行: the number of what is listed is said."""
        found = self._find_all(slots["names"])
        count = int(number_of(slots["count"] or slots["number"]) or 0)
        if not isinstance(found, list) or len(found) < 2:
            return None
        return found if count in (0, len(found)) else []

    def _of_kind(self, slots: Slots) -> list[Target] | None:
        """“Both dates”, “the money columns”."""
        kind = slots["kind"]
        if kind == "date":
            found = [Target("date", unit.pieces[:1]) for unit in self._described.of_kind("date")]
            found += [column_target(one, one.label) for one in self._view.columns if one.is_date]
        else:
            chosen = {"money": _is_money, "text": lambda one: not one.numeric and one.field != "REPORT_COUNT"}[kind]
            found = [column_target(one, one.label) for one in self._view.columns if chosen(one)]
        count = int(number_of(slots["count"] or slots["number"]) or 0)
        return found if len(found) > 1 and count in (0, len(found)) else None

    def _block(self, slots: Slots) -> list[Target] | None:
        """“The two lines under the table”, 说明那两条: texts that stand one below the other, from their nearest on."""
        count = int(number_of(slots["count"] or slots["number"]) or 0)
        units = self._described.block(slots["relation"] or "below", without_kind(slots["anchor"]), count)
        return [Target("block", unit.pieces[:1]) for unit in units] if len(units) > 1 else None


def _is_money(column: TableColumn) -> bool:
    """Whether a column prints prices or amounts: numbers with two decimals, or with a sign before them."""
    return column.numeric and any("0.00" in cell.pattern for cell in column.cells)
