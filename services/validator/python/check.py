"""Whether the Python of a step may run: every node, name and attribute of its syntax tree is on an allow-list."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from bandsmith.shared.replies import Text

from .allowed import ATTRIBUTES, BUILTINS, MODULES, NODES

MAX_CHARS, MAX_NODES = 8_000, 3_000
RESULT = "result"
"""The name that holds what the step gives."""
_METHODS_BY_NAME = frozenset(("agg", "aggregate", "apply", "transform", "map"))
"""Methods that call another one by its name, which is a text."""


class CodeRefused(Exception):
    """Code that must not run, with one sentence that says why."""

    def __init__(self, code: str, **values: object) -> None:
        self.code, self.reason = code, Text.of(code, **values)
        super().__init__(self.reason.en)


def check_code(code: str, frames: Collection[str]) -> None:
    """Check the code of a step that may use these data frames. Raises ``CodeRefused``."""
    if len(code) > MAX_CHARS:
        raise CodeRefused("data.python.too_long")
    try:
        tree = ast.parse(code)
        nodes = list(ast.walk(tree))
    except SyntaxError as error:
        raise CodeRefused("data.python.syntax", line=error.lineno or 1) from None
    except (ValueError, RecursionError, MemoryError):
        raise CodeRefused("data.python.too_long") from None
    if len(nodes) > MAX_NODES:
        raise CodeRefused("data.python.too_long")
    known = BUILTINS | frozenset(frames) | frozenset(_assigned(nodes))
    for node in nodes:
        _check_node(node, known)
    if RESULT not in set(_assigned(nodes)):
        raise CodeRefused("data.python.no_result")


def _assigned(nodes: Collection[ast.AST]) -> Iterator[str]:
    """Yield the names that the code gives to something."""
    for node in nodes:
        match node:
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.arg():
                yield node.arg
            case ast.FunctionDef():
                yield node.name
            case ast.alias():
                yield node.asname or node.name.partition(".")[0]


def _check_node(node: ast.AST, known: frozenset[str]) -> None:
    if not isinstance(node, tuple(NODES)):
        raise CodeRefused("data.python.construct", name=type(node).__name__)
    match node:
        case ast.Import():
            for alias in node.names:
                _check_import(alias.name, alias)
        case ast.ImportFrom():
            _check_import_from(node)
        case ast.FunctionDef() if node.decorator_list or node.name in BUILTINS:
            raise CodeRefused("data.python.construct", name=node.name)
        case ast.Name() if node.id.startswith("__") or node.id not in known:
            raise CodeRefused("data.python.name", name=node.id)
        case ast.arg() if node.arg.startswith("__"):
            raise CodeRefused("data.python.name", name=node.arg)
        case ast.Attribute() if node.attr not in ATTRIBUTES or not isinstance(node.ctx, ast.Load):
            raise CodeRefused("data.python.attribute", name=node.attr)
        case ast.Call(func=ast.Attribute(attr=name)) if name in _METHODS_BY_NAME:
            _check_names_of_methods(node)
        case ast.Constant(value=value) if isinstance(value, bytes):
            raise CodeRefused("data.python.construct", name="bytes")


def _check_import(name: str, alias: ast.alias) -> None:
    """Check an import. ``import scipy.stats`` without a name of its own would bind all of scipy."""
    if name not in MODULES or ("." in name and not alias.asname) or (alias.asname or "").startswith("_"):
        raise CodeRefused("data.python.module", name=name, known=", ".join(sorted(MODULES)))


def _check_import_from(node: ast.ImportFrom) -> None:
    module = node.module or ""
    for alias in node.names:
        is_module = f"{module}.{alias.name}" in MODULES
        is_member = module in MODULES and alias.name in ATTRIBUTES
        if node.level or not (is_module or is_member) or (alias.asname or "").startswith("_"):
            raise CodeRefused("data.python.module", name=f"{module}.{alias.name}", known=", ".join(sorted(MODULES)))


def _check_names_of_methods(call: ast.Call) -> None:
    """Check texts that name a method, as in ``frame.agg("sum")``, also within lists and dicts."""
    for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
        for node in ast.walk(argument):
            if isinstance(node, ast.JoinedStr):
                raise CodeRefused("data.python.construct", name="f-string")
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                _check_name_of_method(node.value)


def _check_name_of_method(name: str) -> None:
    """Refuse a text that pandas would look up as a method of its own."""
    import pandas  # noqa: PLC0415 - slow, and needed by few turns

    is_method = any(hasattr(kind, name) for kind in (pandas.DataFrame, pandas.Series, pandas.Index))
    if name.startswith("_") or (is_method and name not in ATTRIBUTES):
        raise CodeRefused("data.python.attribute", name=name)
