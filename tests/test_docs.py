"""The documents are right: generated parts are fresh, and every command, file, test and setting they name exists."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from bandsmith.web.limits import MAX_BODY_BYTES
from tests.each_case import each
from tools import docs

ROOT = docs.ROOT
PAGES = [path.relative_to(ROOT) for path in sorted((*ROOT.glob("*.md"), *docs.FOLDER.glob("*.md")))]
CODE = [path for folder in ("bandsmith", "shared", "services") for path in (ROOT / folder).rglob("*.py")]


def text(path: str | Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", docs.PARTS, ids=lambda page: page.name)
def test_generated_parts_are_fresh(page: Path):
    assert page.read_text(encoding="utf-8") == docs.fresh(page), f"docs/{page.name} is stale: run `make docs`"


def test_a_missing_part_is_named():
    with pytest.raises(KeyError, match="weather"):
        docs.put(docs.SETTINGS.read_text(encoding="utf-8"), "weather", "fair")


def test_every_setting_is_documented():
    read = {name for path in CODE for name in re.findall(r"\"(BANDSMITH_[A-Z_]*[A-Z])\"", path.read_text())}
    documented = text("docs/settings.md")
    missing = sorted(name for name in read if f"`{name}`" not in documented)
    assert missing == [], "docs/settings.md lacks these settings"


def test_every_package_has_its_reason_and_licence():
    needed = tomllib.loads(text("pyproject.toml"))["project"]["dependencies"]
    rows = [line for line in text("docs/dependencies.md").splitlines() if line.count("|") == 4]
    named = {name.strip() for row in rows for name in row.split("|")[1].split(",")}
    packages = [match[0] for line in needed if (match := re.match(r"[\w-]+", line))]
    assert [package for package in packages if package not in named] == [], "docs/dependencies.md lacks these packages"


def test_every_page_is_in_the_navigation_of_the_site():
    navigation = tomllib.loads(text("zensical.toml"))["project"]["nav"]
    listed = set(re.findall(r"[\w-]+\.md", str(navigation)))
    assert listed == {path.name for path in docs.FOLDER.glob("*.md")}


def test_the_readme_begins_with_a_picture_of_the_page_and_its_manual_has_three():
    shown = {page: re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text(page)) for page in ("README.md", "docs/web.md")}
    assert shown["README.md"][0] == "docs/web.png" and len(shown["docs/web.md"]) >= 3


@each("page", PAGES)
def test_every_command_named_exists(page: Path):
    targets = set(re.findall(r"^([\w-]+):", text("Makefile"), re.MULTILINE))
    for target in re.findall(r"(?:^ +|`)make ([\w-]+)", text(page), re.MULTILINE):
        assert target in targets, f"{page} names `make {target}`"


@each("page", PAGES)
def test_every_file_named_exists(page: Path):
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)", text(page)):
        assert ((ROOT / page).resolve().parent / link).exists(), f"{page} links to {link}"
    named = re.findall(
        r"`((?:shared|services|bandsmith|tests|tools|samples|benchmarks)/[\w/.-]+)(?:::\w+)?`", text(page)
    )
    for path in named:
        assert (ROOT / path).exists(), f"{page} names {path}"


@each("page", PAGES)
def test_every_test_named_exists(page: Path):
    for path, test in re.findall(r"`(tests/[\w/.-]+)::(\w+)`", text(page)):
        tree = ast.parse(text(path))
        tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert test in tests, f"{page} names {path}::{test}"


def test_every_recipe_is_listed_with_at_most_four_files_and_its_test():
    contributing = text("CONTRIBUTING.md")
    rows = re.findall(r"^\| \[.+\]\(#(.+)\) \| (\d+) \| `(tests/.+)` \|$", contributing, re.MULTILINE)
    recipes = re.findall(r"^## (Add .+)$", contributing, re.MULTILINE)
    assert [anchor for anchor, _, _ in rows] == [recipe.lower().replace(" ", "-") for recipe in recipes]
    assert [anchor for anchor, files, _ in rows if int(files) > 4] == ["add-an-intent"]  # measured: five


def test_the_proxy_of_the_manual_sends_events_on_at_once_and_takes_whole_uploads():
    [proxy] = re.findall(r"For nginx:\n\n(.+?)\n\n\S", text("docs/web.md"), re.DOTALL)
    for line in ("ssl_certificate", "proxy_buffering off;", "proxy_request_buffering off;", "proxy_read_timeout 1h;"):
        assert line in proxy
    [megabytes] = re.findall(r"client_max_body_size (\d+)m;", proxy)
    assert int(megabytes) * 1024 * 1024 >= MAX_BODY_BYTES
