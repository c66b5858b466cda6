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

from collections.abc import Sequence

from bandsmith.shared.fields.column_kinds import meaning

from ..sentence_templates import listed, matches, phrase_at
from .brackets import LIST_IN_BRACKETS
from .clause_split import SpecClause, clauses_of, sentences_of
from .column_totals import are_two_sided, is_price
from .data_rows import is_data_row, is_row
from .description import Description
from .item import Item, Side
from .joined_parts import joined
from .labels import cleaned, is_label, split
from .leads import (
    at_inner_tails,
    inner_leads,
    lead_at,
    opens_columns,
    opens_table_below,
    side_in,
    wanted_names,
)
from .list_ends import COMMANDS
from .name_lists import NameLists
from .sections import STATEMENTS, SUBJECT, Section, Sections
from .statements import note, statement_in
from .summary_lines import is_total
from .titles import is_form, is_request, name_in, request_end, titled

MIN_LIST_MARKS = 2
"""Marks between the names of a list, from which on what stands before a comma in front of it is no name of it."""
_TICKED = frozenset({"ok", "okay"})
"""Words that say nothing, but for in a list of columns."""
_AMOUNTS = frozenset({"总价", "总金额", "总费用", "总价款"})
"""What each row comes to, unless another column holds that."""
_BARE_TOTALS = frozenset({"合计", "总计", "total"})


def read_sections(text: str, description: Description, title_side: Side = "auto") -> Sections:
    """Return what a masked description names; what is "under it" stands on the title's side."""
    return _SectionReader(description, title_side).read(text)


def _has_addends(columns: Sequence[Item]) -> bool:
    """Whether columns hold several amounts of each row, none of them a price, that may be added to each other."""
    amounts = [item for item in columns if meaning(item.label).kind == "money"]
    labels = [item.label for item in columns]
    adding = [item for item in amounts if meaning(item.label).adds_up]
    return len(adding) == len(amounts) > 1 and not are_two_sided(labels) and not any(map(is_price, labels))


def _is_title_of(words: str, names: str) -> bool:
    """Whether words name the list behind them, whose names have marks of their own: 采购申请，物品、规格、数量."""
    is_one_name = "、" not in words and not meaning(words).known
    return is_one_name and names.count("、") >= MIN_LIST_MARKS


