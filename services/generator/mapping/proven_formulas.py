"""Compute what the form's own numbers prove to be computed: row numbers, products, a tax, the total, also in words.

Nothing is assumed: a formula has to hold in every row of the form, and in rows that tell it from a coincidence. What is
computed prints what the form has, and goes on being right with other data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.edits.add_tax import AddTax
from bandsmith.shared.edits.compute_column import ComputeColumn
from bandsmith.shared.fields.value_types import DECIMAL
from bandsmith.shared.jrxml.amount_words import amount_in_words, chinese_words
from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes, int_attribute, report_element
from bandsmith.shared.jrxml.expressions import expression_nodes, references, rounded, sole_reference
from bandsmith.shared.jrxml.values_in_wording import labelled_value
from bandsmith.shared.model.plan import Data
from bandsmith.shared.model.sheet import Rounding

from .number_values import number_of

MIN_ROWS = 2
"""One row proves nothing."""
_CENT = Decimal("0.01")
_TO_CENTS = Rounding(decimals=2)
_RATE = re.compile(r"(\d{1,2}(?:[.,]\d{1,2})?)\s*[%％]")

Number = int | float


def compute_what_is_proven(
    editor: Editor,
    data: Data,
    labels: Mapping[str, str],
    add_up: Callable[[], None] | None = None,
    *,
    spelled: Sequence[tuple[str, str]] | None = None,
    counting: Collection[str] = (),
    whole: Collection[str] = (),
) -> Data:
    """Replace proven values by what computes them. Return the data that is still printed.

    `labels` are the labels on the form, by field name. `add_up` computes further totals in the same editor: it is
    called once, behind the taxes, which may compute them with their rate, and before what is no longer printed goes.
    `spelled` are the amounts in words, where they were looked for before other values were computed; the fields of
    `counting` number the rows, and the elements with the keys `whole` print whole numbers, as the form itself says.
    """
    spelled = list(spelled_amounts(editor, data)) if spelled is None else spelled
    number_rows(editor, data, counting)
    for field, one, other in products(data):
        if _printing(editor, field):  # else something computes it by now, such as a formula that a model stated
            compute_column(editor, field, f"{one} * {other}")
    for field, rate in taxes(editor, data, labels):
        tax = AddTax(field=field, rate=rate)
        if not _adds_text(editor, tax):
            editor.apply([tax])
    if add_up is not None:
        add_up()
    _print_whole_numbers_as_such(editor, whole)
    by_key = {report_element(node).get("key"): node for node in editor.elements()}
    for words, amount in spelled:
        _spell(by_key[words], by_key[amount])
    return _still_used(editor, data)


def number_rows(editor: Editor, data: Data, counting: Collection[str] = ()) -> None:
    """Let the engine count the rows where the first column does, in every row, or one of `counting`."""
    cells = [
        (int_attribute(report_element(node), "x"), printed[1], node)
        for band, root in editor.bands()
        for node in root.iter(f"{J}textField")
        if band == "detail" and (printed := sole_reference(content_of(node), "F"))
    ]
    known = [cell for cell in cells if cell[1] in counting]
    if not cells or len(data.rows) < (1 if known else MIN_ROWS) or len(data.rows) > len(data.filled_rows):
        return
    _, name, node = min(known or cells, key=lambda cell: cell[:2])
    numbers = [str(row.get(name)) for row in data.rows]
    if numbers == [str(number) for number in range(1, len(numbers) + 1)]:
        node.find(f"{J}textFieldExpression").text = "$V{REPORT_COUNT}"
        node.attrib.pop("pattern", None)


def spelled_amounts(editor: Editor, data: Data) -> Iterator[tuple[str, str]]:
    """Yield the keys of (text, number) for every text that says in Chinese words what a number below the rows is.

    The text may print its label, too: ``金额大写：壹佰元整``.
    """
    texts = [node for _, root in editor.bands() for node in root.iter(f"{J}textField")]
    amounts = [(amount, node) for node in texts if (amount := _amount(editor, node, data)) is not None]
    for node in texts:
        words = "".join(str(data.parameters.get(_printed_parameter(node), "")).split())
        same = [other for amount, other in amounts if words and words == chinese_words(amount)]
        if same:
            yield report_element(node).get("key") or "", report_element(same[0]).get("key") or ""


def _printed_parameter(node: etree._Element) -> str:
    """Return the parameter that a text prints, alone or after its label; empty where there is none."""
    if printed := sole_reference(content_of(node), "P"):
        return printed[1]
    labelled = labelled_value(content_of(node), "P")
    return labelled.name if labelled else ""


def _amount(editor: Editor, node: etree._Element, data: Data) -> Decimal | None:
    """Return the number that a text prints, if it is a single value or the sum of a field."""
    scope, name = sole_reference(content_of(node), "PV") or ("", "")
    if scope == "P":
        return number_of(data.parameters.get(name))
    variable = declared_nodes(editor.root, "variable").get(name)
    column = sole_reference(variable.findtext(f"{J}variableExpression") or "", "F") if variable is not None else None
    if variable is None or column is None or variable.get("calculation") != "Sum" or variable.get("resetGroup"):
        return None
    return _total_of(data, column[1])


def _total_of(data: Data, column: str) -> Decimal | None:
    """Return the sum of a column; None where a row has no number in it."""
    values = [number_of(row.get(column)) for row in data.filled_rows]
    numbers = [value for value in values if value is not None]
    return sum(numbers, Decimal(0)) if len(numbers) == len(values) else None


def _spell(text: etree._Element, number: etree._Element) -> None:
    """Let a text say in words what another one prints."""
    printed = sole_reference(content_of(number), "PV")
    if printed is None:
        return
    scope, name = printed
    words = amount_in_words(f"${scope}{{{name}}}", "zh")
    if labelled := labelled_value(content_of(text), "P"):
        words = f'{labelled.label} + (${scope}{{{name}}} == null ? "" : {words})'
    text.find(f"{J}textFieldExpression").text = etree.CDATA(words)
    if scope == "V" and next(text.iterancestors(f"{J}band")).getparent().tag != f"{J}summary":
        text.set("evaluationTime", "Report")  # elsewhere it would print before all rows are added up


def products(data: Data) -> list[tuple[str, str, str]]:
    """Return (field, factor, factor) for every column that is the product of two others in each row."""
    rows = data.filled_rows
    names = [name for name in (rows[0] if rows else {}) if all(number_of(row.get(name)) is not None for row in rows)]
    found: list[tuple[str, str, str]] = []
    for field in names:
        factors = [name for name in names if name != field and name not in {product for product, *_ in found}]
        for one, other in combinations(factors, 2):
            if _is_product(rows, field, one, other):
                found.append((field, one, other))
                break
    return found


def compute_column(
    editor: Editor, field: str, formula: str, rounding: Rounding = _TO_CENTS, *, keeps_pattern: bool = False
) -> bool:
    """Compute a column as the form prints it: in its pattern, and rounded, so that its total adds what is printed.

    Unless it `keeps_pattern`, whole numbers get hundredths where a result has some. Return whether this could be done.
    """
    before = set(declared_nodes(editor.root, "variable"))
    printing = _printing(editor, field)
    patterns = [node.get("pattern") or "0" for node in printing]
    patterns = patterns if keeps_pattern else [*map(_with_hundredths, patterns)]
    if not editor.apply([ComputeColumn(field=field, formula=formula)]):
        return False
    for name, node in declared_nodes(editor.root, "variable").items():
        if name not in before:
            expression = node.find(f"{J}variableExpression")
            expression.text = etree.CDATA(rounded(expression.text, rounding.decimals, rounding.mode))
    for node, pattern in zip(printing, patterns, strict=True):
        node.set("pattern", pattern)
    return True


def _printing(editor: Editor, field: str) -> list[etree._Element]:
    """Return the texts that print a field and nothing else."""
    return [node for node in editor.root.iter(f"{J}textField") if sole_reference(content_of(node)) == ("F", field)]


def _print_whole_numbers_as_such(editor: Editor, keys: Collection[str]) -> None:
    """Let what prints whole numbers on the form print hundredths only where its computed value has some.

    Elements with these `keys` go on printing whole numbers.
    """
    exact = {name for name, node in declared_nodes(editor.root, "variable").items() if node.get("class") == DECIMAL}
    for node in editor.root.iter(f"{J}textField"):
        printed = sole_reference(content_of(node), "V")
        if printed and printed[1] in exact and report_element(node).get("key") not in keys:
            node.set("pattern", _with_hundredths(node.get("pattern") or "0"))


def _with_hundredths(pattern: str) -> str:
    """Return a pattern of whole numbers with hundredths, in its part for negative numbers, too."""
    parts = [part.rpartition("0") for part in pattern.split(";")]
    if "." in pattern or not parts[0][1]:
        return pattern
    return ";".join(f"{before}0.##{after}" if digit else after for before, digit, after in parts)


def _is_product(rows: Sequence[Mapping[str, object]], field: str, one: str, other: str) -> bool:
    triples = [tuple(Decimal(str(row[name])) for name in (field, one, other)) for row in rows]
    telling = {(a, b) for _, a, b in triples if a not in (0, 1) and b not in (0, 1)}
    holds = all(product == (a * b).quantize(_CENT, ROUND_HALF_UP) for product, a, b in triples)
    return holds and len(rows) >= MIN_ROWS and len(telling) >= MIN_ROWS


def taxes(editor: Editor, data: Data, labels: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (column, rate) where a value is the tax of a column's total, and another one the two together."""
    numbers = {name: number_of(value) for name, value in data.parameters.items()}
    amounts = {name: value for name, value in numbers.items() if value is not None}
    for variable in editor.root.findall(f"{J}variable"):
        column = sole_reference(variable.findtext(f"{J}variableExpression") or "", "FV")
        if variable.get("calculation") != "Sum" or column is None or not data.rows:
            continue
        total = _total_of(data, column[1])
        if total is None:
            continue
        for name, value in amounts.items():
            rate = _RATE.search(labels.get(name, ""))
            if rate is None or total + value not in amounts.values():
                continue
            percent = rate[1].replace(",", ".")
            if value == (total * Decimal(percent) / 100).quantize(_CENT, ROUND_HALF_UP):
                yield column[1], percent


