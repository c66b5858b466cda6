"""What is said of a report at the end of a turn, and the files that come with it."""

from __future__ import annotations

from bandsmith.shared.model.base import Ref
from bandsmith.shared.replies import text

from ..state import Turn

EXPORTS = frozenset({"preview_report", "export_pdf", "export_file", "export_jrxml"})


def reply(turn: Turn) -> str | None:
    """The reply of a turn that made, changed or exported a report; None for any other turn."""
    if turn.best is not None:
        return " ".join([*_done(turn), _verdict(turn)])
    return _exported(turn) if turn.intent in EXPORTS else None


def version(turn: Turn) -> int | None:
    """Number of the report's version that the turn ends with."""
    best = turn.best
    made = next((v for v in reversed(turn.versions) if best and v.template == best.template), turn.saved)
    return made.number if made and turn.template else None


def files(turn: Turn) -> dict[str, Ref]:
    """The report's files, by the name that each gets in the output folder."""
    if turn.exported:
        if turn.export_format == "png":
            return {f"page-{number}.png": page for number, page in enumerate(turn.exported, 1)}
        return {f"report.{turn.export_format}": turn.exported[0]}
    if turn.best is not None:
        best, verdict = turn.best, turn.best.verdict
        rebuilt = "generate_skeleton" in turn.attempts
        made: dict[str, Ref | None] = {
            "report.jrxml": best.template,
            "data.json": best.data,
            "report.pdf": verdict.pdf,
            "page-1.png": verdict.pages[0] if verdict.pages else None,
            "compare.png": verdict.compare,
            "layout.png": turn.overlay if rebuilt else None,
            "layout.json": turn.layout if rebuilt else None,
            "verdict.json": verdict.verdict,
        }
        return {name: ref for name, ref in made.items() if ref}
    if turn.intent == "export_jrxml" and turn.template and turn.data:
        return {"report.jrxml": turn.template, "data.json": turn.data}
    return {}


def _done(turn: Turn) -> list[str]:
    """What was done to the template."""
    match turn.intent:
        case "undo_modification":
            return [text("turn.reply.undone", turn.language)]
        case "redo_modification":
            return [text("turn.reply.redone", turn.language)]
    done = [turn.summary] if turn.summary else []
    if _has_attached_template(turn) and "generate_skeleton" in turn.attempts:
        done.append(text("turn.reply.set_aside", turn.language))
    return done


def _verdict(turn: Turn) -> str:
    """What the checks found."""
    best = turn.best
    assert best is not None
    if best.verdict.passed:
        return text(_passed(turn), turn.language, count=turn.corrections)
    sentences = [f.message_zh if turn.language == "zh" and f.message_zh else f.message for f in best.errors]
    lines = [
        text("turn.reply.unfinished", turn.language, count=turn.corrections),
        *(f"- {sentence}" for sentence in dict.fromkeys(sentences)),
    ]
    # A rule's explanation repeats the findings; a model's says more.
    if turn.explanation and not any(sentence.strip(".。") in turn.explanation for sentence in sentences):
        lines.append(turn.explanation)
    return "\n".join(lines)


def _passed(turn: Turn) -> str:
    """Code of the sentence for a report that passed every check."""
    if turn.by in ("knowledge", "model") and turn.corrections:
        return "turn.reply.corrected"
    if _done(turn):
        return "turn.reply.changed"
    read = _has_attached_template(turn) and not turn.text and not turn.has_page
    return "turn.reply.read" if read else "turn.reply.built"


def _has_attached_template(turn: Turn) -> bool:
    return any(document.kind == "template" for document in turn.attachments)


def _exported(turn: Turn) -> str:
    names = list(files(turn))
    if not names:
        return text("turn.reply.nothing", turn.language)
    if turn.intent == "preview_report":
        return text("turn.reply.pages", turn.language, count=turn.pages)
    return text("turn.reply.exported", turn.language, name=names[0])
