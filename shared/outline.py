"""An outline: a template in so few words that a prompt can hold it, and the names by which its parts are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any


def bands(root: Any) -> list[tuple[str, Any]]:
    """(name, band) in document order.

    A section's name, with a number where the section has several bands (``detail[2]``), and with its group where the
    report has several (``groupHeader(region)``).
    """
    groups = len(root.findall("{*}group"))
    found = []
    for band in root.iter("{*}band"):
        section = band.getparent()
        name = _local(section)
        if name.startswith("group") and groups > 1:
            name += f"({section.getparent().get('name', '')})"
        siblings = section.findall("{*}band")
        found.append((name if len(siblings) == 1 else f"{name}[{siblings.index(band) + 1}]", band))
    return found


def elements(root: Any) -> list[tuple[str, Any]]:
    """(name, element) in document order, frames before what is in them.

    An element is called by its key; one without a key, or with another's, by its band and its number in it.
    """
    found = []
    keys: Counter[str] = Counter()
    for band_name, band in bands(root):
        for place, node in enumerate(inside(band), 1):
            key = node.find("{*}reportElement").get("key", "")
            keys[key] += 1
            found.append((key if key and keys[key] == 1 else f"{band_name}.{place}", node))
    return found


def inside(container: Any) -> Iterator[Any]:
    """The elements in a band or frame, frames before what is in them."""
    for node in container:
        if _local(node) == "elementGroup":
            yield from inside(node)
        elif node.find("{*}reportElement") is not None:
            yield node
            if _local(node) == "frame":
                yield from inside(node)


def _local(node: Any) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""
