"""The marks of templates for letters and sheets: what prints a value, and what repeats or is left out.

Docxtpl and Jinja write ``{{ item.name }}`` and ``{%tr for item in items %}``, docxtemplater and poi-tl ``{name}`` and
``{#items}``, docx-templates ``+++FOR item IN items+++``, mail merge ``«name»`` and ``«TableStart:items»``, FreeMarker
``${name}`` and ``[#list items as item]``, Velocity ``#foreach($item in $items)``, sheets ``${table:items.name}`` and
``{items.name}``. Templates to fill in by hand have ``<name of the customer>``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

PLACEHOLDER = re.compile(
    r"""(?:
        \{\{\s*(?P<double>[^\W\d][^{}%]{0,59}?)\s*\}\}
      | \$\{\s*(?P<dollar>[^\W\d][^{}%]{0,59}?)\s*\}
      | \{\s*(?P<single>\.?[^\W\d][\w.]{0,59})\s*\}
      | <<\s*\[?(?P<angle>[^\W\d/][^<>\[\]]{0,59}?)\]?\s*>>
      | (?<![<\w])<(?P<blank>[^\W\d_][\w -]{1,39})>(?!>)
      | «\s*(?P<merge>[^\W\d][^«»:]{0,59}?|\$\{?[^«»{}]{1,59}?\}?)\s*»
      | (?<![\w$])\$!?(?P<velocity>[^\W\d]\w*(?:\.\w+)+)
    )""",
    re.VERBOSE,
)
"""Where a template prints a value. ``{name}`` in running text may be anything: see `is_template`."""

_STARTS = re.compile(
    r"""\{%-?\s*(?:(?:tr|p|r)\s*)?for\s[^{}]{1,120}?%\}
      | \{\{?[\#?]\s*[^\W\d][\w.]{0,59}\s*\}\}?
      | \+\+\+\s*FOR\s[^+]{1,120}\+\+\+ | \{\s*FOR\s+\w+\s+IN\s[^{}]{1,120}\}
      | «?[\[<]\#list\s[^\]>]{1,120}[\]>]»? | \#foreach\s*\([^()]{1,120}\)
      | [«<]{1,2}\s*(?:TableStart|RangeStart|BeginGroup):[\w.]{1,60}\s*[»>]{1,2}
      | <<\s*foreach\s*\[[^\[\]<>]{1,120}\]\s*>>""",
    re.VERBOSE,
)
_ENDS = re.compile(
    r"""\{%-?\s*(?:(?:tr|p|r)\s*)?endfor\s*-?%\}
      | \{\{?/\s*(?:[^\W\d][\w.]{0,59}\s*)?\}\}?
      | \+\+\+\s*END-FOR\b[^+]{0,60}\+\+\+ | \{\s*END-FOR\b[^{}]{0,60}\}
      | «?[\[<]/\#list[\]>]»? | \#end\b
      | [«<]{1,2}\s*(?:TableEnd|RangeEnd|EndGroup):[\w.]{1,60}\s*[»>]{1,2} | <<\s*/foreach\s*>>""",
    re.VERBOSE,
)
_CONDITIONS = re.compile(
    r"""\{%-?\s*(?:(?:tr|tc|p|r)\s*)?(?:if|elif|else|endif)\b[^{}]{0,120}?%\}
      | \{\{?\^\s*[^\W\d][\w.]{0,59}\s*\}\}?
      | \+\+\+\s*(?:IF|END-IF)\b[^+]{0,120}\+\+\+
      | [\[<]/?\#(?:if|else)\b[^\]>]{0,120}[\]>] | \#(?:if|elseif)\s*\([^()]{1,120}\) | \#else\b""",
    re.VERBOSE,
)
_OTHERS = re.compile(r"\{%.{0,160}?%\}|\+\+\+[A-Z].{0,160}?\+\+\+", re.DOTALL)
"""Marks of other kinds, such as columns that repeat."""

MarkerKind = Literal["start", "end", "condition", "other"]


class Marker(NamedTuple):
    """A mark that prints nothing, and where it stands in its text."""

    kind: MarkerKind
    start: int
    end: int


def markers(text: str) -> list[Marker]:
    """Return the marks of a text that print nothing, in their order."""
    found, taken = list[Marker](), bytearray(len(text))
    kinds: tuple[tuple[MarkerKind, re.Pattern[str]], ...] = (
        ("start", _STARTS), ("end", _ENDS), ("condition", _CONDITIONS), ("other", _OTHERS)
    )  # fmt: skip
    for kind, pattern in kinds:
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(taken[start:end]):
                found.append(Marker(kind, start, end))
                taken[start:end] = b"\1" * (end - start)
    return sorted(found, key=lambda one: one.start)


class TextPart(NamedTuple):
    """A part of a text: its words, and the name of the value where it is a placeholder."""

    text: str
    name: str = ""


def text_parts(text: str) -> list[TextPart]:
    """Split a text at its placeholders."""
    found, end = list[TextPart](), 0
    for match in PLACEHOLDER.finditer(text):
        if match.start() > end:
            found.append(TextPart(text[end : match.start()]))
        found.append(TextPart(match.group(), placeholder_name(match)))
        end = match.end()
    return [*found, TextPart(text[end:])] if end < len(text) else found


def placeholder_name(match: re.Match[str]) -> str:
    """Return the last part of a placeholder's name, without filters: ``item.unit_price | round`` is a unit_price."""
    whole = next(filter(None, match.groups()), "").lstrip("$!{").rstrip("}")
    return re.split(r"[|?(\[]", whole)[0].strip().rpartition(".")[2].rpartition(":")[2].strip()


def has_placeholder(text: str) -> bool:
    return bool(PLACEHOLDER.search(text))


def is_template(texts: Iterator[str]) -> bool:
    """Whether texts are those of a template: one has a mark, or two a placeholder."""
    count = 0
    for text in texts:
        count += has_placeholder(text)
        if count > 1 or any(one.kind in ("start", "end") for one in markers(text)):
            return True
    return False
