"""What the documents say is so: generated parts are fresh, and every command, file, test and setting named exists."""

import ast
import re
import tomllib

import pytest

from tools import docs

ROOT = docs.README.parent
DOCUMENTS = [path.name for path in ROOT.glob("*.md")]
CODE = [path for room in ("bandsmith", "shared", "services") for path in (ROOT / room).rglob("*.py")]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_readme_shows_the_code_as_it_is():
    readme = text("README.md")
    assert readme == docs.fresh(readme), "README.md is stale: run `make docs`"


def test_a_part_that_the_readme_lacks_is_named():
    with pytest.raises(KeyError, match="weather"):
        docs.put(text("README.md"), "weather", "fair")


def test_every_setting_is_in_the_readme():
    read = {name for path in CODE for name in re.findall(r"\"(BANDSMITH_[A-Z_]*[A-Z])\"", path.read_text())}
    missing = {name for name in read if f"`{name}`" not in text("README.md")}
    assert not missing, f"README.md does not speak of {sorted(missing)}"


def test_every_package_has_its_reason_and_licence():
    needed = tomllib.loads(text("pyproject.toml"))["project"]["dependencies"]
    rows = [line for line in text("README.md").splitlines() if line.count("|") == 4]
    named = {name.strip() for row in rows for name in row.split("|")[1].split(",")}
    missing = [package for line in needed if (package := re.match(r"[\w-]+", line)[0]) not in named]
    assert not missing, f"README.md's table of packages lacks {missing}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_named_is_in_the_makefile(name):
    targets = set(re.findall(r"^([\w-]+):", text("Makefile"), re.MULTILINE))
    for target in re.findall(r"(?:^ +|`)make ([\w-]+)", text(name), re.MULTILINE):
        assert target in targets, f"{name} names `make {target}`"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_file_named_is_there(name):
    named = re.findall(r"\]\((?!https?:|#)([^)]+)\)", text(name))
    named += re.findall(
        r"`((?:shared|services|bandsmith|tests|tools|samples|benchmarks)/[\w/.-]+)(?:::\w+)?`", text(name)
    )
    for path in named:
        assert (ROOT / path).exists(), f"{name} names {path}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_test_named_is_there(name):
    for path, test in re.findall(r"`(tests/[\w/.-]+)::(\w+)`", text(name)):
        tree = ast.parse(text(path))
        assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}, (
            f"{name} names {path}::{test}"
        )
