"""The regular expressions of the project, and long texts on which each may be slow."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple

PACKAGES = ("bandsmith.shared", "bandsmith.services", "bandsmith.cli", "bandsmith.web")
LEFT_OUT = ("paddle", "worker", "__main__")
"""Modules that start something when they are imported."""
METHODS = "match|fullmatch|search|sub|subn|finditer|findall|split"
COMMON_UNITS = (" ", "a", "1", "a ", "a,", "中", "\n", "\t ", "(", '"', "-", ". ", "1,", "$F{", "a b 1, ")
SAMPLED = " a1Aé中,.;:-_'\"()\t\n$#/%=+*<>[]{}\\|&@!?~`^0x甲，。“”"
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
MIN_LONG = 20
"""A repetition with a lower limit cannot become long."""


class Used(NamedTuple):
    """A pattern, where it is, and the methods that it is called with."""

    pattern: re.Pattern[str]
    place: str
    methods: frozenset[str]


@cache
def all_patterns() -> list[Used]:
    """Return each pattern of text once."""
    found: dict[tuple[str, int], Used] = {}
    for module in _modules():
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        for name, value in list(vars(module).items()):
            for pattern in _patterns_in(value):
                used = Used(pattern, f"{module.__name__}.{name}", _methods(source, name))
                found.setdefault((pattern.pattern, pattern.flags), used)
        for pattern, line, method in _written_in_calls(source):
            used = Used(pattern, f"{module.__name__}:{line}", frozenset({method}))
            found.setdefault((pattern.pattern, pattern.flags), used)
    return list(found.values())


def _modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        root = importlib.import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not any(word in module.name for word in LEFT_OUT):
                yield importlib.import_module(module.name)


def _patterns_in(value: object, depth: int = 4) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict | list | tuple | frozenset) and depth:
        for each in [*value, *(value.values() if isinstance(value, dict) else ())]:
            yield from _patterns_in(each, depth - 1)


def _methods(source: str, name: str) -> frozenset[str]:
    """Return what a pattern of a module is called with; where it cannot be seen, what any pattern there is."""
    own = re.findall(rf"\b{re.escape(name)}\.({METHODS})\(", source)
    return frozenset(own or re.findall(rf"\bpattern\.({METHODS})\(", source) or {"search"})


def _written_in_calls(source: str) -> Iterator[tuple[re.Pattern[str], int, str]]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[ast.Constant(value=str(text)), *_]
            ):
                if re.fullmatch(METHODS, method):
                    yield re.compile(text), node.lineno, method


def run(used: Used, text: str) -> None:
    """Call the pattern as the program does."""
    if used.methods & {"sub", "subn", "finditer", "findall", "split"}:
        for _ in used.pattern.finditer(text):
            pass
    elif "search" in used.methods:
        used.pattern.search(text)
    else:
        for method in used.methods:
            getattr(used.pattern, method)(text)


def units(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Return beginnings, each with what is repeated after it to make the pattern try again and again."""
    random = Random(1)
    found = dict.fromkeys(("", unit) for unit in COMMON_UNITS)
    for before, unit in _repeated(parser.parse(pattern.pattern, pattern.flags), "", random):
        found.update(dict.fromkeys([(before, unit), ("", unit), ("", before + unit)]))
    return list(found)


def long_text(unit: tuple[str, str], length: int) -> str:
    """Return a text of this length and more, which ends in a character that nothing expects."""
    before, repeated = unit
    return before + (repeated * (length // len(repeated) + 1))[:length] + "\x00"


def _repeated(tree: Any, before: str, random: Random) -> Iterator[tuple[str, str]]:
    """Yield what matches before each long repetition, and what matches one of it."""
    for code, value in tree:
        parts: list[Any] = []
        if code in REPEATS:
            _, most, part = value
            if most >= MIN_LONG:
                yield from ((before, _matching(part, random) or " ") for _ in range(3))
            parts = [part]
        elif code is codes.SUBPATTERN:
            parts = [value[3]]
        elif code is codes.BRANCH:
            parts = value[1]
        elif code is codes.ATOMIC_GROUP:
            parts = [value]
        for part in parts:
            yield from _repeated(part, before, random)
        before += _matching([(code, value)], random)


def _matching(tree: Any, random: Random) -> str:
    """Return a text that a part of a pattern matches, as far as can be seen from the part alone."""
    text = ""
    for code, value in tree:
        if code is codes.LITERAL:
            text += chr(value)
        elif code in (codes.IN, codes.ANY, codes.NOT_LITERAL, codes.CATEGORY):
            text += random.choice(_accepted(code, value))
        elif code in REPEATS:
            text += "".join(_matching(value[2], random) for _ in range(max(value[0], random.randint(0, 1))))
        elif code is codes.SUBPATTERN:
            text += _matching(value[3], random)
        elif code is codes.BRANCH:
            text += _matching(random.choice(value[1]), random)
        elif code is codes.ATOMIC_GROUP:
            text += _matching(value, random)
    return text


def _accepted(code: Any, value: Any) -> list[str]:
    """Return characters that a class accepts."""
    if code is codes.ANY:
        return ["a"]
    if code is codes.NOT_LITERAL:
        return ["b" if chr(value) == "a" else "a"]
    members = value if code is codes.IN else [(code, value)]
    fitting = [char for char in SAMPLED if _is_member(char, members)]
    first = [
        chr(each if kind is codes.LITERAL else each[0])
        for kind, each in members
        if kind in (codes.LITERAL, codes.RANGE)
    ]
    return fitting or first or ["a"]


def _is_member(char: str, members: Any) -> bool:
    is_word = char.isalnum() or char == "_"
    categories = {
        codes.CATEGORY_SPACE: char.isspace(),
        codes.CATEGORY_NOT_SPACE: not char.isspace(),
        codes.CATEGORY_DIGIT: char.isdigit(),
        codes.CATEGORY_NOT_DIGIT: not char.isdigit(),
        codes.CATEGORY_WORD: is_word,
        codes.CATEGORY_NOT_WORD: not is_word,
    }
    is_negated = is_in = False
    for kind, value in members:
        match kind:
            case codes.NEGATE:
                is_negated = True
            case codes.LITERAL:
                is_in |= ord(char) == value
            case codes.RANGE:
                is_in |= value[0] <= ord(char) <= value[1]
            case codes.CATEGORY:
                is_in |= categories[value]
    return is_in != is_negated
