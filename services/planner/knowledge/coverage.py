"""Whether an article accounts for what a question asks: how much of the question its title and keywords hold."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from math import log

from .articles import Article, articles, heads
from .records import searchable
from .stop import STOP_WORDS

BODY_SHARE = 0.5
"""What a word counts that stands only in an article's text."""
_FILLER_WORDS = """
jasper jasperreports jasperreport bandsmith report template jrxml very too just like only also each every same
happen happening instead whats hows rid lot try trying still goes go does doing done put puts show shows showing
example possible mine ours pls thanks say explain difference add set change avoid print printed printing
报表 模板 很 太 好 多 几次 好几次 加 写 设置 帮 帮我 举 例子 举例 举个 呗 啦 嘛 哈 为何 为啥 区别 出现 同 同一个
支持 显示 打印 但是 但 可 会不会 能不能 么 咋 样 用到 其 其中
"""
_FILLER = frozenset(_FILLER_WORDS.split())
"""Words of a question that say how something is asked rather than what."""
_QUESTION = re.compile(r"(?<![^?？。!！\n])[^?？。!！\n]+[?？]")
_WORD = re.compile(r"\w")


def coverage(article: Article, question: str) -> float:
    """Return the share of a question that an article accounts for: its words, weighted by how few articles have them.

    A word of no article weighs most: a question about something that no article knows is not answered by one that
    shares its other words.
    """
    words = _words(" ".join(_QUESTION.findall(question)) or question)
    total = sum(map(_weight, words))
    if not total:
        return 0.0
    in_heads, in_all = _words_of_article(article)
    found = sum(_weight(word) * (1 if word in in_heads else BODY_SHARE) for word in words & in_all)
    return found / total


def _words(text: str) -> frozenset[str]:
    import jieba  # noqa: PLC0415 - it takes half a second

    words = {word for word in jieba.cut(searchable(text)) if _WORD.search(word)}
    return frozenset(words - set(STOP_WORDS) - _FILLER)


def _weight(word: str) -> float:
    counts, number = _occurrences()
    return log((number + 1) / (counts[word] + 0.5))


@lru_cache
def _occurrences() -> tuple[Counter[str], int]:
    """Return in how many articles each word stands, and how many articles there are."""
    known = articles()
    return Counter(word for article in known for word in _words_of_article(article)[1]), len(known)


def _words_of_article(article: Article) -> tuple[frozenset[str], frozenset[str]]:
    return _words_in(heads(article), f"{article.en}\n{article.zh}")


@cache
def _words_in(head: str, body: str) -> tuple[frozenset[str], frozenset[str]]:
    in_head = _words(head)
    return in_head, in_head | _words(body)
