"""English and Chinese words of databases (``glossary.toml``): questions in one language about names in the other."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources


def translations(words: Iterable[str]) -> dict[str, set[str]]:
    """Return the words of the other language by each word that the glossary knows: English in the singular."""
    chinese, english = _glossary()
    known = {word: {*chinese.get(word, ()), *english.get(word, ())} for word in words}
    return {word: found for word, found in known.items() if found}


@cache
def _glossary() -> tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]:
    """Return the Chinese words of each English one, and the other way round."""
    content = resources.files(__package__).joinpath("glossary.toml").read_text(encoding="utf-8")
    chinese = {word: said.split() for part in tomllib.loads(content).values() for word, said in part.items()}
    english = defaultdict[str, list[str]](list)
    for word, said in chinese.items():
        for one in said:
            english[one].append(word)
    return chinese, english
