"""Every reply's schema is complete and understood by the grammar engines of servers that enforce schemas.

llguidance (vLLM, llama.cpp, OpenAI) is installed with the tests. The converter of llama.cpp and xgrammar (vLLM, SGLang)
need much more than themselves; they are checked where they are installed: `pip install xgrammar llama-cpp-python`.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from typing import Any

import llguidance
import pytest

from bandsmith.shared import prompts
from bandsmith.shared.edits import EDITS
from bandsmith.shared.llm.answers import ANSWERS
from bandsmith.shared.llm.ask import schema_of
from tests.each_case import each

EVERY_EDIT = [name for name, answer in ANSWERS.items() if "edits" in answer.model_fields]


def matcher(grammar: str) -> llguidance.LLMatcher:
    """Return what reads a reply byte by byte, as the grammar allows."""
    found = llguidance.LLMatcher(llguidance.LLTokenizer("byte"), grammar)
    assert not found.get_error(), found.get_error()
    return found


def by_llguidance(schema: dict[str, Any]) -> Callable[[str], bool]:
    grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema))
    return lambda reply: _reads(matcher(grammar), reply)


def by_llama_cpp(schema: dict[str, Any]) -> Callable[[str], bool]:
    converter = importlib.import_module("llama_cpp.llama_grammar")
    grammar = llguidance.grammar_from("gbnf", converter.json_schema_to_gbnf(json.dumps(schema)))
    return lambda reply: _reads(matcher(grammar), reply)


def by_xgrammar(schema: dict[str, Any]) -> Callable[[str], bool]:
    xgrammar = importlib.import_module("xgrammar")
    grammar = xgrammar.Grammar.from_json_schema(json.dumps(schema))
    return lambda reply: bool(xgrammar.testing._is_grammar_accept_string(grammar, reply))


ENGINES = {"llguidance": by_llguidance, "llama_cpp": by_llama_cpp, "xgrammar": by_xgrammar}


@pytest.fixture(params=[name for name in ENGINES if importlib.util.find_spec(name)])
def engine(request: pytest.FixtureRequest) -> Callable[[dict[str, Any]], Callable[[str], bool]]:
    return ENGINES[request.param]


def _reads(state: llguidance.LLMatcher, reply: str) -> bool:
    taken = state.try_consume_tokens(list(reply.encode()))
    return taken == len(reply.encode()) and state.is_accepting()


def _in_order(value: Any, names: list[str]) -> Any:
    """Return an object with its keys in the order of a schema: the converter of llama.cpp knows no other."""
    return {name: value[name] for name in names if name in value}


def _written(edit: dict[str, Any]) -> dict[str, Any]:
    """Return an edit with its required fields first, as that converter writes them."""
    fields = EDITS[edit["do"]].model_fields
    return _in_order(edit, ["do", *sorted(fields, key=lambda name: not fields[name].is_required())])


@each("name", ANSWERS)
def test_the_cases_of_every_prompt_are_replies_that_a_grammar_allows(engine, name: str):
    allows = engine(schema_of(ANSWERS[name]))
    for case in prompts.load(name).cases:
        output = {key: value for key, value in case.output.items() if name == "modification" or value not in ("", {})}
        reply = _in_order(output, list(ANSWERS[name].model_fields))
        if "edits" in reply:
            reply["edits"] = [_written(edit) for edit in reply["edits"]]
        if "spec" in reply:
            continue  # its parts may be in any order in the cases
        assert allows(json.dumps(reply, ensure_ascii=False)), reply


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY_EDIT)
def test_every_edit_can_be_written_with_all_its_fields(engine, name: str):
    """By a schema that allows no other keys, an edit can only be written if the schema has its fields."""
    required = {"intent": "modify_report"} if name == "intent_classify" else {}
    allows = engine(schema_of(ANSWERS[name]))
    parts = (
        {"no_change": "", "plan": "", "rules": "keep", "look": [], "edits": [], "undone": "", "in_other_words": []}
        if name == "modification"
        else required
    )

    def reply(edit: dict[str, Any]) -> str:
        return json.dumps(parts | {"edits": [_written(edit) if edit["do"] in EDITS else edit]})

    for do, kind in EDITS.items():
        edit = {"do": do} | {field: sample(kind, field) for field in kind.model_fields if field != "do"}
        assert allows(reply(edit)), edit
    assert allows(reply({"do": "delete", "element": ["title", "footer"]}))
    assert not allows(reply({"do": "format_disk"}))
    assert not allows(reply({"do": "delete"}))
    assert not allows(reply({"do": "delete", "element": 7}))


def test_a_report_spec_can_be_written_in_full(engine):
    allows = engine(schema_of(ANSWERS["initial_generation"]))
    column = {"label": "Amount", "name": "amount", "type": "money", "total": "sum"}
    spec = {"title": "Sales", "columns": [column], "group_by": ["Region"], "sort": [{"column": "Amount"}]}
    assert allows(json.dumps({"spec": spec}))
    assert not allows(json.dumps({"spec": {"title": "Sales", "columns": "Amount"}}))


def test_edits_are_required():
    for name in ("modification", "correction", "refine_layout"):
        assert "edits" in schema_of(ANSWERS[name])["required"]


def sample(kind: Any, field: str) -> Any:
    """Return a value that a field's schema allows."""
    schema = kind.model_json_schema()
    part = schema["properties"][field]
    return _sample(part, schema.get("$defs", {}))


def _sample(part: dict[str, Any], definitions: dict[str, Any]) -> Any:
    if "$ref" in part:
        return _sample(definitions[part["$ref"].rpartition("/")[2]], definitions)
    if "enum" in part or "const" in part:
        return part.get("enum", [part.get("const")])[0]
    if "anyOf" in part:
        return _sample(part["anyOf"][0], definitions)
    match part.get("type"):
        case "integer":
            return 12
        case "number":
            return 1.5
        case "boolean":
            return True
        case "array":
            return [_sample(part["items"], definitions)]
        case "object":
            return {name: _sample(inner, definitions) for name, inner in part.get("properties", {}).items()}
    return "text"
