"""Vocabulary: common business wording in both languages, and the field name that each stands for."""

from __future__ import annotations

import tomllib
from pathlib import Path

_FILE = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
_COLUMN = _FILE.pop("column")


def _by_wording(names: dict[str, list[str]]) -> dict[str, str]:
    return {wording: name for name, wordings in names.items() for wording in wordings}


TERMS = _by_wording(_FILE)
"""Field names by wording, in lower case."""
COLUMN_TERMS = TERMS | _by_wording(_COLUMN)
"""The same for column headers, where some wording means something else."""
SIMPLIFIED = str.maketrans(
    "計額數單単價価總総號稱備註規電話處務貨類發収額聯繫戶門員期編碼個幣預訂購銷售開關種時間內買賣",
    "计额数单单价价总总号称备注规电话处务货类发收额联系户门员期编码个币预订购销售开关种时间内买卖",
)
"""Traditional and Japanese forms of characters in business wording, as the vocabulary writes them."""
