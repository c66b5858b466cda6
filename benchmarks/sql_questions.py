"""Questions about SQLite databases with the SQL that answers them, for ``sql.py`` and ``sql_tables.py``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("question_en", "question_zh")
SMALL_DATABASE = """
create table sale (id integer primary key, customer text, amount real);
insert into sale values (1, 'Ada', 12.5), (2, 'Ben', 30.0), (3, 'Ada', 7.5);
"""
SMALL_PAIR = {
    "db_id": "shop",
    "question_en": "What is the amount of each sale of 'Ada'?",
    "question_zh": "“Ada”每笔销售的金额是多少？",
    "query": "SELECT amount FROM sale WHERE customer = 'Ada'",
}


@dataclass(frozen=True)
class Question:
    source: str
    text: str
    gold: str


def questions(folder: Path) -> list[Question]:
    """Return every pair once: its question in English and Chinese by turns."""
    pairs = json.loads((folder / "spider_pairs.json").read_text(encoding="utf-8"))
    return [Question(pair["db_id"], pair[LANGUAGES[n % 2]], pair["query"]) for n, pair in enumerate(pairs)]
