"""Consulting: a question about reports or Bandsmith, answered from the articles, by a model where there is one."""

from __future__ import annotations

import re

from bandsmith.shared import reply_stream
from bandsmith.shared.events import AnswerQuestion, QuestionAnswered
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask_text
from bandsmith.shared.model.session import Failure

from .knowledge import articles
from .knowledge.base import Knowledge
from .report_summary import contents, is_about_report

MAX_HISTORY_ENTRIES = 6
"""Entries of the history in the prompt."""
MAX_OUTLINE_TOKENS = 800
"""Size of the report's outline in the prompt."""
MAX_ENTRY_CHARS = 800
"""Characters of each entry."""
MOST_FINDINGS = 5
ABOUT_FAILURE = re.compile(
    r"\b(?:why|what|where|which|explain|how)\b.*\b(?:fail\w*|errors?|wrong|problems?|broken?|unfinished|invalid)\b"
    r"|\b(?:fail\w*|errors?|wrong|unfinished)\b.*\?"
    r"|(?:为什么|为何|怎么回事|什么|哪里|哪儿|哪个|哪些|解释|说明).*(?:失败|出错|报错|错误|错|问题|没通过|不通过|没完成|未完成)"
    r"|(?:失败|出错|报错|错误|问题).*(?:原因|为什么|怎么回事|什么|哪里|在哪|怎么办|吗)",
    re.IGNORECASE | re.DOTALL,
)
_ABILITIES = re.compile(
    r"(?:(?:hi|hello)[ ,!]+)?(?:what (?:can|could|do) (?:you|i|bandsmith) (?:do|ask|say|know)(?: here| for me)?"
    r"|how does (?:this|it|bandsmith) work|help(?: me)?|what is bandsmith)[ ?!.]*"
    r"|(?:你好[,，]?)?(?:(?:你|您|这个|Bandsmith)?(?:能|会|可以)(?:帮我)?(?:做|干)(?:些)?(?:什么|啥|哪些事)|帮助|怎么用"
    r"|有(?:什么|哪些)功能)(?:呢|呀)?[？?]*",
    re.IGNORECASE,
)
HOW_TO_ASK = "how to ask for a change in words, example sentences; a report from words"
NOTHING = {
    "en": "I found nothing about that. I know about reports and templates (bands, fields, totals, groups, fonts, "
    "patterns, exports) and about working with Bandsmith; ask again in other words.",
    "zh": "没有找到相关内容。我了解报表和模板（带区、字段、合计、分组、字体、格式、导出）"
    "以及 Bandsmith 的用法，请换个说法再问。",
}


async def consult(
    command: AnswerQuestion, knowledge: Knowledge, model: Model | None, template: bytes | None = None
) -> QuestionAnswered:
    """With a model in one call, fed with the passages; without one, or when it fails, the passages themselves.

    A question about what is in the user's own report is answered from it.
    """
    about_report = template is not None and is_about_report(command.text)
    about = command.failure if command.failure and ABOUT_FAILURE.search(command.text) else None
    asked = " ".join([command.text, *(finding.message for finding in about.findings[:1])]) if about else command.text
    if _ABILITIES.fullmatch(command.text.strip()):
        asked = HOW_TO_ASK
    found = [articles.Article.model_validate(one.value) for one in await knowledge.articles(asked)]
    passages = [articles.passage(article, command.language) for article in found]
    usage = Usage()
    if model and command.allowance.calls:
        values = {
            "question": command.text,
            "language": command.language,
            "passages": [f"{title}\n{text}" for title, text in passages],
            "history": [
                {"role": entry.role, "text": entry.text[:MAX_ENTRY_CHARS]}
                for entry in command.history[-MAX_HISTORY_ENTRIES:]
            ],
            "failure": _failure(command.failure, command.language) if command.failure else "",
            "report": outline(template, command.text, MAX_OUTLINE_TOKENS) if template else "",
        }
        try:
            text, usage = await ask_text(
                model, "consult", values, allowance=command.allowance, on_delta=reply_stream.emit
            )
            return QuestionAnswered(answer=text, sources=[title for title, _ in passages], usage=usage)
        except ModelFailed as failed:
            usage = failed.usage
    if about_report and template:
        return QuestionAnswered(answer=contents(template, command.language), usage=usage)
    shown = passages[:1] if about else passages
    parts = [_failure(about, command.language)] if about else []
    answer = "\n\n".join([*parts, *(f"{title}\n{text}" for title, text in shown)]) or NOTHING[command.language]
    return QuestionAnswered(answer=answer, sources=[title for title, _ in shown], usage=usage)


def _failure(failure: Failure, language: Language) -> str:
    """What was explained when it failed, and those findings that the explanation does not tell."""
    told = [finding.message_zh or finding.message if language == "zh" else finding.message
            for finding in failure.findings if finding.severity == "error"]  # fmt: skip
    rest = [text for text in told if text.rstrip(".。") not in failure.error]
    return "\n".join([failure.error, *(f"- {text}" for text in rest[:MOST_FINDINGS])])
