"""One name for one thing: a public class of the program has a name of its own."""

from __future__ import annotations

import ast
from collections import defaultdict

from .source_trees import ROOT, SOURCES, parsed

SHARED_BY_DESIGN = {"Code"}
"""Each check's enum of findings; it is always named together with its module."""


def public_classes() -> dict[str, set[str]]:
    """Modules of each public class at the top of a module, by the class's name."""
    found = defaultdict(set)
    for path in SOURCES:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].add(str(path.relative_to(ROOT)))
    return found


def test_a_class_name_stands_for_one_thing():
    shared = {name: sorted(paths) for name, paths in public_classes().items() if len(paths) > 1}
    assert {name: paths for name, paths in shared.items() if name not in SHARED_BY_DESIGN} == {}
