"""Read what a description names, and where: columns, lines above the table and below it, signatures, totals, order.

Theory of operation
===================

The description is read from left to right: sentence by sentence, and in a sentence clause by clause. Every word is
accounted for, or its clause is *unread*.

- The first clause may name the report: "price list", "做一张送货单".
- A *lead* opens a section: "with the columns", "on top", "below the table", "签字:". The names after it belong to
  the section until the next lead. Totals, averages, order and groups end with their sentence.
- A *tail* does the same from the end: "supplier and date on top", "检验员和审核签名".
- Some clauses are read whole: "a grand total at the end", "留20个空行".
- Whatever else stands there has to be a list of names (`labels.is_label`). One word in it that no name has, such as
  "must" or "bold" or "19%", leaves the whole clause unread.

What users say is in ``templates/*/spec_sections.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bandsmith.shared.fields.column_kinds import meaning

from ..sentence_templates import matches, phrase_at
from .brackets import LIST_IN_BRACKETS, is_instruction, with_value, without_computed
from .clause_split import SpecClause, clauses_of, sentences_of
from .column_totals import is_price
from .data_rows import is_data_row, is_row
from .description import Description, is_quotation
from .item import Item, Side
from .joined_parts import joined
from .labels import cleaned, is_about_parts, is_label, is_several_columns, split, typed
from .leads import (
    at_inner_tails,
    inner_leads,
    lead_at,
    opens_columns,
    opens_table_below,
    side_in,
    wanted_names,
    without_side,
)
from .list_ends import COMMANDS, list_end, phrase_at_end, without_each_row
from .sections import STATEMENTS, SUBJECT, Section, Sections
from .signers import signers_beside
from .statements import note, statement_in
from .summary_lines import is_tax, is_total, stands_below
from .titles import is_form, is_request, name_in, request_end, titled, without_purpose

_OF_ONE_SENTENCE = frozenset({"totals", "averages", "sort", "group", "below", "signatures"})
_SIZES = ("small", "large", "big", "tiny", "short")


def read_sections(text: str, description: Description, title_side: Side = "auto") -> Sections:
    """Return what a masked description names; what is "under it" stands on the title's side."""
    return _SectionReader(description, title_side).read(text)


