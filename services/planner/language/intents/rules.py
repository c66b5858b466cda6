"""The intent of a sentence, by the rules of ``rules.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import itemgetter
from pathlib import Path

from bandsmith.shared.language import Language
from bandsmith.shared.model.session_parts import ExportFormat, Intent
from bandsmith.shared.replies import text as reply

from .languages import is_foreign
from .normal_form import normalized

_TABLE = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Guess:
    """The intent that rules read, with the format of an export."""

    intent: Intent
    format: ExportFormat | None = None
    sure: bool = True
    """False for a best guess, which a model may correct."""
    answer: str = ""
    """A reply that ends the turn, because there is nothing to do."""
    formats: tuple[ExportFormat, ...] = ()
    """All formats of an export in several."""
    with_jrxml: bool = False
    """Whether an export in other formats is to have the template too."""
    version: int | None = None
    """Number of the version that is meant, where the sentence names none: the first one."""


@dataclass(frozen=True)
class IntentRule:
    """One row of ``rules.toml``, which explains its parts."""

    intent: Intent
    format: ExportFormat | None = None
    when: Mapping[str, bool] = field(default_factory=dict)
    says: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    among: re.Pattern[str] | None = None
    loose: int = 0
    sure: bool = True
    answer: str = ""
    version: int | None = None

    def fits(self, text: str, facts: Mapping[str, bool]) -> bool:
        return (
            all(facts[name] == wanted for name, wanted in self.when.items())
            and (self.says is None or self.says.search(text) is not None)
            and (self.unless is None or self.unless.search(text) is None)
            and (self.among is None or self.accounts_for(text))
        )

    def accounts_for(self, text: str) -> bool:
        """Whether the rule accounts for the whole text, but for as many unknown words as it allows.

        A Chinese character counts as half a word. Words that belong to a change or a question are never allowed.
        """
        assert self.says and self.among
        remaining = self.says.sub(" ", text)
        unknown_words, at = 0.0, 0
        while at < len(remaining):
            known, other = self.among.match(remaining, at), _OTHER_REQUESTS.match(remaining, at)
            if other and (not known or other.end() > known.end()):
                return False
            word = known or _WORD.match(remaining, at)
            assert word
            unknown_words += 0 if known else (1 if word[0].isascii() else 0.5) * word[0].isalnum()
            at = max(word.end(), at + 1)
        return unknown_words <= self.loose


def classify(
    text: str,
    *,
    has_template: bool,
    has_page: bool = False,
    remarks: bool = False,
    language: Language = "en",
) -> Guess:
    """Return the intent of a sentence, with a reply in the given language where there is nothing to do.

    `has_page` says that a picture of a form came with it, `remarks` that coloured remarks are drawn on that. Nothing
    else of an attachment counts: no upload names an intent.
    """
    sentence = normalized(text)
    foreign = is_foreign(sentence.letters, sentence.plain)
    if foreign and not has_page:
        return Guess("unknown", answer=reply("planner.reply.other_language", language))
    facts = {
        "template": has_template, "page": has_page, "remarks": remarks,
        "words": sentence.says_something and not foreign,
    }  # fmt: skip
    if several := not has_page and not _TAKING_BACK.search(sentence.plain) and _several_exports(sentence.plain):
        return several
    rule = next((rule for rule in RULES if rule.fits(sentence.plain, facts)), None)
    if rule is None:
        return Guess("unknown", sure=False)
    if rule.intent.startswith("export_") and _TAKING_BACK.search(sentence.plain):
        return Guess("unknown", sure=False)  # what would be exported is not what is asked for
    answer = reply(f"planner.reply.{rule.answer}", language) if rule.answer else ""
    return Guess(rule.intent, rule.format, rule.sure, answer, version=rule.version)


def _several_exports(text: str) -> Guess | None:
    """Return an export in several formats, if the sentence names them and asks for nothing else."""
    said = [(found.start(), rule) for rule in _EXPORTS if rule.says and (found := rule.says.search(text))]
    named = [rule for _, rule in sorted(said, key=itemgetter(0)) if not (rule.unless and rule.unless.search(text))]
    formats = tuple(rule.format for rule in named if rule.format)
    if len(named) < 2 or not formats:
        return None
    rest = reduce(lambda rest, rule: rule.says.sub(" ", rest) if rule.says else rest, named, text)
    if not _IN_SEVERAL_FORMATS.accounts_for(rest):
        return None
    with_jrxml = any(rule.intent == "export_jrxml" for rule in named)
    return Guess("export_file", formats[0], formats=formats, with_jrxml=with_jrxml)


def may_reset(text: str) -> bool:
    """Whether the user speaks of ending the session: a model's reset counts only then."""
    return _ENDING.search(normalized(text).plain) is not None


# --- the table -------------------------------------------------------------------------------------------------------

_PLACE = re.compile(r"\{([a-z_]+)\}")
_CHINESE = re.compile(r"[\u3400-\u9fff]|\\u4e00")
_BEGINS = re.compile(r"[a-z(]")


def _patterns(listed: str) -> Iterator[str]:
    """Yield the patterns of a list, and those of the lists that it includes."""
    for pattern in re.split(r" \| |\n", listed):
        if whole := _PLACE.fullmatch(pattern.strip()):
            yield from _patterns(_TABLE["lists"][whole[1]])
        elif pattern.strip():
            yield pattern.strip()


def _any(listed: str) -> str:
    """Return a pattern of any entry of a list, longest first, with the lists that an entry names filled in.

    English entries match whole words only.
    """
    found = sorted(dict.fromkeys(_patterns(listed)), key=len, reverse=True)
    put_in = [_PLACE.sub(lambda place: f"(?:{_any(_TABLE['lists'][place[1]])})", pattern) for pattern in found]
    english = [one for one in put_in if not _CHINESE.search(one)]
    words = "|".join(one for one in english if _BEGINS.match(one))
    others = [one for one in english if not _BEGINS.match(one)]
    ends = "(?![a-z0-9'])"
    whole = [f"(?<![a-z0-9'])(?:{words}){ends}"] if words else []
    return "|".join([*whole, *(f"(?:{one}){ends}" for one in others), *filter(_CHINESE.search, put_in)])


def _compiled(row: Mapping[str, object]) -> IntentRule:
    parts = {name: re.compile(_any(str(row[name]))) for name in ("says", "unless", "among") if name in row}
    return IntentRule(**{**row, **parts})  # type: ignore[arg-type]


_WORD = re.compile(r"[a-z0-9']+|.")
_OTHER_REQUESTS = re.compile(_any("{parts} | {change} | {asks} | {papers}"))
"""Words of a change or a question, which no command contains."""
_ENDING = re.compile(_any("{ending}"))
_TAKING_BACK = re.compile(_any("{taking_back} | {a_version}"))
"""Words that ask for an earlier version."""
RULES = tuple(_compiled(row) for row in _TABLE["rule"])
_EXPORTS = tuple(rule for rule in RULES if rule.intent.startswith("export_") and rule.sure)
_IN_SEVERAL_FORMATS = IntentRule("export_file", says=re.compile("(?!)"), among=re.compile(_any("{exporting}")))
"""Words that may come beside the names of the formats."""