class _SectionReader:
    """One description on its way to its sections."""

    def __init__(self, description: Description, title_side: Side) -> None:
        self._description, self._title_side = description, title_side
        self._lists = NameLists(description)
        self._found = self._lists.found
        self._following: Sequence[str] = []
        """The clauses of this sentence that are still to be read."""

    def read(self, text: str) -> Sections:
        for sentence, is_bullet in sentences_of(text):
            self._sentence(sentence, is_bullet)
        return self._found

    # --- sentences and clauses ---------------------------------------------------------------------------------------

    def _sentence(self, sentence: str, is_bullet: bool) -> None:
        self._lists.begin_sentence(goes_on=is_bullet)
        if self._lists.section == "data" and not is_row(sentence):
            self._lists.section = None
        clauses = clauses_of(sentence)
        at = 0
        while at < len(clauses):
            clause = clauses[at]
            if is_data_row(clause.words) or (self._lists.section == "data" and is_row(clause.words)):
                self._lists.add("data", [clause.words], clause.words)
            elif self._pair(clauses[at:]):
                at += 1
            else:
                self._following = [later.words for later in clauses[at + 1 :]]
                begins_list = bool(self._following) and (
                    opens_columns(self._following[0]) or (at == 0 and _is_title_of(clause.words, self._following[0]))
                )
                self._clause(clause, begins_list)
            at += 1

    def _pair(self, clauses: Sequence[SpecClause]) -> bool:
        """`付款方式:月结30天` is a line with its value, once the table or the lines above it have been described."""
        if len(clauses) != 2 or not clauses[0].colon or clauses[0].dash:
            return False
        section: Section = self._lists.section if self._lists.section in ("header", "below") else "below"
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
        self._found.lists[section].append(self._lists.item(label, value, f"{label}: {value}"))
        return True

    def _clause(self, clause: SpecClause, begins_list: bool = False) -> None:
        words = clause.words.strip(" ,、")
        for part in at_inner_tails(words):
            self._part(part.strip(" ,、"), clause.colon and not self._ends_list(clause), begins_list)

    def _ends_list(self, clause: SpecClause) -> bool:
        """Whether a dash stands behind the last of several columns: `name, date, signature - keep it short`."""
        is_listing = self._lists.may_be_columns and not self._lists.is_closed
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
            if (parts := joined(words, self._lists.section)) is not None:
                for part in parts:
                    self._part(part, colon=False)
                return
            if self._adds(words):
                return
            is_name = any(matches(SUBJECT, "no_lead", words))
            lead = None if is_name else lead_at(f"{words}:" if colon else words, 0)
            if lead is None or (lead[1] == len(words) and self._is_name_of_result(lead[0], words, begins_list)):
                break
            section, end, is_table = lead
            is_below_lines = section == "below" and self._found.lists["header"] and not self._has_table
            if is_below_lines and opens_table_below(words[:end], words[end:], self._following):
                section, is_table = "columns", True
            self._lists.is_next |= section is None and phrase_at(SUBJECT, "next", words) is not None
            self._lists.open(section, is_table)
            if section is not None:
                self._lists.side = self._side_of(words[:end]) if section in ("header", "below") else "auto"
            words = words[end:].strip(" ,:、")
        if words and not (self._is_start and self._named(words, colon or begins_list)):
            self._lists.read(words, clause)
            if colon and self._lists.section in COMMANDS:
                self._lists.open("columns", is_table=False)

    def _opens_table(self, words: str, colon: bool) -> bool:
        """`items:` and `items (name, qty, price)`: a word for the table; what follows brackets is below it."""
        if colon and not self._is_start and any(matches(SUBJECT, "table_name", words)):
            self._lists.open("columns", is_table=True)
            return True
        brackets = LIST_IN_BRACKETS.search(words)
        if not brackets or not any(matches(SUBJECT, "table_name", words[: brackets.start()])):
            return False
        self._lists.open("columns", is_table=True)
        self._lists.read(brackets[1], words)
        self._lists.open("below", is_table=False)
        return True

    def _with_subject(self, words: str) -> str:
        """`for each event I'd like ...`, `it needs name, phone, address`: the words in front of a list of columns."""
        if subject := phrase_at(SUBJECT, "subject", words):
            self._found.name = self._found.name or titled(f"{subject.slots['noun']} sheet")
            return words[subject.end :].strip()
        if not self._found.lists["columns"] and (named := wanted_names(words, "table_list")):
            self._lists.open("columns", is_table=True)
            return "、".join(named)
        wanted = wanted_names(words) if self._lists.may_be_columns else []
        if not wanted or self._found.lists["columns"]:
            return words
        self._lists.open("columns", is_table=False)
        return "、".join(wanted)

    def _with_count(self, words: str) -> str:
        """`two columns: product and price`: how many columns there are opens their list."""
        counted = phrase_at(SUBJECT, "counted_columns", words)
        if counted is None:
            return words
        self._lists.open("columns", is_table=False)
        count = int(counted.slots["count"]) + len(self._found.lists["columns"])
        self._found.expected_columns = self._lists.item(str(count), None, words)
        return words[counted.end :].strip(" ,:")

    def _with_row_noun(self, words: str) -> str:
        """`one line per day: cash, card`: what each row is about opens the list of columns."""
        row = phrase_at(SUBJECT, "row_of", words)
        if row is None or self._found.lists["columns"] or row.end < len(words):
            return words
        self._lists.open("columns", is_table=False)
        self._found.row_of = row.slots["noun"] or "日期"
        return ""

    def _adds(self, words: str) -> bool:
        """`add 7% VAT and a grand total`: amounts below the table."""
        adding = phrase_at(SUBJECT, "adding", words)
        labels = [cleaned(part) for part in split(words[adding.end :])] if adding else []
        if not labels or not self._lists.belong_below(labels):
            return False
        self._lists.add("below", labels, words)
        return True

    def _with_owner(self, words: str) -> str:
        """`the items with quantity and price`: the items are a column too."""
        owner = phrase_at(SUBJECT, "owner", words)
        if owner is None or self._lists.section not in (None, "columns") or owner.end == len(words):
            return words
        if statement_in(words, self._lists.section)[0]:
            return words  # 各算各的钱
        self._lists.open("columns", is_table=True)
        self._lists.add("columns", [owner.slots["owner"]], words)
        return words[owner.end :].strip()

    def _side_of(self, lead: str) -> Side:
        return self._title_side if "under it" in lead.casefold() else side_in(lead)

    @property
    def _has_table(self) -> bool:
        return bool(self._found.lists["columns"]) or self._found.has_table_lead

    @property
    def _is_start(self) -> bool:
        """Whether a name of the report may still come."""
        return not (self._lists.is_named or self._lists.section or self._found.lists["columns"])

    def _statement(self, words: str) -> bool:
        rule, slots = statement_in(words, self._lists.section)
        if rule == "all_totals" and self._lists.ends_in_tax():
            self._lists.add("below", [cleaned(words)], words)
            return True
        if rule is None or (rule == "all_totals" and self._is_column_of_amounts(words)):
            return False
        if rule == "filler" and words.casefold() in _TICKED and self._lists.may_be_columns and self._has_table:
            return False  # a column to tick: `item, ok, not ok`
        if (rule == "sign_places" and self._following) or (rule == "box_for" and not is_form(self._found.name)):
            return False  # who signs follows; only forms have boxes
        if rule == "signer_signs" and listed(SUBJECT, "no_signer", slots["signer"]) is not None:
            return False  # "enough room to sign" asks for room, and no room signs
        note(
            self._found,
            rule,
            slots,
            self._lists.section,
            lambda label, value: self._lists.item(label, value, words),
        )
        return True

    def _is_name_of_result(self, section: Section | None, words: str, begins_list: bool) -> bool:
        """Whether a lead with nothing behind it is a name: `maths, english, average`, `rent, heating, total`."""
        if section == "averages":
            return not begins_list
        return section == "totals" and self._is_column_of_amounts(words)

    def _is_column_of_amounts(self, words: str) -> bool:
        """Whether a bare word for a total is a column.

        It is one in a list that was announced ("columns are qty, price, total"), and behind several amounts of each
        row: 房号 水费 电费 合计.
        """
        columns = self._found.lists["columns"]
        may_follow = self._lists.may_be_columns and not self._lists.is_closed
        if may_follow and words.casefold() in _BARE_TOTALS and _has_addends(columns):
            return True
        has_price = any(is_price(item.label) for item in columns)
        is_amount = words in _AMOUNTS or (words == "小计" and has_price)
        if may_follow and is_amount and not self._has_amount(columns):
            return True
        is_announced = self._lists.section == "columns" and self._found.has_lead and not self._lists.is_default
        is_list = may_follow and (is_announced or words.isascii())
        is_bare = is_total(words) and len(words.split()) == 1
        return is_list and is_bare and has_price and not self._has_amount(columns)

    @staticmethod
    def _has_amount(columns: Sequence[Item]) -> bool:
        """Whether a column holds the amounts of its rows already."""
        return any(meaning(item.label).kind == "money" and not is_price(item.label) for item in columns)

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
        self._lists.is_named = bool(name or rest)
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
        self._lists.open("columns", is_table=True)
        self._lists.read(listed_columns, listed_columns)
        return True
