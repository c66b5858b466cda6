"""A source's semantic layer: ``NAME.yaml`` beside ``sources.toml``, which a person edits and may keep in git.

    tables:
      customers:
        names: [buyers, 客户]
        rows: "country = 'CN'"            only these rows can be seen
        columns:
          email: {masked: true}           it can be selected, and shows no value
          notes: {hidden: true}           nothing can name it
        keys: [{columns: [city_id], table: cities, references: [id]}]
    metrics:
      - {name: sales, names: [销售额], expression: "SUM(order_lines.quantity * order_lines.price)"}
    users:                                what a rule may name of a user: rows: "region = :user.region"
      ann: {region: North}
      "*": {region: none}                 everybody else, and the person at this machine

What it says wins over what the database says. Where it limits anything, a view that it does not list cannot be seen:
the view might show what its tables hide.
"""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import ConfigDict, ValidationError

from .errors import BadInput
from .model.base import Value
from .model.source import ForeignKey, SourceColumn, SourceSchema, SourceTable
from .sources import is_sensitive


class _Strict(Value):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ColumnLayer(_Strict):
    names: list[str] = []
    masked: bool = False
    hidden: bool = False


class TableLayer(_Strict):
    names: list[str] = []
    rows: str = ""
    """A condition in the source's SQL, about columns of this table; ``:user.NAME`` is a value of the user who asks."""
    columns: dict[str, ColumnLayer] = {}
    keys: list[ForeignKey] = []


class Metric(_Strict):
    name: str
    names: list[str] = []
    expression: str


Attribute = str | int | float | list[str | int | float]
"""What a row rule may name of a user."""


class SemanticLayer(_Strict):
    tables: dict[str, TableLayer] = {}
    metrics: list[Metric] = []
    users: dict[str, dict[str, Attribute]] = {}

    @property
    def limits(self) -> bool:
        """Whether it hides anything."""
        columns = [column for table in self.tables.values() for column in table.columns.values()]
        return any(table.rows for table in self.tables.values()) or any(one.masked or one.hidden for one in columns)

    @property
    def rules(self) -> dict[str, str]:
        """The conditions of the rows that can be seen, by table in small letters."""
        return {name.casefold(): table.rows for name, table in self.tables.items() if table.rows}


def layer_file(sources: Path, name: str) -> Path:
    """Return the file of a source's semantic layer."""
    return sources.with_name(f"{name}.yaml")


def read_layer(file: Path) -> SemanticLayer:
    """Return the semantic layer; an empty one if there is no file. Raises ``BadInput``."""
    try:
        return SemanticLayer.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")) or {})
    except FileNotFoundError:
        return SemanticLayer()
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        raise BadInput.of("data.layer_unreadable", code="source", file=file.name, place="-") from None
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise BadInput.of("data.layer_unreadable", code="source", file=file.name, place=place) from None


def applied(schema: SourceSchema, layer: SemanticLayer) -> SourceSchema:
    """Return what the source holds as the layer shows it. Raises ``BadInput`` for a table or column that it lacks."""
    by_name = {name.casefold(): table for name, table in layer.tables.items()}
    for name, table in layer.tables.items():
        known = schema.table(name)
        if known is None:
            raise BadInput.of("data.layer_unknown", code="source", name=name)
        columns = {column.name.casefold() for column in known.columns}
        for column in table.columns:
            if column.casefold() not in columns:
                raise BadInput.of("data.layer_unknown", code="source", name=f"{name}.{column}")
    seen = [
        table for table in schema.tables if table.name.casefold() in by_name or not (layer.limits and table.is_view)
    ]
    tables = [_table(table, by_name.get(table.name.casefold(), TableLayer())) for table in seen]
    return schema.model_copy(update={"tables": tables})


def _table(table: SourceTable, layer: TableLayer) -> SourceTable:
    columns = {name.casefold(): column for name, column in layer.columns.items()}
    known = ((column, columns.get(column.name.casefold(), ColumnLayer())) for column in table.columns)
    seen = [_column(column, said) for column, said in known if not said.hidden]
    news = {
        "comment": _named(table.comment, layer.names),
        "columns": seen,
        "foreign_keys": [*table.foreign_keys, *(key for key in layer.keys if key not in table.foreign_keys)],
        "rows": layer.rows,
        "is_limited": bool(layer.rows) or any(one.masked or one.hidden for one in layer.columns.values()),
    }
    return table.model_copy(update=news)


def _column(column: SourceColumn, layer: ColumnLayer) -> SourceColumn:
    news: dict[str, object] = {"comment": _named(column.comment, layer.names), "is_masked": layer.masked}
    return column.model_copy(update=news | ({"samples": []} if layer.masked else {}))


def _named(comment: str, names: list[str]) -> str:
    return "; ".join(part for part in (comment, ", ".join(names)) if part)


def evidence(layer: SemanticLayer) -> list[str]:
    """Return its metrics as lines for a model."""
    return [f"{', '.join([metric.name, *metric.names])} = {metric.expression}" for metric in layer.metrics]


def draft(schema: SourceSchema, sensitive: frozenset[str]) -> str:
    """Return the text of a first layer: every table and column by its name, with sensitive columns masked."""
    tables = {
        table.name: {
            "names": [table.name.replace("_", " ")],
            "columns": {
                column.name: {"names": [column.name.replace("_", " ")]}
                | ({"masked": True} if is_sensitive(table.name, column.name, sensitive) else {})
                for column in table.columns
            },
        }
        for table in schema.tables
    }
    return str(yaml.safe_dump({"tables": tables, "metrics": []}, allow_unicode=True, sort_keys=False, width=120))
