"""Messages about filling a report from a source: its placeholders, and the steps that work out a query for each."""

from __future__ import annotations

from ..language import Language
from ..model.allowance import Allowance, Usage
from ..model.base import Ref
from ..model.binding import BindingTrial, BindingWork, CheckedBinding, QueryInput, WrittenBinding
from ..model.filling import Filling
from .base import Command, Event

# --- read_placeholders -----------------------------------------------------------------------------------------------


class ReadPlaceholders(Command):
    """Read what of a template a source has to fill, and which of it a binding file has queries for."""

    service = "planner"
    answers = ("PlaceholdersRead",)
    owner: str
    """Whose sources may be read, as ``owner_of_session`` returns it."""
    template: Ref
    filling: Filling
    sample: Ref | None = None
    """The ``Data`` that came with the template."""
    bindings: Ref | None = None
    """The ``BindingFile`` as YAML, if there is one."""
    language: Language = "en"


class PlaceholdersRead(Event):
    source: str
    database: Ref
    """The ``SourceSchema`` as JSON."""
    works: list[BindingWork]
    """The placeholders, with the queries of the binding file."""
    inputs: list[QueryInput] = []
    """The values that queries get as bound parameters."""
    evidence: list[str] = []
    shown_tables: list[str] = []
    """The tables that a model is shown, of a source that is too large to be shown whole; empty: all."""
    is_reviewed: bool = False
    """Whether a person reviewed the queries of the binding file."""
    filling: Filling
    """With the parameters that the report itself prints."""
    notes: list[str] = []


# --- get_columns -----------------------------------------------------------------------------------------------------


class GetColumns(Command):
    """Read the tables and columns of the source again."""

    service = "planner"
    answers = ("ColumnsRead",)
    owner: str
    """Whose sources may be read, as ``owner_of_session`` returns it."""
    source: str
    language: Language = "en"


class ColumnsRead(Event):
    columns: Ref | None = None
    """The ``SourceSchema`` as JSON; None: the source cannot be opened."""


# --- write_binding ---------------------------------------------------------------------------------------------------


class WriteBinding(Command):
    """Write the query of a placeholder, or a better one."""

    service = "generator"
    answers = ("BindingWritten",)
    work: BindingWork
    database: Ref
    inputs: list[QueryInput]
    evidence: list[str] = []
    shown_tables: list[str] = []
    objections: list[str] = []
    """What the user had against earlier queries, the oldest first."""
    language: Language = "en"
    allowance: Allowance


class BindingWritten(Event):
    name: str
    written: WrittenBinding
    usage: Usage = Usage()


# --- check_binding ---------------------------------------------------------------------------------------------------


class CheckBinding(Command):
    """Check that a placeholder's query only reads, gives its columns, and takes its values as bound parameters."""

    service = "validator"
    answers = ("BindingChecked",)
    work: BindingWork
    database: Ref
    inputs: list[QueryInput]
    language: Language = "en"


class BindingChecked(Event):
    name: str
    checked: CheckedBinding


# --- try_binding -----------------------------------------------------------------------------------------------------


class TryBinding(Command):
    """Run a checked query for its first rows, and hold them against the placeholder."""

    service = "planner"
    answers = ("BindingTried",)
    owner: str
    """Whose sources may be read, as ``owner_of_session`` returns it."""
    work: BindingWork
    source: str
    inputs: list[QueryInput]
    language: Language = "en"


class BindingTried(Event):
    name: str
    trial: BindingTrial


# --- store_bindings --------------------------------------------------------------------------------------------------


class StoreBindings(Command):
    """Put the queries together and write them as a binding file, and into the template as its own query."""

    service = "planner"
    answers = ("BindingsStored",)
    template: Ref
    works: list[BindingWork]
    source: str
    database: Ref
    inputs: list[QueryInput]
    is_reviewed: bool = False
    language: Language = "en"


class BindingsStored(Event):
    bindings: Ref
    """The ``BindingFile`` as YAML."""
    query_template: Ref | None = None
    """The template with the query of its rows, for JasperReports Server and Studio; None: it has no rows."""
    bindings_shown: str = ""
    """The new queries with their first rows, for the user to review."""
    is_sensitive: bool = False
    """Whether these rows may hold values that no language model may see."""


# --- fetch_rows ------------------------------------------------------------------------------------------------------


class FetchRows(Command):
    """Run the queries of the placeholders for all that they give."""

    service = "planner"
    answers = ("RowsFetched",)
    owner: str
    """Whose sources may be read, as ``owner_of_session`` returns it."""
    works: list[BindingWork]
    source: str
    inputs: list[QueryInput]
    language: Language = "en"


class RowsFetched(Event):
    table: Ref
    """JSON Lines: a ``TableHead``, then a list of cells for each row."""
    notes: list[str] = []
