"""``analyze_health``: how good the calendar is, and which single change would make it better."""

from __future__ import annotations

from bandsmith.shared.language import Language
from bandsmith.shared.model.schedule import Schedule
from bandsmith.shared.replies import text
from bandsmith.shared.schedule.health import ScheduleAnalysis, analyse
from bandsmith.shared.schedule.wording import change_words

from ..base import Tool, ToolResult


class AnalyzeHealth(Tool):
    """Measure rhythm, tightness and feasibility, and offer legal changes for the worst day; or say to close."""

    name = "analyze_health"
    domain = "schedule"
    pack = "deep_analyze"

    def run(self, schedule: Schedule, language: Language) -> ToolResult:
        return ToolResult(_described(schedule, analyse(schedule), language), schedule)


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
                effect=effect,
                strain=candidate.strain,
            )
        )
    closing = "continue" if analysis.should_continue else "forced" if analysis.is_forced_imperfection else "close"
    return "\n".join([*lines, text(f"schedule.health.{closing}", language)])
