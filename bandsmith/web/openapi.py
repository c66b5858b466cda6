"""The OpenAPI 3.1 document of the HTTP interface, from the table of routes."""

from __future__ import annotations

import inspect
import re
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from .authentication import COOKIE
from .routes import ENDPOINTS, Endpoint

Json = dict[str, Any]
PROBLEM: Json = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "Stable name of the error."},
        "detail": {"type": "string", "description": "One sentence in the language that the request asks for."},
    },
    "required": ["type", "title", "status", "code", "detail"],
}


def document() -> Json:
    """Return the document as plain JSON types."""
    answers = dict.fromkeys(one.answer for one in ENDPOINTS if one.answer)
    bodies = dict.fromkeys(one.body for one in ENDPOINTS if isinstance(one.body, type))
    _, definitions = models_json_schema(
        [*((model, "serialization") for model in answers), *((model, "validation") for model in bodies)],
        ref_template="#/components/schemas/{model}",
    )
    paths: dict[str, Json] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(_template(endpoint.path), {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Bandsmith", "version": version("bandsmith")},
        "paths": paths,
        "components": {
            "schemas": {"Problem": PROBLEM, **definitions.get("$defs", {})},
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "An API key, or a token of the issuer."},
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
        },
    }


def _template(path: str) -> str:
    return re.sub(r"\{(\w+)(?::\w+)?\}", r"{\1}", path)


def _operation(endpoint: Endpoint) -> Json:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer" if kind == "int" else "string"}}
        for name, kind in re.findall(r"\{(\w+)(?::(\w+))?\}", endpoint.path)
    ]
    parameters += [
        {"name": name, "in": "query", "required": True, "schema": {"type": kind}}
        for name, kind in endpoint.query.items()
    ]
    if endpoint.status == 202 and endpoint.method == "POST":
        parameters.append({"name": "Idempotency-Key", "in": "header", "required": False, "schema": {"type": "string"}})
    operation: Json = {
        "operationId": endpoint.handler.__name__,
        "summary": (inspect.getdoc(endpoint.handler) or "").splitlines()[0],
        "parameters": parameters,
        "responses": {
            str(endpoint.status): _success(endpoint),
            "default": {
                "description": "What is wrong, and what to do.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        },
        "security": [] if endpoint.is_public else [{"key": []}, {"cookie": []}],
    }
    if endpoint.body:
        content = _body(endpoint.body)
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _body(body: dict[str, Any] | type[BaseModel]) -> Json:
    if isinstance(body, type):
        return {"application/json": {"schema": {"$ref": f"#/components/schemas/{body.__name__}"}}}
    return {media: {"schema": schema} for media, schema in body.items()}


def _success(endpoint: Endpoint) -> Json:
    if endpoint.status == 204:
        return {"description": "Done."}
    schema: Json = {"$ref": f"#/components/schemas/{endpoint.answer.__name__}"} if endpoint.answer else {}
    schema = {"type": "array", "items": schema} if endpoint.is_list else schema
    return {"description": "The answer.", "content": {endpoint.media: {"schema": schema}}}
