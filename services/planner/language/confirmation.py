"""Read a message as the answer to a question that takes yes or no."""

from __future__ import annotations

import re

from .intents.normal_form import normalized

_YES = (
    r"yes|yeah|yep|yup|ye?a|y|sure|ok(?:ay)?|of course|go ahead|go for it|do it|do that|please do|i(?:'m| am) sure|"
    r"i do|confirm(?:ed)?|correct|right|fine|agreed?|by all means|absolutely|definitely|certainly|"
    r"(?:that|it)(?:'s| is| was) (?:right|correct)|"
    r"replace(?: it| the report)?|delete(?: it| them| everything)?|reset(?: it)?|start over|"
    r"好的?|好吧|行吧?|可以|是的?|对的?|嗯+|确认|确定|没错|同意|没问题|当然|要的?|继续|来吧|换吧?|替换(?:吧|它|掉)?|"
    r"重置吧?|删(?:除|掉|了)?吧?|清空吧?|做吧|就这样|没关系"
)
_NO = (
    r"no|nope|nah|n|no way|don't(?: do (?:it|that))?|do not|never ?mind|cancel|stop|not now|not yet|wait|"
    r"keep (?:it|that|this|(?:the |this |my )?(?:old |current |existing )?(?:one|report))(?: as it is)?|"
    r"leave it(?: alone)?|forget it|better not|rather not|i(?:'d| would) rather not|"
    r"不|不要|不用了?|不行|不是|不对|别|取消|否|保留(?:它|吧|原来的)?|先不要?|不了|不必|不换|不删|不重置|算了|等等|"
    r"不确定|不同意|不可以|不好"
)
_RIGHT = (
    r"correct|right|(?:that|it|this)(?:'s| is| was) (?:right|correct)|(?:the )?answer (?:is|was) (?:right|correct)|"
    r"对的?|没错|正确|答对了?|是对的"
)
_DROP = r"never ?mind|cancel|stop|forget it|drop it|abort|算了|取消|不做了|别做了|停止|放弃"
_FILLER = r"please|thanks?|thank you|then|just|well|oh|it|that|the|吧|啦|了|的|请|谢谢|那|就|啊|呀|哦"
_SEPARATOR = r"[\s,，.。!！;；:：~、]"


def _only(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{words}|{_FILLER})(?:{_SEPARATOR}+|$|(?<=[\u3400-\u9fff])(?=[\u3400-\u9fff])))+")


_IS_YES, _IS_NO = _only(_YES), _only(_NO)
_HAS_YES, _HAS_NO = re.compile(_YES), re.compile(_NO)
_IS_DROP, _HAS_DROP = _only(_DROP), re.compile(_DROP)
_IS_RIGHT, _HAS_RIGHT = _only(_RIGHT), re.compile(_RIGHT)


def says_right(text: str) -> bool:
    """Whether a message says that an answer was right, and nothing else. A mere "ok" does not."""
    words = _words(text)
    return bool(_IS_RIGHT.fullmatch(words) and _HAS_RIGHT.search(words))


def says_stop(text: str) -> bool:
    """Whether a message says that nothing more is wanted, and nothing else. A mere "no" does not."""
    words = _words(text)
    return bool(_IS_DROP.fullmatch(words) and _HAS_DROP.search(words))


def read_confirmation(text: str) -> bool | None:
    """Return True for a yes, False for a no, None for anything that is not said in these words alone."""
    words = _words(text)
    if _IS_NO.fullmatch(words) and _HAS_NO.search(words):
        return False
    if _IS_YES.fullmatch(words) and _HAS_YES.search(words):
        return True
    return None


def _words(text: str) -> str:
    return normalized(text).plain.strip(" \t\n,，.。!！;；~")
