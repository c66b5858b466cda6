"""Hold the arguments of a call against a JSON schema that another program gave."""

from __future__ import annotations

from typing import Any

MAX_PROBLEM_CHARS = 300


def problem_of(schema: dict[str, Any], arguments: dict[str, Any]) -> str:
    """Return why the arguments do not fit the schema; empty if they do. A broken schema takes nothing."""
    import jsonschema  # noqa: PLC0415 - slow to import, and needed by few tasks
    from referencing import Registry  # noqa: PLC0415

    try:
        kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
        kind.check_schema(schema)
        # An empty registry: a schema refers to nothing outside of itself.
        problems = list(kind(schema, registry=Registry()).iter_errors(arguments))
    except Exception:  # whatever a program sends as its schema
        return "the program's schema cannot be read"
    if not problems:
        return ""
    where = ".".join(str(part) for part in problems[0].absolute_path)
    return f"{where}: {problems[0].message}"[:MAX_PROBLEM_CHARS].removeprefix(": ")
