"""Is each expression one Java expression, free of side effects, that names only classes it may?

This reads Java's tokens, not its grammar: the compiler, which comes after, knows the grammar. What is refused here is
whatever could end the expression and begin something else, or reach a class that opens files, addresses or processes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.model.verdict import Finding

from ..engine.lockdown import CLASSES

LONGEST = 4000

_UNICODE = re.compile(r"(?<!\\)((?:\\\\)*)\\u+([0-9a-fA-F]{4})")
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
_REFUSED = {"->", "::", "//", "/*", ";", "@"}
_CLOSING = {")": "(", "]": "[", "}": "{"}
_WORDS = {"new", "instanceof", "null", "true", "false", "int", "long", "double", "float", "short", "byte", "char",
          "boolean"}  # fmt: skip
_FUNCTIONS = {"msg", "str"}
_METHODS = {"getClass", "forName", "getClassLoader", "wait", "notify", "notifyAll", "clone", "finalize", "class"}
_POWERFUL = {
    "REPORT_CLASS_LOADER", "REPORT_CONNECTION", "REPORT_CONTEXT", "JASPER_REPORTS_CONTEXT", "JASPER_REPORT",
    "REPORT_SCRIPTLET", "REPORT_URL_HANDLER_FACTORY", "REPORT_FILE_RESOLVER", "REPORT_VIRTUALIZER",
    "REPORT_PARAMETERS_MAP", "REPORT_FORMAT_FACTORY", "REPORT_TEMPLATES", "REPORT_DATA_SOURCE",
}  # fmt: skip
_QUALIFIED = {name.replace("$", ".") for name in CLASSES}
# The engine imports these packages, so their classes go by their simple names.
_IMPORTED = ("java.lang.", "java.util.", "java.math.", "java.text.", "java.io.", "net.sf.jasperreports.engine.")
_SIMPLE = {q.removeprefix(p) for p in _IMPORTED for q in _QUALIFIED if q.startswith(p)}


class Refusal(NamedTuple):
    """Why an expression is refused: a code and the reason in both languages."""

    code: str
    reason: str
    reason_zh: str


def check(template: Template) -> list[Finding]:
    """``expressions.syntax``, ``.several``, ``.assignment``, ``.class``, ``.parameter``, ``.length``."""
    found = []
    for node, text in template.expressions:
        if refusal := refused(text):
            element = template.element_of(node)
            shown = text if len(text) <= 60 else text[:57] + "..."
            found.append(
                Finding(
                    code=refusal.code,
                    message=f"The expression {shown} {refusal.reason}.",
                    message_zh=f"表达式 {shown} {refusal.reason_zh}。",
                    element=element.key if element else None,
                )
            )
    return found


def refused(expression: str) -> Refusal | None:
    """Why an expression may not be compiled; None where it may."""
    if len(expression) > LONGEST:
        return Refusal("expressions.length", f"is longer than {LONGEST} characters", f"超过 {LONGEST} 个字符")
    # Java reads these before it reads anything else, so that \u003b ends a statement.
    plain = _UNICODE.sub(lambda m: m[1] + chr(int(m[2], 16)), expression)
    tokens = list(_tokens(plain))
    if any(kind == "broken" for kind, _ in tokens):
        return Refusal("expressions.syntax", "cannot be read as Java", "不是有效的 Java 表达式")
    return _grouping(tokens) or _operators(tokens) or _references(tokens) or _names(tokens)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            yield "broken", text[at:]
            return
        yield match.lastgroup, match[match.lastgroup]
        at = match.end()


def _grouping(tokens: list[tuple[str, str]]) -> Refusal | None:
    unbalanced = Refusal("expressions.syntax", "has brackets that do not match", "括号不匹配")
    stack: list[str] = []
    before = ""
    for kind, word in tokens:
        if kind == "operator" and word in "([{":
            if word == "{" and before not in ("]", "{", ","):  # an array's values; anything else is a body
                return Refusal(
                    "expressions.several", "holds a block; write one expression", "包含代码块;请只写一个表达式"
                )
            stack.append(word)
        elif kind == "operator" and word in _CLOSING and (not stack or stack.pop() != _CLOSING[word]):
            return unbalanced
        elif kind == "operator" and word == "," and not stack:
            return Refusal("expressions.several", "is more than one expression", "包含多个表达式")
        before = word
    return unbalanced if stack else None


def _operators(tokens: list[tuple[str, str]]) -> Refusal | None:
    for kind, word in tokens:
        if kind == "operator" and word in _REFUSED:
            return Refusal(
                "expressions.several", f"holds {word}; write one plain expression", f"包含 {word};请只写一个表达式"
            )
        if kind == "operator" and word in _ASSIGNMENTS:
            return Refusal("expressions.assignment", f"assigns with {word}", f"使用了赋值 {word}")
    return None


def _references(tokens: list[tuple[str, str]]) -> Refusal | None:
    for kind, word in tokens:
        if kind == "reference" and word.startswith("$P") and word[3:-1] in _POWERFUL:
            return Refusal("expressions.parameter", f"may not use {word}", f"不允许使用 {word}")
    return None


def _names(tokens: list[tuple[str, str]]) -> Refusal | None:
    """Every chain of names has to begin with a class on the list, or be a member of a value."""
    index = 0
    while index < len(tokens):
        if tokens[index][0] != "name":
            index += 1
            continue
        member = index > 0 and tokens[index - 1][1] == "."
        chain, index = _chain(tokens, index)
        if any(name in _METHODS for name in chain):
            return _not_allowed(".".join(chain))
        if member:
            continue
        called = index < len(tokens) and tokens[index][1] == "("
        if len(chain) == 1 and (chain[0] in _WORDS or (called and chain[0] in _FUNCTIONS)):
            continue
        if not any(
            ".".join(chain[:n]) in _QUALIFIED or ".".join(chain[:n]) in _SIMPLE for n in range(1, len(chain) + 1)
        ):
            return _not_allowed(".".join(chain))
    return None


def _chain(tokens: list[tuple[str, str]], index: int) -> tuple[list[str], int]:
    """The names joined by dots from here, and the index after them."""
    chain = [tokens[index][1]]
    index += 1
    while index + 1 < len(tokens) and tokens[index][1] == "." and tokens[index + 1][0] == "name":
        chain.append(tokens[index + 1][1])
        index += 2
    return chain, index


def _not_allowed(name: str) -> Refusal:
    return Refusal("expressions.class", f"may not use {name}", f"不允许使用 {name}")
