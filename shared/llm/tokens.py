"""Tokens: how many a text has, by the model's own tokenizer where its file is at hand, else by an estimate.

The estimate goes by kinds of characters. Held against the vocabularies of Qwen and DeepSeek on English, Chinese, JSON,
Python and JRXML it says between 4 % too few and 12 % too many, of JSON without blanks a quarter too many.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from ..errors import BadInput, MissingPart

_WORD = re.compile(r"[A-Za-z]+")
_DIGIT = re.compile(r"[0-9]")
_WIDE = re.compile(r"[⺀-鿿가-힯豈-﫿]")
_MARKS = re.compile(r"[^\sA-Za-z0-9⺀-鿿가-힯豈-﫿]+")


@lru_cache(maxsize=64)
def estimate(text: str) -> int:
    """About how many tokens a text has, whatever the model."""
    words = sum(1 if len(word) <= 7 else len(word) / 5 for word in _WORD.findall(text))
    marks = sum(_weight(run) for run in _MARKS.findall(text))
    return round(words + marks + len(_DIGIT.findall(text)) + len(_WIDE.findall(text)) * 0.8 + text.count("\n") / 2)


def _weight(marks: str) -> float:
    if not marks.isascii():
        return len(marks.encode(errors="replace")) / 2
    return 1 + max(0, len(marks) - 2) * 0.35


@lru_cache(maxsize=4)
def counter(tokenizer: Path | None = None) -> Callable[[str], int]:
    """What counts a text's tokens: by this ``tokenizer.json``, or the estimate where there is none.

    Raises ``MissingPart`` without the package that reads it, ``BadInput`` when it cannot be read.
    """
    if tokenizer is None:
        return estimate
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - only where it is asked for
    except ImportError:
        raise MissingPart(
            "To count tokens by a tokenizer.json, install tokenizers: pip install 'bandsmith[tokenizer]'.",
            message_zh="要按 tokenizer.json 计算词元数，请安装 tokenizers：pip install 'bandsmith[tokenizer]'。",
        ) from None
    try:
        loaded = Tokenizer.from_file(str(tokenizer.expanduser()))
    except Exception:  # it raises bare ones
        raise BadInput(
            "BANDSMITH_MODEL_TOKENIZER does not name a readable tokenizer.json.",
            message_zh="BANDSMITH_MODEL_TOKENIZER 所指的不是可读的 tokenizer.json。",
        ) from None
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)
