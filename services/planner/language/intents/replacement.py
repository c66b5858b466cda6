"""Whether a sentence says that a new report is to take the place of the current one."""

from __future__ import annotations

import re

from .normal_form import normalized

_REPLACES = re.compile(
    r"\bstart(?:ing)? (?:all )?(?:over|again|afresh|anew|fresh|from scratch) with\b"
    r"|\bbegin(?:ning)? (?:all )?(?:over|again|afresh|anew) with\b"
    r"|\breplace (?:everything|this report|the (?:current |old |whole |existing )?(?:report|template|form))"
    r" (?:with|by)\b"
    r"|\b(?:scrap|discard|drop|forget|throw away|throw out|ditch|trash|dump) "
    r"(?:it|this|that|everything|the (?:current |old |whole |existing )?(?:report|template|form))\b.*"
    r"\b(?:make|create|build|generate|new|instead)\b"
    r"|\b(?:make|create|build|generate|i want|i need|give me)\b.*\binstead of (?:this|the current|the old|the existing)"
    r" (?:one|report|template|form)\b"
    r"|推倒重来|推翻重[来做]|从头(?:再来|来过|再做|做起|开始)[，,：: ]?.*[做建生成要换]"
    r"|(?:不要|丢掉|扔掉|作废|放弃|删掉)(?:这个|这张|这份|现在的?|当前的?|原来的?|旧的?)(?:报表|报告|模板|表|单子)?了?"
    r".*(?:重新|重做|新做|另做|换成|改做|生成|新建|做一)"
    r"|(?:把|将)?(?:这个|这张|这份|现在的?|当前的?|原来的?|旧的?)(?:报表|报告|模板|表|单子)?(?:整个|全部)?"
    r"(?:替换|换)(?:成|为|掉)(?:一)?[张份个]"
    r"|重新(?:开始|来过)[，,：: ]?.*[做建生成要]"
)
_LEAD = re.compile(
    r"^\W*(?:(?:please|let's|ok(?:ay)?|no),? )*(?:start(?:ing)?|begin(?:ning)?) (?:all )?"
    r"(?:over|again|afresh|anew|fresh|from scratch) with:? |^\W*(?:推倒|推翻|从头)?(?:重来|重做|再来|来过)[，,：:。 ]+",
    re.IGNORECASE,
)


def without_replacement(text: str) -> str:
    """Return a sentence without the words that only say that the new report takes the place of the current one."""
    return _LEAD.sub("", text) or text


def names_replacement(text: str) -> bool:
    """Return whether the user asks for a new report in the place of the one there is, in words that mean nothing else.

    A sentence that only describes a new report does not: ``a new report with customer and amount``.
    """
    return _REPLACES.search(normalized(text).plain) is not None
