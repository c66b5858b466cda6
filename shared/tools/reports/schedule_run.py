"""``schedule_run``: the session's report, filled and delivered at given times."""

from __future__ import annotations

import re
from datetime import datetime

from pydantic import Field

from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.errand import Errand
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run import MAX_MAILS, RUN_NAME, Delivery, MailAddress, Run, Times
from bandsmith.shared.model.run_request import RunChange
from bandsmith.shared.model.session_parts import Format
from bandsmith.shared.replies import listed, text
from bandsmith.shared.runs.times import begins_after, checked, first_dues, zone_of

from ..errand import ErrandContext, ErrandTool, OpenReport, Prepared, each_words

MAX_SHOWN_TIMES = 3


class ScheduleRun(ErrandTool):
    """Add a run: the report of the conversation is filled and delivered at the times of a rule.

    "rule" is five fields of cron or an RRULE with BYHOUR and BYMINUTE; each first working day of a month is
    FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1;BYHOUR=8;BYMINUTE=0. "tell" hears of a failure.
    """

    name = "schedule_run"
    domain = "reports"
    writes = True

    run_name: str = Field(default="report", max_length=48, description="Of A-Z, a-z, 0-9, - and _.")
    rule: str = Field(min_length=1, max_length=500)
    period: str = Field(default="", max_length=60, description='Relative to each day: "last month".')
    each: str = Field(default="", max_length=80, description='A report for each "customer".')
    only: list[str] = Field(default=[], max_length=50, description='Values of "each", at most 50, if not all.')
    formats: list[Format] = Field(default=[], max_length=6)
    folder: str = Field(default="", max_length=500)
    mail: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)
    tell: list[MailAddress] = Field(default=[], max_length=MAX_MAILS)
    source: str = Field(default="", max_length=40)
    paused: bool = Field(default=False, description="It begins paused.")

    def prepare(self, context: ErrandContext) -> Prepared:
        report = context.own_report()
        queries = context.queries_of(self.source, self.each)
        if not re.fullmatch(RUN_NAME, self.run_name):
            raise BadInput.of("runs.name", code="run", name=self.run_name)
        if self.only and not self.each:
            raise BadInput.of("errands.only_without_each", code="each")
        if not (self.folder or self.mail):
            raise BadInput.of("errands.nowhere", code="run")
        if queries.periods and not self.period:
            raise BadInput.of("errands.no_period", code="run")
        begins = begins_after(context.now, context.zone)
        times = checked(Times(rule=self.rule, zone=context.zone, begins=begins))
        due = first_dues(times, context.now, MAX_SHOWN_TIMES)
        if not due:
            raise BadInput.of("runs.never", code="run")
        folder = context.folder(self.folder) if self.folder else ""
        run = self._run(context, report, times, queries.source, folder)
        errand = Errand(run_change=RunChange(do="add", names=[], run=run, begins_paused=self.paused, at=context.now))
        return Prepared(errand, self._shown(context, run, due))

    def _run(self, context: ErrandContext, report: OpenReport, times: Times, source: str, folder: str) -> Run:
        filling = Filling(
            formats=self.formats,
            sample=report.version.data,
            source=source,
            period=self.period,
            bindings=report.bindings,
            each=self.each,
            only=self.only,
        )
        return Run(
            name=self.run_name,
            template=Document(name="report.jrxml", content=report.version.template),
            filling=filling,
            times=times,
            delivery=Delivery(title=report.title, folder=folder, mail=self.mail),
            language=context.language,
            tell=self.tell,
        )

    def _shown(self, context: ErrandContext, run: Run, due: list[datetime]) -> str:
        language, source = context.language, run.filling.source or ""
        formats = listed([form.upper() for form in self.formats or ["pdf"]], language)
        code = "period" if self.period else "source"
        zone = zone_of(context.zone)
        times = listed([f"{moment.astimezone(zone):%Y-%m-%d %H:%M}" for moment in due], language)
        lines = [
            text(f"runs.talk.fills.{code}", language, source=source, period=self.period, formats=formats),
            text("runs.talk.named", language, name=self.run_name),
            text("runs.talk.due", language, times=times, zone=context.zone),
            text("runs.talk.delivers", language, places=listed(run.delivery.places, language)),
        ]
        if self.only:
            lines.insert(1, each_words(self.each, self.only, language))
        elif self.each:
            lines.insert(1, text("runs.talk.divides", language, each=self.each))
        if self.tell:
            lines.append(text("runs.talk.tells", language, addresses=listed(self.tell, language)))
        if self.paused:
            lines.append(text("runs.talk.begins_paused", language, name=self.run_name))
        return "\n".join(lines)
