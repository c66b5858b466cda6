"""Decide whether text asks for a change, by the verbs and comparatives that people write on a draft."""

from __future__ import annotations

import re

from bandsmith.shared.language import normalized_characters

MAX_CJK_CHARS, MAX_LATIN_CHARS = 30, 80
"""Longer texts are notes that the form prints."""

_LEAD_IN = re.compile(
    r"^(?:[\W_\d]+|(?:please|pls|plz|kindly|can you|could you|this|it|these)\b|请|麻烦|把|将|这个|这里|此处)+",
    re.IGNORECASE,
)

_EDGE_PUNCTUATION = " .!,;:\u3001\u3002"

_REQUEST_CJK = re.compile(
    r"""改[成为作大小]|换[成为]|变[成大小]|替换|删[除掉去了]|去[掉除]|拿掉|移除|不要了|不需要|[加放][大粗宽高]|缩[小短窄]
      | 调[大小高宽窄]|[大小粗细宽窄高低]一?[点些]|[太过偏](?:大|小|粗|细|宽|窄|高|低|挤|长|短)|[左右]?对齐|居中
      | 靠[左右]|[上下左右]移|移(?:到|至|动到)|挪到|放[到在](?:[左右上下]|中间|最|标题|页|这|第)|重命名|改名|标[红黄]
      | (?:加|增加|添加|插入)(?:上|入)?一?[个行列](?!人)|用?(?:粗体|斜体|下划线)|换行|^删$|^改$""",
    re.VERBOSE,
)
_NOT_REQUEST_CJK = re.compile(r"勿|不得|不可|禁止|严禁|不准|不能|无效|如需|如有|[若凡]|方可|放大镜|变更为")

_THIS = r"(?:this|that|the|these|those|it|both|all|title|logo|text|font|row|column|line|field|here)"
_HOW = (
    r"(?:bold(?:er)?|bigger|larger|smaller|wider|narrower|taller|italics?|(?:upper|lower)\s?case|capitals|all\s?caps)"
)
_REQUEST_LATIN = re.compile(
    # The recogniser may omit the space after a verb.
    rf"""^(?:delete|remove|erase|drop|hide)(?:\s*{_THIS}.*|(?:\s+[\w'-]+){{0,4}})$
      | ^(?:{_HOW}|underlined|centered|centred)(?:\s*{_THIS}|\s+(?:please|print))?$
      | ^(?:make|bold|move|shift|put|place|align|cent(?:er|re)|underline|change|rename|show|set|increase|decrease|reduce
          |format|split|merge|add|insert|use)\s*{_THIS}\b
      | ^make.*{_HOW}$ | ^(?:use|print|show|set)\s.*{_HOW}$ | ^(?:move|shift|put)\s+(?:to|up|down|left|right)\b
      | ^(?:add|insert|use)\s+(?:a|an|one|two|more|total|page)\b
      | ^(?:enlarge|shrink|widen|capitali[sz]e|highlight|rename)\b
      | ^(?:change|rename|swap|replace)\b.*\b(?:to|with|by|for)\b
      | ^(?:change|rename)to | ^(?:left|right|cent(?:er|re))[\s-]*align(?:ed)? | ^align\s*(?:left|right|cent|to)
      | \b(?:should|must|needs?\s+to)\s*be\b | \bchange\s*to\b
      | \b(?:bigger|larger|smaller|bolder|(?:upper|lower)\s?case)$
      | \btoo\s*(?:big|small|large|wide|narrow|long|short|bold|tight)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NOT_REQUEST_LATIN = re.compile(
    r"\b(?:as\s*(?:applicable|appropriate|necessary|required)|do\s*not|don't|if|before|after|when|where|payable)\b",
    re.I,
)

_LIKELY = re.compile(
    r"""[改删换移加去放调缩粗斜宽窄错应]|大写|小写|字体|字号|颜色|红色|格式|位数|对齐|居中|间距|这[里个行列]|不要|合并|隐藏|插入
      | delet|remov|chang|renam|mov|align|bold|ital|bigg|larg|small|wide|narrow|cent(?:er|re)|capital|upper|lower
      | colou?r|font|\bsize|\badd\b|insert|\bhide|merge|split|decimal|should|wrong|instead|\bleft|\bright\b|\bhere
      | \bmust\b|\bneed|swap|replac|\bmake|\bput\b|\buse\b|\btypo|\bspell|please|\bpls|\bno\b|\bnot\b""",
    re.IGNORECASE | re.VERBOSE,
)


def is_request(text: str) -> bool:
    """Whether the text alone, wherever it stands, asks for a change."""
    text = _plain(text)
    cjk = _count_cjk(text)
    if len(text) > (MAX_CJK_CHARS if cjk else MAX_LATIN_CHARS):
        return False
    if cjk and _REQUEST_CJK.search(text):
        return not _NOT_REQUEST_CJK.search(text)
    return bool(_REQUEST_LATIN.search(text)) and not _NOT_REQUEST_LATIN.search(text)


def may_request(text: str) -> bool:
    """Whether the text asks for a change when it stands beside something marked."""
    return is_request(text) or (len(text) <= MAX_LATIN_CHARS and bool(_LIKELY.search(_plain(text))))


def has_words(text: str) -> bool:
    """Whether there is a word at all, not a stray stroke that was recognised as a letter."""
    letters = [char for char in text if char.isalpha()]
    return len(letters) >= 2 or _count_cjk(text) > 0


def _plain(text: str) -> str:
    text = " ".join(normalized_characters(text).split()).strip(_EDGE_PUNCTUATION)
    return _LEAD_IN.sub("", text) or text


def _count_cjk(text: str) -> int:
    return sum("\u4e00" <= char <= "\u9fff" for char in text)
