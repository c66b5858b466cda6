"""Sentences and the edits that they mean, in two halves: rules were written against one, and are measured on both."""

from __future__ import annotations

import hashlib
from collections import Counter
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from bandsmith.services.planner.language.change.rule_parser import RequestReading, read_request
from bandsmith.services.planner.language.template_view import TemplateView
from bandsmith.shared.editing import Editor
from tests.yaml_files import read_yaml

from .templates import ALL

SENTENCES: list[dict[str, Any]] = read_yaml(Path(__file__).with_name("sentences.yaml"))
Outcome = Literal["right", "unclear", "wrong"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def held_out(sentence: dict[str, Any]) -> bool:
    return int(hashlib.sha256(sentence["say"].encode()).hexdigest(), 16) % 2 == 1


@cache
def reading(say: str, form: str) -> RequestReading:
    return read_request(say, TemplateView(Editor(ALL[form]()[0])))


def judged(sentence: dict[str, Any]) -> tuple[Outcome, RequestReading]:
    """Right: these edits and no others, and the rest refused or left as meant. Unclear: less than was asked for."""
    editor = Editor(ALL[sentence["form"]]()[0])
    understood = reading(sentence["say"], sentence["form"])
    wanted = _spread(sentence.get("edits", []), editor)
    made = [edit.model_dump() for edit in understood.edits]
    left = list(made)
    unmet = 0
    for edit in wanted:
        met = next((one for one in left if _is(edit, one)), None)
        if met is None:
            unmet += 1
        else:
            left.remove(met)
    added = {edit["key"] for edit in made if edit["do"] == "add"}
    # How what was just added looks may be said beyond what a sentence lists.
    surplus = [one for one in left if one["do"] != "set" or one["element"] not in added]
    if surplus or len(understood.refusals) > sentence.get("refused", 0):
        return "wrong", understood
    short = unmet or len(understood.refusals) < sentence.get("refused", 0)
    if short:
        return ("unclear" if understood.unread else "wrong"), understood
    if len(understood.unread) != sentence.get("unclear", 0):
        return ("unclear" if understood.unread else "wrong"), understood
    return "right", understood


def _spread(edits: list[dict[str, Any]], editor: Editor) -> list[dict[str, Any]]:
    """An edit of `h_*` is one of every such element."""
    out = []
    keys = [piece.key for piece in TemplateView(editor).pieces]
    for edit in edits:
        name = edit.get("element", "")
        if "*" not in name:
            out.append(edit)
            continue
        fits = [key for key in keys if fnmatchcase(key, name)]
        texts = [piece.key for piece in TemplateView(editor).texts]
        out += [edit | {"element": key} for key in fits if key in texts]
    return out


def _is(wanted: dict[str, Any], made: dict[str, Any]) -> bool:
    return all(_same(value, made.get(name)) for name, value in wanted.items())


def _same(wanted: Any, made: Any) -> bool:
    if isinstance(wanted, str) and wanted[:1] in "<>" and wanted[1:].replace(".", "").isdigit():
        off = float(made) - float(wanted[1:])
        return off > 0 if wanted[0] == ">" else off < 0
    return bool(wanted == made)


def shares(*, held: bool) -> dict[Outcome, float]:
    """Return what becomes of the sentences of one half, as shares of it."""
    outcomes = Counter(judged(sentence)[0] for sentence in SENTENCES if held_out(sentence) == held)
    return {outcome: outcomes[outcome] / outcomes.total() for outcome in OUTCOMES}
