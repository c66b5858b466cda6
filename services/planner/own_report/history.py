"""How a report came about."""

from __future__ import annotations

from bandsmith.shared.editing import EditOutcome
from bandsmith.shared.editing.edit_summary import summarize

from ..language.change.conversation import PastChange
from ..language.sentence_templates import Slots
from .report import OwnReport


def last_change(report: OwnReport, slots: Slots) -> str | None:
    if not report.past:
        return report.say("nothing_changed")
    return report.say("last_change", done=_done(report, report.past[0]), request=report.past[0].request)


def all_changes(report: OwnReport, slots: Slots) -> str | None:
    """“What have you done so far?”: the changes that the report consists of, the oldest first."""
    if not report.past:
        return report.say("nothing_changed")
    changes = [
        report.say("one_change", number=number, done=_done(report, change), request=change.request)
        for number, change in enumerate(reversed(report.past), 1)
    ]
    first = report.past[-1].base
    older = [report.say("older_changes", number=first.number)] if first.edits else [report.say("made_first")]
    return "\n".join([*older, *changes])


def _done(report: OwnReport, change: PastChange) -> str:
    return summarize([EditOutcome(edit, True) for edit in change.edits], report.language, change.template)
