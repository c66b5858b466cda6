"""The parser and the allow-list of what an expression may consist of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

import tree_sitter_java
from tree_sitter import Language, Node, Parser

from . import tokens
from .members import METHODS, is_type, members_of

MAX_EXPRESSION_CHARS = 4000
MAX_DEPTH = 400
"""Levels of a tree: a sum of as many parts, or as many brackets in brackets."""


class Reason(StrEnum):
    """Why an expression is refused."""

    LENGTH = "length"
    DEPTH = "depth"
    SYNTAX = "syntax"
    BLOCK = "block"
    OPERATOR = "operator"
    ASSIGNMENT = "assignment"
    PARAMETER = "parameter"
    NAME = "name"


class JavaRefused(Exception):
    """Raised for an expression that must not be compiled. `about` is the part of it that is meant."""

    def __init__(self, reason: Reason, about: str = "") -> None:
        super().__init__(reason, about)
        self.reason, self.about = reason, about


FORBIDDEN_PARAMETERS = {
    "REPORT_CLASS_LOADER", "REPORT_CONNECTION", "REPORT_CONTEXT", "JASPER_REPORTS_CONTEXT", "JASPER_REPORT",
    "REPORT_SCRIPTLET", "REPORT_URL_HANDLER_FACTORY", "REPORT_FILE_RESOLVER", "REPORT_VIRTUALIZER",
    "REPORT_PARAMETERS_MAP", "REPORT_FORMAT_FACTORY", "REPORT_TEMPLATES", "REPORT_DATA_SOURCE",
}  # fmt: skip
_FUNCTIONS = {"msg", "str"}
_INNER = {
    "parenthesized_expression", "binary_expression", "unary_expression", "ternary_expression", "instanceof_expression",
    "cast_expression", "array_access", "array_creation_expression", "array_initializer", "argument_list",
    "dimensions", "dimensions_expr", "array_type", "generic_type", "type_arguments", "wildcard",
}  # fmt: skip
"""Nodes that are allowed if what they consist of is."""
_TEXTS = {"string_literal", "character_literal"}
_WORDS = {
    "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
    "decimal_floating_point_literal", "true", "false", "null_literal", "integral_type", "floating_point_type",
    "boolean_type",
}  # fmt: skip
_COMMENTS = {"line_comment", "block_comment"}
_ASSIGNMENTS = {"assignment_expression", "update_expression"}
_BLOCKS = {"class_body", "block", "switch_block", "switch_expression"}
_OPERATORS = {"lambda_expression": "->", "method_reference": "::"}
_CONSTANT = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_PROLOGUE, _EPILOGUE = "Object x = (", "\n);"
_LANGUAGE = Language(tree_sitter_java.language())


@lru_cache(maxsize=4096)
def normal_form(expression: str) -> str:
    """Return the expression printed from its tree. Raises ``Refused``."""
    if len(expression) > MAX_EXPRESSION_CHARS:
        raise JavaRefused(Reason.LENGTH)
    source = tokens.without_references(tokens.decode_unicode_escapes(expression))
    for reference in source.references.values():
        if reference.startswith("$P") and reference[3:-1] in FORBIDDEN_PARAMETERS:
            raise JavaRefused(Reason.PARAMETER, reference)
    encoded = (_PROLOGUE + source.text + _EPILOGUE).encode("utf-8", "replace")
    tree = Parser(_LANGUAGE).parse(encoded)
    top = _single_expression(tree.root_node, len(encoded) - len(_EPILOGUE) + 2)
    printed = "".join(_printed(top, source.references)).strip()
    if not printed:
        raise JavaRefused(Reason.SYNTAX)
    return printed


def _single_expression(root: Node, end: int) -> Node:
    """Return the brackets that we put around the expression. They must hold one expression, and end where we did."""
    if refusal := _refused_construct(root):
        raise refusal
    declaration = root.children[0] if root.child_count == 1 and not root.has_error else None
    value = (
        declaration.children[1].child_by_field_name("value") if declaration and declaration.child_count == 3 else None
    )
    if value is None or value.type != "parenthesized_expression" or value.start_byte != len(_PROLOGUE) - 1:
        raise JavaRefused(Reason.SYNTAX)
    if value.end_byte != end or sum(child.type not in _COMMENTS for child in value.children) != 3:
        raise JavaRefused(Reason.SYNTAX)
    return value


def _refused_construct(root: Node) -> JavaRefused | None:
    """Return what to tell a person about a construct that is no plain expression, if there is one."""
    for node, depth in _nodes(root):
        if depth > MAX_DEPTH:
            return JavaRefused(Reason.DEPTH)
        if node.type in _OPERATORS:
            return JavaRefused(Reason.OPERATOR, _OPERATORS[node.type])
        if node.type in _BLOCKS:
            return JavaRefused(Reason.BLOCK)
        if node.type in _ASSIGNMENTS:
            operator = next((c.type for c in node.children if not c.is_named), "=")
            return JavaRefused(Reason.ASSIGNMENT, operator)
    return None


def _nodes(root: Node) -> Iterator[tuple[Node, int]]:
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for child in reversed(node.children)]


def _printed(top: Node, references: dict[str, str]) -> Iterator[str]:
    """Yield the tokens of the expression inside our brackets, and the spaces between them."""
    before, end = "", top.start_byte + 1
    for leaf, word in _tokens(top, references):
        if leaf.start_byte == top.start_byte or leaf.end_byte == top.end_byte:
            continue  # our brackets
        if before and ((leaf.start_byte > end and before not in "([.") or tokens.needs_space(before, word)):
            yield " "
        yield word
        before, end = word, leaf.end_byte


def _tokens(top: Node, references: dict[str, str]) -> Iterator[tuple[Node, str]]:
    """Yield each token with the node that it comes from, in order. Raises ``Refused`` for what is not allowed."""
    waiting = [top]
    while waiting:
        node = waiting.pop()
        if node.type in _COMMENTS:
            continue
        _require_allowed(node, references)
        text = _text(node)
        if node.type in _TEXTS:
            yield node, _literal(text)
        elif node.child_count == 0:
            yield node, references.get(text, text)
        else:
            waiting += reversed(node.children)


def _literal(text: str) -> str:
    if text.startswith('"""'):
        raise JavaRefused(Reason.SYNTAX)
    try:
        return tokens.normal_literal(text)
    except ValueError:
        raise JavaRefused(Reason.SYNTAX) from None


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _require_allowed(node: Node, references: dict[str, str]) -> None:
    """Raise ``Refused`` unless a node may be here. Its children are asked on their own."""
    kind, parent = node.type, node.parent
    if not node.is_named or kind in _INNER or kind in _TEXTS or kind in _WORDS:
        return
    if kind == "method_invocation":
        return _require_method(node, references)
    if kind == "object_creation_expression":
        created = node.child_by_field_name("type")
        members = members_of(_class_name(created)) if created else None
        if members is None or not members.created or node.children[0].type != "new":
            raise JavaRefused(Reason.NAME, _text(created) if created else "new")
        return None
    if kind == "field_access":
        return _require_constant(node)
    if kind in ("type_identifier", "scoped_type_identifier"):
        if parent is not None and parent.type != "scoped_type_identifier" and not is_type(_squeezed(node)):
            raise JavaRefused(Reason.NAME, _squeezed(node))
        return None
    if kind == "identifier":
        if not _is_part_of_a_name(node) and _text(node) not in references:
            raise JavaRefused(Reason.NAME, _text(node))
        return None
    raise JavaRefused(Reason.NAME, _text(node)[:MAX_EXPRESSION_CHARS])


