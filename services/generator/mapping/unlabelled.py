"""Name the values that no wording names, after what kind of value they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bandsmith.shared.fields.amounts_in_words import is_amount_in_words
from bandsmith.shared.fields.value_types import DATE, DECIMAL, INTEGER, LONG

_TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?", re.IGNORECASE)
_STREETS = (
    "street|road|rd|lane|avenue|ave|drive|square|way|boulevard|blvd|court|highway|hwy|crescent|parkway|terrace|dr|st"
)
_LEGAL_FORMS = r"(?i:Ltd|LLC|Inc|GmbH|Corp|Limited|PLC|Pty|S\.A\.C|S\.L|Sdn\.? Bhd)"
_LONG_NUMBER = re.compile(r"\d{6,}")
"""Digits without separators, too many for a count."""
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", re.compile(r"[^@\s]+@[^@\s]+\.[a-z]{2,}", re.IGNORECASE)),
    ("website", re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)),
    ("phone", re.compile(r"\+?[\d() ]{2,6}[-. ]\d{2,4}[-. ]?\d{3,8}|\d{3,4}-\d{7,8}|1[3-9]\d{9}")),
    ("percentage", re.compile(r"[-+±]?\s?\d{1,3}(?:[.,]\d{1,3})?\s?[%％]")),
    ("tax_number", re.compile(r"(?:GST(?:IN)?|VAT|UID|PAN)(?: No\.?)?:? ?[A-Z\d]{8,15}")),
    ("date", re.compile(r"[^\W\d]{3,9}\.? ?\d{1,2} ?[,，] ?\d{4}|\d{1,2}\.? [^\W\d]{3,9}\.?,? \d{4}")),
    ("date", re.compile(r"\d{4}年\d{1,2}月\d{1,2}日")),
    ("date", re.compile(r"[^\W\d_]+,? (?:den |le |am |a )?\d{1,2}[./-] ?\d{1,2}[./-] ?\d{4}")),  # behind its place
    ("code", re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z\d][A-Z\d/-]{2,}")),
    ("address", re.compile(rf"(?:[^\W\d]+ \d+\w?, )?\d++[\w/-]*+,? .*\b(?:{_STREETS})\b.*", re.IGNORECASE)),
    ("address", re.compile(r"\d+\w?,? (?:bis |ter )?(?:rue|avenue|bd|boulevard|place|chemin|quai)\b.*", re.IGNORECASE)),
    ("address", re.compile(r"[^\W\d].*(?:straße|strasse|str\.|weg|platz|allee|gasse) \d+ ?[a-z]?", re.IGNORECASE)),
    ("address", re.compile(r"(?:calle|c/|avda?\.|av\.|carrer|via|viale|jl\.) ?[^\W\d].*\d+.*", re.IGNORECASE)),
    ("address", re.compile(r"[^\W\d][^\d,]*\s(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\s\d{4}")),  # an Australian postcode
    ("address", re.compile(r"[^都道府県]*[都道府県][^市区町村郡]*[市区町村郡].*")),
    ("address", re.compile(r".*?[市区县路街][^\d市区县路街]*+\d++\s?+号.*")),
    ("address", re.compile(r"[^\W\d].*\s[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}")),  # a British postcode at the end
    ("address", re.compile(r"[^\W\d][^,]*,\s[A-Z]{2}\s\d{5}(?:-\d{4})?|[^\W\d][^,\d]*\s[A-Z]{2}\s\d{5}(?:-\d{4})?")),
    ("address", re.compile(r"(?:[A-Z]{1,2}-)?\d{4,5}[\s,]\s?[A-Z][^\W\d][^\d]*+|(?i:P\.?\s?O\.? ?BOX \d+)")),
    ("company", re.compile(rf".+(?:公司|集团|事务所|株式会社|[,\s](?:{_LEGAL_FORMS}|AG|Co|B\.?V|S\.?A)\.?)")),
    ("company", re.compile(r"(?:株式|有限|合同)会社.+")),
)  # fmt: skip
"""Kinds of texts by what their last line looks like, or else their first."""
_BY_SECTION = {"title": "heading", "pageHeader": "heading", "columnHeader": "heading", "detail": "description",
               "summary": "remark", "pageFooter": "footer_note",
               "groupHeader": "section", "groupFooter": "section"}  # fmt: skip

PLAIN_STEMS = frozenset({*_BY_SECTION.values(), "note", "count", "amount", "number", "code", "picture"})
"""Stems that say of what kind a value is, not what it is."""


def stem_of(texts: Sequence[str | None], java_class: str, section: str) -> str:
    """Return a name for values after their kind, or for any other text after the section that prints it."""
    present = [text.strip() for text in texts if text and text.strip()]
    if java_class == DATE:
        return "time" if present and all(map(_TIME.fullmatch, present)) else "date"
    if java_class == DECIMAL:
        return "amount"
    if present and all(map(_LONG_NUMBER.fullmatch, present)):
        return "number"
    if java_class in (INTEGER, LONG):
        return "count"
    if present and all(map(is_amount_in_words, present)):
        return "amount_in_words"
    last_lines = [text.rsplit("\n", 1)[-1] for text in present]
    first_lines = [text.split("\n", 1)[0] for text in present]
    for lines in (last_lines, first_lines):
        for kind, pattern in _KINDS:
            if present and all(map(pattern.fullmatch, lines)):
                return kind
    return _BY_SECTION.get(section, "note")
