"""Let a template compute values and columns by formulas over others."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.fields.value_types import DECIMAL, STRING
from bandsmith.shared.jrxml.bands import section_in
from bandsmith.shared.jrxml.declarations import NUMBER_CLASSES
from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes, ensure_child, report_element
from bandsmith.shared.jrxml.expressions import expression_nodes, reference, references, rounded, sole_reference
from bandsmith.shared.jrxml.formulas import Compiled, compile_formula, decimal_value
from bandsmith.shared.jrxml.refusals import EditRefused, no_field
from bandsmith.shared.jrxml.variables import declared_total, order_variables
from bandsmith.shared.model.plan import Data

from .named_parts import NamedPart, Parts
from .proven_formulas import compute_column
from .stated_formulas import OPERAND, Formulas, decimals_of, operands_of

PATTERN = "#,##0.00"
"""That of a computed value where none of its operands has one."""


class ComputedParts:
    """Replaces values and columns by what computes them."""

    def __init__(self, editor: Editor, data: Data, parts: Parts) -> None:
        self._editor, self._parts = editor, parts
        self._decimals = {number: decimals_of(data, part) for number, part in parts.items()}
        self._elements = {number: _keys_of(editor, part) for number, part in parts.items()}

    def compute(self, formulas: Formulas) -> list[str]:
        """Compute parts by formulas, each of which stands after those of its operands. Return what is computed."""
        done = []
        for number, formula in formulas.items():
            with suppress(EditRefused):
                is_column = self._parts[number].scope == "field"
                if self._compute_column(number, formula) if is_column else self._compute_value(number, formula):
                    done.append(number)
        order_variables(self._editor.draft)
        return done

    def _compute_column(self, number: str, formula: str) -> bool:
        named = OPERAND.sub(lambda found: f'"{self._parts[found[1]].name}"', formula)
        return compute_column(self._editor, self._parts[number].name, named, self._decimals[number])

    def _compute_value(self, number: str, formula: str) -> bool:
        """Let a variable take the place of a value. Return whether it could: the value has to be printed alone."""
        part = self._parts[number]
        nodes = [node for node in self._editor.elements() if (report_element(node).get("key") or "") in
                 self._elements[number]]  # fmt: skip
        if not nodes or not all(sole_reference(content_of(node)) == ("P", part.name) for node in nodes):
            return False
        java = compile_formula(OPERAND.sub(r'"\1"', formula), lambda _, one: self._operand(one))
        java = rounded(java, self._decimals[number])
        name = self._editor.draft.free_name("variable", part.name)
        self._editor.apply([Declare(scope="variable", name=name, java_class=DECIMAL, expression=java)])
        of_rows = self._depends_on_rows(java)
        if not of_rows:  # it is there before the first row, and without any
            initial = ensure_child(declared_nodes(self._editor.root, "variable")[name], "initialValueExpression")
            initial.text = etree.CDATA(java)
        pattern = next((found for one in operands_of(formula) if (found := self._pattern_of(one))), PATTERN)
        for node in nodes:
            content = node.find(f"{J}textFieldExpression")
            content.text = reference("V", name)
            node.set("pattern", node.get("pattern") or pattern)
            if of_rows and section_in(self._band_of(node)) != "summary":
                node.set("evaluationTime", "Report")
        return True

    def _operand(self, number: str) -> Compiled:
        """Return an operand in Java: a value, what computes it by now, or the sum of a column."""
        part = self._parts[number]
        if part.scope == "field":
            letter, name = "V", self._sum_of(part)
        else:
            letter, name = self._printed(number) or ("P", part.name)
        declared = declared_nodes(self._editor.root, {"V": "variable", "P": "parameter"}[letter]).get(name)
        java_class = (declared.get("class") if declared is not None else None) or STRING
        if java_class not in NUMBER_CLASSES:
            raise no_field(name)
        value = reference(letter, name)
        return Compiled(decimal_value(value, java_class), f"{value} == null")

    def _sum_of(self, part: NamedPart) -> str:
        """Return the variable that sums a column, which may be a new one."""
        printed = next((one for one in self._in_rows() if one[1] == part.name), ("F", part.name))
        column = reference(*printed)
        if name := declared_total(self._editor.draft, "Sum", None, (column,)):
            return name
        scope = {"F": "field", "V": "variable"}[printed[0]]
        declared = declared_nodes(self._editor.root, scope).get(part.name)
        java_class = (declared.get("class") if declared is not None else None) or STRING
        if java_class not in NUMBER_CLASSES:
            raise no_field(part.name)
        name = self._editor.draft.free_name("variable", f"{part.name}_total")
        self._editor.apply(
            [Declare(scope="variable", name=name, java_class=java_class, calculation="Sum", expression=column)]
        )
        return name

    def _in_rows(self) -> list[tuple[str, str]]:
        """Return what the rows print alone."""
        texts = [node for band, root in self._editor.bands() if band == "detail" for node in root.iter(f"{J}textField")]
        return [printed for node in texts if (printed := sole_reference(content_of(node), "FV"))]

    def _printed(self, number: str) -> tuple[str, str] | None:
        """Return what is printed where a value was, if it is a value or variable alone."""
        for node in self._editor.elements():
            if (report_element(node).get("key") or "") in self._elements[number]:
                return sole_reference(content_of(node), "PV")
        return None

    def _pattern_of(self, number: str) -> str | None:
        nodes = (node for node in self._editor.elements() if report_element(node).get("key") in self._elements[number])
        return next((pattern for node in nodes if (pattern := node.get("pattern")) and "%" not in pattern), None)

    def _depends_on_rows(self, java: str) -> bool:
        """Whether an expression is computed of the rows, directly or through variables."""
        variables = declared_nodes(self._editor.root, "variable")
        for letter, name in references(java):
            node = variables.get(name) if letter == "V" else None
            if letter == "F" or (node is not None and self._is_of_rows(node)):
                return True
        return False

    def _is_of_rows(self, variable: etree._Element) -> bool:
        return variable.get("calculation", "Nothing") != "Nothing" or self._depends_on_rows(
            variable.findtext(f"{J}variableExpression") or ""
        )

    def _band_of(self, node: etree._Element) -> str:
        above = set(node.iterancestors())
        return next((name for name, band in self._editor.bands() if band in above), "")


def _keys_of(editor: Editor, part: NamedPart) -> set[str]:
    """Return the keys of all elements that use a part."""
    letters: Mapping[str, str] = {"parameter": "P", "field": "F"}
    own = (letters.get(part.scope, ""), part.name)
    found = set[str]()
    for node in expression_nodes(editor.root):
        if own in references(node.text or "") and (element := node.getparent()) is not None:
            report = element.find(f"{J}reportElement")
            found.add((report.get("key") or "") if report is not None else "")
    return found
