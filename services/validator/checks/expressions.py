"""Check that each expression is a single Java expression without side effects that uses only allowed classes.

This reads Java's tokens, not its grammar, which the compiler checks later. It rejects whatever could end the expression
and begin something else, and whatever could reach a class that opens files, connections or processes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.verdict import Finding

from ..engine.lockdown import CLASSES
from .base import Check, FindingCode, Stage, Unsafe, key_of

MAX_EXPRESSION_CHARS = 4000
MAX_QUOTED_CHARS = 60
"""Characters of an expression that a message quotes."""


class Code(FindingCode):
    LENGTH = "expressions.length"
    SYNTAX = "expressions.syntax"
    SEVERAL = "expressions.several"
    ASSIGNMENT = "expressions.assignment"
    PARAMETER = "expressions.parameter"
    CLASS = "expressions.class"


_UNICODE_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\u+([0-9a-fA-F]{4})")
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<reference>\$[FPVR]\{[^{}"'\\]*\})
  | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>(?:0[xX][0-9a-fA-F_]+|\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[lLfFdD]?)
  | (?P<name>[A-Za-z_][\w$]*)
  | (?P<operator><<|>>>|>>|==|!=|<=|>=|&&|\|\||\+\+|--|->|::|//|/\*|[-+*/%&|^]=|[-+*/%&|^!~?:<>=.,;@()\[\]{}])
    )\s*""",
    re.VERBOSE,
)
_ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"}
_FORBIDDEN_OPERATORS = {"->", "::", "//", "/*", ";", "@"}
_CLOSING = {")": "(", "]": "[", "}": "{"}
_KEYWORDS = {
    "new", "instanceof", "null", "true", "false", "int", "long", "double", "float", "short", "byte", "char", "boolean",
}  # fmt: skip
_FUNCTIONS = {"msg", "str"}
_FORBIDDEN_MEMBERS = {
    "getClass", "forName", "getClassLoader", "wait", "notify", "notifyAll", "clone", "finalize", "class",
}  # fmt: skip
_FORBIDDEN_PARAMETERS = {
    "REPORT_CLASS_LOADER", "REPORT_CONNECTION", "REPORT_CONTEXT", "JASPER_REPORTS_CONTEXT", "JASPER_REPORT",
    "REPORT_SCRIPTLET", "REPORT_URL_HANDLER_FACTORY", "REPORT_FILE_RESOLVER", "REPORT_VIRTUALIZER",
    "REPORT_PARAMETERS_MAP", "REPORT_FORMAT_FACTORY", "REPORT_TEMPLATES", "REPORT_DATA_SOURCE",
}  # fmt: skip
_QUALIFIED = {name.replace("$", ".") for name in CLASSES}
# The engine imports these packages, so expressions may use the simple names of their classes.
_IMPORTED = ("java.lang.", "java.util.", "java.math.", "java.text.", "java.io.", "net.sf.jasperreports.engine.")
_SIMPLE = {name.removeprefix(prefix) for prefix in _IMPORTED for name in _QUALIFIED if name.startswith(prefix)}
_ALLOWED = _QUALIFIED | _SIMPLE


class Rejection(NamedTuple):
    """Why an expression is rejected. `variant` and `value` choose and fill its message."""

    code: Code
    variant: str = ""
    value: str = ""


def check(template: Template) -> list[Finding]:
    return [part.finding for part in unsafe_parts(template)]


def unsafe_parts(template: Template) -> Iterator[Unsafe]:
    """Yield every expression that must not be compiled, in document order."""
    for node, text in template.expressions:
        if rejection := rejected(text):
            quoted = text if len(text) <= MAX_QUOTED_CHARS else text[: MAX_QUOTED_CHARS - 3] + "..."
            finding = Finding.of(
                rejection.code,
                variant=rejection.variant,
                element=key_of(template, node),
                expression=quoted,
                value=rejection.value,
                limit=MAX_EXPRESSION_CHARS,
            )
            yield Unsafe(node, None, finding)


def rejected(expression: str) -> Rejection | None:
    """Return why an expression must not be compiled; None if it may be."""
    if len(expression) > MAX_EXPRESSION_CHARS:
        return Rejection(Code.LENGTH)
    # Java decodes these before anything else, so that \u003b ends a statement.
    decoded = _UNICODE_ESCAPE.sub(lambda m: m[1] + chr(int(m[2], 16)), expression)
    tokens = list(_tokens(decoded))
    if any(kind == "invalid" for kind, _ in tokens):
        return Rejection(Code.SYNTAX, "unreadable")
    return _check_brackets(tokens) or _check_operators(tokens) or _check_references(tokens) or _check_names(tokens)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            yield "invalid", text[position:]
            return
        yield match.lastgroup, match[match.lastgroup]
        position = match.end()


def _check_brackets(tokens: list[tuple[str, str]]) -> Rejection | None:
    unbalanced = Rejection(Code.SYNTAX, "brackets")
    stack: list[str] = []
    before = ""
    for kind, word in tokens:
        if kind == "operator" and word in "([{":
            if word == "{" and before not in ("]", "{", ","):  # the values of an array; anything else is a body
                return Rejection(Code.SEVERAL, "block")
            stack.append(word)
        elif kind == "operator" and word in _CLOSING and (not stack or stack.pop() != _CLOSING[word]):
            return unbalanced
        elif kind == "operator" and word == "," and not stack:
            return Rejection(Code.SEVERAL, "list")
        before = word
    return unbalanced if stack else None


def _check_operators(tokens: list[tuple[str, str]]) -> Rejection | None:
    for kind, word in tokens:
        if kind == "operator" and word in _FORBIDDEN_OPERATORS:
            return Rejection(Code.SEVERAL, "operator", word)
        if kind == "operator" and word in _ASSIGNMENTS:
            return Rejection(Code.ASSIGNMENT, value=word)
    return None


def _check_references(tokens: list[tuple[str, str]]) -> Rejection | None:
    for kind, word in tokens:
        if kind == "reference" and word.startswith("$P") and word[3:-1] in _FORBIDDEN_PARAMETERS:
            return Rejection(Code.PARAMETER, value=word)
    return None


def _check_names(tokens: list[tuple[str, str]]) -> Rejection | None:
    """Check that every chain of names begins with an allowed class or is a member of a value."""
    index = 0
    while index < len(tokens):
        if tokens[index][0] != "name":
            index += 1
            continue
        is_member = index > 0 and tokens[index - 1][1] == "."
        chain, index = _chain(tokens, index)
        if any(name in _FORBIDDEN_MEMBERS for name in chain):
            return Rejection(Code.CLASS, value=".".join(chain))
        if is_member:
            continue
        is_called = index < len(tokens) and tokens[index][1] == "("
        if len(chain) == 1 and (chain[0] in _KEYWORDS or (is_called and chain[0] in _FUNCTIONS)):
            continue
        prefixes = {".".join(chain[:length]) for length in range(1, len(chain) + 1)}
        if not prefixes & _ALLOWED:
            return Rejection(Code.CLASS, value=".".join(chain))
    return None


def _chain(tokens: list[tuple[str, str]], index: int) -> tuple[list[str], int]:
    """Return the names joined by dots from `index`, and the index after them."""
    chain = [tokens[index][1]]
    index += 1
    while index + 1 < len(tokens) and tokens[index][1] == "." and tokens[index + 1][0] == "name":
        chain.append(tokens[index + 1][1])
        index += 2
    return chain, index


CHECK = Check(Stage.GUARD, Code, check)
