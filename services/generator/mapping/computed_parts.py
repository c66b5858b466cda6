"""Let a template compute values and columns by formulas over others."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.fields.stated_types import DEFAULT_PATTERN
from bandsmith.shared.fields.value_types import DECIMAL, INTEGER, LONG, STRING
from bandsmith.shared.jrxml.bands import section_in
from bandsmith.shared.jrxml.declarations import NUMBER_CLASSES
from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes, ensure_child, report_element
from bandsmith.shared.jrxml.expressions import (
    LETTERS,
    SCOPES,
    expression_nodes,
    reference,
    references,
    rounded,
    sole_reference,
)
from bandsmith.shared.jrxml.formulas import Compiled, compile_formula, decimal_value
from bandsmith.shared.jrxml.java_literals import java_string
from bandsmith.shared.jrxml.refusals import EditRefused, no_field
from bandsmith.shared.jrxml.values_in_wording import printed_value
from bandsmith.shared.jrxml.variables import declared_total, order_variables
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.sheet import Rounding

from .list_sums import sum_of_list
from .named_parts import NamedPart, Parts
from .proven_formulas import compute_column
from .stated_formulas import (
    OPERAND,
    Formulas,
    as_names,
    decimals_of,
    operands_of,
    rounding_for,
    row_sum,
    without_rounding,
)

_WHOLE_CLASSES = (INTEGER, LONG)


class ComputedParts:
    """Replaces values and columns by what computes them."""

    def __init__(self, editor: Editor, data: Data, parts: Parts, whole: Collection[str] = ()) -> None:
        """The parts `whole` are printed in whole numbers, whatever is computed."""
        self._editor, self._data, self._parts, self._whole = editor, data, parts, whole
        self._late: dict[str, str] = {}
        """What computes values that depend on lists, in Java, by number: it is known once the lists are printed."""
        self._keys = {number: _keys_of(editor, part) for number, part in parts.items()}

    def compute(self, formulas: Formulas) -> list[str]:
        """Compute parts by formulas, in this order. Return the numbers of the computed parts."""
        done = []
        for number, formula in formulas.items():
            with suppress(EditRefused):
                compute = self._compute_column if self._is_column(number) else self._compute_value
                if compute(number, formula):
                    done.append(number)
        order_variables(self._editor.draft)
        return done

    def keys_of_whole_numbers(self) -> set[str]:
        """Return the keys of the elements that print whole numbers, whatever is computed."""
        return {key for number in self._whole for key in self._keys[number]}

    def _rounding(self, number: str, formula: str) -> Rounding:
        stated = rounding_for(self._data, self._parts, number, formula)
        return stated or Rounding(decimals=decimals_of(self._data, self._parts[number]))

    def _compute_column(self, number: str, formula: str) -> bool:
        named = OPERAND.sub(lambda found: f'"{self._parts[found[1]].name}"', without_rounding(formula))
        rounding = self._rounding(number, formula)
        keeps_pattern = number in self._whole
        return compute_column(self._editor, self._parts[number].name, named, rounding, keeps_pattern=keeps_pattern)

    def _compute_value(self, number: str, formula: str) -> bool:
        """Let what computes a value take its place. Return whether it could: the value has to be printed alone."""
        part = self._parts[number]
        nodes = self._elements_of(number)
        if not nodes or not all(printed_value(content_of(node)) == ("P", part.name) for node in nodes):
            return False
        java = self._sum_alone(number, formula) or self._same(formula) or self._computing(number, formula)
        is_whole = isinstance(part.values[0], int) or self._is_of_whole_numbers(formula)
        pattern = next((found for one in operands_of(formula) if (found := self._pattern_of(one))), None)
        pattern = pattern or (None if is_whole else DEFAULT_PATTERN)
        of_rows = depends_on_rows(self._editor, java)
        for node in nodes:
            content = node.find(f"{J}textFieldExpression")
            is_alone = sole_reference(content.text) is not None
            printed = java if is_alone or sole_reference(java) else f"({java})"
            content.text = etree.CDATA(content.text.replace(reference("P", part.name), printed))
            if is_alone and (own := node.get("pattern") or pattern):
                node.set("pattern", own)
            if number in self._late or (of_rows and section_in(self._band_of(node)) != "summary"):
                node.set("evaluationTime", "Report")
        return True

    def _is_of_whole_numbers(self, formula: str) -> bool:
        return all(self._class_of(one) in _WHOLE_CLASSES for one in operands_of(formula))

    def _computing(self, number: str, formula: str) -> str:
        """Return what computes a value: a variable, or an expression where it depends on lists."""
        for one in operands_of(formula):  # refused before sums are declared
            self._require_number(one)
        rounding = self._rounding(number, formula)
        exact = compile_formula(as_names(formula), lambda _, one: self._operand(one))
        java = rounded(exact, rounding.decimals, rounding.mode)
        if any(one in self._late or self._parts[one].table for one in operands_of(formula)):
            self._late[number] = java
            return java
        name = self._editor.draft.free_name("variable", self._parts[number].name)
        self._editor.apply([Declare(scope="variable", name=name, java_class=DECIMAL, expression=java)])
        if not depends_on_rows(self._editor, java):  # it is there before the first row, and without any
            initial = ensure_child(declared_nodes(self._editor.root, "variable")[name], "initialValueExpression")
            initial.text = etree.CDATA(java)
        return reference("V", name)

    def _sum_alone(self, number: str, formula: str) -> str:
        """Return the variable of a value that is a sum and no more; empty where it is another formula."""
        rows, one = row_sum(formula), operands_of(formula)[0]
        if not self._is_column(one) or not (rows or OPERAND.fullmatch(formula.strip())):
            return ""
        self._require_number(one)
        column, part = reference(*self._source(one)), self._parts[one]
        if part.table:
            self._late[number] = reference("V", sum_of_list(self._editor, part.table, part.name))
            return self._late[number]
        if rows:
            letter, name = self._source(rows.where)
            if self._class_of(rows.where) != STRING:
                raise no_field(name)
            column = f"{java_string(rows.text)}.equals({reference(letter, name)}) ? {column} : null"
        return reference("V", self._sum_of(one, column, self._parts[number].name))

    def _same(self, formula: str) -> str:
        """Return the value that a formula repeats; empty where it computes something."""
        repeated = OPERAND.fullmatch(formula.strip())
        if repeated is None or self._is_column(repeated[1]) or repeated[1] in self._late:
            return ""
        self._require_number(repeated[1])
        return reference(*self._source(repeated[1]))

    def _operand(self, number: str) -> Compiled:
        """Return an operand in Java: a value, what computes it by now, or the sum of a column."""
        late, part = self._late.get(number, ""), self._parts[number]
        if late and not sole_reference(late):
            return Compiled(f"({late})", f"({late}) == null")
        letter, name = self._source(number)
        if part.table:
            letter, name = "V", sum_of_list(self._editor, part.table, part.name)
        elif self._is_column(number):
            letter, name = "V", self._sum_of(number, reference(letter, name), f"{name}_total")
        value = reference(letter, name)
        return Compiled(decimal_value(value, self._class_of(number)), f"{value} == null")

    def _require_number(self, number: str) -> None:
        if self._class_of(number) not in NUMBER_CLASSES:
            raise no_field(self._parts[number].name)

    def _source(self, number: str) -> tuple[str, str]:
        """Return what is printed of a part by now: itself, or what computes it."""
        name = self._parts[number].name
        if self._parts[number].table:
            return "F", name
        if self._is_column(number):
            return next((one for one in self._in_rows() if one[1] == name), ("F", name))
        return self._printed(number) or ("P", name)

    def _is_column(self, number: str) -> bool:
        return self._parts[number].scope == "field"

    def _class_of(self, number: str) -> str:
        """Return the class of what is printed of a part by now."""
        table, late = self._parts[number].table, self._late.get(number, "")
        if late and not sole_reference(late):
            return DECIMAL
        root = declared_nodes(self._editor.root, "subDataset")[table] if table else self._editor.root
        letter, name = self._source(number)
        declared = declared_nodes(root, SCOPES[letter]).get(name)
        return (declared.get("class") if declared is not None else None) or STRING

    def _sum_of(self, number: str, expression: str, stem: str) -> str:
        """Return the variable that sums what a column prints, or some of it; it may be a new one."""
        if total := declared_total(self._editor.draft, "Sum", None, (expression,)):
            return total
        total, java_class = self._editor.draft.free_name("variable", stem), self._class_of(number)
        self._editor.apply(
            [Declare(scope="variable", name=total, java_class=java_class, calculation="Sum", expression=expression)]
        )
        return total

    def _in_rows(self) -> list[tuple[str, str]]:
        """Return what the rows print alone."""
        texts = [node for band, root in self._editor.bands() if band == "detail" for node in root.iter(f"{J}textField")]
        return [printed for node in texts if (printed := sole_reference(content_of(node), "FV"))]

    def _printed(self, number: str) -> tuple[str, str] | None:
        """Return what is printed where a value was, if it is a value or variable alone."""
        return next((printed_value(content_of(node)) for node in self._elements_of(number)), None)

    def _pattern_of(self, number: str) -> str | None:
        patterns = [node.get("pattern") for node in self._elements_of(number)]
        return next((pattern for pattern in patterns if pattern and "%" not in pattern), None)

    def _elements_of(self, number: str) -> list[etree._Element]:
        """Return the elements that used a part before anything was computed, by their keys: edits replace the nodes."""
        keys = self._keys[number]
        return [node for node in self._editor.elements() if report_element(node).get("key") in keys]

    def _band_of(self, node: etree._Element) -> str:
        above = set(node.iterancestors())
        return next((name for name, band in self._editor.bands() if band in above), "")


def depends_on_rows(editor: Editor, java: str) -> bool:
    """Whether an expression is computed of the rows, directly or through variables."""
    variables = declared_nodes(editor.root, "variable")
    pending, seen = references(java), set[tuple[str, str]]()
    while pending:
        letter, name = one = pending.pop()
        node = variables.get(name) if letter == "V" else None
        # Variables that are not declared are those of the engine, which count rows and pages.
        if letter == "F" or (letter == "V" and (node is None or node.get("calculation", "Nothing") != "Nothing")):
            return True
        if node is not None and one not in seen:
            pending += references(node.findtext(f"{J}variableExpression") or "")
        seen.add(one)
    return False


def _keys_of(editor: Editor, part: NamedPart) -> set[str]:
    """Return the keys of the elements that use a part."""
    own = (LETTERS.get(part.scope, ""), part.name)
    found = set[str]()
    for node in expression_nodes(editor.root):
        if own in references(node.text or "") and (element := node.getparent()) is not None:
            report = element.find(f"{J}reportElement")
            found.add((report.get("key") if report is not None else None) or "")
    return found - {""}  # which expressions outside elements and elements without a key have
