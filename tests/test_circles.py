"""Imports go in one direction: no modules import each other in a circle, and no packages."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from .source_trees import ROOT, write_modules
from .test_walls import imports, loaded, modules_by_name, parts

# --- modules ----------------------------------------------------------------------------------------------------------


def circle(folder: Path = ROOT) -> list[str]:
    """Return the dotted names of modules that import each other in a circle, the first one again at the end."""
    try:
        TopologicalSorter(loaded(folder)).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle():
    assert circle() == []


def test_a_circle_of_imports_is_named(tmp_path: Path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "one.py").write_text("from .two import number\n")
    (tmp_path / "shared" / "two.py").write_text("from bandsmith.shared import one\n")
    assert set(circle(tmp_path)) == {"bandsmith.shared.one", "bandsmith.shared.two"}


# --- packages ---------------------------------------------------------------------------------------------------------


def neighbours(folder: Path = ROOT) -> dict[str, set[str]]:
    """Return the packages that each package imports anywhere, other than those inside it or around it."""
    names = modules_by_name(folder)
    packages = {name: ".".join(parts(module, folder)[:-1]) for name, module in names.items()}
    found: dict[str, set[str]] = {package: set() for package in packages.values()}
    for name, module in names.items():
        for imported in imports(module, folder):
            known = imported if imported in names else imported.rpartition(".")[0]
            one, other = packages[name], packages.get(known, packages[name])
            if not f"{one}.".startswith(f"{other}.") and not f"{other}.".startswith(f"{one}."):
                found[one].add(other)
    return found


def circles(folder: Path = ROOT) -> list[set[str]]:
    """Return the groups of packages that import each other, directly or by way of others."""
    reached = neighbours(folder)
    while longer := [one for one, others in reached.items() if any(reached[other] - others for other in others)]:
        for one in longer:
            reached[one] = reached[one].union(*(reached[other] for other in reached[one]))
    groups = {
        frozenset(other.removeprefix("bandsmith.") for other in others if one in reached[other])
        for one, others in reached.items()
        if one in others
    }
    return [set(group) for group in sorted(groups, key=min)]


def test_no_packages_import_each_other_in_a_circle():
    assert circles() == []


def test_packages_that_import_each_other_are_named(tmp_path: Path):
    modules = {
        "shared/one/a.py": "from ..two import b",
        "shared/two/b.py": "def late():\n    from bandsmith.shared.three.inner import c",
        "shared/three/d.py": "from .inner import c\nfrom ..one.a import b",
        "shared/three/inner/c.py": "from ..d import b\nfrom ...one import a",
    }
    write_modules(tmp_path, modules)
    assert circles(tmp_path) == [{"shared.one", "shared.two", "shared.three.inner"}]
