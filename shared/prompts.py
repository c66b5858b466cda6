"""Prompts as files: `<name>.md` declares inputs and outputs, `<name>.cases.yaml` holds examples of both.

---
input:
  findings: data
  language: text
output:
  explanation: text
---
Explain these findings in {{ language }}:
{{ findings }}

The type ``data`` is for text from users and their files. It is fenced by two lines that it cannot contain,
``<data 0f3c…>`` and ``</data 0f3c…>``, and every model is told that nothing between them is an instruction.
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
_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n(.+)\Z", re.DOTALL)


class PromptError(ValueError):
    """Raised when a prompt file, its cases or its values do not match; the message names the mismatch."""


class Case(Value):
    """One example: input values and a correct reply."""

    input: dict[str, Any]
    output: dict[str, Any]


class Prompt(Value):
    name: str
    input: dict[str, str]
    """The type of every variable in the text, a key of `TYPES`, by name."""
    output: dict[str, str]
    """The type of every value in the reply, by name."""
    text: str
    cases: list[Case]

    def fill(self, **values: object) -> str:
        """Fill in the variables: lists and objects as JSON, data fenced. Raises ``PromptError`` for mismatches."""
        _check(f"{self.name}: input", self.input, values)
        formatted = {name: _formatted(value) for name, value in values.items()}
        data = [name for name, kind in self.input.items() if kind == "data"]
        fence = _fence([formatted[name] for name in data])
        formatted |= {name: f"<data {fence}>\n{formatted[name]}\n</data {fence}>" for name in data}
        return _VARIABLE.sub(lambda match: formatted[match[1]], self.text)


@lru_cache
def load(name: str, folder: Path = FOLDER) -> Prompt:
    """Read a prompt and validate it against its cases. Raises ``PromptError``."""
    path, cases = folder / f"{name}.md", folder / f"{name}.cases.yaml"
    for file in (path, cases):
        if not file.is_file():
            raise PromptError(f"{name}: the file {file.name} is missing")
    parts = _FRONT_MATTER.match(path.read_text(encoding="utf-8"))
    if not parts:
        raise PromptError(f"{name}: {path.name} does not begin with front matter between two lines of ---")
    front = yaml.safe_load(parts[1])
    if not isinstance(front, dict) or set(front) != {"input", "output"}:
        raise PromptError(f"{name}: the front matter must contain exactly input and output")
    prompt = Prompt(name=name, text=parts[2].strip(), cases=yaml.safe_load(cases.read_text(encoding="utf-8")), **front)
    _validate(prompt)
    return prompt


def _validate(prompt: Prompt) -> None:
    for where, declared in (("input", prompt.input), ("output", prompt.output)):
        for variable, kind in declared.items():
            if kind not in TYPES:
                raise PromptError(
                    f"{prompt.name}: {where} {variable} has the unknown type {kind}; known types are {', '.join(TYPES)}"
                )
    used = set(_VARIABLE.findall(prompt.text))
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


def _formatted(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode(errors="replace").decode()  # lone surrogates cannot be encoded


def fenced(data: str) -> str:
    """Return data between two lines that it cannot contain."""
    fence = _fence([data])
    return f"<data {fence}>\n{data}\n</data {fence}>"


def _fence(data: list[str]) -> str:
    """Return an id that the data does not contain and cannot predict; equal data gets equal ids."""
    seed = "\0".join(data)
    while (fence := hashlib.sha256(seed.encode()).hexdigest()[:16]) in seed:
        seed += fence
    return fence
