"""The base of the tools of reports, data and runs: a call is prepared, shown if it writes, and carried out as shown.

Such a tool changes no calendar. What it does is an ``Errand``: a turn like one of a conversation, or a change of the
scheduled runs. It is made when the call is prepared, so that nothing is left to decide after the user's consent.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

from bandsmith.shared.errors import BadInput
from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Ref, Value
from bandsmith.shared.model.binding import BindingFile
from bandsmith.shared.model.errand import Errand
from bandsmith.shared.model.session_parts import Version
from bandsmith.shared.replies import listed, text

from .base import parameters_of


class OpenReport(NamedTuple):
    """The report of the session, and how it was filled from a source."""

    title: str
    version: Version
    contents: str
    """Title, page, columns, groups and totals, a line each."""
    bindings: Ref | None
    """The queries of its last filling, as the user reviewed them."""
    queries: BindingFile | None


class ErrandContext(NamedTuple):
    """What a call is prepared with."""

    language: Language
    report: OpenReport | None
    source: Callable[[str], str]
    """Return the name of a source; of the only one for an empty name. Raises ``BadInput``."""
    sources: Callable[[str], str]
    """Return the same of a source that is asked, or of several whose names are joined by ``+``. Raises ``BadInput``."""
    folder: Callable[[str], str]
    """Return a folder that files may be written to, as it is shown. Raises ``BadInput``."""
    zone: str
    """Name of the time zone in which times are meant."""
    now: datetime

    def filled_by(self, source: str, each: str) -> BindingFile | None:
        """Return the queries that fill the report so; None if new ones have to be written. Raises ``BadInput``."""
        queries = self.own_report().queries
        if queries is None or bool(each) != bool(queries.each):
            return None
        return queries if self.source(source or queries.source) == queries.source else None

    def own_report(self) -> OpenReport:
        """Return the report of the session. Raises ``BadInput`` if there is none."""
        if self.report is None:
            raise BadInput.of("errands.no_report", code="report")
        return self.report

    def queries_of(self, source: str, each: str) -> BindingFile:
        """Return the queries that fill the report so. Raises ``BadInput`` if no person has reviewed such queries."""
        queries = self.own_report().queries
        if queries is None:
            raise BadInput.of("runs.talk.no_queries", code="report")
        if bool(each) != bool(queries.each):
            code = "runs.talk.each_unknown" if each else "runs.talk.only_each"
            raise BadInput.of(code, code="report", each=each or queries.each)
        wanted = self.source(source or queries.source)
        if wanted != queries.source:
            raise BadInput.of("runs.talk.other_source", code="report", source=wanted, known=queries.source)
        return queries


def each_words(each: str, only: Sequence[str], language: Language) -> str:
    """Return that there is a report for each value of a column, or for which."""
    code = "only" if only else "each"
    return text(f"errands.fill.{code}", language, each=each, only=listed(list(only), language))


class Prepared(NamedTuple):
    errand: Errand = Errand()
    shown: str = ""
    """What the user is shown before it is carried out; empty for a tool that only reads."""
    answer: str = ""
    """What a call that needs no errand states."""
    described: str = ""
    """Name of the source whose tables are the answer."""


class ErrandTool(Value):
    """One call of a tool of reports, data or runs. A subclass is the only place that knows its tool."""

    name: ClassVar[str]
    domain: ClassVar[str]
    pack: ClassVar[str] = "core"
    writes: ClassVar[bool] = False

    @abstractmethod
    def prepare(self, context: ErrandContext) -> Prepared:
        """Return what is done, and what the user is shown of it. Raises ``BadInput``."""

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Return the JSON schema of the arguments."""
        return parameters_of(cls)
