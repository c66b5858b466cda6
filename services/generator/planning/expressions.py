"""Value expressions: what a text field prints, and the value that makes it print the form's text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bandsmith.shared.jrxml.java_literals import java_string

_PAGE_NUMBER = re.compile(
    r"(?P<before>\s*(?:page|pg\.?|seite|página|pagina)\s*:?\s*|\s*第\s*)1"
    r"(?:(?P<between>\s*(?:of|/|von|de|di)\s*|\s*页\s*[,，/]?\s*共\s*)(?P<total>\d+))?(?P<after>\s*页?\s*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ValueExpression:
    """An expression that prints fixed wording around a value."""

    before: str
    """Java source before the reference to the value."""
    value: str | None
    """The value; None where the expression refers to none."""
    after: str = ""
    """Java source after the reference."""

    def with_reference(self, reference: str) -> str:
        """Return the Java source with a reference such as ``$P{name}`` in place of the value."""
        parts = (self.before, reference if self.value is not None else "", self.after)
        return " + ".join(part for part in parts if part)


def labelled_value(text: str, label: str | None) -> ValueExpression:
    """Split a text into its own label, which stays wording, and the value after it."""
    wording = label_prefix(text, label)
    return ValueExpression(java_string(wording) if wording else "", text[len(wording) :])


def label_prefix(text: str, label: str | None) -> str:
    """The label at the start of `text` with the colon and spaces after it; empty where there is none."""
    if not label or not text.startswith(label) or len(text) <= len(label):
        return ""
    separator = re.match(r"\s*[:：#=]?\s*", text[len(label) :])
    wording = label + (separator.group() if separator else "")
    return wording if len(wording) < len(text) and "\n" not in wording else ""


def common_label_prefix(texts: Sequence[str], label: str | None) -> str:
    """The label that begins every one of the texts; empty where one does not begin with it."""
    prefixes = {label_prefix(text, label) for text in texts}
    return prefixes.pop() if len(prefixes) == 1 else ""


def page_number(text: str) -> ValueExpression | None:
    """The expression for a text such as ``Page 1 of 3``, whose value is the page count; None for any other text."""
    match = _PAGE_NUMBER.fullmatch(text)
    if not match:
        return None
    before = f"{java_string(match['before'])} + $V{{PAGE_NUMBER}}"
    if match["total"]:
        before += f" + {java_string(match['between'])}"
    return ValueExpression(before, match["total"], java_string(match["after"]) if match["after"] else "")
