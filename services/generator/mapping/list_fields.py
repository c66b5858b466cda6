"""Name the lists of a form's further tables and their fields by the wording on the form, and type their values.

Fields of lists and of the report share one set of names: a change that names a field then means one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.fields.identifiers import name_for, unique_name
from bandsmith.shared.fields.notation import Notation
from bandsmith.shared.fields.value_types import STRING, TypedValues, infer_type
from bandsmith.shared.jrxml.dom import J, content_of, declared_nodes
from bandsmith.shared.jrxml.expressions import expression_nodes, reference, referenced_names, sole_reference
from bandsmith.shared.jrxml.writer import source_of
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import Block, Layout, Repeat
from bandsmith.shared.model.plan import Data

from ..planning.page_builder import list_name
from .detect_totals import names_total

MAX_TITLE_GAP = 2.5
"""Distance of a table's title from its header, in the title's font sizes."""
MAX_TITLE_CHARS = 40

Row = dict[str, str | int | float | bool | None]


def name_lists(editor: Editor, data: Data, layout: Layout, labels: Mapping[str, str], notation: Notation) -> Data:
    """Give the lists of a template and their fields names and types. Return the data by the new names.

    `labels` are those of the form's values by block id.
    """
    lists: dict[str, list[Row]] = {}
    for number, table in enumerate(layout.further, 1):
        old = list_name(number)
        if old not in data.lists:
            continue  # it stands where no list can, so that its rows are wording
        taken = {*declared_nodes(editor.root, "parameter"), *declared_nodes(editor.root, "subDataset")}
        name = name_for(_title_of(table, layout), f"table_{len(lists) + 2}", taken - {old})
        typed = _name_fields(editor.root, old, data.lists[old], labels, notation)
        rename_list(editor.root, old, name)
        lists[name] = typed
    return data.model_copy(update={"lists": lists})


def _title_of(table: Repeat, layout: Layout) -> str | None:
    """Return the wording above a table's header; None where there is none."""
    blocks = {block.id: block for block in layout.blocks}
    area = Box.around([table.box, *(blocks[name].box for name in table.header if name in blocks)])

    def is_title(block: Block) -> bool:
        gap = area.y - block.box.bottom
        beside = min(block.box.right, area.right) - max(block.box.x, area.x)
        return (
            block.role == "fixed"
            and len(block.text) <= MAX_TITLE_CHARS
            and not names_total(name_for(block.text, "", ()))  # it is that of the table above
            and 0 <= gap <= MAX_TITLE_GAP * block.style.size
            and beside > 0
        )

    above = [block for block in blocks.values() if is_title(block)]
    return max(above, key=lambda block: block.box.bottom).text if above else None


def _name_fields(
    root: etree._Element, dataset: str, rows: Sequence[Row], labels: Mapping[str, str], notation: Notation
) -> list[Row]:
    """Name and type the fields of a list. Return its rows by the new names."""
    own = {node.get("name") or "": node for node in declared_nodes(root, "subDataset")[dataset].iter(f"{J}field")}
    taken = {node.get("name") or "" for node in root.iter(f"{J}field")} - set(own)
    typed: dict[str, TypedValues] = {}
    for old, field in own.items():
        nodes = [node for node in expression_nodes(root) if old in referenced_names(node.text or "", "F")]
        texts = [value if isinstance(value, str) else None for value in (row.get(old) for row in rows)]
        label = next((labels[source] for node in nodes if (source := source_of(node.getparent())) in labels), None)
        alone = all(sole_reference(node.text or "", "F") for node in nodes)
        values = infer_type(texts, label, notation) if alone else TypedValues(STRING, None, tuple(texts))
        name = name_for(label, "picture" if "picture" in old else "value", taken, column=True)
        taken.add(name)
        typed[name] = values
        field.set("name", name)
        field.set("class", values.java_class)
        _refer_to(nodes, old, name, values.pattern)
    return [{name: values.values[row] for name, values in typed.items()} for row in range(len(rows))]


def _refer_to(nodes: Collection[etree._Element], old: str, name: str, pattern: str | None) -> None:
    for node in nodes:
        node.text = etree.CDATA((node.text or "").replace(reference("F", old), reference("F", name)))
        element = node.getparent()
        if pattern and content_of(element) == reference("F", name):
            element.set("pattern", pattern)


def rename_list_column(root: etree._Element, old: str, name: str) -> None:
    """Rename a column of a list where it is declared and printed. No other list and no report has one of its name."""
    for field in root.iter(f"{J}field"):
        if field.get("name") == old:
            field.set("name", name)
    nodes = [node for node in expression_nodes(root) if old in referenced_names(node.text or "", "F")]
    _refer_to(nodes, old, name, None)


def rename_list(root: etree._Element, old: str, name: str) -> None:
    """Rename a list's dataset, its runs, its parameter and its element."""
    declared_nodes(root, "subDataset")[old].set("name", name)
    declared_nodes(root, "parameter")[old].set("name", name)
    for run in root.iter(f"{J}datasetRun"):
        if run.get("subDataset") == old:
            run.set("subDataset", name)
    for node in expression_nodes(root):
        if reference("P", old) in (node.text or ""):
            node.text = etree.CDATA((node.text or "").replace(reference("P", old), reference("P", name)))
    for report in root.iter(f"{J}reportElement"):
        if report.get("key") == old:
            keys = {node.get("key") or "" for node in root.iter(f"{J}reportElement")}
            report.set("key", unique_name(name, keys))
