"""What the Python of a step may be made of. Everything else is refused, whatever it would do."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

MODULES = frozenset(("pandas", "numpy", "math", "statistics", "datetime", "scipy.stats"))
"""What may be imported. Names that begin with an underscore cannot be reached in them."""
NODES: frozenset[type[ast.AST]] = frozenset((
    ast.Module, ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Import, ast.ImportFrom, ast.alias,
    ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Lambda, ast.If, ast.IfExp, ast.For, ast.While, ast.Break,
    ast.Continue, ast.Pass, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice,
    ast.Call, ast.keyword, ast.Starred, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp, ast.comprehension, ast.JoinedStr, ast.FormattedValue, ast.BinOp, ast.UnaryOp, ast.BoolOp,
    ast.Compare, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
))  # fmt: skip
"""Classes, decorators, ``with``, ``try``, ``global``, ``del``, ``match`` and everything asynchronous are missing."""
BUILTINS = frozenset((
    "abs", "all", "any", "bool", "dict", "divmod", "enumerate", "filter", "float", "int", "isinstance", "len", "list",
    "map", "max", "min", "pow", "range", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "zip",
))  # fmt: skip
ATTRIBUTES = frozenset(tomllib.loads(Path(__file__).with_name("attributes.toml").read_text("utf-8"))["attributes"])
"""Attributes that may be named, of whatever object."""
