"""New wording for labels and other texts. What users say is in ``templates/*/wording.toml``."""

from __future__ import annotations

import re

from bandsmith.shared.edits import AnyEdit
from bandsmith.shared.edits.rename_field import RenameField
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_parameters import SetParameters
from bandsmith.shared.edits.set_text import SetText
from bandsmith.shared.edits.set_value import SetValue
from bandsmith.shared.fields.identifiers import name_for
from bandsmith.shared.fields.value_types import STRING
from bandsmith.shared.jrxml.expressions import sole_reference, string_literals
from bandsmith.shared.jrxml.java_literals import java_string

from ...fuzzy_match import normal
from ...references import Missing, Reference, Target
from ...sentence_templates import Slots, listed, matches
from ...view_elements import DATES, ViewElement
from ..reading import Clause, ClauseReading, templated
from ..style_phrases import style_changes
from ..unquoted import ABBREVIATIONS, runs_on
from ..value_classes import is_numeric
from ..value_likeness import is_another_label, is_like
from .removal import with_value
from .row_entry import converted

_COLONS = (":", "：")
MAX_LABEL_WORDS, MAX_LABEL_HAN = 4, 8
"""English words and Chinese characters of a text that may be a label; longer ones are sentences."""
_HAN = re.compile("[\u3400-\u9fff]")
MAX_WORDING_CHARS = 200
_JOINED = re.compile("(?:[里中上]?的|[里中上]| says| reads)$")
"""What joins a text and the words that are quoted of it."""
_COUNTED = re.compile(r"\d+(?:\.\d+)?\s?(?P<unit>[A-Za-z]+|[\u3400-\u9fff])")
"""A number with its unit: 6 weeks."""
DAY_CHARS = len("2026-05-31")
MAX_LONGER_VALUE = 2
"""How many times as long as a new value the old one may be."""
MAX_UNQUOTED_CHARS = 40
MAX_UNQUOTED_WORDS = 6
"""Longer wording without quotation marks is likely to ask for something else as well."""


