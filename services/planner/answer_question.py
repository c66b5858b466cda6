"""Answer a question about reports or Bandsmith from the articles, with a model if there is one."""

from __future__ import annotations

from collections.abc import Iterator

from bandsmith.shared import reply_stream
from bandsmith.shared.events import AnswerQuestion, QuestionAnswered
from bandsmith.shared.jrxml.outline import outline
from bandsmith.shared.language import Language
from bandsmith.shared.llm import Model, ModelFailed, Usage, ask_text
from bandsmith.shared.replies import listed, text
from bandsmith.shared.turns.session import Failure

from .knowledge import articles
from .knowledge.base import Knowledge
from .knowledge.coverage import coverage
from .language.questions import WORDS, compared, is_about_open_report, is_general, is_mere_question
from .language.sentence_templates import matches, phrases
from .own_report import OwnReport, answer, unknown
from .program_questions import article_for, is_about_the_world

MIN_COVERAGE = 0.45
"""The share of a question that an article has to account for (`coverage`) to be quoted as its answer. Measured on
tests/planner/questions.yaml: of the questions an article answers, hardly any lies below."""
MIN_SHARE_OF_BEST = 0.75
"""Another article is quoted as well if it accounts for this share of what the best one does."""
MIN_COVERAGE_OF_TITLE = 0.2
"""The share for an article whose title is offered."""
ABILITIES = ("what-bandsmith-does", "changing-by-words")
"""The articles on what the program can do."""
MAX_TITLES = 2
MAX_HISTORY_ENTRIES = 6
"""Maximum number of history entries in the prompt."""
MAX_OUTLINE_TOKENS = 800
"""Maximum size of the report's outline in the prompt."""
MAX_ENTRY_CHARS = 800
"""Maximum length of a history entry in the prompt."""
MAX_FINDINGS = 5
_ABILITIES_QUERY = "how to ask for a change in words, example sentences; a report from words"


async def consult(
    command: AnswerQuestion,
    knowledge: Knowledge,
    model: Model | None,
    template: bytes | None = None,
    report: OwnReport | None = None,
) -> QuestionAnswered:
    """Answer a question with one model call that is given the articles found; without a model, quote the articles.

    A question about the user's own report is answered from the report.
    """
    if report is not None and (known := answer(report, command.text)) is not None:
        return QuestionAnswered(answer=known)
    if (article := article_for(command.text)) is not None:
        return _from_articles(command, [article])
    if model is None and _is_about_abilities(command.text):
        return _from_articles(command, [articles.named(name) for name in ABILITIES])
    about = command.failure if command.failure and phrases(WORDS, "failure", command.text) else None
    query = " ".join([command.text, *(finding.message for finding in about.findings[:1])]) if about else command.text
    if _is_about_abilities(command.text):
        query = _ABILITIES_QUERY
    records = await knowledge.articles(query)
    passages = [articles.passage(articles.Article.model_validate(record.value), command.language) for record in records]
    usage, notes = Usage(), list[str]()
    if model and command.allowance.calls:
        values = _prompt_values(command, passages, template)
        try:
            reply, usage = await ask_text(
                model, "consult", values, allowance=command.allowance, on_delta=reply_stream.emit
            )
            return QuestionAnswered(answer=reply, sources=[title for title, _ in passages], usage=usage)
        except ModelFailed as failed:
            usage, notes = failed.usage, [failed.in_language(command.language)]
    if report is not None and (absent := unknown(report, command.text)) is not None:
        return QuestionAnswered(answer=absent, notes=notes, usage=usage)
    found = [articles.Article.model_validate(record.value) for record in records]
    shown = found[:1] if about else [] if report and is_about_open_report(command.text) else _answering(found, query)
    quoted = [articles.passage(article, command.language) for article in shown]
    reply = _quoting(command, found, quoted, about, has_report=template is not None)
    return QuestionAnswered(answer=reply, sources=[title for title, _ in quoted], notes=notes, usage=usage)


def _from_articles(command: AnswerQuestion, found: list[articles.Article]) -> QuestionAnswered:
    """Return articles as they stand."""
    passages = [articles.passage(article, command.language) for article in found]
    answer = "\n\n".join(f"{title}\n{body}" for title, body in passages)
    return QuestionAnswered(answer=answer, sources=[title for title, _ in passages])


def _quoting(
    command: AnswerQuestion,
    found: list[articles.Article],
    quoted: list[tuple[str, str]],
    about: Failure | None,
    has_report: bool,
) -> str:
    """Return the reply that quotes articles, after the explanation of the failure that the question is about."""
    parts = [_failure(about, command.language)] if about else []
    if quoted and has_report and not about and not is_general(command.text):
        parts.append(text("planner.manual_only", command.language))
    parts += [f"{title}\n{body}" for title, body in quoted]
    reply = "\n\n".join(parts) or _not_known(command, found, has_report)
    if has_report and not about and not is_mere_question(command.text):
        return "\n\n".join([text("planner.nothing_changed", command.language), reply])
    return reply


def _is_about_abilities(question: str) -> bool:
    return any(True for _ in matches(WORDS, "abilities", question.strip(" ?!.？！。")))


def _answering(found: list[articles.Article], question: str) -> list[articles.Article]:
    """Return the articles that account for what a question asks, the best first."""
    if is_about_the_world(question):
        return []
    if question == _ABILITIES_QUERY:
        return found
    if (sides := compared(question)) is not None:
        return _about_both(sides)
    shares = sorted(((coverage(article, question), article) for article in found), key=lambda one: -one[0])
    return [article for share, article in shares if share >= max(MIN_COVERAGE, shares[0][0] * MIN_SHARE_OF_BEST)]


def _about_both(sides: tuple[str, str]) -> list[articles.Article]:
    """Return the articles that explain two things whose difference is asked for; none where one of them lacks one."""
    one, other = (next(_explaining(side), None) for side in sides)
    if one is None or other is None:
        return []
    return [one] if one == other else [one, other]


def _explaining(side: str) -> Iterator[articles.Article]:
    """Yield the articles about one of two things that are compared, those with it as a keyword first."""
    name = side.casefold()
    known = [one for one in articles.articles() if name in articles.heads(one).casefold()]
    known.sort(key=lambda one: name not in map(str.casefold, [*one.keywords, *one.keywords_zh]))
    return (article for article in known if coverage(article, side) >= MIN_COVERAGE)


def _not_known(command: AnswerQuestion, found: list[articles.Article], has_report: bool) -> str:
    """Return that a question cannot be answered, with the titles of articles that may help."""
    if is_about_the_world(command.text):
        return text("planner.not_known_here", command.language)
    near = [article for article in found if coverage(article, command.text) >= MIN_COVERAGE_OF_TITLE][:MAX_TITLES]
    if not near:
        return text("planner.not_in_report" if has_report else "planner.nothing_found", command.language)
    titles = listed([f"“{articles.passage(article, command.language)[0]}”" for article in near], command.language)
    return text("planner.not_answered", command.language, titles=titles)


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
