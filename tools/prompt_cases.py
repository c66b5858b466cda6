"""Run the cases of the prompts against a model and print a table: ``make prompts``, ``make prompts ARGS=consult``.

The model is the one of the settings (``BANDSMITH_MODEL_URL``, ``BANDSMITH_MODEL_NAME``, ``BANDSMITH_MODEL_KEY``). A
case counts as expected if the reply comes to the same as the case's output: the same intent, the same edits of the same
things, the same columns, or a text in the right language.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from bandsmith.shared import prompts
from bandsmith.shared.llm import Allowance, Model, ModelFailed, Usage, ask, ask_text, model_from, schema_prompt
from bandsmith.shared.llm.answers import ANSWERS
from bandsmith.shared.settings import ModelSettings

BUDGET = Allowance(calls=10, tokens=200_000)
AS_PROSE = frozenset({"consult"})
"""Prompts that are answered in prose."""
_CJK = re.compile(r"[一-鿿]")


@dataclass(frozen=True)
class CaseResult:
    """The outcome of one case."""

    prompt: str
    number: int
    usable: bool
    expected: bool
    usage: Usage
    seconds: float
    trouble: str = ""


async def run_cases(model: Model, names: Sequence[str] = ()) -> list[CaseResult]:
    """Ask the model every case of the named prompts, one after the other; of all prompts if none is named."""
    return [
        await _run(model, name, number, case)
        for name in (names or ANSWERS)
        for number, case in enumerate(prompts.load(name).cases, 1)
    ]


async def _run(model: Model, name: str, number: int, case: prompts.Case) -> CaseResult:
    values = dict(case.input)
    written = {"edits": schema_prompt.edits, "spec": schema_prompt.spec}
    values |= {part: describe() for part, describe in written.items() if values.get(part) == ""}
    start = time.perf_counter()
    try:
        if name in AS_PROSE:
            text, usage = await ask_text(model, name, values, allowance=BUDGET)
            said: Mapping[str, Any] = {"answer": text}
        else:
            answer, usage = await ask(model, name, values, ANSWERS[name], allowance=BUDGET)
            said = answer.model_dump(exclude_none=True)
    except ModelFailed as failed:
        return CaseResult(name, number, False, False, failed.usage, time.perf_counter() - start, failed.code)
    expected = comes_to(said) == comes_to(case.output)
    return CaseResult(name, number, True, expected, usage, time.perf_counter() - start)


def comes_to(output: Mapping[str, Any]) -> dict[str, object]:
    """Return what counts of a reply."""
    found: dict[str, object] = {}
    if "intent" in output:
        found["intent"] = output["intent"]
    found["edits"] = {
        (edit["do"], edit.get("element") or edit.get("field") or edit.get("band") or "", edit.get("name", ""))
        for edit in output.get("edits") or []
    }
    if spec := output.get("spec"):
        found["columns"] = sorted(column["label"].lower() for column in spec.get("columns", []))
    for name in ("names", "totals"):
        if name in output:
            found[name] = sorted(output[name])
    if "objections" in output:
        found["objections"] = sorted(number for one in output["objections"] for number in one["facts"])
    for name in ("verdict", "assessment"):
        if name in output:
            found[name] = output[name]
    if "clarify" in output:
        found["clarify"] = bool(output["clarify"])
    for name in ("answer", "explanation", "summary"):
        if output.get(name):
            found[name] = "zh" if _CJK.search(output[name]) else "en"
    return found


def table(results: Sequence[CaseResult]) -> Table:
    """Return the results as a table, with their totals."""
    shown = Table("prompt", "case", "usable", "expected", "calls", "tokens in", "tokens out", "seconds")
    for one in results:
        marks = ["yes" if one.usable else one.trouble, "yes" if one.expected else "no"]
        usage = [str(one.usage.calls), str(one.usage.tokens_in), str(one.usage.tokens_out), f"{one.seconds:.1f}"]
        shown.add_row(one.prompt, str(one.number), *marks, *usage)
    total = sum((one.usage for one in results), Usage())
    counts = [f"{sum(one.usable for one in results)}", f"{sum(one.expected for one in results)}"]
    sums = [str(total.calls), str(total.tokens_in), str(total.tokens_out), f"{sum(one.seconds for one in results):.1f}"]
    shown.add_section()
    shown.add_row("all", str(len(results)), *counts, *sums)
    return shown


async def main(names: Sequence[str]) -> int:
    model = model_from(ModelSettings())
    if model is None:
        print("Set BANDSMITH_MODEL_URL and BANDSMITH_MODEL_NAME to the model that is to be tried.", file=sys.stderr)
        return 2
    if unknown := [name for name in names if name not in ANSWERS]:
        print(f"There is no prompt {unknown[0]}. Prompts: {', '.join(ANSWERS)}.", file=sys.stderr)
        return 2
    results = await run_cases(model, names)
    await model.close()
    Console(width=110).print(table(results))
    return 0 if all(one.usable for one in results) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
