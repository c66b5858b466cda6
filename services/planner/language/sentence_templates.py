"""Sentence templates: rules as data that can be read and extended without programming.

A file ``templates/<language>/<subject>.toml`` holds what users say about one subject in one language:

    [lists.direction]                       words that mean a value
    descending = ["[in] desc[ending] [order]", "newest first"]
                                            an empty value, "", keeps the words as they are

    [parts]                                 words that several templates share
    rows = "[the] (rows|table|list)"

    [sentences]                             what a whole clause may say, by the rule that acts on it
    sort = ["(sort|order) [<rows>] (by|on) [the] {columns} [{direction}]"]

    [slots]                                 what a slot takes that has a name of its own
    summed = "words"

    [fillers]                               the same for words that say nothing, such as a reason
    why = "clause"

==============  ====================================================================================================
``[words]``     the words may be missing
``(a|b)``       one of several
``<name>``      the template of ``[parts]`` with this name
``{name}``      a slot. One that ``[lists]`` holds takes one of that list's values, ``{colour}`` takes a colour,
                ``{number}`` a number, ``{length}`` a number with its unit, ``{quotation}`` one quotation; any other
                takes free words
a blank         blanks, or nothing where no word would run into the next: "列 [的]" and "列[的]" are the same
``^``           a line begins here
``/``           a clause ends here. ``/ (with|and a)`` also allows these words to follow, and takes none of them
``\\x``          the character ``x`` itself
==============  ====================================================================================================

A template accounts for a clause word by word or not at all: nothing is skipped, before, between or after. Free words
are the shortest that fit, and are as the user wrote them. What they name is looked up afterwards, and a rule that
finds nothing there gives the clause back. So does one that did not look at all that the slots took
(``Slots.left_over``), fillers apart.

A request for a new report is running text, in which a template may stand anywhere: `substitute` takes it out, `phrases`
finds it. Its slots need limits, which ``[slots]`` sets:

====================================  ==============================================================================
``words``, ``characters``             a few English words, a few Chinese characters
``items``, ``list``                   several names, with or without commas
``clause``, ``sentence``, ``line``    everything to the next mark of their kind
``label``, ``formula``                a column, and how it is computed
``amount``                            a number with its currency and separators
``code``                              a number or a code: PO-5512, GB29 NWBK 6016
``measured``                          a number with its unit: 6 weeks
``word``, ``modifiers``, ``noun``     an English word, the words before a noun, a noun with those
``chinese``, ``chinese_name``         up to 6 or 14 Chinese characters without a mark
``measure_word``                      the word behind a Chinese number
``quoted``                            what stands between quotation marks
``typeface``                          a name that a typeface could have
``compared_value``                    what a value is compared with: no sign of comparison
``date_pattern``                      a pattern such as yyyy-MM-dd, or a quotation
``clock``, ``chinese_clock``          a time of day
``ordinal``, ``chinese_day``          a day of the month
``folder``                            a folder's name or path
``addresses``                         mail addresses
``run_name``                          the name of a scheduled run
====================================  ==============================================================================

A slot may also end before certain words: ``labels = { type = "list", before = "(with|showing)" }``.

The syntax is that of ``hassil``, which Home Assistant reads its sentences with. ``hassil`` itself was tried on sorting
only, with about a dozen clauses. It was not taken because it strips marks from free words ("No." becomes "No", a
column's name) and does not say where in the sentence they stood, which is needed to quote what was not read.
Here a template becomes one regular expression; a clause has at most 160 characters.

What stays a pattern in code are marks, quotations, numbers, lengths, dates, amounts, formulas and addresses: what a
scanner reads, the same in every language. A few closed sets of words are in code too: colours, numerals and units,
kinds of documents, and the words around the labels of a list (``spec/labels.py``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources
from typing import Any

from bandsmith.shared.language import LANGUAGES, Language

from .required_words import Words, may_match, one_of, required_words
from .slot_types import SLOT_TYPES
from .template_pattern import EDGE, TOKEN, WORD_END, WORD_START, CompiledTemplate, TemplateError

_SKIPPED_MARKS = " \t\n,，;；:：!！?？.。、()（）-"


class Slots:
    """What the slots of a template took in one clause, and which of them a builder has looked at."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = values
        self._used: set[str] = set()

    def __getitem__(self, name: str) -> str:
        """The value of a slot, empty where the clause leaves it out."""
        self._used.add(name)
        return self.values.get(name, "")

    @property
    def left_over(self) -> list[str]:
        """The words that slots took and no builder looked at: a reading without them is a guess."""
        return [words for name, words in self.values.items() if words and name not in self._used]


@dataclass(frozen=True)
class Phrase:
    """A part of a text that a template reads."""

    start: int
    end: int
    slots: Slots


