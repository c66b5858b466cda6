"""Answer a question about reports or Bandsmith from the articles, with a model if there is one."""

from __future__ import annotations

import re

from bandsmith.shared import reply_stream
from bandsmith.shared.events import AnswerQuestion, QuestionAnswered
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask_text
from bandsmith.shared.model.session import Failure
from bandsmith.shared.replies import text

from .knowledge import articles
from .knowledge.base import Knowledge
from .report_summary import contents, is_about_report

MAX_HISTORY_ENTRIES = 6
"""Maximum number of history entries in the prompt."""
MAX_OUTLINE_TOKENS = 800
"""Maximum size of the report's outline in the prompt."""
MAX_ENTRY_CHARS = 800
"""Maximum length of a history entry in the prompt."""
MAX_FINDINGS = 5
_ABOUT_FAILURE = re.compile(
    r"\b(?:why|what|where|which|explain|how)\b.*\b(?:fail\w*|errors?|wrong|problems?|broken?|unfinished|invalid)\b"
    r"|\b(?:fail\w*|errors?|wrong|unfinished)\b.*\?"
    r"|(?:为什么|为何|怎么回事|什么|哪里|哪儿|哪个|哪些|解释|说明).*(?:失败|出错|报错|错误|错|问题|没通过|不通过|没完成|未完成)"
    r"|(?:失败|出错|报错|错误|问题).*(?:原因|为什么|怎么回事|什么|哪里|在哪|怎么办|吗)",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT_ABILITIES = re.compile(
    r"(?:(?:hi|hello)[ ,!]+)?(?:what (?:can|could|do) (?:you|i|bandsmith) (?:do|ask|say|know)(?: here| for me)?"
    r"|how does (?:this|it|bandsmith) work|help(?: me)?|what is bandsmith)[ ?!.]*"
    r"|(?:你好[,，]?)?(?:(?:你|您|这个|Bandsmith)?(?:能|会|可以)(?:帮我)?(?:做|干)(?:些)?(?:什么|啥|哪些事)|帮助|怎么用"
    r"|有(?:什么|哪些)功能)(?:呢|呀)?[？?]*",
    re.IGNORECASE,
)
_ABILITIES_QUERY = "how to ask for a change in words, example sentences; a report from words"


async def consult(
    command: AnswerQuestion, knowledge: Knowledge, model: Model | None, template: bytes | None = None
) -> QuestionAnswered:
    """Answer a question with one model call that is given the articles found; without a model, quote the articles.

    A question about the contents of the user's own report is answered from the report.
    """
    about_report = template is not None and is_about_report(command.text)
    about = command.failure if command.failure and _ABOUT_FAILURE.search(command.text) else None
    query = " ".join([command.text, *(finding.message for finding in about.findings[:1])]) if about else command.text
    if _ABOUT_ABILITIES.fullmatch(command.text.strip()):
        query = _ABILITIES_QUERY
    records = await knowledge.articles(query)
    passages = [articles.passage(articles.Article.model_validate(record.value), command.language) for record in records]
    usage = Usage()
    if model and command.allowance.calls:
        values = _prompt_values(command, passages, template)
        try:
            answer, usage = await ask_text(
                model, "consult", values, allowance=command.allowance, on_delta=reply_stream.emit
            )
            return QuestionAnswered(answer=answer, sources=[title for title, _ in passages], usage=usage)
        except ModelFailed as failed:
            usage = failed.usage
    if about_report and template:
        return QuestionAnswered(answer=contents(template, command.language), usage=usage)
    shown = passages[:1] if about else passages
    parts = [_failure(about, command.language)] if about else []
    parts += [f"{title}\n{body}" for title, body in shown]
    answer = "\n\n".join(parts) or text("planner.nothing_found", command.language)
    return QuestionAnswered(answer=answer, sources=[title for title, _ in shown], usage=usage)


def _prompt_values(
    command: AnswerQuestion, passages: list[tuple[str, str]], template: bytes | None
) -> dict[str, object]:
    return {
        "question": command.text,
        "language": command.language,
        "passages": [f"{title}\n{body}" for title, body in passages],
        "history": [
            {"role": entry.role, "text": entry.text[:MAX_ENTRY_CHARS]}
            for entry in command.history[-MAX_HISTORY_ENTRIES:]
        ],
        "failure": _failure(command.failure, command.language) if command.failure else "",
        "report": outline(template, command.text, MAX_OUTLINE_TOKENS) if template else "",
    }


def _failure(failure: Failure, language: Language) -> str:
    """Return the explanation of a failure, and the findings that it does not mention."""
    messages = [finding.message_zh or finding.message if language == "zh" else finding.message
                for finding in failure.findings if finding.severity == "error"]  # fmt: skip
    unmentioned = [message for message in messages if message.rstrip(".。") not in failure.error]
    return "\n".join([failure.error, *(f"- {message}" for message in unmentioned[:MAX_FINDINGS])])
