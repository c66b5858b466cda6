"""Expressions of values: what a text field prints, and the value that makes it print what the form has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_PAGE = re.compile(
    r"(?P<before>\s*(?:page|pg\.?|seite|página|pagina)\s*:?\s*|\s*第\s*)1"
    r"(?:(?P<between>\s*(?:of|/|von|de|di)\s*|\s*页\s*[,，/]?\s*共\s*)(?P<total>\d+))?(?P<after>\s*页?\s*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Printing:
    """An expression that prints wording around a value."""

    before: str
    """Java source before the reference to the value."""
    value: str | None
    """The value; None where there is nothing to refer to."""
    after: str = ""

    def expression(self, reference: str) -> str:
        """The expression with a reference such as ``$P{name}`` in it."""
        return " + ".join(
            part for part in (self.before, reference if self.value is not None else "", self.after) if part
        )


def printing(text: str, label: str | None) -> Printing:
    """How a value is printed; its own label before it stays wording."""
    wording = prefix(text, label)
    return Printing(quoted(wording) if wording else "", text[len(wording) :])


def prefix(text: str, label: str | None) -> str:
    """The part of `text` that is its own label, with the colon and blanks after it; empty where there is none."""
    if not label or not text.startswith(label) or len(text) <= len(label):
        return ""
    rest = re.match(r"\s*[:：#=]?\s*", text[len(label) :])
    wording = label + (rest.group() if rest else "")
    return wording if len(wording) < len(text) and "\n" not in wording else ""


def common_prefix(texts: Sequence[str], label: str | None) -> str:
    """The label that stands before the value in each of the texts; empty where one is without."""
    found = {prefix(text, label) for text in texts}
    return found.pop() if len(found) == 1 else ""


def page_number(text: str) -> Printing | None:
    """How `Page 1 of 3` is printed, whose value is the count of pages; None where a text is no page number."""
    found = _PAGE.fullmatch(text)
    if not found:
        return None
    before = f"{quoted(found['before'])} + $V{{PAGE_NUMBER}}"
    if found["total"]:
        before += f" + {quoted(found['between'])}"
    return Printing(before, found["total"], quoted(found["after"]) if found["after"] else "")


def quoted(text: str) -> str:
    """A Java string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
