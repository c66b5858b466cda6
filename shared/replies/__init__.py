"""User-visible text: one catalogue per language, looked up by code.

``en/errors.toml`` and ``zh/errors.toml`` hold the texts whose codes start with ``errors.``: a file's name is the first
part of its codes, tables add the parts between. A text is a format string; ``{name}`` is filled by the caller:

    text("preview.pages", "en", count=3)      one language
    Text.of("errors.full")                    every language, for an error or a finding

A text that depends on a number is a table of the plural categories of CLDR, chosen by ``count``; Chinese has one:

    [preview]
    pages.one = "Here is the report: one page."
    pages.other = "Here is the report: {count} pages."
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple, Protocol

from ..language import Language

PLURAL_CATEGORIES = frozenset({"one", "other"})


class Text(NamedTuple):
    """The same message in every language."""

    en: str
    zh: str

    @classmethod
    def of(cls, code: str, **values: object) -> Text:
        """The texts of a code, filled; a value that is a `Text` itself is filled in each language's own words.

        Raises ``KeyError`` for an unknown code or a missing value.
        """
        english = {name: value.en if isinstance(value, Text) else value for name, value in values.items()}
        chinese = {name: value.zh if isinstance(value, Text) else value for name, value in values.items()}
        return cls(text(code, "en", **english), text(code, "zh", **chinese))

    def in_language(self, language: Language) -> str:
        return self.zh if language == "zh" else self.en


class Bilingual(Protocol):
    """An error, a finding or an event that carries one sentence in both languages."""

    @property
    def message(self) -> str: ...
    @property
    def message_zh(self) -> str: ...


def message_in(bilingual: Bilingual, language: Language) -> str:
    """The sentence in a language; English where there is no Chinese."""
    return bilingual.message_zh if language == "zh" and bilingual.message_zh else bilingual.message


def text(code: str, language: Language, **values: object) -> str:
    """The text of a code in one language, filled. Raises ``KeyError`` for an unknown code or a missing value."""
    entry = catalogue(language)[code]
    if not isinstance(entry, str):
        entry = entry["one" if values.get("count") == 1 and "one" in entry else "other"]
    return entry.format(**values)


def listed(items: Sequence[str], language: Language) -> str:
    """Items as a person would list them: ``a, b and c``, ``a、b和c``."""
    if len(items) < 2:
        return "".join(items)
    comma, last = ("、", "和") if language == "zh" else (", ", " and ")
    return comma.join(items[:-1]) + last + items[-1]


def colour_name(code: str, language: Language) -> str:
    """Return the common name of a colour given as ``#RRGGBB``; the code itself for a colour without one."""
    name = catalogue(language).get("colours." + code.removeprefix("#").upper())
    return name if isinstance(name, str) else code


@cache
def catalogue(language: Language) -> Mapping[str, str | Mapping[str, str]]:
    """Every text of a language by its code: a format string, or format strings by plural category."""
    found: dict[str, str | Mapping[str, str]] = {}
    for file in sorted(resources.files(__package__).joinpath(language).iterdir(), key=lambda file: file.name):
        stem, _, suffix = file.name.rpartition(".")
        if suffix == "toml":
            found |= _entries(stem, tomllib.loads(file.read_text(encoding="utf-8")))
    return found


def _entries(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str | Mapping[str, str]]]:
    for key, value in table.items():
        code = f"{prefix}.{key}"
        if isinstance(value, str) or set(value) <= PLURAL_CATEGORIES:
            yield code, value
        else:
            yield from _entries(code, value)
