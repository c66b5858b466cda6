"""Row rules that name the user: ``region = :user.region`` holds for each user with a value of their own.

The value becomes a literal of the rule's syntax tree, so it cannot change what the rule says. A list is for ``IN``.
"""

from __future__ import annotations

from collections.abc import Mapping

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.source import Dialect
from bandsmith.shared.owners import EVERYBODY, is_among
from bandsmith.shared.semantic_layer import Attribute, SemanticLayer

USER = "user"


def rules_of_user(layer: SemanticLayer, dialect: Dialect, owner: str) -> SemanticLayer:
    """Return the layer with the values of a user in its rules. Raises ``BadInput`` for one that the layer lacks."""
    values = _attributes(layer, owner)
    tables = {
        name: table.model_copy(update={"rows": _rule(table.rows, dialect, values)}) if table.rows else table
        for name, table in layer.tables.items()
    }
    return layer.model_copy(update={"tables": tables})


def _attributes(layer: SemanticLayer, owner: str) -> Mapping[str, Attribute]:
    """Return the entry of the user who owns the session; without one, that of ``*``."""
    named = (user for user in layer.users if user != EVERYBODY and owner and is_among(owner, [user]))
    return layer.users.get(next(named, EVERYBODY), {})


def _rule(rule: str, dialect: Dialect, values: Mapping[str, Attribute]) -> str:
    try:
        tree = sqlglot.parse_one(rule, dialect=dialect)
    except SqlglotError:
        return rule  # the checks refuse every query of its table
    named = [node for node in tree.find_all(exp.Dot) if _is_user(node)]
    for node in named:
        if node.name not in values:
            raise BadInput.of("data.layer_user", code="source", name=f":{USER}.{node.name}")
        _put(node, values[node.name])
    return tree.sql(dialect=dialect) if named else rule


def _is_user(node: exp.Dot) -> bool:
    return isinstance(node.this, exp.Placeholder) and node.this.name == USER


def _put(node: exp.Dot, value: Attribute) -> None:
    """Put a value in the place of its name."""
    is_of_list = isinstance(node.parent, exp.In) and node.arg_key == "field"
    literals = [exp.convert(one) for one in (value if isinstance(value, list) else [value])]
    if is_of_list and node.parent is not None:
        node.parent.set("field", None)
        node.parent.set("expressions", literals or [exp.null()])  # a user with an empty list sees no row
    elif isinstance(value, list):
        raise BadInput.of("data.layer_user_list", code="source", name=f":{USER}.{node.name}")
    else:
        node.replace(literals[0])
