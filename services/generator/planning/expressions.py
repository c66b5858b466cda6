"""Expressions of values: what a text field prints, and the value that makes it print what the form has."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PAGE = re.compile(
    r"(?P<before>\s*(?:page|pg\.?|seite|página|pagina)\s*:?\s*|\s*第\s*)1"
    r"(?:(?P<between>\s*(?:of|/|von|de|di)\s*|\s*页\s*[,，/]?\s*共\s*)(?P<total>\d+))?(?P<after>\s*页?\s*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Printing:
    """A text field's expression, and the value of its parameter or field; None where it needs neither."""

    expression: str
    value: str | None


def printing(text: str, reference: str, label: str | None) -> Printing:
    """How `reference` (``$P{name}`` or ``$F{name}``) prints `text`; its label before the value stays wording."""
    wording = prefix(text, label)
    if wording:
        return Printing(f"{quoted(wording)} + {reference}", text[len(wording) :])
    return Printing(reference, text)


def prefix(text: str, label: str | None) -> str:
    """The part of `text` that is its own label, with the colon and blanks after it; empty where there is none."""
    if not label or not text.startswith(label) or len(text) <= len(label):
        return ""
    rest = re.match(r"\s*[:：#=]?\s*", text[len(label) :])
    wording = label + (rest.group() if rest else "")
    return wording if len(wording) < len(text) and "\n" not in wording else ""


def page_number(text: str, reference: str) -> Printing | None:
    """How `Page 1 of 3` is printed; None where a text is no page number. `reference` takes the count of pages."""
    found = _PAGE.fullmatch(text)
    if not found:
        return None
    expression = f"{quoted(found['before'])} + $V{{PAGE_NUMBER}}"
    after = found["after"]
    if found["total"]:
        expression += f" + {quoted(found['between'])} + {reference}"
    if after:
        expression += f" + {quoted(after)}"
    return Printing(expression, found["total"])


def quoted(text: str) -> str:
    """A Java string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
