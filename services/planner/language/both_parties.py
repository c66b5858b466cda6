"""Words for both parties of a contract, who sign on a line each: 双方盖章, “both parties”."""

from __future__ import annotations

import re
from collections.abc import Iterable

_STAMPED = "(盖章)"
_HOW = "签字盖章|签名盖章|盖章|盖公章|签章|签字|签名|确认"
_BOTH_ZH = re.compile(
    r"(?P<pair>[\u3400-\u9fff]{0,3}?)(?:双方|两方)(?P<who>公司|单位|负责人|代表|经办人|人员)?"
    rf"(?:各自|都|均|要|需)*(?P<how>{_HOW})?"
)
_PAIRS = frozenset({"甲乙", "供需", "买卖", "收发", "交接", "借贷", "供购"})
"""Two characters of which each names one of the parties."""
_BOTH_EN = re.compile(
    r"(?:the )?(?:both|two) (?:the )?(?:parties|sides|companies|partners)|each (?:of the )?(?:party|side|parties)"
    r"|both(?: of (?:them|us))?",
    re.IGNORECASE,
)


def parties_in(label: str) -> list[str]:
    """Return the two parties that a label of a signature line stands for; the label itself if it names one."""
    if _BOTH_EN.fullmatch(label.strip()):
        return ["First party", "Second party"]
    if found := _BOTH_ZH.fullmatch(label.strip()):
        mark = _STAMPED if "章" in (found["how"] or "") else ""
        pair = found["pair"] if found["pair"] in _PAIRS else "甲乙"
        return [f"{party}方{found['who'] or ''}{mark}" for party in pair]
    return [label]


def with_both_parties(labels: Iterable[str]) -> list[str]:
    """Return the labels of signature lines with 双方盖章 and `both parties` as two of them."""
    parties = list(dict.fromkeys(party for label in labels for party in parties_in(label)))
    return [one for one in parties if f"{one}{_STAMPED}" not in parties]
