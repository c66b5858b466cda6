"""Value expressions: what a text field prints, and the value that makes it print the form's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.jrxml.expressions import blank_if_null
from bandsmith.shared.jrxml.java_literals import java_string
from bandsmith.shared.template_markers import TextPart

_PAGE_WORD = r"(?:page|pg\.?|seite|página|pagina|页码|頁|ページ(?:番号)?)"
_PAGE_NUMBER = re.compile(
    rf"(?P<before>\s*{_PAGE_WORD}\s*(?::\s*)?|\s*第\s*)(?P<page>\d{{1,3}})"
    r"(?:(?P<between>\s*(?:of|/|von|de|di)\s*|\s*[页頁]\s*(?:[,，/]\s*)?共\s*)(?P<total>\d{1,4}))?(?P<after>\s*(?:[页頁]\s*)?)",
    re.IGNORECASE,
)
_LABELLED_PAGE_NUMBER = re.compile(
    r"(?P<before>\s*)(?P<page>\d{1,3})(?:(?P<between>\s*(?:of|/|von|de|di)\s*)(?P<total>\d{1,4}))?(?P<after>\s*)",
    re.IGNORECASE,
)
"""What stands beside a label that says that it is a page number."""
CURRENT_PAGE = "CURRENT_PAGE"
"""The variable that keeps the number of its page in a text that is printed when the number of pages is known."""


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
        """Return the Java source with a reference such as ``$P{name}`` in place of the value.

        The wording stays where there is no value.
        """
        value = reference if self.value is not None else ""
        if value and (self.before or self.after):
            value = blank_if_null(reference)
        return " + ".join(part for part in (self.before, value, self.after) if part)


def labelled_value(text: str, label: str | None, prefix: str = "") -> ValueExpression:
    """Split a text into its own label, which stays wording, and the value after it.

    `prefix` is what it begins with where its label is another one than the words before it. Where there is none, the
    label stands elsewhere, and the same word without a colon belongs to the value: "Client" above "Client Limited".
    """
    wording = label_prefix(text, label)
    if not prefix and wording and wording.rstrip()[-1].isalnum():
        wording = ""
    wording = wording or (prefix if text.startswith(prefix) and len(prefix) < len(text) else "")
    return ValueExpression(java_string(wording) if wording else "", text[len(wording) :])


def label_prefix(text: str, label: str | None) -> str:
    """The label at the start of `text` with the colon and spaces after it; empty where there is none.

    Chinese labels are set wide: 名      称： The colon alone is the start where forms set it apart from the label.
    """
    if label and (colon := re.match(r"[:：][^\S\n]*(?=\S)", text)):
        return colon.group()
    if not label or len(text) <= len(label):
        return ""
    between = r"\s*" if any(map(is_cjk, label)) else ""
    start = re.match(between.join(map(re.escape, label)) + r"\s*+(?:[#№]\s*+)?(?:[:：=]\s*+)?", text)
    if start is None:
        return ""
    wording = start.group()
    return wording if len(wording) < len(text) and "\n" not in wording else ""


def common_label_prefix(texts: Sequence[str], label: str | None) -> str:
    """The label that begins every one of the texts; empty where one does not begin with it."""
    prefixes = {label_prefix(text, label) for text in texts}
    return prefixes.pop() if len(prefixes) == 1 else ""


def template_expression(parts: Sequence[TextPart], reference: Callable[[TextPart], str]) -> str:
    """Return the expression for a text with placeholders, each of which `reference` names."""
    sources = []
    for part in parts:
        name = reference(part) if part.name else ""
        sources.append(blank_if_null(name) if name else java_string(part.text))
    return " + ".join(sources if not parts[0].name else ['""', *sources])


def page_number(text: str, label: str | None = None) -> str | None:
    """Return the expression for a text such as ``Page 1 of 3``; None for any other text.

    With a number of pages it has to be evaluated automatically: ``PAGE_NUMBER`` is then the last page's.
    """
    match = _PAGE_NUMBER.fullmatch(text)
    if match is None and label and re.fullmatch(rf"\s*{_PAGE_WORD}(?:\s*no\.?)?\s*(?::\s*)?", label, re.IGNORECASE):
        match = _LABELLED_PAGE_NUMBER.fullmatch(text)
    if match is None or (match["total"] and int(match["page"]) > int(match["total"])):
        return None
    page, pages = f"$V{{{CURRENT_PAGE}}}", "$V{PAGE_NUMBER}"
    parts = [match["before"], page, match["between"], pages] if match["total"] else [match["before"], pages]
    parts.append(match["after"])
    sources = [part if part.startswith("$V{") else java_string(part) for part in parts if part]
    return " + ".join(sources if not sources[0].startswith("$") else ['""', *sources])


def of_all_pages(number: str) -> str:
    """Return the expression of a page number with a number of pages, for a band that is a page.

    Only the variables of evaluation time Master know the page of a band that no row belongs to.
    """
    total = number.replace("$V{PAGE_NUMBER}", "$V{MASTER_TOTAL_PAGES}")
    return total.replace(f"$V{{{CURRENT_PAGE}}}", "$V{MASTER_CURRENT_PAGE}")