def rename(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _value_itself(clause, slots) or _renamed(clause, slots)


def rename_pair(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Rename From and To to Start and Finish”."""
    pairs = ((slots["name"], slots["new"]), (slots["other"], slots["newer"]))
    if re.search(r"\band\b|[和与、]", f"{slots['new']} {slots['newer']}"):
        return None  # three names, or words that go on: “Start and End and the rest stays”
    readings = [_renamed(clause, Slots({"name": name, "new": new})) for name, new in pairs]
    if any(reading is None or len(reading.edits) != 1 for reading in readings):
        return None
    return ClauseReading([edit for reading in readings if reading for edit in reading.edits], wording=True)


def change(clause: Clause, slots: Slots) -> ClauseReading | None:
    """A clause that may mean a label or the value beside it; it is read only where there is no such value."""
    return _value_itself(clause, slots) or _renamed(clause, slots, may_mean_value=True)


def then_rename(clause: Clause, slots: Slots) -> ClauseReading | None:
    """A clause after one that renames: "and date to day"."""
    follows = clause.before is not None and clause.before.wording
    if not follows or any(any(matches("wording", rule, clause.text)) for rule in ("rename", "change")):
        return None
    if slots["title"] and not (
        slots["new"][:1].isupper() or not slots["new"].isascii() or clause.has_quotes(slots["new"])
    ):
        return None  # “and the title away” is no name
    return _renamed(clause, slots, may_mean_value=True)


def new_value(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Change the phone number to 0573-8766”: the value of a label, where the new one is like the old one."""
    if not slots["name"] and (clause.before is None or clause.before.edits):
        return None
    found, new = clause.find(slots["name"]), clause.words(slots["new"] or slots["measured"]).strip(" 。.")
    if not clause.is_quotation(slots["new"]) and runs_on(new):
        return None
    if slots["old"] and slots["measured"]:
        return _count_instead_of(clause, clause.words(slots["old"]).strip(" 。."), new)
    if slots["old"]:
        return _value_instead_of(clause, clause.words(slots["old"]).strip(" 。."), new, found)
    if not isinstance(found, Target) or found.role or found.column is not None or len(found.pieces) != 1:
        return None
    names = {name for one in with_value(clause.view, found.pieces[0]) for scope, name in one.references if scope == "P"}
    if len(names) != 1 or len(new) > MAX_WORDING_CHARS or says_how_it_looks(new):
        return None
    [name] = names
    declared = next((one for one in clause.view.root.iterchildren("{*}parameter") if one.get("name") == name), None)
    java_class = STRING if declared is None else declared.get("class", STRING)
    if java_class in DATES:
        day = converted(new, java_class)
        if not isinstance(day, str) or day[:DAY_CHARS] == str(clause.view.parameter(name))[:DAY_CHARS]:
            return None  # the same day in another form is about the form
        return ClauseReading([SetParameters(values={name: day})], target=found)
    is_text = declared is not None and java_class == STRING
    if is_text and (other := _with_number(str(clause.view.parameter(name) or ""), new)):
        return ClauseReading([SetParameters(values={name: other})], target=found)
    if slots["measured"]:
        return None  # “make the invoice number 6 digits” is no value
    value = str(clause.view.parameter(name) or "")
    label = _without_colon(found.pieces[0].words)
    if _is_code(value) and len(new.split()) > 1 and re.search("[,，;；]", new):
        return None  # “the number is 4711, the rest stays”: behind the comma another clause begins
    if not is_text or not is_like(new, value, label) or len(value) > MAX_LONGER_VALUE * len(new):
        return None  # a sentence with a number in it is not replaced by the number
    return ClauseReading([SetParameters(values={name: new})], target=found)


def _is_code(value: str) -> bool:
    """Whether a value is one word with figures: a number of an account, a telephone, an order."""
    return len(value.split()) == 1 and any(map(str.isdigit, value))


def _count_instead_of(clause: Clause, old: str, new: str) -> ClauseReading | None:
    """“Payment terms are 14 days now, not 30”: the value of the page that has 30 days, if just one has."""
    unit = next((found["unit"] for found in [_COUNTED.fullmatch(new)] if found), "")
    before = old if _COUNTED.fullmatch(old) else f"{old} {unit}"
    names = {name for piece in clause.view.texts for scope, name in piece.references if scope == "P"}
    values = {name: str(clause.view.parameter(name) or "") for name in sorted(names)}
    found = {
        name: value for name, value in values.items() if len(re.findall(rf"(?<!\d){re.escape(before)}", value)) == 1
    }
    if not unit or len(found) != 1:
        return None
    [(name, value)] = found.items()
    return ClauseReading([SetParameters(values={name: value.replace(before, new)})])


def _with_number(value: str, new: str) -> str:
    """Return a value in which a number is another one: “4 weeks from order.” with “6 weeks”; empty where none fits."""
    count = _COUNTED.fullmatch(new)
    places = [one for one in _COUNTED.finditer(value) if count and one["unit"] == count["unit"]]
    if len(places) != 1:
        return ""
    return value[: places[0].start()] + new + value[places[0].end() :]


def _value_instead_of(clause: Clause, old: str, new: str, named: object) -> ClauseReading | None:
    """“The driver is Zhou Hai now, not Qian Li”: the value that is printed as the old words, if just one is.

    It may be called by words that are not on the page, since the old words say which value is meant.
    """
    if not old or not new or len(new) > MAX_WORDING_CHARS or says_how_it_looks(new):
        return None
    printed = {
        name: piece
        for piece in clause.view.texts
        for scope, name in piece.references
        if scope == "P" and normal(str(clause.view.parameter(name) or "")) == normal(old)
    }
    if len(printed) != 1:
        return None
    [(name, piece)] = printed.items()
    if isinstance(named, Target):
        meant = {one.key for label in named.pieces for one in with_value(clause.view, label)}
        if piece.key not in meant:
            return None
    return ClauseReading([SetParameters(values={name: new})], target=Target(old, (piece,), alone=True))


def _value_itself(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Change Helen Ashdown to John Smith”: a value that is named by itself, if just one is printed like that."""
    old, new = clause.words(slots["name"]).strip(), new_wording(clause, slots, is_sure=False)
    if not old or not new or slots["kind"] or slots["old"] or old.replace(".", "").isdigit():
        return None
    if any(normal(old) in normal(_without_colon(one.words)) for one in clause.view.texts):
        return None  # a label, or a part of one: 客户 is that of 客户名称, also where another value reads so
    if whole := _value_instead_of(clause, old, new, None):
        return whole
    cells = [
        (column.field, value)
        for row in clause.view.rows
        for column in clause.view.columns
        if isinstance(value := row.get(column.field), str) and normal(value) == normal(old)
    ]
    if len(cells) != 1 or says_how_it_looks(new):
        return None
    return ClauseReading([SetValue(values={cells[0][0]: new}, where=dict(cells))])


def says_how_it_looks(words: str) -> bool:
    """Whether words, or the first of several parts, are about a look: "bigger, 14 pt or so"."""
    return any(style_changes(part.strip()) for part in re.split(r"[,，、]|\band\b", words))


def without_blanks(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“Remove the gaps in 送 货 单”: the same letters without the blanks between them."""
    found = clause.known(clause.find(slots["name"]))
    if not isinstance(found, Target):
        return found
    texts = [one for one in found.texts if one.tag == "staticText" and re.search(r"\S\s+\S", one.words)]
    if not texts and len(found.texts) == 1:
        return _value_without_blanks(clause, found)
    if len(texts) != 1 or any(char.isascii() and char.isalnum() for char in texts[0].words):
        return None  # without its blanks, an English text runs together
    return ClauseReading([SetText(element=texts[0].key, text="".join(texts[0].words.split()))], target=found)


def _value_without_blanks(clause: Clause, target: Target) -> ClauseReading | None:
    """The same for a text that is a value of the data."""
    [piece] = target.texts
    alone = sole_reference(piece.expression, "P")
    value = clause.view.parameter(alone[1]) if alone else None
    if not isinstance(value, str) or not re.search(r"\S\s+\S", value) or re.search(r"[A-Za-z0-9]", value):
        return None
    return ClauseReading([SetParameters(values={alone[1]: "".join(value.split())})], target=target)  # type: ignore[index]


def _renamed(clause: Clause, slots: Slots, may_mean_value: bool = False) -> ClauseReading | None:
    new = new_wording(clause, slots, is_sure=not may_mean_value)
    if new is None:
        return None
    name, kind = slots["name"] or slots["title"], slots["kind"]
    target = clause.find(name)
    if kind:
        # The word for a kind of thing may belong to the name: 客户名称.
        whole = clause.find(name + kind)
        target = whole if isinstance(whole, Target) else target
    target = _quoted_part(clause, name, target) or target
    if isinstance(target, Missing):
        return _renamed_field(clause, name, new) or clause.absent(target)
    if not isinstance(target, Target):
        return None
    if slots["old"] and not _is_worded(clause, target, slots["old"]):
        return None
    is_quoted = clause.has_quotes(name)
    if may_mean_value and not is_quoted and target.role != "title" and _may_mean_value(clause, target, new):
        return None
    edits = reworded(target, new)
    quoted = clause.is_quotation(slots["new"] or slots["quotation"])
    return ClauseReading(edits, target=target, wording=not quoted) if edits else None


def _quoted_part(clause: Clause, name: str, found: Reference) -> Target | None:
    """Return the words that are quoted of a text which the others name: 右下角那句“三日内”, “in the footer "May"”."""
    quotation = next((char for char in name if clause.is_quotation(char)), None)
    if quotation is None:
        return None
    words, before = clause.words(quotation), _JOINED.sub("", name.split(quotation, maxsplit=1)[0].strip())
    for named in (found, clause.find(before) if before else None):
        if isinstance(named, Target) and named.column is None and len(named.pieces) == 1:
            piece = named.pieces[0]
            if piece.tag == "staticText" and words in piece.words and words != _without_colon(piece.words):
                return Target(words, named.pieces, alone=True)
    return None


def _is_worded(clause: Clause, target: Target, old: str) -> bool:
    """Whether a text reads as a clause says that it should not: “should say X, not Y”."""
    found = clause.find(old)
    is_same = isinstance(found, Target) and bool({one.key for one in found.pieces} & {one.key for one in target.pieces})
    return is_same or normal(clause.words(old)) in {normal(_without_colon(one.words)) for one in target.pieces}


def _is_one_name(words: str) -> bool:
    """Whether words are one word that is written as a name: “End”, which could be where something goes otherwise."""
    return len(words.split()) == 1 and words[0].isupper()


def new_wording(clause: Clause, slots: Slots, is_sure: bool) -> str | None:
    """Return the new wording; None where words without quotation marks may ask for something else.

    `is_sure` says that the clause is about wording whatever the words are: “rename X to End”.
    """
    words = slots["new"] or slots["quotation"]
    new = clause.words(words)
    if not new or len(new) > MAX_WORDING_CHARS:
        return None
    if clause.is_quotation(words):
        return new
    asks_for_more = (
        clause.has_quotes(words)
        or "\n" in new
        or not new.strip("0123456789.")
        or len(new) > MAX_UNQUOTED_CHARS
        or len(new.split()) > MAX_UNQUOTED_WORDS
        or (listed("wording", "another_request", new) is not None and not (is_sure and _is_one_name(new)))
        or any(any(matches("style", rule, new)) for rule in ("typefaces", "chinese_faces"))
        or runs_on(new)
    )
    return None if asks_for_more else new + _full_stop(clause, new)


def _full_stop(clause: Clause, new: str) -> str:
    """Return the full stop of an abbreviation, which ends no sentence: “call it No.”."""
    is_short = new.rsplit(maxsplit=1)[-1].casefold() in ABBREVIATIONS
    return "." if is_short and f"{new}." in clause.request.text else ""


def reworded(target: Target, new: str) -> list[AnyEdit]:
    """Return the edits that give a target new wording; none where it has no text that could be replaced."""
    if target.role not in ("", "title", "company"):
        return []
    if target.column is not None:
        head = target.column.head
        return [_text(head, new)] if head is not None and head.tag == "staticText" else []
    if len(target.pieces) != 1:
        return []
    piece = target.pieces[0]
    if piece.tag == "staticText":
        return _part_reworded(piece, target, new) if _names_a_part(piece, target) else [_text(piece, new)]
    alone = sole_reference(piece.expression, "P")
    if alone is not None and target.role == "title":
        return [SetParameters(values={alone[1]: new})]
    literals = [one for one in string_literals(piece.expression) if one.strip()]
    if len(literals) != 1:
        return []
    literal, new = literals[0], _without_colon(new)
    old = target.words if target.words in literal else _without_colon(literal)
    changed = literal.replace(old, java_string(new)[1:-1], 1)
    return [SetExpression(element=piece.key, expression=piece.expression.replace(f'"{literal}"', f'"{changed}"', 1))]


def _names_a_part(piece: ViewElement, target: Target) -> bool:
    """Whether words are a part of a text that stays otherwise: one that is quoted, or a word of a sentence.

    A label is named by a part of it as well: the price of "Unit price".
    """
    rest = piece.words.replace(target.words, "", 1)
    if rest == piece.words or not re.search(r"\w", rest):
        return False
    return target.alone or len(piece.words.split()) > MAX_LABEL_WORDS or len(_HAN.findall(piece.words)) > MAX_LABEL_HAN


def _part_reworded(piece: ViewElement, target: Target, new: str) -> list[AnyEdit]:
    """Return the edit that replaces a part of a text; none where it stands there more than once."""
    if piece.words.count(target.words) != 1:
        return []
    return [SetText(element=piece.key, text=piece.words.replace(target.words, new))]


def _has_value(clause: Clause, target: Target) -> bool:
    """Whether a value is printed with the text that is named."""
    if target.column is not None or len(target.pieces) != 1:
        return False
    piece = target.pieces[0]
    return piece.tag == "textField" or len(with_value(clause.view, piece)) > 1


def _may_mean_value(clause: Clause, target: Target, new: str) -> bool:
    """Whether new words may be those of the value beside a label: not a value of digits, where they have none."""
    if not _has_value(clause, target) or _is_of_the_same_kind(target, new):
        return False
    beside = with_value(clause.view, target.pieces[0])[1:]
    is_sum = bool(beside) and all(is_numeric(clause.view, piece) for piece in beside)
    if is_sum and not any(char.isdigit() for char in new) and listed("totals", "calculation", new) is None:
        return False
    values = [clause.view.printed(piece) for piece in beside]
    is_code = bool(values) and all(any(char.isdigit() for char in value) for value in values)
    return not (is_code and not any(char.isdigit() for char in new))


def _is_of_the_same_kind(target: Target, new: str) -> bool:
    """Whether new words end as a label does, so that they are another label rather than a value: 业务员, 销售员."""
    old = _without_colon(target.pieces[0].words).strip()
    if not old or old == new or any(char.isdigit() for char in new):
        return False
    if is_another_label(new, old):
        return True
    return old.split()[-1].casefold() == new.rsplit(maxsplit=1)[-1].casefold() if old.isascii() else old[-1] == new[-1]


def _renamed_field(clause: Clause, name: str, new: str) -> ClauseReading | None:
    """Return the reading that renames a field or parameter which is called so but printed without a label."""
    words = clause.words(name)
    declared = [node for node in clause.view.root if node.get("name") == words and isinstance(node.tag, str)]
    scope = next((kind for node in declared for kind in ("field", "parameter") if node.tag.endswith("}" + kind)), None)
    if scope is None:
        return None
    names = {node.get("name", "") for node in clause.view.root if isinstance(node.tag, str)}
    return ClauseReading(
        [RenameField.model_validate({"scope": scope, "name": words, "to": name_for(new, words, names)})]
    )


def _text(piece: ViewElement, new: str) -> SetText:
    """Return the edit of a text; a colon after the old wording stays."""
    colon = piece.words[len(_without_colon(piece.words)) :]
    return SetText(element=piece.key, text=new if new.endswith(_COLONS) else new + colon)


def _without_colon(words: str) -> str:
    words = words.rstrip()
    return words[:-1].rstrip() if words.endswith(_COLONS) else words


RULES = tuple(
    templated("wording", rule) for rule in (rename_pair, new_value, without_blanks, rename, change, then_rename)
)
