"""Answer a question about the program itself from the article it belongs to, and say what no report can know.

What users ask is in ``language/templates/*/program.toml``.
"""

from __future__ import annotations

from .knowledge.articles import Article, named
from .language.questions import program_rule

ARTICLES = {
    "files_out": "files-that-come-out",
    "data_stays": "where-your-data-stays",
    "several_files": "several-files",
    "excel": "excel-files",
    "cost": "licence-and-cost",
    "jrxml": "jrxml-and-jasper",
    "comparison": "comparison-picture",
    "nulls": "nulls",
}
"""The article that answers the questions of a rule."""
OUTSIDE = "outside"
"""The rule of questions about the world: prices, stock and rates of today."""


def article_for(question: str) -> Article | None:
    """Return the article that answers a question about the program; None where it asks something else."""
    rule = program_rule(question)
    return named(ARTICLES[rule]) if rule in ARTICLES else None


def is_about_the_world(question: str) -> bool:
    """Whether a question without an answer in the report asks for what only the world knows."""
    return program_rule(question) == OUTSIDE
