"""Patterns of the slots of templates that take more words than a list could hold."""

from __future__ import annotations

import re

from bandsmith.shared.model.run import RUN_NAME

from .clock import CHINESE_CLOCK, CLOCK
from .colours import COLOUR
from .numbers import LENGTH, NUMBERS

_HAN = r"(?-i:[\u3400-\u9fff])"
"""Where case is ignored, compiling a pattern looks at every character of a range, which takes milliseconds here."""
_ADDRESS = r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,120}[A-Za-z0-9]"

SLOT_TYPES = {
    "colour": COLOUR,
    "length": re.sub(r"\?P<\w+>", "?:", LENGTH),
    "number": r"\d+(?:\.\d+)?|[零一二两三四五六七八九十百]+",
    "whole_number": r"\d+|[一二两三四五六七八九十]+",
    "numbers": NUMBERS,
    "quotation": "[\ue000-\ue0ff]",
    "words": r"[A-Za-z][\w/%#&' -]{0,40}?",
    "characters": r"[^\s按,;。、()]{1,12}?",
    "any_characters": ".+?",
    "clause": r"[^\n,;.。]{2,120}",
    "line": r"[^\n;。]{1,80}",
    "items": r"[^,;。\n]{2,60}?",
    "list": r"[^;.。\n:]{2,160}?",
    "sentence": r"[^;.。\n]{1,200}",
    "label": r"[^\s,;:()=、。%+*×÷]{1,30}(?:(?<![A-Za-z]{3}\.) [^\s,;:()=、。%+*×÷]{1,30}){0,4}?",
    "short_label": r"[^\s,;:()=、。%][^,;:()=、。\n%]{0,30}?",
    "formula": r"[^,;:()=、。\n%]{1,120}?(?:[^,;:()=、。\n%]{2}|\d ?%)",
    "digits": r"\d{1,3}(?:\.\d{1,4})?",
    "amount": r"[¥￥$€£]?\d[\d,]*(?:\.\d+)?",
    "measured": r"\d+(?:\.\d+)?\s?[A-Za-z]+",
    "code": r"(?-i:(?:[A-Z]{1,4}[ -]?)?\d[A-Z0-9 ./+-]{1,40}[A-Z0-9])",
    "word": r"[A-Za-z]+?",
    "modifiers": r"(?:[A-Za-z'&/-]+ ){1,4}",
    "noun": r"(?:[A-Za-z'&/-]+ ){0,3}?[A-Za-z'&/-]+(?![A-Za-z'&/-])",
    "chinese": rf"{_HAN}{{1,6}}?",
    "chinese_name": rf"{_HAN}{{1,14}}?",
    "quoted": r"[^\"“”’》」\n]{1,120}",
    "measure_word": rf"公斤|千克|小时|平方米|立方米|平米|{_HAN}",
    "typeface": rf"[a-z][a-z ]{{2,30}}?|{_HAN}{{1,5}}体",
    "compared_value": r"[\ue000-\ue0ff]|[^<>=≥≤]{1,40}",
    "clock": CLOCK,
    "chinese_clock": CHINESE_CLOCK,
    "ordinal": r"\d{1,2}(?:st|nd|rd|th)?|first",
    "chinese_day": r"\d{1,2}|[一二三四五六七八九十]{1,3}",
    "folder": rf"[A-Za-z0-9_~.][A-Za-z0-9_./~-]{{0,200}}|{_HAN}{{1,14}}?",
    "run_name": RUN_NAME,
    "addresses": rf"{_ADDRESS}(?:(?:[,、， ]|和|and)+{_ADDRESS}){{0,9}}",
    "date_pattern": (
        r"[\ue000-\ue0ff]|[yMdHhmsE]{1,4}(?:[-/. :年月日]{0,2}[yMdHhmsEa]{1,4})+日?|年月日|iso(?: format)?"
    ),
}
