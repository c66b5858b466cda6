"""Whether new words are another value of a label, rather than another label: 沈晓岚 and 周敏, 宏远公司 and 清川公司."""

from __future__ import annotations

import re

from ..reference_words import words_in

_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范"
    "廖石贾夏韦付傅邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
_CHINESE_NAME = re.compile(f"[{_SURNAMES}][\u3400-\u9fff]{{1,2}}")
_ROLE = re.compile("(?:人|员|者|师|长|方|号|单|处|栏|章|名)$")
"""How the label of a person ends: 经手人, 业务员."""
_PERSON = re.compile("[人员者]$")
_SIGNING = re.compile("(?:签收|签字|签名|签章|盖章|签署|签认)$")
"""How the label of a signature ends."""
_ORGANISATION = re.compile(
    r"[\u3400-\u9fff（）()]{2,}(?:店|公司|集团|厂|商行|商场|超市|工程队|中心|学校|大学|医院|银行|事务所|合作社|工作室|研究院)"
)
_COMPANY = re.compile(r"(?:[A-Z&][\w'.&-]*\s+)+(?:Ltd|Limited|Inc|LLC|GmbH|plc|Corp|Co)\.?")
MAX_LONGER = 2
"""Characters by which another label may be longer than the one before."""
_INITIAL = re.compile(r"(?:[A-Z]\.\s*)+[A-Z][\w'-]+")


def is_like(new: str, old: str, label: str) -> bool:
    """Whether new words are a value as the old one: both with figures, with words in common, or names of a kind.

    The kinds are persons and Chinese organisations.

    Words that the label has as well could be another label.
    """
    if words_in(new) & words_in(label):
        return False
    if re.search(r"\d", new) and re.search(r"\d", old):
        return True
    both = (new.strip(), old.strip())
    if all(_CHINESE_NAME.fullmatch(one) and not _ROLE.search(one) for one in both):
        return True
    if all(map(_ORGANISATION.fullmatch, both)) or all(map(_COMPANY.fullmatch, both)):
        return True
    return all(_INITIAL.fullmatch(one) for one in both) or bool(words_in(new) & words_in(old))


def is_another_label(new: str, label: str) -> bool:
    """Whether new words are a label as the old one: no longer than it and with a word of it, or of the same kind.

    Kinds are labels of persons and of signatures.
    """
    is_short = len(new) <= len(label) + MAX_LONGER
    is_same_kind = any(kind.search(new) and kind.search(label) for kind in (_PERSON, _SIGNING))
    return is_short and (bool(words_in(new) & words_in(label)) or is_same_kind)
