"""Sum a column of a list for the report: the list's dataset adds it up and hands the sum over once it is printed."""

from __future__ import annotations

from lxml import etree

from bandsmith.shared.editing import Editor
from bandsmith.shared.jrxml.dom import J, declared_nodes, insert_child, new_node
from bandsmith.shared.jrxml.expressions import reference


def sum_of_list(editor: Editor, table: str, column: str) -> str:
    """Return the variable of the report that has the sum of a list's column; it is declared if there is none.

    It has no value before the list is printed.
    """
    [run] = [one for one in editor.root.iter(f"{J}datasetRun") if one.get("subDataset") == table]
    dataset = declared_nodes(editor.root, "subDataset")[table]
    own = f"{column}_total"
    for given in run.iter(f"{J}returnValue"):
        if given.get("fromVariable") == own:
            return given.get("toVariable") or ""
    java_class = declared_nodes(dataset, "field")[column].get("class") or ""
    total = new_node("variable", name=own, calculation="Sum", **{"class": java_class})
    total.append(new_node("variableExpression"))
    total[-1].text = etree.CDATA(reference("F", column))
    dataset.append(total)
    name = editor.draft.free_name("variable", own)
    insert_child(editor.root, new_node("variable", name=name, calculation="System", **{"class": java_class}))
    run.append(new_node("returnValue", fromVariable=own, toVariable=name))
    return name
