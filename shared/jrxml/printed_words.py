"""Read the words that an expression prints, without its code: ``"Slip no. " + $P{number}`` prints ``Slip no. …``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .java_literals import string_value

VALUE = "…"
"""Stands for what only the data tells."""
MAX_EXPRESSION_CHARS = 10_000
"""A longer expression is not read: it was written by a program."""
MAX_DEPTH = 8
"""Conditions within conditions that are read."""
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\$[PFV]\{[^{}]*\}|.', re.DOTALL)
_LITERAL = re.compile(r'"(?:\\.|[^"\\])*"')


def printed_words(expression: str, depth: int = 0) -> str:
    """Return the words that an expression prints, with ``…`` for each value between them; empty if it has none.

    Of a condition it is the first outcome that prints words. Texts within calls, such as a pattern, are not printed.
    """
    if len(expression) > MAX_EXPRESSION_CHARS or depth > MAX_DEPTH:
        return ""
    expression = _without_brackets(expression.strip())
    if _LITERAL.fullmatch(expression):
        return " ".join(string_value(expression).split())
    outcomes = _outcomes(expression)
    if outcomes is not None:
        return next((words for one in outcomes if (words := printed_words(one, depth + 1))), "")
    parts = [_without_brackets(part.strip()) for part in _split(expression, "+")]
    printed = [string_value(part) if _LITERAL.fullmatch(part) else VALUE for part in parts]
    if not any(any(map(str.isalnum, one)) for one in printed):
        return ""
    return " ".join(re.sub(f"{VALUE}(\\s*{VALUE})+", VALUE, "".join(printed)).split())


def _without_brackets(expression: str) -> str:
    """Return an expression without brackets around all of it."""
    for _ in range(MAX_DEPTH):
        if not (expression.startswith("(") and _closes_at_its_end(expression)):
            break
        expression = expression[1:-1].strip()
    return expression


def _closes_at_its_end(expression: str) -> bool:
    depths = [depth for _, _, depth in _tokens(expression)]
    return depths[-1] == 0 and 0 not in depths[:-1]


def _outcomes(expression: str) -> tuple[str, str] | None:
    """Return the two outcomes of a condition; None where an expression is none."""
    questions, found = 0, None
    for start, mark, depth in _tokens(expression):
        if depth or mark not in "?:":
            continue
        if mark == "?":
            questions += 1
            found = start if found is None else found
        elif questions:
            questions -= 1
            if not questions and found is not None:
                return expression[found + 1 : start], expression[start + 1 :]
    return None


def _split(expression: str, sign: str) -> list[str]:
    """Return the parts of an expression between the signs outside of all brackets."""
    cuts = [start for start, mark, depth in _tokens(expression) if mark == sign and not depth]
    return [expression[a + 1 : b] for a, b in zip([-1, *cuts], [*cuts, len(expression)], strict=True)]


def _tokens(expression: str) -> Iterator[tuple[int, str, int]]:
    """Yield where each token begins, the token, and how many brackets are open after it."""
    depth = 0
    for match in _TOKEN.finditer(expression):
        depth += (match[0] in "([{") - (match[0] in ")]}")
        yield match.start(), match[0], depth