class SentenceTemplate:
    """One template of one subject."""

    def __init__(self, source: str, subject: Subject) -> None:
        self.source = source
        self._subject = subject
        compiled = CompiledTemplate(source, subject)
        self._slots = compiled.slots
        self.text = compiled.text
        """The pattern, whose expression is made when it is first needed: most templates never read anything."""
        self._looked_at: tuple[str, bool] = ("", False)
        """The text that was looked at last, one position after the other, and whether it holds the required words."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return self._pattern(self.text)

    @cached_property
    def _phrase(self) -> re.Pattern[str]:
        return self._pattern(f"{WORD_START}(?:{self.text}){WORD_END}")

    @cached_property
    def _words(self) -> re.Pattern[str]:
        return self._pattern(f"{EDGE}(?:{self.text}){EDGE}")

    def _pattern(self, text: str) -> re.Pattern[str]:
        try:
            return re.compile(text, re.IGNORECASE | re.DOTALL)
        except re.error as error:  # a wording of a list that has a slot of its own, for example
            raise TemplateError(f"{self.source!r}: {error}") from None

    @cached_property
    def required(self) -> list[Words]:
        """Words without which the template reads nothing."""
        return self._subject.required_by(self.source)

    def may_read(self, text: str) -> bool:
        """Whether a text holds the required words: searched once for a text that is read at each of its positions."""
        known, holds = self._looked_at
        if known is not text:
            holds = may_match(self.required, text)
            self._looked_at = text, holds
        return holds

    def fullmatch(self, clause: str) -> Slots | None:
        """Return what the slots take where the template is the whole clause."""
        found = self.pattern.fullmatch(clause) if may_match(self.required, clause) else None
        return self._taken(found) if found else None

    def match(self, text: str, start: int) -> tuple[int, Slots] | None:
        """Return where the template ends, and its slots, where it stands at `start` of a text."""
        found = self.pattern.match(text, start) if self.may_read(text) else None
        return (found.end(), self._taken(found)) if found else None

    def phrases(self, text: str) -> Iterator[Phrase]:
        """Yield the phrases that the template reads in a text, from left to right."""
        if may_match(self.required, text):
            for found in self._words.finditer(text):
                yield Phrase(*found.span(), self._taken(found))

    def phrase_at(self, text: str, start: int) -> Phrase | None:
        """Return the phrase of whole words that the template reads at `start` of a text."""
        found = self._words.match(text, start) if self.may_read(text) else None
        return Phrase(*found.span(), self._taken(found)) if found else None

    def substitute(self, text: str, replacement: Callable[[Slots, tuple[int, int]], str | None]) -> str:
        """Return a text with each phrase that the template reads replaced.

        `replacement` is called with the slots of a phrase and where it begins and ends, and answers None to leave it.
        """

        def replaced(found: re.Match[str]) -> str:
            new = replacement(self._taken(found), found.span())
            return found[0] if new is None else new

        return self._phrase.sub(replaced, text) if may_match(self.required, text) else text

    def _taken(self, found: re.Match[str]) -> Slots:
        values: dict[str, str] = {}
        for group, slot in self._slots:
            if found[group] is not None:
                words = found[group].strip()
                values[slot] = self._subject.value_of(slot, words) or words
        return Slots(values)


class Subject:
    """The templates of one subject in one language."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self._parts: Mapping[str, str] = content.get("parts", {})
        self.fillers: Mapping[str, str] = content.get("fillers", {})
        self._slot_types: Mapping[str, str | Mapping[str, str]] = {**content.get("slots", {}), **self.fillers}
        self._required: dict[str, list[Words]] = {}
        self._required_by_rule: dict[str, list[Words]] = {}
        self._lists: dict[str, list[tuple[str, SentenceTemplate]]] = {}
        for name, values in content.get("lists", {}).items():
            wordings = [(value, wording) for value, wordings in values.items() for wording in wordings]
            # "courier" would take the beginning of "courier new".
            wordings.sort(key=lambda entry: len(entry[1]), reverse=True)
            self._lists[name] = [(value, SentenceTemplate(wording, self)) for value, wording in wordings]
        self.sentences: dict[str, list[SentenceTemplate]] = {
            rule: [SentenceTemplate(source, self) for source in sources]
            for rule, sources in content.get("sentences", {}).items()
        }

    def templates_for(self, rule: str, text: str) -> Sequence[SentenceTemplate]:
        """Return the templates of a rule, or none where the text lacks the words that each of them requires."""
        templates = self.sentences.get(rule, ())
        if rule not in self._required_by_rule:
            self._required_by_rule[rule] = one_of([template.required for template in templates])
        return templates if may_match(self._required_by_rule[rule], text) else ()

    def part(self, name: str, source: str) -> str:
        if name not in self._parts:
            raise TemplateError(f"{source!r}: there is no part {name!r}")
        return self._parts[name]

    def required_by(self, source: str) -> list[Words]:
        """Return words without which a template reads nothing."""
        return required_words(TOKEN.finditer(source), self._required_by_part, self._required_by_slot)

    def _required_by_part(self, name: str) -> list[Words]:
        if name not in self._required:
            self._required[name] = self.required_by(self._parts[name])
        return self._required[name]

    def _required_by_slot(self, name: str) -> list[Words]:
        """Return what the values of a list require; nothing where the slot takes free words."""
        return one_of([template.required for _, template in self._lists.get(name, [])])

    def list_pattern(self, name: str) -> str | None:
        """A pattern of every value of a list, longer wordings first; None where the slot takes free words."""
        if name not in self._lists:
            slot = self._slot_types.get(name, name)
            return SLOT_TYPES.get(slot) if isinstance(slot, str) else self._ending(slot["type"], slot["before"])
        return "|".join(f"(?:{template.text})" for _, template in self._lists[name])

    def _ending(self, slot_type: str, stop: str) -> str:
        """A pattern of a slot that ends before the words of a template."""
        characters, _, count = SLOT_TYPES[slot_type].partition("]")
        return rf"(?:(?!{EDGE}(?:{SentenceTemplate(stop, self).text}){EDGE}){characters}]){count}"

    def value_of(self, name: str, words: str) -> str | None:
        """The value of a list that words stand for."""
        return next((value for value, template in self._lists.get(name, []) if template.fullmatch(words)), None)


