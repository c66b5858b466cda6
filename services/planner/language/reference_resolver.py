"""Resolve what words refer to in a template: by wording, field name, position or role on the page.

Theory of operation
===================

A reference is resolved in a fixed order, and the first answer counts:

1. a column by its number ("the third column");
2. a role ("the title", "页脚"), which means whatever has this role in the template;
3. the best fit among the labels of columns and the texts of the page (``best_fit.py``). Words that also look like a
   condition or a sentence need an almost exact fit. Two things that fit equally well make the reference ambiguous
   (``Several``), except that a column is preferred to other texts.

4. a description of how something looks or where it stands (``described_elements.py``).

Words that fit nothing are ``Missing`` only if they look like a name. Generic words ("the font", "数据") and parts of
sentences are no reference at all (None), so that another rule, or a model, may read the clause.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from bandsmith.shared.fonts import is_cjk

from .best_fit import AMBIGUITY_TOLERANCE, EXACT_FIT_THRESHOLD, FIT_THRESHOLD, BestFit
from .column_totals import names_column_total, total_of_column
from .counted_columns import column_by_number, columns_by_number
from .described_elements import DescribedElements
from .fuzzy_match import holds, normal
from .named_groups import NamedGroups
from .picture_pieces import are_one
from .reference_words import (
    asks_for_column,
    between_names,
    is_article,
    is_generic,
    is_nominal,
    of_kind,
    quotable,
    without_kind,
    words_in,
)  # fmt: skip
from .references import Missing, Reference, Several, Target, column_target, is_formula, prints_total, with_value
from .sentence_templates import listed, matches, phrases
from .template_view import TemplateView
from .view_elements import TableColumn, ViewElement

_DOCUMENT_NUMBERS = frozenset({
    "number", "document_no", "order_no", "invoice_no", "quote_no", "delivery_no", "receipt_no", "contract_no",
})  # fmt: skip
"""Parameters that hold the number of a document."""
PHRASES = frozenset({
    "named", "placed", "row", "label", "value", "amount", "columns_at_end", "numbered_columns", "spelled_amount",
    "column_from_left", "column_from_right", "of_kind", "joins_names", "generic", "asks_for_column", "no_name",
    "role_words", "repeated", "within", "with_its_value", "adding", "verb", "column_values", "column_total",
})  # fmt: skip
"""Sentences of the files: a name within words that say what is meant of it, and what has no name."""


class ReferenceResolver:
    """Resolves references to one template."""

    def __init__(self, view: TemplateView) -> None:
        self.view = view

    @cached_property
    def _described(self) -> DescribedElements:
        return DescribedElements(self.view, self.find, self.name_of)

    @cached_property
    def _fits(self) -> BestFit:
        return BestFit(self.view, self.name_of)

    @cached_property
    def _groups(self) -> NamedGroups:
        return NamedGroups(self.view, self.find_all, self._described)

    def block(self, relation: str, anchor: str) -> list[ViewElement]:
        """Return the texts that stand as one block on a side of what words name, the nearest first."""
        return [unit.pieces[0] for unit in self._described.block(relation, without_kind(anchor), 0)]

    def drawn_lines(self, relation: str, anchor: str, is_drawn: bool) -> list[ViewElement]:
        """Return the lines that are drawn on a side of what words name."""
        return self._described.drawn_lines(relation, without_kind(anchor), is_drawn)

    def find(self, words: str, quoted: bool = False) -> Reference:
        """Return the one thing that words refer to."""
        words = words.strip(" ,，、:：")
        if not words or len(words) > 60 or (not quoted and is_article(words)):
            return None
        if not quoted:
            found = column_by_number(words, self.view.columns) or self._by_role(words)
            # A column may be called what is elsewhere a role: “title” in a list of books that has no title itself.
            if found is not None and not (isinstance(found, Missing) and self._is_heading(words)):
                return found
        if not quoted and listed("references", "total_in_figures", words) and (total := self._total(words)):
            return total
        bare = words if quoted else without_kind(words)
        of_column = not quoted and asks_for_column(words)
        # “Line total” may be a name or the total of a line. Try it as a name first, then accept only an exact fit.
        named = "" if quoted else of_kind(words)
        if named and (found := self._fits.find(named, quoted, of_column)) is not None:
            return found
        is_total = not quoted and listed("references", "total", bare) is not None
        least = EXACT_FIT_THRESHOLD if named else FIT_THRESHOLD
        found = self._fits.find(bare, quoted, of_column, least, by_name=not is_total)
        if found is not None:
            return found
        if is_total:
            return self._total(words)
        if not quoted and (spelled := self._spelled_amount(words)):
            return spelled
        if not quoted and listed("references", "document_number", bare) and (number := self._document_number(words)):
            return number
        if not quoted and (described := self._described.find(words)) is not None:
            return described
        bare = named or bare
        if quoted or (not is_generic(bare) and is_nominal(bare) and not self._holds_a_name(bare)):
            return Missing(bare, "column" if asks_for_column(words) else "element")
        return None

    def _by_role(self, words: str) -> Target | Missing | Several | None:
        """Return what words name by what it is on the page, or by a part of that."""
        return (
            self._column_values(words)
            or total_of_column(self.view, words, self.column)
            or self._within(words)
            or self._role(words)
            or self._role(without_kind(words))
            or self._placed(words)
            or self._part(words)
        )

    def _column_values(self, words: str) -> Target | None:
        """Return the values of a column without its heading: “the numbers in the quantity column”, 数量那一列的数字."""
        for slots in matches("references", "column_values", words):
            column = self.column(slots["name"])
            if isinstance(column, TableColumn):
                cells = tuple(piece for piece in column.pieces if piece is not column.head)
                return Target(words, cells) if cells else None
        return None

    def _is_heading(self, words: str) -> bool:
        return any(normal(without_kind(words)) == normal(column.label) for column in self.view.columns)

    def _total(self, words: str) -> Target | Several | None:
        """Return the one number that is printed after the rows, as its label with the value, or as the value alone."""
        numbers = [
            piece
            for piece in self.view.in_sections("summary", "columnFooter")
            if not is_formula(piece) and (prints_total(piece) or self.view.numbers(piece))
        ]
        targets = [Target(words, (self.view.label_beside(piece) or piece,)) for piece in numbers]
        if len(targets) > 1:
            return self._fits.several(words, targets)
        return targets[0] if targets else None

    def _spelled_amount(self, words: str) -> Target | None:
        """Return the one label of an amount in words: 合计大写, “the amount in words”."""
        if not any(matches("references", "spelled_amount", words)):
            return None
        labels = [piece for piece in self.view.texts if phrases("references", "spelled_amount", piece.words)]
        return Target(words, (labels[0],)) if len(labels) == 1 else None

    def _document_number(self, words: str) -> Target | None:
        """Return the one text outside the rows that prints the number of the document, or its label."""
        found = []
        for piece in self.view.texts:
            label = self.view.label_beside(piece)
            names = {name for scope, name in piece.references if scope == "P"}
            if names and piece.section not in ("detail", "columnHeader") and _DOCUMENT_NUMBERS & names:
                found.append(label or piece)
        return Target(words, (found[0],)) if len(found) == 1 else None

    def _within(self, words: str) -> Target | None:
        """Return what is named with the part of the page where it is: “the company name in the footer”, 表格里的字."""
        for slots in matches("references", "within", words):
            part = self._role(slots["part"])
            if not isinstance(part, Target):
                continue
            if listed("references", "all_of_it", slots["name"]):
                return part
            found = self.find(slots["name"])
            if not isinstance(found, Target) or (found.role and found.role != "company"):
                continue
            keys = {piece.key for piece in part.pieces}
            if keys & {piece.key for piece in found.pieces}:
                return found
            printed = normal(self.view.printed(found.pieces[0]))
            there = [one for one in part.texts if printed and holds(normal(self.view.printed(one)), printed)]
            return Target(words, (there[0],)) if len(there) == 1 else None
        return None

    def _placed(self, words: str) -> Target | None:
        """Return a text that stands where the words say: “the date at the top right”."""
        for slots in matches("references", "placed", words):
            name = without_kind(slots["name"])
            if listed("references", "role", name) == "logo":
                pictures = [one for one in self.view.pictures if self.view.stands_at(one, slots["place"])]
                if are_one(pictures):
                    return Target(words, tuple(pictures))
            role = self._role(name)
            if isinstance(role, Target) and all(self.view.stands_at(piece, slots["place"]) for piece in role.pieces):
                return role
            in_rows = {piece.key for column in self.view.columns for piece in column.pieces}
            fits = [(self._fits.of_text(name, piece), piece) for piece in self.view.texts if piece.key not in in_rows]
            best = max((score for score, _ in fits), default=0.0)
            near = [piece for score, piece in fits if score >= max(FIT_THRESHOLD, best - AMBIGUITY_TOLERANCE)]
            there = [piece for piece in near if self.view.stands_at(piece, slots["place"])]
            if len(there) == 1:
                return Target(words, (there[0],))
        return None

    def _part(self, words: str) -> Target | Several | None:
        """Return the line that a text stands on, or a label or value alone, where the words ask for that."""
        for rule in ("row", "label", "with_its_value", "value", "amount"):
            for slots in matches("references", rule, words):
                found = self._fits.find(without_kind(slots["name"]), False, False)
                if isinstance(found, Several):
                    return found
                if found is None or found.column is not None or len(found.pieces) != 1:
                    continue
                piece = found.pieces[0]
                value = self.view.value_beside(piece)
                if rule == "amount" and (value is None or not prints_total(value)):
                    continue  # “the order amount” is not the order number
                if rule == "row":
                    return self._only_unit(words, found, self.line(words, found))
                if rule == "with_its_value":
                    return Target(words, (piece, value), alone=True) if value else Target(words, (piece,))
                if rule == "label":
                    return Target(words, (piece,), alone=True)
                return self._value_alone(words, piece)
        return None

    def _value_alone(self, words: str, piece: ViewElement) -> Target:
        value = self.view.value_beside(piece)
        return Target(words, (value or piece,), role="" if value else "value", alone=True)

    def _values(self, words: str) -> list[Target]:
        """Return the values of several labels: “制单、仓管后面的名字”."""
        for slots in matches("references", "value", words):
            found = self.find_all(slots["name"])
            if isinstance(found, list) and len(found) > 1 and all(len(one.pieces) == 1 for one in found):
                return [self._value_alone(words, one.pieces[0]) for one in found]
        return []

    def _only_unit(self, words: str, named: Target, line: Target) -> Target:
        """Return what “the line with the phone” means: the label with its value where others stand beside it."""
        if any(self._is_of_totals(piece) for piece in line.pieces):
            return line
        whole = with_value(self.view, named)
        labels = [piece for piece in line.pieces if piece.words.rstrip().endswith((":", "："))]
        if named.pieces[0] in labels and any(piece not in whole.pieces for piece in labels):
            return replace(whole, words=words, alone=True)
        unit = self._described.find(words)
        return unit if isinstance(unit, Target) and len(unit.pieces) < len(line.pieces) else line

    def line(self, words: str, target: Target) -> Target:
        """Return the line that a text stands on; of a total, with what is about totals before its label."""
        piece = target.pieces[0]
        line = self.view.line_of(piece)
        value = self.view.value_beside(piece)
        if value is not None and prints_total(value):
            line = [one for one in line if one.x >= piece.x or self._is_of_totals(one)]
        return Target(words, tuple(line), role="row")

    def _is_of_totals(self, piece: ViewElement) -> bool:
        value = self.view.value_beside(piece)
        return prints_total(piece) or (value is not None and prints_total(value))

    def find_all(self, words: str, quoted: bool = False) -> list[Target] | Missing | Several | None:
        """Return everything that a list of names refers to."""
        if not quoted and (several := self._groups.first(words)):
            return several
        whole = self.find(words, quoted)
        if isinstance(whole, Target):
            return [whole]
        ordinals = columns_by_number(words, self.view.columns)
        if ordinals is not None:
            return ordinals
        if not quoted and (values := self._values(words)):
            return values
        if not quoted and (group := self._groups.find(words)) is not None:
            return group or None
        parts = [part for part in between_names().split(words) if part]
        if len(parts) < 2:
            return self._run_together(words) or whole
        found = [self.find(part) for part in parts]
        for reference in found:
            if not isinstance(reference, Target):
                return reference
        return [reference for reference in found if isinstance(reference, Target)]

    def _run_together(self, words: str) -> list[Target]:
        """Return the columns and texts whose labels make up Chinese words without a mark between them: 单价金额."""
        rest, found = normal(words), list[Target]()
        known = [(normal(column.label), column_target(column, column.label)) for column in self.view.columns]
        known += [
            (label, Target(label, (piece,)))
            for piece in self.view.texts
            if len(label := normal(piece.words)) > 1 and piece.section != "columnHeader"
        ]
        while rest and not names_column_total(words):
            fits = [one for one in known if one[0] and rest.startswith(one[0])]
            if not fits or not is_cjk(rest[0]):
                return []
            label, target = max(fits, key=lambda one: len(one[0]))
            found.append(target)
            rest = rest[len(label) :]
        return found if len(found) > 1 else []

    def column(self, words: str, quoted: bool = False) -> TableColumn | Missing | Several | None:
        """Return the column that words refer to."""
        found = self.find(words, quoted)
        if isinstance(found, Target):
            if found.column is not None:
                return found.column
            # A value above the rows may be named like a column without being one.
            return Missing(quotable(words), "column") if not found.role else None
        return Missing(found.words, "column") if isinstance(found, Missing) else found

    def columns(self, words: str, quoted: bool = False) -> list[TableColumn] | Missing | Several | None:
        found = self.find_all(words, quoted)
        if isinstance(found, list):
            if all(target.column is not None for target in found):
                return [target.column for target in found if target.column is not None]
            return None if any(target.role for target in found) else Missing(quotable(words), "column")
        return Missing(found.words, "column") if isinstance(found, Missing) else found

    def _role(self, words: str) -> Target | Missing | Several | None:
        role = listed("references", "role", words)
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
            "company": lambda: [view.company] if view.company else [],
            "logo": lambda: view.logo,
            "line": lambda: view.lines,
            "lines": lambda: view.lines,
            "everything": lambda: view.texts,
        }[role]()
        if (role == "line" and len(pieces) > 1) or (role == "logo" and len(view.pictures) > 1):
            return Several(words)
        return Target(words, tuple(pieces), role=role) if pieces else Missing(words)

    def all_of_kind(self, kind: str, apart_from: Target) -> list[Target]:
        """Return the columns and texts whose name holds the word for their kind, other than one of them.

        Without a word, those whose name shares a word with the name of that one.
        """
        others = [column_target(column, kind) for column in self.view.columns]
        in_rows = {piece.key for column in self.view.columns for piece in column.pieces}
        values = {value.key for piece in self.view.texts if (value := self.view.value_beside(piece))}
        labels = [piece for piece in self.view.texts if piece.key not in in_rows | values and self.view.printed(piece)]
        others += [Target(kind, (piece,)) for piece in labels]
        keys = {piece.key for piece in apart_from.pieces}
        name = self.name_of(apart_from.pieces[0])
        words = words_in(kind) or words_in(name)
        return [
            target
            for target in others
            if not keys & {piece.key for piece in target.pieces} and words & self._words_about(target)
        ]

    def _words_about(self, target: Target) -> set[str]:
        """Return the words that name a thing: its label, its field, and those of the value that belongs to it."""
        if target.column is not None:
            return words_in(f"{target.column.label} {target.column.field}")
        [piece] = target.pieces
        value = self.view.value_beside(piece)
        fields = [name for one in (piece, value) if one for _, name in one.references]
        return words_in(" ".join([self.view.printed(piece), *fields]))

    def name_of(self, piece: ViewElement) -> str:
        """Return what a user would call an element: its text, or what is printed there; of a formula, its label."""
        if is_formula(piece):
            left = [one for one in self.view.line_of(piece) if one.x < piece.x and one.words and not is_formula(one)]
            return left[-1].words.strip().rstrip(":：") if left else piece.key
        return (piece.words or self.view.printed(piece) or piece.key).strip().rstrip(":：")

    def _holds_a_name(self, words: str) -> bool:
        """Whether words that fit nothing contain the name of something, so that they are more than a name."""
        wanted = normal(words)
        names = {normal(column.label) for column in self.view.columns}
        names |= {normal(piece.words) for piece in self.view.texts}
        if any(len(name) >= 2 and name in wanted for name in names):
            return True
        return bool(phrases("references", "role_words", wanted))
