"""What a user wants, by the rules of ``rules.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bandsmith.shared.language import Language
from bandsmith.shared.model.session import Format, Intent

from .languages import is_foreign
from .wording import read

_TABLE = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
_REPLIES: dict[str, dict[Language, str]] = tomllib.loads(
    Path(__file__).with_name("replies.toml").read_text(encoding="utf-8")
)


@dataclass(frozen=True)
class Guess:
    """What rules take a user to want."""

    intent: Intent
    format: Format | None = None
    sure: bool = True
    """False: the best guess, which a model may know better."""
    answer: str = ""
    """Ends the turn: there is nothing to do, and this is said."""


@dataclass(frozen=True)
class Rule:
    """One row of the table; its file says what the parts mean."""

    intent: Intent
    format: Format | None = None
    when: Mapping[str, bool] = field(default_factory=dict)
    says: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    among: re.Pattern[str] | None = None
    loose: int = 0
    sure: bool = True
    answer: str = ""

    def fits(self, text: str, facts: Mapping[str, bool]) -> bool:
        return (
            all(facts[name] == wanted for name, wanted in self.when.items())
            and (self.says is None or self.says.search(text) is not None)
            and (self.unless is None or self.unless.search(text) is None)
            and (self.among is None or self._is_all(text))
        )

    def _is_all(self, text: str) -> bool:
        """Whether nothing else is said: what the rule knows, and no more strange words than it lets pass."""
        assert self.says and self.among
        rest = self.says.sub(" ", text)
        strange, at = 0.0, 0
        while at < len(rest):
            known, other = self.among.match(rest, at), _ELSE.match(rest, at)
            if other and (not known or other.end() > known.end()):
                return False
            word = known or _WORD.match(rest, at)
            assert word
            strange += 0 if known else (1 if word[0].isascii() else 0.5) * word[0].isalnum()
            at = max(word.end(), at + 1)
        return strange <= self.loose


def classify(
    text: str,
    *,
    has_template: bool,
    has_page: bool = False,
    remarks: bool = False,
    language: Language = "en",
) -> Guess:
    """What a user wants by saying this; the answer of a guess that has one is in that language.

    `has_page`: a picture of a form came with it, `remarks`: something is written on that in a colour of its own. What
    is attached is not looked at otherwise: no upload names an intent.
    """
    said = read(text)
    foreign = is_foreign(said.letters, said.plain)
    if foreign and not has_page:
        return Guess("unknown", answer=_REPLIES["foreign"][language])
    facts = {
        "template": has_template, "page": has_page, "remarks": remarks,
        "words": said.says_something and not foreign,
    }  # fmt: skip
    rule = next((rule for rule in RULES if rule.fits(said.plain, facts)), None)
    if rule is None:
        return Guess("unknown", sure=False)
    return Guess(rule.intent, rule.format, rule.sure, _REPLIES[rule.answer][language] if rule.answer else "")


def may_reset(text: str) -> bool:
    """Whether the user speaks of an end at all: nothing else that a model reads may throw a session away."""
    return _ENDING.search(read(text).plain) is not None


# --- the table -------------------------------------------------------------------------------------------------------

_PLACE = re.compile(r"\{([a-z_]+)\}")
_CHINESE = re.compile(r"[\u3400-\u9fff]|\\u4e00")
_BEGINS = re.compile(r"[a-z(]")


def _patterns(listed: str) -> Iterator[str]:
    """The patterns of a list, and those of the lists that it takes in."""
    for pattern in re.split(r" \| |\n", listed):
        if whole := _PLACE.fullmatch(pattern.strip()):
            yield from _patterns(_TABLE["lists"][whole[1]])
        elif pattern.strip():
            yield pattern.strip()


def _any(listed: str) -> str:
    """A pattern of any one of a list, the longest first, with the lists that are named within a pattern put in.

    What is in English is found as whole words only.
    """
    found = sorted(dict.fromkeys(_patterns(listed)), key=len, reverse=True)
    put_in = [_PLACE.sub(lambda place: f"(?:{_any(_TABLE['lists'][place[1]])})", pattern) for pattern in found]
    english = [one for one in put_in if not _CHINESE.search(one)]
    words = "|".join(one for one in english if _BEGINS.match(one))
    others = [one for one in english if not _BEGINS.match(one)]
    ends = "(?![a-z0-9'])"
    whole = [f"(?<![a-z0-9'])(?:{words}){ends}"] if words else []
    return "|".join([*whole, *(f"(?:{one}){ends}" for one in others), *filter(_CHINESE.search, put_in)])


def _compiled(row: Mapping[str, object]) -> Rule:
    parts = {name: re.compile(_any(str(row[name]))) for name in ("says", "unless", "among") if name in row}
    return Rule(**{**row, **parts})  # type: ignore[arg-type]


_WORD = re.compile(r"[a-z0-9']+|.")
_ELSE = re.compile(_any("{parts} | {change} | {asks} | {papers}"))
"""What means that something else is wanted than a command."""
_ENDING = re.compile(_any("{ending}"))
RULES = tuple(_compiled(row) for row in _TABLE["rule"])