@cache
def load(subject: str, language: Language | None = None) -> tuple[Subject, ...]:
    """The templates of a subject in one language, or in every language that has some."""
    found = []
    for name in [language] if language else LANGUAGES:
        file = resources.files(__package__).joinpath("templates", name, f"{subject}.toml")
        if file.is_file():
            found.append(Subject(tomllib.loads(file.read_text(encoding="utf-8"))))
    return tuple(found)


def matches(subject: str, rule: str, clause: str) -> Iterator[Slots]:
    """The slots of every template of a rule that is the whole clause, in the order of the files."""
    for template in _templates_for(subject, rule, clause):
        if (slots := template.fullmatch(clause)) is not None:
            yield slots


@lru_cache(maxsize=4096)
def _templates_for(subject: str, rule: str, text: str) -> tuple[SentenceTemplate, ...]:
    """Return the templates of a rule whose required words a text has: most rules look at one clause several times."""
    return tuple(
        template
        for language in load(subject)
        for template in language.templates_for(rule, text)
        if may_match(template.required, text)
    )


@lru_cache(maxsize=1024)
def listed(subject: str, name: str, words: str) -> str | None:
    """Return the value of a subject's list that words stand for, in any language; None where they stand for none."""
    values = (language.value_of(name, words.strip()) for language in load(subject))
    return next((value for value in values if value is not None), None)


@cache
def pattern(subject: str, rule: str, language: Language | None = None) -> str:
    """Return a regular expression of the whole words of a rule without slots, for code that splits a text at them."""
    templates = [template for one in load(subject, language) for template in one.sentences.get(rule, ())]
    return f"{EDGE}(?:{'|'.join(f'(?:{template.text})' for template in templates) or '(?!)'}){EDGE}"


def phrases(subject: str, rule: str, text: str) -> list[Phrase]:
    """Return the phrases that a rule reads in a text, from left to right.

    Of two that overlap, the earlier one is taken; of two that begin together, the longer one.
    """
    found = [phrase for template in _templates_for(subject, rule, text) for phrase in template.phrases(text)]
    kept: list[Phrase] = []
    for phrase in sorted(found, key=lambda phrase: (phrase.start, -phrase.end)):
        if not kept or phrase.start >= kept[-1].end:
            kept.append(phrase)
    return kept


def phrase_at(subject: str, rule: str, text: str, start: int = 0, language: Language | None = None) -> Phrase | None:
    """Return the longest phrase that a rule reads at `start` of a text."""
    found = [
        phrase
        for templates in load(subject, language)
        for template in templates.sentences.get(rule, ())
        if (phrase := template.phrase_at(text, start)) is not None
    ]
    return max(found, key=lambda phrase: phrase.end, default=None)


def end_of_phrases(subject: str, rule: str, text: str, until: str = "") -> int:
    """Return where a text goes on after the phrases of a rule at its beginning, and the blanks and marks around them.

    The rule `until`, where it reads a phrase, says that the rest begins there.
    """
    end = _after_marks(text, 0)
    while (
        not (until and phrase_at(subject, until, text, end))
        and (phrase := phrase_at(subject, rule, text, end)) is not None
        and phrase.end > end
    ):
        end = _after_marks(text, phrase.end)
    return end


def start_of_phrases(subject: str, rule: str, text: str) -> int:
    """Return where the phrases of a rule at the end of a text begin, with the blanks and commas before them.

    They never are the whole text.
    """
    end = len(text)
    while phrase := next((one for one in phrases(subject, rule, text[:end]) if one.end == end), None):
        start = len(text[: phrase.start].rstrip(" \t\n,，"))
        if start in (0, end):
            break
        end = start
    return end


def _after_marks(text: str, start: int) -> int:
    return start + len(text[start:]) - len(text[start:].lstrip(_SKIPPED_MARKS))
