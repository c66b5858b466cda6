"""Prompts as files: `<name>.md` says what goes in and what must come out, `<name>.cases.yaml` holds examples of both.

---
input:
  findings: data
  language: text
output:
  explanation: text
---
Explain these findings in {{ language }}:
{{ findings }}

The type ``data`` is for whatever a user or an upload has written: it is filled in between two lines that it cannot
contain, ``<data 0f3c…>`` and ``</data 0f3c…>``, and every model is told that nothing between them is an instruction.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from .model.base import Value

FOLDER = Path(__file__).resolve().parent.parent / "prompts"
TYPES: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "number": (int, float),
    "flag": bool,
    "list": list,
    "object": dict,
    "data": (str, list, dict),
}
_PLACE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_FRONT = re.compile(r"\A---\n(.*?)\n---\n(.+)\Z", re.DOTALL)


class PromptError(ValueError):
    """A prompt's file, its cases or what it is filled with does not fit; the sentence names the place."""


class Case(Value):
    """One example: what goes in, and a reply that would be right."""

    input: dict[str, Any]
    output: dict[str, Any]


class Prompt(Value):
    name: str
    input: dict[str, str]
    """The name of every variable of the text, and its type: a key of `TYPES`."""
    output: dict[str, str]
    """The name of every value of the reply, and its type."""
    text: str
    cases: list[Case]

    def fill(self, **values: object) -> str:
        """The text with its variables filled in; lists and objects as JSON, data fenced. Raises ``PromptError``."""
        _check(f"{self.name}: input", self.input, values)
        written = {name: _written(value) for name, value in values.items()}
        data = [name for name, kind in self.input.items() if kind == "data"]
        fence = _fence([written[name] for name in data])
        written |= {name: f"<data {fence}>\n{written[name]}\n</data {fence}>" for name in data}
        return _PLACE.sub(lambda place: written[place[1]], self.text)


@lru_cache
def load(name: str, folder: Path = FOLDER) -> Prompt:
    """Read a prompt and its cases, and hold them against each other. Raises ``PromptError``."""
    path, cases = folder / f"{name}.md", folder / f"{name}.cases.yaml"
    for needed in (path, cases):
        if not needed.is_file():
            raise PromptError(f"{name}: the file {needed.name} is missing")
    parts = _FRONT.match(path.read_text(encoding="utf-8"))
    if not parts:
        raise PromptError(f"{name}: {path.name} does not begin with front matter between two lines of ---")
    front = yaml.safe_load(parts[1])
    if not isinstance(front, dict) or set(front) != {"input", "output"}:
        raise PromptError(f"{name}: the front matter has to hold input and output, and nothing else")
    prompt = Prompt(name=name, text=parts[2].strip(), cases=yaml.safe_load(cases.read_text(encoding="utf-8")), **front)
    _hold(prompt)
    return prompt


def _hold(prompt: Prompt) -> None:
    for where, declared in (("input", prompt.input), ("output", prompt.output)):
        for variable, kind in declared.items():
            if kind not in TYPES:
                raise PromptError(
                    f"{prompt.name}: {where} {variable} has the type {kind}; there are {', '.join(TYPES)}"
                )
    used = set(_PLACE.findall(prompt.text))
    for variable in sorted(used ^ set(prompt.input)):
        if variable in used:
            raise PromptError(f"{prompt.name}: the text uses {variable}, which input does not declare")
        raise PromptError(f"{prompt.name}: input declares {variable}, which the text does not use")
    if not prompt.cases:
        raise PromptError(f"{prompt.name}: {prompt.name}.cases.yaml has no case")
    for number, case in enumerate(prompt.cases, 1):
        _check(f"{prompt.name}: case {number}: input", prompt.input, case.input)
        _check(f"{prompt.name}: case {number}: output", prompt.output, case.output)


def _check(where: str, declared: dict[str, str], values: dict[str, Any]) -> None:
    for name in sorted(set(declared) ^ set(values)):
        raise PromptError(f"{where} {'lacks' if name in declared else 'does not know'} {name}")
    for name, kind in declared.items():
        if not isinstance(values[name], TYPES[kind]) or (kind == "number" and isinstance(values[name], bool)):
            raise PromptError(f"{where} {name} is not a {kind}")


def _written(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode(errors="replace").decode()  # half a surrogate pair cannot be sent


def _fence(data: list[str]) -> str:
    """A mark that none of the data contains. The same data has the same one, and nobody can write data that has it."""
    seed = "\0".join(data)
    while (mark := hashlib.sha256(seed.encode()).hexdigest()[:16]) in seed:
        seed += mark
    return mark
