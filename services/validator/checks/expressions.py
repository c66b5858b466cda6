"""Check that each expression is a single Java expression without side effects that uses only allowed classes.

``java`` reads it. The engine gets an expression only in the form in which ``java`` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bandsmith.shared.jrxml.dom import local_name
from bandsmith.shared.jrxml.template import Template
from bandsmith.shared.shortening import shortened
from bandsmith.shared.turns.verdict import Finding

from ..java import MAX_EXPRESSION_CHARS, JavaRefused, Reason, normal_form
from .base import Check, FindingCode, Stage, Unsafe, key_of

MAX_QUOTED_CHARS = 60
"""Characters of an expression that a message quotes."""


class Code(FindingCode):
    LENGTH = "expressions.length"
    SYNTAX = "expressions.syntax"
    SEVERAL = "expressions.several"
    ASSIGNMENT = "expressions.assignment"
    PARAMETER = "expressions.parameter"
    CLASS = "expressions.class"


class Rejection(NamedTuple):
    """Why an expression is rejected. `variant` and `value` choose and fill its message."""

    code: Code
    variant: str = ""
    value: str = ""


_CODES = {
    Reason.LENGTH: (Code.LENGTH, ""),
    Reason.DEPTH: (Code.SYNTAX, "depth"),
    Reason.SYNTAX: (Code.SYNTAX, "unreadable"),
    Reason.BLOCK: (Code.SEVERAL, "block"),
    Reason.OPERATOR: (Code.SEVERAL, "operator"),
    Reason.ASSIGNMENT: (Code.ASSIGNMENT, ""),
    Reason.PARAMETER: (Code.PARAMETER, ""),
    Reason.NAME: (Code.CLASS, ""),
}


def check(template: Template) -> list[Finding]:
    return [part.finding for part in unsafe_parts(template)]


def unsafe_parts(template: Template) -> Iterator[Unsafe]:
    """Yield every expression that must not be compiled, in document order."""
    for node in template.root.iter("{*}*"):
        if not local_name(node).endswith("xpression"):
            continue
        # An element or a comment inside would hide what comes after it from who reads the text before it.
        rejection = Rejection(Code.SYNTAX, "unreadable") if len(node) else rejected(node.text or "")
        if rejection and (len(node) or (node.text or "").strip()):
            yield Unsafe(node, None, _finding(template, node, rejection))


def _finding(template: Template, node: Any, rejection: Rejection) -> Finding:
    text = node.text or ""
    return Finding.of(
        rejection.code,
        variant=rejection.variant,
        element=key_of(template, node),
        expression=shortened(text, MAX_QUOTED_CHARS),
        value=shortened(rejection.value, MAX_QUOTED_CHARS),
        limit=MAX_EXPRESSION_CHARS,
    )


def rejected(expression: str) -> Rejection | None:
    """Return why an expression must not be compiled; None if it may be."""
    try:
        normal_form(expression)
    except JavaRefused as refused:
        code, variant = _CODES[refused.reason]
        return Rejection(code, variant, refused.about)
    return None


CHECK = Check(Stage.GUARD, Code, check)
