"""Vocabulary: common business wording in both languages, and the field name that each stands for."""

from __future__ import annotations

import tomllib
from pathlib import Path

_FILE = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
_COLUMN = _FILE.pop("column")
_SECTION = _FILE.pop("section")


def _by_wording(names: dict[str, list[str]]) -> dict[str, str]:
    return {wording: name for name, wordings in names.items() for wording in wordings}


TERMS = _by_wording(_FILE)
"""Field names by wording, in lower case."""
COLUMN_TERMS = TERMS | _by_wording(_COLUMN)
"""The same for column headers, where some wording means something else."""
SECTION_TERMS = _by_wording(_SECTION)
"""What headings of sections are about, by wording."""
SIMPLIFIED = str.maketrans(
    "計額數單単價価總総號稱備註規電話處務貨類發収額聯繫戶門員期編碼個幣預訂購銷售開關種時間內買賣"
    "請書見積発納領樣様検査運転両録連絡給與還産業従験險険費稅値區國點實実質長寬廣広車輛郵賃賞殘場際証認帳報償歳齢職責機構製達過輸進減滿營現資態標準術傳動勞労災療體覽続",
    "计额数单单价价总总号称备注规电话处务货类发收额联系户门员期编码个币预订购销售开关种时间内买卖"
    "请书见积发纳领样样检查运转两录连络给与还产业从验险险费税值区国点实实质长宽广广车辆邮赁赏残场际证认账报偿岁龄职责机构制达过输进减满营现资态标准术传动劳劳灾疗体览续",
)
"""Traditional and Japanese forms of characters in business wording, as the vocabulary writes them."""
WORDS = {
    wording.translate(SIMPLIFIED): name
    for name, wordings in tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8")).items()
    for wording in wordings
}
"""English words by the Chinese and Japanese words of which labels are made, written as `SIMPLIFIED` writes them."""
