"""``fill_report``: the session's report, filled from a source now."""

from __future__ import annotations

from pydantic import Field

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.errand import Errand, ErrandTurn
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import MAX_MAILS, Delivery, MailAddress
from bandsmith.shared.model.session_parts import Format
from bandsmith.shared.replies import listed, text

from ..errand import ErrandContext, ErrandTool, Prepared, each_words


class FillSessionReport(ErrandTool):
    """Fill the report of the conversation from its source now.

    "period" is in words ("last month", "2026-10"); "each" prints a report for each value of a column ("customer"),
    "only" for some of its values: ["Miller Ltd"]. Several formats are one call. Files go into a folder, by mail, or
    only to the user.
    """

    name = "fill_report"
    domain = "reports"
    writes = True

    period: str = Field(default="", max_length=60)
    each: str = Field(default="", max_length=80)
    only: list[str] = Field(
        default=[],
        max_length=50,
        description='Values of "each", at most 50, if not all; without, at most 200 are filled.',
    )
    formats: list[Format] = Field(default=[], max_length=6)
    folder: str = Field(default="", max_length=500)
    mail: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)
    source: str = Field(default="", max_length=40)

    def prepare(self, context: ErrandContext) -> Prepared:
        report, language = context.own_report(), context.language
        queries = context.filled_by(self.source, self.each)
        if self.only and not self.each:
            raise BadInput.of("errands.only_without_each", code="each")
        source = queries.source if queries else context.source(self.source)
        folder = context.folder(self.folder) if self.folder else ""
        filling = Filling(
            formats=self.formats,
            source=source,
            period=self.period,
            bindings=report.bindings if queries else None,
            sample=report.version.data,
            each=self.each,
            only=self.only,
            review=queries is None,
        )
        places = [place for place in (folder, *self.mail) if place]
        delivery = Delivery(title=report.title, folder=folder, mail=self.mail) if places else None
        turn = ErrandTurn(
            attachments=[Document(name="report.jrxml", content=report.version.template)],
            filling=filling,
            delivery=delivery,
        )
        formats = listed([form.upper() for form in self.formats or ["pdf"]], language)
        lines = [text("errands.fill.what", language, title=report.title, source=source, formats=formats)]
        if self.period:
            lines.append(text("errands.fill.period", language, period=self.period))
        if self.each:
            lines.append(each_words(self.each, self.only, language))
        if places:
            lines.append(text("runs.talk.delivers", language, places=listed(places, language)))
        shown = "\n".join(lines)
        if queries is None:  # they are written, and shown together with the filling
            return Prepared(Errand(turn=turn, looks_up=True, shown=shown))
        return Prepared(Errand(turn=turn), shown)
