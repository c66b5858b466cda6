"""``analyze_health``: how good the calendar is, and which single change would make it better."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.health import Candidate, ScheduleAnalysis, analyse
from bandsmith.shared.schedule.wording import change_words

from ..base import Tool, ToolResult


class AnalyzeHealth(Tool):
    """Measure rhythm, tightness and feasibility, and offer legal changes for the worst day; or say to close.

    While its pack is offered, move and swap do only what it offers. Remove the pack to make other changes.
    """

    name = "analyze_health"
    domain = "schedule"
    pack = "deep_analyze"

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        analysis = analyse(schedule, self._memory.strains)
        strains = [*self._memory.strains, analysis.health.strain]
        memory = self._memory.model_copy(update={"strains": strains})
        return ToolResult(_described(schedule, analysis, language), schedule, memory)


def _call(candidate: Candidate) -> str:
    """Return a change as the call that makes it."""
    first = candidate.moves[0]
    if candidate.is_swap:
        return f"swap(task_a={first.entry}, task_b={candidate.moves[1].entry})"
    return f"move(task_id={first.entry}, new_day={first.day}, new_slot_start={first.slot})"


def _described(schedule: Schedule, analysis: ScheduleAnalysis, language: Language) -> str:
    health = analysis.health
    values = health._asdict() | {
        "tightness": text(f"schedule.tightness.{health.tightness}", language),
        "same_type_share": f"{health.same_type_share:.0%}",
    }
    lines = [text("schedule.health.measured", language, **values)]
    if health.worst_day is not None:
        lines.append(text("schedule.health.worst", language, day=health.worst_day))
    for number, candidate in enumerate(analysis.candidates, 1):
        effect = text(f"schedule.effect.{candidate.effect}", language)
        words = change_words(schedule, candidate.moves, language, is_swap=candidate.is_swap)
        lines.append(
            text(
                "schedule.health.candidate",
                language,
                number=number,
                change=words,
                call=_call(candidate),
                effect=effect,
                strain=candidate.strain,
            )
        )
    closing = "continue" if analysis.should_continue else "forced" if analysis.is_forced_imperfection else "close"
    return "\n".join([*lines, text(f"schedule.health.{closing}", language)])