def _adds_text(editor: Editor, edit: AddTax) -> bool:
    """Whether an edit would print what the form has not, such as a grand total where the form has its own elsewhere."""
    trial = Editor(editor.bytes())
    trial.apply([edit])
    return len(trial.elements()) > len(editor.elements())


def _still_used(editor: Editor, data: Data) -> Data:
    """Remove the declarations and the data of what no expression refers to any more."""
    used = {name for node in expression_nodes(editor.root) for name in references(node.text or "")}
    gone = {
        letter: {
            name
            for name, node in declared_nodes(editor.root, scope).items()
            if (letter, name) not in used and not _is_sorted_by(editor, name)
        }
        for letter, scope in (("P", "parameter"), ("F", "field"))
    }
    for letter, scope in (("P", "parameter"), ("F", "field")):
        for name, node in declared_nodes(editor.root, scope).items():
            if name in gone[letter]:
                node.getparent().remove(node)
    fields = set(declared_nodes(editor.root, "field"))
    parameters = {name: value for name, value in data.parameters.items() if name not in gone["P"]}
    rows = [{name: value for name, value in row.items() if name in fields} for row in data.rows]
    return data.model_copy(update={"parameters": parameters, "rows": rows})


def _is_sorted_by(editor: Editor, name: str) -> bool:
    return any(node.get("name") == name for node in editor.root.findall(f"{J}sortField"))
