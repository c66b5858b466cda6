"""Count tokens with the model's own tokenizer if its file is configured, otherwise estimate them.

The estimate goes by classes of characters. Compared with the vocabularies of Qwen and DeepSeek on English, Chinese,
JSON, Python and JRXML it is between 4 % too low and 12 % too high; for JSON without whitespace a quarter too high.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from .errors import BadInput, MissingPart

_WORD = re.compile(r"[A-Za-z]+")
_DIGIT = re.compile(r"[0-9]")
_WIDE = re.compile(r"[⺀-鿿가-힯豈-﫿]")
_PUNCTUATION = re.compile(r"[^\sA-Za-z0-9⺀-鿿가-힯豈-﫿]+")


@lru_cache(maxsize=64)
def estimate(text: str) -> int:
    """Estimate the number of tokens in a text, for any model."""
    words = sum(1 if len(word) <= 7 else len(word) / 5 for word in _WORD.findall(text))
    punctuation = sum(_punctuation_tokens(run) for run in _PUNCTUATION.findall(text))
    return round(
        words + punctuation + len(_DIGIT.findall(text)) + len(_WIDE.findall(text)) * 0.8 + text.count("\n") / 2
    )


def _punctuation_tokens(run: str) -> float:
    if not run.isascii():
        return len(run.encode(errors="replace")) / 2
    return 1 + max(0, len(run) - 2) * 0.35


@lru_cache(maxsize=4)
def counter(tokenizer: Path | None = None) -> Callable[[str], int]:
    """Return a function that counts tokens with this ``tokenizer.json``, or estimates them without one.

    Raises ``MissingPart`` if the tokenizers package is not installed, ``BadInput`` if the file cannot be read.
    """
    if tokenizer is None:
        return estimate
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - an optional dependency
    except ImportError:
        raise MissingPart.of("llm.tokenizers_missing", code="missing") from None
    try:
        loaded = Tokenizer.from_file(str(tokenizer.expanduser()))
    except Exception:  # the library raises bare exceptions
        raise BadInput.of("llm.tokenizer_unreadable", code="input") from None
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)
