"""A condition in words: ``$F{a} != null && $F{a}.compareTo(new BigDecimal("9")) > 0`` is ``"Amount" > 9``."""

from __future__ import annotations

import re

from bandsmith.shared.jrxml.expressions import reference_pattern
from bandsmith.shared.jrxml.labels import TemplateLabels

MAX_CONDITION_CHARS = 240
MAX_CODE_CHARS = 1_000
"""Characters of a condition that are read: patterns take long on long texts."""
_VALUE = reference_pattern()
_TEXT = r'"(?:[^"\\]|\\.)*"'
_TERM = rf"(?:time of {_VALUE}|{_VALUE}|{_TEXT}|[-\w.:]+(?: [\d:]+)?)"
_IN_WORDS = [
    (re.compile(pattern), words)
    for pattern, words in (
        (rf"new (?:java\.math\.)?BigDecimal\(({_VALUE})\.toString\(\)\)", r"\1"),
        (r'new (?:java\.math\.)?BigDecimal\("([^"]*)"\)', r"\1"),
        (r'java\.sql\.(?:Date|Timestamp)\.valueOf\("([^"]*)"\)', r"\1"),
        (rf'new java\.text\.SimpleDateFormat\("HH:mm:ss"\)\.format\(({_VALUE})\)', r"time of \1"),
        (r"\.(?:getTime|toString|doubleValue|intValue)\(\)", ""),
        (rf"({_TERM})\.compareTo\(({_TERM})\) ([<>=!]+) 0", r"\1 \3 \2"),
        (rf"!({_TERM})\.equals\(({_VALUE})\)", r"\2 is not \1"),
        (rf"({_TERM})\.equals\(({_VALUE})\)", r"\2 is \1"),
        (rf"!({_VALUE})\.booleanValue\(\)", r"\1 is false"),
        (rf"({_VALUE})\.booleanValue\(\)", r"\1 is true"),
        (rf"({_VALUE}) != null && (?=.*\1)", ""),
        (r"== null", "is missing"),
        (r"!= null", "is not missing"),
        (r" && ", " and "),
        (r" \|\| ", " or "),
    )
]
"""In this order: what one leaves may be what a later one reads."""
_COUNT = reference_pattern("V", "(?:REPORT|COLUMN|PAGE)_COUNT")
_EVERY_OTHER_ROW = re.compile(rf"(?:new Boolean\()?\(?{_COUNT}\S* ?% ?2 ?[!=]= ?[01]\)?\)?")


def condition_words(condition: str, labels: TemplateLabels) -> str:
    """Return a condition with the headings of its values instead of code; what has no words stays as it is written."""
    said = " ".join(condition.split())[:MAX_CODE_CHARS]
    if _EVERY_OTHER_ROW.fullmatch(said):
        return "every other row"
    for pattern, words in _IN_WORDS:
        said = pattern.sub(words, said)
    said = re.sub(reference_pattern(name=r"(\w+)"), lambda found: f'"{labels.field(found[1])}"', said)
    said = said if len(said) <= MAX_CONDITION_CHARS else said[: MAX_CONDITION_CHARS - 1] + "…"
    return f"the rows where {said}"
