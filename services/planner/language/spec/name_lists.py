"""The lists of names that a description gives: columns, lines above and below the table, signatures.

A list may end in where it stands, in what is computed or in a value; one word in it that no name has leaves the whole
clause unread. `section_reader` says which clauses are lists, and which section they open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bandsmith.shared.fields.column_kinds import meaning

from .brackets import is_instruction, with_value, without_computed
from .column_names import labels_in_one
from .description import Description, is_quotation
from .item import Item, Side
from .labels import cleaned, is_about_parts, is_label, is_several_columns, says_more_of, split, typed
from .leads import side_in, without_side
from .list_ends import list_end, phrase_at_end, without_each_row
from .sections import Section, Sections
from .signers import signers_beside
from .summary_lines import is_tax, stands_below
from .titles import is_form, name_in, without_purpose

_OF_ONE_SENTENCE = frozenset({"totals", "averages", "sort", "group", "below", "signatures"})
_SIZES = ("small", "large", "big", "tiny", "short")


class NameLists:
    """The names that were read, and the section that the next ones belong to."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self.found = Sections()
        self.section: Section | None = None
        self.side: Side = "auto"
        """The half of the page that the present lead names."""
        self.run = 0
        """Number of names in the columns when the present list began."""
        self.is_named = False
        """Whether the clause that names the report has been read."""
        self.is_closed = False
        """Whether the list of columns ended with its sentence: names need a lead to be columns now."""
        self.is_default = True
        """Whether names are columns only because no lead said what they are."""
        self.is_next = False
        """Whether another list follows the one before."""
        self.has_rejected = False
        """Whether a clause of this sentence was rejected as a name."""

    @property
    def may_be_columns(self) -> bool:
        """Whether the next names are columns, unless they say themselves that they are not."""
        return self.section in (None, "columns")

    def begin_sentence(self, *, goes_on: bool) -> None:
        """Begin a sentence, which `goes_on` with the one before where it is a point of a list."""
        if not goes_on and self.section in _OF_ONE_SENTENCE:
            self.section = None
        self.side = self.side if goes_on else "auto"
        self.is_closed = not goes_on and bool(self.found.lists["columns"]) and self.may_be_columns
        self.run = len(self.found.lists["columns"])
        self.has_rejected = False

    def open(self, section: Section | None, is_table: bool) -> None:
        """Let the next names belong to a section; with `is_table`, those before the first one stand above the table."""
        if section is None:
            return
        columns = self.found.lists["columns"]
        if section == "columns" and is_table and not self.found.has_table_lead and not self.found.lists["header"]:
            self.found.lists["header"], self.found.lists["columns"] = columns, []
        if section == "columns":
            self.is_default, self.found.is_clear, self.found.has_lead = False, True, True
            self.found.has_table_lead |= is_table
        self.section, self.is_closed = section, False
        self.run = len(self.found.lists["columns"])

    def read(self, words: str, clause: str) -> None:
        """Read the list of names in a clause; where one is no name, the whole clause is unread."""
        listed = without_each_row(words, self.found.labels("columns"))
        listed = without_purpose(self._before_closing(listed))
        section, words_of_list, value = list_end(listed, self.section, is_form(self.found.name))
        if words_of_list.startswith("(") and words_of_list.endswith(")"):
            words_of_list = words_of_list[1:-1]
        parts = split(words_of_list)
        noted = [without_computed(label) for label in map(cleaned, parts) if label]
        labels = [label for label, _ in noted]
        if section in (None, "columns") and any(map(is_tax, labels)) and self.belong_below(labels):
            section = "below"
        if section == "totals" and any(map(is_tax, labels)) and self.belong_below(labels):
            section, self.found.all_totals = "below", True  # 下面合计、13%税、含税总价
        may_tick = section == "header" or is_form(self.found.name)
        named = [with_value(label, section, may_tick) for label in labels]
        if value is not None and named:
            named[-1] = (named[-1][0], value)
        if self.is_closed and section in (None, "columns") and self.belong_below([label for label, _ in named]):
            section = "below"
        are_names = all(self._may_be(label, section) for label, _ in named) and not any(map(is_several_columns, parts))
        if not are_names or not self._may_follow(labels, section):
            self._reject(clause, labels)
            return
        self.found.calculated += [self.item(label, None, clause) for label, is_computed in noted if is_computed]
        if section == "below" and self.may_be_columns and not self.is_closed:
            named = self._keep_columns(named, words)
        self.found.misses_names |= self.has_rejected
        self.found.misses_lists |= self.has_rejected and section in (None, "columns")
        if section == "signatures":
            self._sign([label for label, _ in named], clause)
            return
        side = side_in(words[len(words_of_list) :]) if section != self.section else self.side
        self._take([replace(self.item(label, given, clause), side=side) for label, given in named], section, side)
        if self.is_next and len(self.found.lists["columns"]) > len(labels) > 1 and self.is_default:
            self.found.continued.append(self._description.as_written(clause))
        self.is_next = False
        if len(labels) > 1:
            self.run = len(self.found.lists["columns"])
        if section != self.section:
            self.section = "columns" if section == "header" else self.section

    def _take(self, items: Sequence[Item], section: Section | None, side: Side) -> None:
        """Add the names of a list to their section; only lines above the table stand on a side."""
        if section == "header" and section != self.section:
            self._move(section, side)
        target = section or "columns"
        self.found.lists[target] += [item if target == "header" else replace(item, side="auto") for item in items]

    def ends_in_tax(self) -> bool:
        """Whether a tax was named last below the table: a total behind it is the sum with the tax."""
        below = self.found.lists["below"]
        return bool(below) and is_tax(below[-1].label)

    def add(self, section: Section, labels: list[str], clause: str) -> None:
        self.found.lists[section] += [self.item(label, None, clause) for label in labels]

    def item(self, label: str, value: str | None, clause: str) -> Item:
        filled = self._description.filled
        label, kind = typed(label)
        kept = label if is_quotation(label) and self.section in ("below", "header") else filled(label)
        return Item(kept, filled(value) if value is not None else None, self._description.as_written(clause), kind=kind)

    def _sign(self, labels: Sequence[str], clause: str) -> None:
        """Note who signs, and on which side of the page: `the driver on the left`, 左下技师."""
        if self.section == "below":
            self._move("signatures", "auto")
        for given in [name for label in labels for name in signers_beside(label)]:
            label, side = without_side(_without_deed(given))
            side = self.side if side == "auto" and self.section == "below" else side
            self.found.lists["signatures"].append(replace(self.item(cleaned(label), None, clause), side=side))

    def _move(self, section: Section, side: Side) -> None:
        """Move the names of the present list to the section that its tail names."""
        source = self.found.lists["below" if section == "signatures" else "columns"]
        start = 0 if section == "signatures" else self.run
        if section == "signatures":
            start = next((n for n in range(len(source), 0, -1) if stands_below(source[n - 1].label)), 0)
        if section == "header" and self.section not in (None, "columns"):
            return
        if section == "signatures" and self.section != "below":
            return
        self.found.lists[section] += [replace(item, side=side) for item in source[start:]]
        del source[start:]

    def _keep_columns(self, named: list[tuple[str, str | None]], words: str) -> list[tuple[str, str | None]]:
        """Return what of a list stands below: `unit price, amount and VAT at the end` has columns before it."""
        if all(meaning(label).kind == "text" and meaning(label).known for label, _ in named):
            return named  # who does something, none of which is added up: `counted by and checked by at the bottom`
        below = next((n for n, (label, _) in enumerate(named) if n == len(named) - 1 or stands_below(label)), 0)
        for label, value in named[:below]:
            self.found.lists["columns"].append(self.item(label, value, words))
        return named[below:]

    def _reject(self, clause: str, labels: Sequence[str]) -> None:
        """Note a clause that is no list of names.

        One that only says what to do, behind the names, may be a change of the finished report. Any other may name
        what the report has: several names, words without an instruction, or words between names.
        """
        self.found.is_clear &= bool(self.found.name or self.found.lists["columns"])
        self.found.unread.append(self._description.as_written(clause))
        if all(map(is_about_parts, labels)):
            return
        self.found.misses_names |= len(labels) > 1 or not all(map(is_instruction, labels))
        self.has_rejected = True

    def _before_closing(self, words: str) -> str:
        """Return what stands before "……的表格" at the end of a list; it may also name the report."""
        closing = phrase_at_end("closing", words)
        if closing is None or self.section not in (None, "columns"):
            return words
        if self.found.name is None:
            self.found.name = name_in(re.sub(r"^.*?的", "", words[closing.start :]), has_more=False) or None
        return words[: closing.start].strip()

    def belong_below(self, labels: Sequence[str]) -> bool:
        """Whether all these are amounts below a table, such as a tax."""
        return all(stands_below(label) for label in labels)

    def _may_follow(self, labels: Sequence[str], section: Section | None) -> bool:
        """Whether these may still be new columns. After the sentence that lists them, names only repeat columns."""
        known = {label.casefold() for label in self.found.labels("columns")}
        return not self.is_closed or section not in (None, "columns") or known >= {each.casefold() for each in labels}

    def _may_be(self, label: str, section: Section | None) -> bool:
        if section in ("below", "header", "signatures") and is_quotation(label):
            return True
        if section == "totals" and labels_in_one(label, self.found.labels("columns")):
            return True
        if section == "signatures":
            return is_label(without_side(label)[0])
        if self._is_size_of_the_report(label) or says_more_of(label, self.found.labels("columns")):
            return False
        return is_label(label) or (section == "below" and stands_below(label))

    def _is_size_of_the_report(self, label: str) -> bool:
        """Whether a word behind the name of the report says how large it is: `receipt, small, A5`."""
        is_next = self.is_named and self.is_default and not self.found.lists["columns"]
        return is_next and label.casefold() in _SIZES


def _without_deed(name: str) -> str:
    """Return who signs without the word for it, as of the last in 领用人签字、库管签字."""
    deed = phrase_at_end("signatures_end", name)
    return name[: deed.start].strip() if deed and is_label(name[: deed.start]) else name
