"""The articles that ship with the program: each has a title, keywords and a body in English and in Chinese."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import yaml

from tests.each_case import each

FOLDER = Path(__file__).parents[2] / "services" / "planner" / "articles"
FILES = sorted(FOLDER.glob("*.md"))
ARTICLE = re.compile(r"---\n(?P<head>.*?)\n---\n## en\n(?P<en>.+?)\n\n## zh\n(?P<zh>.+?)\n", re.DOTALL)
HAN = re.compile(r"[\u4e00-\u9fff]")
WORD = re.compile(r"\S*\w\S*")


@each("path", FILES)
def test_an_article_is_complete_in_both_languages(path: Path) -> None:
    article = ARTICLE.fullmatch(path.read_text(encoding="utf-8"))

    assert article is not None
    head = yaml.safe_load(article["head"])
    assert set(head) == {"title", "title_zh", "keywords", "keywords_zh"}
    assert not HAN.search(head["title"])
    assert HAN.search(head["title_zh"])
    for keywords in (head["keywords"], head["keywords_zh"]):
        assert len(keywords) >= 3
        assert len(keywords) == len(set(keywords))
        assert all(isinstance(keyword, str) for keyword in keywords)

    assert 60 <= len(WORD.findall(article["en"])) <= 180
    assert 80 <= len(HAN.findall(article["zh"])) <= 320
    for body in (article["en"], article["zh"]):
        assert not re.search(r"^#", body, re.MULTILINE)  # a heading would start another section
        assert body.replace("```", "").count("`") % 2 == 0


def test_titles_are_unique() -> None:
    heads = [yaml.safe_load(path.read_text(encoding="utf-8").split("---\n")[1]) for path in FILES]

    assert len(FILES) >= 45
    for name in ("title", "title_zh"):
        counts = Counter(head[name].casefold() for head in heads)
        assert [title for title, count in counts.items() if count > 1] == []
