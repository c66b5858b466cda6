"""Articles: what users ask of reports and of Bandsmith, answered in both languages; they ship with the program."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import yaml

from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Value

from .records import Record, identity, searchable
from .stop import STOP

FOLDER = Path(__file__).parent.parent / "articles"
TITLE, KEYWORDS = 3, 3
"""How often they count beside the body."""
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
    """All of them, by their files' names."""
    return tuple(_article(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.md")))


def record(article: Article) -> Record:
    """Its id is that of all it holds: what was changed, here or in the article, is another record."""
    heads = [article.title, article.title_zh] * TITLE + [*article.keywords, *article.keywords_zh] * KEYWORDS
    words = searchable("\n".join([*heads, article.en, article.zh]))
    return Record(id=identity("article", words, article.model_dump_json()), words=words, value=article.model_dump())


def passage(article: Article, language: Language) -> tuple[str, str]:
    """Its title and what it says."""
    return (article.title_zh, article.zh) if language == "zh" else (article.title, article.en)


def shared_words(kept: Record, question: str) -> int:
    """How many words of the question its title and keywords have: those that only its body has may be chance."""
    article = Article.model_validate(kept.value)
    heads = " ".join([article.title, article.title_zh, *article.keywords, *article.keywords_zh])
    return len(_words(question) & _words(heads))


def _words(text: str) -> set[str]:
    import jieba  # noqa: PLC0415 - half a second

    return {word for word in jieba.cut_for_search(searchable(text)) if word.strip()} - set(STOP)


def _article(text: str) -> Article:
    parts = _ARTICLE.fullmatch(text)
    if parts is None:
        raise ValueError("an article has front matter, then ## en, then ## zh")
    return Article(**yaml.safe_load(parts[1]), en=_unwrapped(parts[2]), zh=_unwrapped(parts[3]))


def _unwrapped(text: str) -> str:
    """Its lines joined to paragraphs; lists, tables and code keep theirs."""
    parts = re.split(r"(```.*?```)", text.strip(), flags=re.DOTALL)
    return "".join(
        part if part.startswith("```") else re.sub(r"(?<=[^\n])\n(?=[^\n\-*|\s\d])", " ", part) for part in parts
    )
