"""The reply about a report at the end of a turn, and the files that come with it."""

from __future__ import annotations

import re

from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session_parts import ExportFormat
from bandsmith.shared.replies import listed, message_in, text

from ..state import Turn
from . import upload
from .steps import stepped

EXPORTS = frozenset({"preview_report", "export_pdf", "export_file", "export_jrxml"})

NAMES: dict[ExportFormat, str] = {"jrxml7": "report-7.jrxml", "java": "report-java.zip"}
"""The names of exported files that do not end in their format."""
MAX_TEXTS = 5
"""Maximum number of texts that a reply names as missing in a file."""
MAX_REASONS = 3
"""Maximum number of reasons in a reply; the verdict has all of them."""


def reply(turn: Turn) -> str | None:
    """The reply of a turn that made, changed or exported a report; None for any other turn."""
    if turn.best is not None:
        first = [*turn.not_as_asked, *_side_effects(turn), *_not_done(turn), *_warning(turn), *_more_pages(turn)]
        said = [*first, *_done(turn), _verdict(turn), *_replaced(turn), *_exported_besides(turn)]
        return "\n".join([joined(turn, said), *upload.sentences(turn)])
    return _exported(turn) if turn.intent in EXPORTS else None


def version(turn: Turn) -> int | None:
    """Number of the report's version that the turn ends with."""
    best = None if turn.is_rejected else turn.best
    made = next((v for v in reversed(turn.versions) if best and v.template == best.template), turn.saved)
    return made.number if made and turn.template else None


def files(turn: Turn) -> dict[str, Ref]:
    """The report's files, by the name that each gets in the output folder; none of a version that was rejected."""
    if turn.is_rejected:
        return {}
    if turn.exports and turn.best is None:
        return _exported_files(turn)
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
        return {name: ref for name, ref in made.items() if ref} | _exported_files(turn)
    return _template_files(turn) if turn.intent == "export_jrxml" else {}


def _exported_files(turn: Turn) -> dict[str, Ref]:
    """The exported files, in the order in which they were asked for."""
    found: dict[str, Ref] = {}
    for form in turn.export_formats:
        for number, ref in enumerate(turn.exports.get(form, []), 1):
            found[f"page-{number}.png" if form == "png" else NAMES.get(form, f"report.{form}")] = ref
    return found | (_template_files(turn) if turn.with_jrxml else {})


def _template_files(turn: Turn) -> dict[str, Ref]:
    return {"report.jrxml": turn.template, "data.json": turn.data} if turn.template and turn.data else {}


def not_exported(turn: Turn) -> list[str]:
    """Say which files were wanted beside the change and were not made."""
    filled = set(turn.fill_formats) if turn.intent == "fill_report" else set()  # the filled report is in these
    lacking = [form for form in turn.formats_besides if not turn.exports.get(form) and form not in filled]
    if not lacking:
        return []
    names = listed([_name(one) for one in lacking], turn.language)
    return [text("turn.reply.not_exported", turn.language, names=names)]


def missing_texts(turn: Turn) -> list[str]:
    """Say which exported files lack a text that the report prints."""
    exported = {_name(form): texts for form, texts in turn.not_in_export.items()}
    return [
        text("turn.reply.missing_texts", turn.language, name=name, texts=_quoted(texts, turn))
        for name, texts in (exported | turn.texts_not_in_filled).items()
        if texts
    ]


def missing_shapes(turn: Turn) -> list[str]:
    """Say of how many pictures, lines and areas exported files have nothing, since texts cover them."""
    exported = {_name(form): count for form, count in turn.shapes_not_in_export.items()}
    return [
        text("turn.reply.missing_shapes", turn.language, name=name, count=count)
        for name, count in (exported | turn.shape_counts_of_filled).items()
        if count
    ]


def _quoted(texts: list[str], turn: Turn) -> str:
    return listed([f"“{one}”" for one in texts[:MAX_TEXTS]], turn.language)


def _exported_besides(turn: Turn) -> list[str]:
    made = [form for form in turn.formats_besides if turn.exports.get(form)]
    if not made:
        return []
    names = listed([_name(one) for one in made], turn.language)
    return [text("turn.reply.exported", turn.language, names=names)]


def _name(form: ExportFormat) -> str:
    return "page-1.png" if form == "png" else NAMES.get(form, f"report.{form}")


def _not_done(turn: Turn) -> list[str]:
    """Say what of the description of a new report is not done, and what was not tried because a stage failed."""
    said = list(turn.undone)
    if turn.remainder and turn.mishap and turn.mishap.command in ("ReadChange", "ModifyTemplate"):
        clauses = listed([f"“{clause}”" for clause in turn.remainder.splitlines()], turn.language)
        said.append(text("turn.reply.description_left", turn.language, clauses=clauses))
    return said


def _warning(turn: Turn) -> list[str]:
    """List the reasons against a report built from a form, the most serious first."""
    best = turn.best
    assert best is not None
    if best.verdict.grade in (None, "keep"):
        return []
    reasons = [finding for finding in best.verdict.findings if finding.code.startswith("grade.")]
    told = [message_in(one, turn.language) for one in reasons[:MAX_REASONS]]
    return [text(f"turn.reply.{best.verdict.grade}", turn.language, reasons=joined(turn, told))]


