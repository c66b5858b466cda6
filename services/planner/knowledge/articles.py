"""Articles: answers in both languages to common questions about reports and Bandsmith. They ship with the program."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import yaml

from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Value

from .records import Record, identity, searchable
from .stop import STOP_WORDS

FOLDER = Path(__file__).parent.parent / "articles"
TITLE_WEIGHT, KEYWORDS_WEIGHT = 3, 3
"""How often titles and keywords are indexed; the body is indexed once."""
_ARTICLE = re.compile(r"---\n(.*?)\n---\n## en\n(.+?)\n+## zh\n(.+)", re.DOTALL)


class Article(Value):
    title: str
    title_zh: str
    keywords: list[str]
    keywords_zh: list[str]
    en: str
    zh: str


@lru_cache
def articles(folder: Path = FOLDER) -> tuple[Article, ...]:
    """Return all articles, in the order of their files' names."""
    return tuple(_article(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.md")))


def named(name: str) -> Article:
    """Return the article of a file's name, without its ending."""
    return _article((FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def record(article: Article) -> Record:
    """Return the article's record. Its ID depends on everything in it, so a changed article is a new record."""
    weighted = [article.title, article.title_zh] * TITLE_WEIGHT + [
        *article.keywords,
        *article.keywords_zh,
    ] * KEYWORDS_WEIGHT
    words = searchable("\n".join([*weighted, article.en, article.zh]))
    return Record(id=identity("article", words, article.model_dump_json()), words=words, value=article.model_dump())


def passage(article: Article, language: Language) -> tuple[str, str]:
    """Return the article's title and body."""
    return (article.title_zh, article.zh) if language == "zh" else (article.title, article.en)


def shared_words(record: Record, question: str) -> int:
    """Count the question's words in the title and keywords. Words only in the body may match by chance."""
    article = Article.model_validate(record.value)
    return len(words_of(question) & words_of(heads(article)))


def heads(article: Article) -> str:
    """Return the article's titles and keywords."""
    return " ".join([article.title, article.title_zh, *article.keywords, *article.keywords_zh])


def words_of(text: str) -> set[str]:
    """Return the words of a text that say something about its subject."""
    import jieba  # noqa: PLC0415 - it takes half a second

    return {word for word in jieba.cut_for_search(searchable(text)) if word.strip()} - set(STOP_WORDS)


def _article(text: str) -> Article:
    parts = _ARTICLE.fullmatch(text)
    if parts is None:
        raise ValueError("An article needs front matter, then a section ## en, then a section ## zh.")
    return Article(**yaml.safe_load(parts[1]), en=_unwrapped(parts[2]), zh=_unwrapped(parts[3]))


def _unwrapped(text: str) -> str:
    """Join lines into paragraphs; lists, tables and code keep their line breaks."""
    parts = re.split(r"(```.*?```)", text.strip(), flags=re.DOTALL)
    return "".join(
        part if part.startswith("```") else re.sub(r"(?<=[^\n])\n(?=[^\n\-*|\s\d])", " ", part) for part in parts
    )