class _SectionReader:
    """One description on its way to its sections."""

    def __init__(self, description: Description, title_side: Side) -> None:
        self._description, self._title_side = description, title_side
        self._found = Sections()
        self._section: Section | None = None
        self._side: Side = "auto"
        """The half of the page that the present lead names."""
        self._run = 0
        """Number of names in the columns when the present list began."""
        self._is_named = False
        """Whether the clause that names the report has been read."""
        self._is_closed = False
        """Whether the list of columns ended with its sentence: names need a lead to be columns now."""
        self._is_default = True
        """Whether names are columns only because no lead said what they are."""
        self._is_next = False
        """Whether another list follows the one before."""
        self._has_rejected = False
        """Whether a clause of this sentence was rejected as a name."""
        self._following: Sequence[str] = []
        """The clauses of this sentence that are still to be read."""

    def read(self, text: str) -> Sections:
        for sentence, is_bullet in sentences_of(text):
            self._sentence(sentence, is_bullet)
        return self._found

    # --- sentences and clauses ---------------------------------------------------------------------------------------

    def _sentence(self, sentence: str, is_bullet: bool) -> None:
        if not is_bullet and self._section in _OF_ONE_SENTENCE:
            self._section = None
        self._side = self._side if is_bullet else "auto"
        self._is_closed = not is_bullet and bool(self._found.lists["columns"]) and self._section in (None, "columns")
        self._run = len(self._found.lists["columns"])
        self._has_rejected = False
        if self._section == "data" and not is_row(sentence):
            self._section = None
        clauses = clauses_of(sentence)
        at = 0
        while at < len(clauses):
            clause = clauses[at]
            if is_data_row(clause.words) or (self._section == "data" and is_row(clause.words)):
                self._add("data", [clause.words], clause.words)
            elif self._pair(clauses[at:]):
                at += 1
            else:
                begins_list = at + 1 < len(clauses) and opens_columns(clauses[at + 1].words)
                self._following = [later.words for later in clauses[at + 1 :]]
                self._clause(clause, begins_list)
            at += 1

    def _pair(self, clauses: Sequence[SpecClause]) -> bool:
        """`付款方式:月结30天` is a line with its value, once the table or the lines above it have been described."""
        if len(clauses) != 2 or not clauses[0].colon or clauses[0].dash:
            return False
        section: Section = self._section if self._section in ("header", "below") else "below"
        label, value = cleaned(clauses[0].words), clauses[1].words
        has_table = bool(self._found.lists["columns"]) or section == "header"
        if (
            not has_table
            or is_data_row(value)
            or len(split(value)) > 1
            or not is_label(label)
            or lead_at(f"{label}:", 0)
        ):
            return False
        if any(True for rule in STATEMENTS for _ in matches(SUBJECT, rule, value)):
            return False
        self._found.lists[section].append(self._item(label, value, f"{label}: {value}"))
        return True

    def _clause(self, clause: SpecClause, begins_list: bool = False) -> None:
        words = clause.words.strip(" ,、")
        for part in at_inner_tails(words):
            self._part(part.strip(" ,、"), clause.colon and not self._ends_list(clause), begins_list)

    def _ends_list(self, clause: SpecClause) -> bool:
        """Whether a dash stands behind the last of several columns: `name, date, signature - keep it short`."""
        is_listing = self._section in (None, "columns") and not self._is_closed
        return clause.dash and is_listing and bool(self._found.lists["columns"])

    def _part(self, words: str, colon: bool, begins_list: bool = False) -> None:
        if self._is_start and is_request(words) and self._named(words, colon or begins_list):
            return
        if self._opens_table(words, colon):
            return
        clause = words
        while words:
            words = self._with_owner(self._with_count(self._with_row_noun(self._with_subject(words))))
            if self._statement(words):
                return
            if (parts := joined(words, self._section)) is not None:
                for part in parts:
                    self._part(part, colon=False)
                return
            if self._adds(words):
                return
            is_name = any(matches(SUBJECT, "no_lead", words))
            lead = None if is_name else lead_at(f"{words}:" if colon else words, 0)
            if lead is None or (lead[0] == "averages" and lead[1] == len(words) and not begins_list):
                break  # an average of nothing is a name: "maths, english, average"
            section, end, is_table = lead
            is_below_lines = section == "below" and self._found.lists["header"] and not self._has_table
            if is_below_lines and opens_table_below(words[:end], words[end:], self._following):
                section, is_table = "columns", True
            self._is_next |= section is None and phrase_at(SUBJECT, "next", words) is not None
            self._open(section, is_table)
            if section is not None:
                self._side = self._side_of(words[:end]) if section in ("header", "below") else "auto"
            words = words[end:].strip(" ,:、")
        if words and not (self._is_start and self._named(words, colon or begins_list)):
            self._names(words, clause)
            if colon and self._section in COMMANDS:
                self._open("columns", is_table=False)

    def _opens_table(self, words: str, colon: bool) -> bool:
        """`items:` and `items (name, qty, price)`: a word for the table; what follows brackets is below it."""
        if colon and not self._is_start and any(matches(SUBJECT, "table_name", words)):
            self._open("columns", is_table=True)
            return True
        brackets = LIST_IN_BRACKETS.search(words)
        if not brackets or not any(matches(SUBJECT, "table_name", words[: brackets.start()])):
            return False
        self._open("columns", is_table=True)
        self._names(brackets[1], words)
        self._open("below", is_table=False)
        return True

    def _with_subject(self, words: str) -> str:
        """`for each event I'd like ...`, `it needs name, phone, address`: the words in front of a list of columns."""
        if subject := phrase_at(SUBJECT, "subject", words):
            self._found.name = self._found.name or titled(f"{subject.slots['noun']} sheet")
            return words[subject.end :].strip()
        wanted = wanted_names(words) if self._section in (None, "columns") else []
        if not wanted or self._found.lists["columns"]:
            return words
        self._open("columns", is_table=False)
        return "、".join(wanted)

    def _with_count(self, words: str) -> str:
        """`two columns: product and price`: how many columns there are opens their list."""
        counted = phrase_at(SUBJECT, "counted_columns", words)
        if counted is None:
            return words
        self._open("columns", is_table=False)
        count = int(counted.slots["count"]) + len(self._found.lists["columns"])
        self._found.expected_columns = self._item(str(count), None, words)
        return words[counted.end :].strip(" ,:")

    def _with_row_noun(self, words: str) -> str:
        """`one line per day: cash, card`: what each row is about opens the list of columns."""
        row = phrase_at(SUBJECT, "row_of", words)
        if row is None or self._found.lists["columns"] or row.end < len(words):
            return words
        self._open("columns", is_table=False)
        self._found.row_of = row.slots["noun"] or "日期"
        return ""

    def _adds(self, words: str) -> bool:
        """`add 7% VAT and a grand total`: amounts below the table."""
        adding = phrase_at(SUBJECT, "adding", words)
        labels = [cleaned(part) for part in split(words[adding.end :])] if adding else []
        if not labels or not self._belongs_below(labels):
            return False
        self._add("below", labels, words)
        return True

    def _with_owner(self, words: str) -> str:
        """`the items with quantity and price`: the items are a column too."""
        owner = phrase_at(SUBJECT, "owner", words)
        if owner is None or self._section not in (None, "columns") or owner.end == len(words):
            return words
        if statement_in(words, self._section)[0]:
            return words  # 各算各的钱
        self._open("columns", is_table=True)
        self._add("columns", [owner.slots["owner"]], words)
        return words[owner.end :].strip()

    def _side_of(self, lead: str) -> Side:
        return self._title_side if "under it" in lead.casefold() else side_in(lead)

    @property
    def _has_table(self) -> bool:
        return bool(self._found.lists["columns"]) or self._found.has_table_lead

    @property
    def _is_start(self) -> bool:
        """Whether a name of the report may still come."""
        return not (self._is_named or self._section or self._found.lists["columns"])

    def _open(self, section: Section | None, is_table: bool) -> None:
        if section is None:
            return
        columns = self._found.lists["columns"]
        if section == "columns" and is_table and not self._found.has_table_lead and not self._found.lists["header"]:
            self._found.lists["header"], self._found.lists["columns"] = columns, []
        if section == "columns":
            self._is_default, self._found.is_clear, self._found.has_lead = False, True, True
            self._found.has_table_lead |= is_table
        self._section, self._is_closed = section, False
        self._run = len(self._found.lists["columns"])

    def _statement(self, words: str) -> bool:
        rule, slots = statement_in(words, self._section)
        if rule is None or (rule == "all_totals" and self._is_column_of_amounts(words)):
            return False
        if (rule == "sign_places" and self._following) or (rule == "box_for" and not is_form(self._found.name)):
            return False  # who signs follows; only forms have boxes
        note(self._found, rule, slots, self._section, lambda label, value: self._item(label, value, words))
        return True

    def _is_column_of_amounts(self, words: str) -> bool:
        """Whether a bare word for a total is a column of a list that was announced: "columns are qty, price, total"."""
        columns = self._found.lists["columns"]
        is_announced = self._section == "columns" and self._found.has_lead and not self._is_default
        is_list = self._section in (None, "columns") and not self._is_closed and (is_announced or words.isascii())
        is_bare = is_total(words) and len(words.split()) == 1
        return is_list and is_bare and any(is_price(item.label) for item in columns) and not self._has_amount(columns)

    @staticmethod
    def _has_amount(columns: Sequence[Item]) -> bool:
        """Whether a column holds the amounts of its rows already."""
        return any(meaning(item.label).kind == "money" and not is_price(item.label) for item in columns)

    # --- names -------------------------------------------------------------------------------------------------------

    def _named(self, words: str, has_more: bool) -> bool:
        """Read words as the name of the report, and the list that follows it in the same clause."""
        marker = next((p for p in inner_leads(words) if p[0] >= max(1, request_end(words))), None)
        head, rest = (words[: marker[0]], words[marker[0] :].lstrip()) if marker else (words, "")
        noun = phrase_at(SUBJECT, "table_noun", rest)
        if noun and opens_columns(rest[noun.end :].strip()):  # a packing list with ...
            named = f"{head.strip()} {rest[: noun.end]}"
            head, rest = (named, rest[noun.end :]) if name_in(named, has_more=True) else (head, rest)
        if not rest and (brackets := LIST_IN_BRACKETS.search(head)):
            return self._named_with_list(head[: brackets.start()], brackets[1])
        name = name_in(head.strip(" ,"), has_more=has_more or bool(rest))
        if name is None and rest and marker and self._opens_list(rest):
            self._found.unread.append(self._description.as_written(head))
            name = ""
        if name is None:
            return False
        self._found.name = name or self._found.name
        self._found.has_lead |= bool(name)
        self._is_named = bool(name or rest)
        if not name and not rest:
            return True
        if rest:
            self._part(rest.strip(), colon=has_more)
        return True

    def _opens_list(self, rest: str) -> bool:
        """Whether words say themselves that columns follow: "with columns no, name"."""
        return phrase_at(SUBJECT, "column_lead", rest) is not None

    def _named_with_list(self, head: str, listed_columns: str) -> bool:
        """`a table of orders (order no, customer, date)`."""
        name = name_in(head.strip(" ,"), has_more=True)
        if name is None:
            return False
        self._found.name = name or None
        self._open("columns", is_table=True)
        self._names(listed_columns, listed_columns)
        return True

    def _names(self, words: str, clause: str) -> None:
        """Read the list of names in a clause; where one is no name, the whole clause is unread."""
        listed = without_each_row(words, self._found.labels("columns"))
        listed = without_purpose(self._before_closing(listed))
        section, words_of_list, value = list_end(listed, self._section, is_form(self._found.name))
        if words_of_list.startswith("(") and words_of_list.endswith(")"):
            words_of_list = words_of_list[1:-1]
        parts = split(words_of_list)
        noted = [without_computed(label) for label in map(cleaned, parts) if label]
        labels = [label for label, _ in noted]
        if section in (None, "columns") and any(map(is_tax, labels)) and self._belongs_below(labels):
            section = "below"
        may_tick = section == "header" or is_form(self._found.name)
        named = [with_value(label, section, may_tick) for label in labels]
        if value is not None and named:
            named[-1] = (named[-1][0], value)
        if self._is_closed and section in (None, "columns") and self._belongs_below([label for label, _ in named]):
            section = "below"
        are_names = all(self._may_be(label, section) for label, _ in named) and not any(map(is_several_columns, parts))
        if not are_names or not self._may_follow(labels, section):
            self._reject(clause, labels)
            return
        self._found.calculated += [self._item(label, None, clause) for label, is_computed in noted if is_computed]
        if section == "below" and self._section in (None, "columns") and not self._is_closed:
            named = self._keep_columns(named, words)
        self._found.misses_names |= self._has_rejected
        self._found.misses_lists |= self._has_rejected and section in (None, "columns")
        if section == "signatures":
            self._sign([label for label, _ in named], clause)
            return
        side = side_in(words[len(words_of_list) :]) if section != self._section else self._side
        self._take([replace(self._item(label, given, clause), side=side) for label, given in named], section, side)
        if self._is_next and len(self._found.lists["columns"]) > len(labels) > 1 and self._is_default:
            self._found.continued.append(self._description.as_written(clause))
        self._is_next = False
        if len(labels) > 1:
            self._run = len(self._found.lists["columns"])
        if section != self._section:
            self._section = "columns" if section == "header" else self._section

    def _take(self, items: Sequence[Item], section: Section | None, side: Side) -> None:
        """Add the names of a list to their section; only lines above the table stand on a side."""
        if section == "header" and section != self._section:
            self._move(section, side)
        target = section or "columns"
        self._found.lists[target] += [item if target == "header" else replace(item, side="auto") for item in items]

    def _is_size_of_the_report(self, label: str) -> bool:
        """Whether a word behind the name of the report says how large it is: `receipt, small, A5`."""
        is_next = self._is_named and self._is_default and not self._found.lists["columns"]
        return is_next and label.casefold() in _SIZES

    def _sign(self, labels: Sequence[str], clause: str) -> None:
        """Note who signs, and on which side of the page: `the driver on the left`, 左下技师."""
        if self._section == "below":
            self._move("signatures", "auto")
        for given in [name for label in labels for name in signers_beside(label)]:
            label, side = without_side(given)
            side = self._side if side == "auto" and self._section == "below" else side
            self._found.lists["signatures"].append(replace(self._item(cleaned(label), None, clause), side=side))

    def _reject(self, clause: str, labels: Sequence[str]) -> None:
        """Note a clause that is no list of names.

        One that only says what to do, behind the names, may be a change of the finished report. Any other may name
        what the report has: several names, words without an instruction, or words between names.
        """
        self._found.is_clear &= bool(self._found.name or self._found.lists["columns"])
        self._found.unread.append(self._description.as_written(clause))
        if all(map(is_about_parts, labels)):
            return
        self._found.misses_names |= len(labels) > 1 or not all(map(is_instruction, labels))
        self._has_rejected = True

    def _before_closing(self, words: str) -> str:
        """Return what stands before "……的表格" at the end of a list; it may also name the report."""
        closing = phrase_at_end("closing", words)
        if closing is None or self._section not in (None, "columns"):
            return words
        if self._found.name is None:
            self._found.name = name_in(re.sub(r"^.*?的", "", words[closing.start :]), has_more=False) or None
        return words[: closing.start].strip()

    def _belongs_below(self, labels: Sequence[str]) -> bool:
        return all(stands_below(label) for label in labels)

    def _may_follow(self, labels: Sequence[str], section: Section | None) -> bool:
        """Whether these may still be new columns. After the sentence that lists them, names only repeat columns."""
        known = {label.casefold() for label in self._found.labels("columns")}
        return not self._is_closed or section not in (None, "columns") or known >= {each.casefold() for each in labels}

    def _keep_columns(self, named: list[tuple[str, str | None]], words: str) -> list[tuple[str, str | None]]:
        """Return what of a list stands below: `unit price, amount and VAT at the end` has columns before it."""
        below = next((n for n, (label, _) in enumerate(named) if n == len(named) - 1 or stands_below(label)), 0)
        for label, value in named[:below]:
            self._found.lists["columns"].append(self._item(label, value, words))
        return named[below:]

    def _move(self, section: Section, side: Side) -> None:
        """Move the names of the present list to the section that its tail names."""
        source = self._found.lists["below" if section == "signatures" else "columns"]
        start = 0 if section == "signatures" else self._run
        if section == "signatures":
            start = next((n for n in range(len(source), 0, -1) if stands_below(source[n - 1].label)), 0)
        if section == "header" and self._section not in (None, "columns"):
            return
        if section == "signatures" and self._section != "below":
            return
        self._found.lists[section] += [replace(item, side=side) for item in source[start:]]
        del source[start:]

    def _may_be(self, label: str, section: Section | None) -> bool:
        if section in ("below", "header", "signatures") and is_quotation(label):
            return True
        if section == "signatures":
            return is_label(without_side(label)[0])
        if self._is_size_of_the_report(label):
            return False
        return is_label(label) or (section == "below" and stands_below(label))

    def _add(self, section: Section, labels: list[str], clause: str) -> None:
        self._found.lists[section] += [self._item(label, None, clause) for label in labels]

    def _item(self, label: str, value: str | None, clause: str) -> Item:
        filled = self._description.filled
        label, kind = typed(label)
        kept = label if is_quotation(label) and self._section in ("below", "header") else filled(label)
        return Item(kept, filled(value) if value is not None else None, self._description.as_written(clause), kind=kind)