def joined(turn: Turn, sentences: list[str]) -> str:
    """Return sentences as one text, as their language joins them."""
    return ("" if turn.language == "zh" else " ").join(sentences)


def _side_effects(turn: Turn) -> list[str]:
    """Say what the change made worse on the page without being asked to."""
    if turn.best is None or turn.is_rejected:
        return []
    return [message_in(one, turn.language) for one in turn.best.verdict.findings if one.code.startswith("change.")]


def _more_pages(turn: Turn) -> list[str]:
    """Say that a change made the report longer, or that a new one takes several pages: its parts are not together."""
    if turn.best is not None and "generate" in turn.attempts and turn.best.verdict.page_count > 1:
        return [text("turn.reply.page_count", turn.language, count=turn.best.verdict.page_count)]
    if turn.page_counts is None or turn.is_rejected:
        return []
    before, after = turn.page_counts
    return [text("turn.reply.more_pages", turn.language, after=after, before=before)]


def _done(turn: Turn) -> list[str]:
    """What was done to the template."""
    match turn.intent:
        case "undo_modification" | "redo_modification":
            return [stepped(turn)]
        case "restore_version":
            return [text("turn.reply.restored", turn.language, number=turn.version)]
    done = [turn.summary] if turn.summary else []
    if turn.summary and "generate_skeleton" in turn.attempts:
        done.insert(0, text("turn.reply.built_first", turn.language))
    if turn.looks_the_same and turn.unseen:
        done.append(turn.unseen)
    if turn.saved and upload.came(turn) and not turn.is_rejected:
        done.append(text("turn.reply.taken_place", turn.language, number=turn.saved.number))
    if _has_attached_template(turn) and "generate_skeleton" in turn.attempts:
        done.append(text("turn.reply.set_aside", turn.language))
    return done


def _replaced(turn: Turn) -> list[str]:
    """Say that a new report replaced another one."""
    is_built = "generate" in turn.attempts or "generate_skeleton" in turn.attempts
    if turn.saved is None or not is_built or turn.is_rejected:
        return []
    return [text("turn.reply.replaced", turn.language, number=turn.saved.number)]


def _verdict(turn: Turn) -> str:
    """What the checks found."""
    best = turn.best
    assert best is not None
    if best.verdict.passed and best.verdict.vanished:
        words = listed([f"“{one}”" for one in best.verdict.vanished], turn.language)
        return text("turn.reply.vanished", turn.language, texts=words)
    if turn.is_as_it_came and not best.verdict.passed and not turn.is_rejected:
        return "\n".join(upload.cannot_be_printed(turn))
    if best.verdict.passed:
        return text(_passed(turn), turn.language, count=turn.corrections)
    sentences = [message_in(finding, turn.language) for finding in best.errors]
    lines = [
        _unfinished(turn),
        *(f"- {sentence}" for sentence in dict.fromkeys(sentences)),
    ]
    # A rule's explanation repeats the findings; a model's says more.
    if turn.explanation and not any(sentence.strip(".。") in turn.explanation for sentence in sentences):
        lines.append(turn.explanation)
    return "\n".join(lines)


def _unfinished(turn: Turn) -> str:
    """Say that errors remain, and which version is the report."""
    if not turn.is_rejected:
        return text("turn.reply.unfinished", turn.language, count=turn.corrections)
    assert turn.saved is not None
    made = next((v.number for v in turn.versions if turn.best and v.template == turn.best.template), turn.saved.number)
    return text("turn.reply.rejected", turn.language, kept=turn.saved.number, made=made)


def _passed(turn: Turn) -> str:
    """Code of the sentence for a report that passed every check."""
    if turn.strict:
        return "turn.upload.fixed" if turn.corrections else "turn.upload.nothing_to_fix"
    if turn.best and turn.best.verdict.grade == "start_over":
        return "turn.reply.no_errors"
    if turn.by in ("knowledge", "model") and turn.corrections:
        return "turn.reply.corrected"
    if turn.summary or turn.restored:
        return "turn.reply.changed"
    read = _has_attached_template(turn) and not turn.text and not turn.has_page
    if read and turn.notes:
        return "turn.upload.converted"
    if read:
        return "turn.reply.read"
    return "turn.reply.built" if turn.best and turn.best.verdict.grade in (None, "keep") else "turn.reply.no_errors"


def _has_attached_template(turn: Turn) -> bool:
    return any(document.kind == "template" for document in turn.attachments)


def _exported(turn: Turn) -> str:
    names = list(files(turn))
    if not names:
        return text("turn.reply.nothing", turn.language)
    if turn.intent == "preview_report":
        return text("turn.reply.pages", turn.language, count=turn.pages)
    shown = [name for name in names if not re.fullmatch(r"page-(?!1\.)\d+\.png|data\.json", name)]
    return text("turn.reply.exported", turn.language, names=listed(shown, turn.language))