def _require_method(node: Node, references: dict[str, str]) -> None:
    """Raise ``Refused`` unless this method may be called: on the class that is named, on a value, or as a function."""
    named, receiver = node.child_by_field_name("name"), node.child_by_field_name("object")
    name = _text(named) if named else ""
    if node.child_by_field_name("type_arguments") is not None:
        raise JavaRefused(Reason.SYNTAX)
    if receiver is None:
        if name not in _FUNCTIONS:
            raise JavaRefused(Reason.NAME, name)
    elif (path := _path(receiver)) and path not in references:
        members = members_of(path)
        # A constant of a class is a value: Color.RED.darker().
        is_value = members is None and members_of(path.rpartition(".")[0]) is not None
        if not (name in METHODS if is_value else members is not None and name in members.static):
            raise JavaRefused(Reason.NAME, f"{path}.{name}")
    elif name not in METHODS:
        raise JavaRefused(Reason.NAME, name)


def _require_constant(node: Node) -> None:
    """Raise ``Refused`` unless this is a constant of an allowed class, the length of an array, or part of a name."""
    path = _path(node)
    if node.parent is not None and _is_receiver(node) and (members_of(path) or _is_prefix(node)):
        return
    owner, _, constant = path.rpartition(".")
    if owner and members_of(owner) and _CONSTANT.fullmatch(constant):
        return
    field = node.child_by_field_name("field")
    if not path and field is not None and _text(field) == "length":
        return
    raise JavaRefused(Reason.NAME, path or _text(node))


def _is_receiver(node: Node) -> bool:
    return node.parent is not None and node.parent.child_by_field_name("object") == node


def _is_prefix(node: Node) -> bool:
    """Whether a path of names is the beginning of a longer one, which is looked at as a whole."""
    return node.parent is not None and node.parent.type == "field_access" and bool(_path(node.parent))


def _is_part_of_a_name(node: Node) -> bool:
    """Whether an identifier belongs to a path, or is the name of a method, which are looked at as a whole."""
    parent = node.parent
    if parent is None:
        return False
    if parent.type == "field_access":
        return bool(_path(parent)) or parent.child_by_field_name("field") == node
    if parent.type == "method_invocation":
        is_class = parent.child_by_field_name("object") == node and members_of(_text(node)) is not None
        return parent.child_by_field_name("name") == node or is_class
    return False


def _path(node: Node) -> str:
    """Return names joined by dots; empty for anything else."""
    if node.type == "identifier":
        return _text(node)
    if node.type != "field_access":
        return ""
    owner, field = node.child_by_field_name("object"), node.child_by_field_name("field")
    if owner is None or field is None or field.type != "identifier" or not (before := _path(owner)):
        return ""
    return f"{before}.{_text(field)}"


def _class_name(node: Node) -> str:
    """Return the name of a class without its type arguments."""
    named = node.children[0] if node.type == "generic_type" else node
    return _squeezed(named)


def _squeezed(node: Node) -> str:
    return "".join(_text(leaf) for leaf, _ in _nodes(node) if leaf.child_count == 0 and leaf.type not in _COMMENTS)
