"""What is said to the user at the end of a turn, in the turn's language."""

from __future__ import annotations

from bandsmith.shared.events import TurnFailed, TurnFinished
from bandsmith.shared.language import Language
from bandsmith.shared.model.base import Ref

from .state import Turn

WORDS: dict[str, dict[Language, str]] = {
    "built": {
        "en": "The report is built and passed every check.",
        "zh": "报表已生成，并通过了全部检查。",
    },
    "read": {
        "en": "The template is read and passed every check.",
        "zh": "模板已读入，并通过了全部检查。",
    },
    "set aside": {
        "en": "It is built from the picture; the template that came along was not used.",
        "zh": "报表按图片生成；一同上传的模板没有使用。",
    },
    "changed": {"en": "The report passed every check.", "zh": "报表通过了全部检查。"},
    "corrected": {
        "en": "It passed every check after {count} correction(s): some of it may not be as it was asked for.",
        "zh": "经 {count} 次修正后通过了全部检查：部分内容可能与要求有出入。",
    },
    "unfinished": {
        "en": "It is unfinished: after {count} corrections this is still wrong. The best version so far is kept.",
        "zh": "尚未完成：修正 {count} 次后仍有以下问题。已保留目前最好的版本。",
    },
    "preview": {"en": "Here is the report, {count} page(s).", "zh": "这是报表预览，共 {count} 页。"},
    "exported": {"en": "Exported as {name}.", "zh": "已导出为 {name}。"},
    "nothing": {
        "en": "There is no report yet: describe one, or attach a picture of a form.",
        "zh": "还没有报表：请描述您想要的报表，或附上一张表单图片。",
    },
    "undone": {"en": "The last change is undone.", "zh": "已撤销上一次修改。"},
    "redone": {"en": "The change is done again.", "zh": "已重做该修改。"},
    "emptied": {
        "en": "The last change is undone: there is no report, as before it.",
        "zh": "已撤销：现在没有报表，与修改前一样。",
    },
    "no undo": {"en": "There is nothing to undo.", "zh": "没有可以撤销的修改。"},
    "no redo": {"en": "There is nothing to redo.", "zh": "没有可以重做的修改。"},
    "reset": {"en": "The session begins anew; its name stays.", "zh": "会话已重置，名称保留。"},
    "sources": {"en": "From: {titles}", "zh": "参考：{titles}"},
}


def finished(turn: Turn) -> TurnFinished:
    best = turn.best
    version = next((v for v in reversed(turn.versions) if best and v.template == best.template), turn.saved)
    return TurnFinished(
        status="done" if best is None or best.said.passed else "unfinished",
        intent=turn.intent,
        reply=_reply(turn),
        files=_files(turn),
        version=version.number if version and turn.template else None,
        passed=best.said.passed if best else None,
        likeness=best.said.likeness if best else None,
        corrections=turn.corrections,
        findings=best.said.findings if best else [],
        notes=turn.notes,
        asks=turn.asks,
        usage=turn.usage,
    )


def failed(turn: Turn) -> TurnFailed:
    assert turn.mishap is not None, "a turn fails by a stage that failed, or by an event without a route"
    return TurnFailed(code=turn.mishap.code, message=turn.mishap.message, message_zh=turn.mishap.message_zh)


# --- words ----------------------------------------------------------------------------------------------------------


def _reply(turn: Turn) -> str:
    if turn.best is not None:
        return _of_report(turn)
    match turn.intent:
        case "preview_report" | "export_pdf" | "export_file" | "export_jrxml":
            return _of_export(turn)
        case "undo_modification" | "redo_modification":
            undo = turn.intent == "undo_modification"
            if turn.changed:
                return _say(turn, "redone" if not undo else "undone" if turn.template else "emptied")
            return _say(turn, "no undo" if undo else "no redo")
        case "reset_session":
            return _say(turn, "reset")
    if turn.answer:
        titles = "; ".join(turn.sources)
        return "\n\n".join([turn.answer, *([_say(turn, "sources", titles=titles)] if titles else [])])
    return turn.summary or _say(turn, "nothing")


def _of_report(turn: Turn) -> str:
    """What became of the template, and of the checks."""
    best = turn.best
    assert best is not None
    done = {"undo_modification": "undone", "redo_modification": "redone"}.get(turn.intent)
    parts = [_say(turn, done)] if done else [turn.summary] if turn.summary else []
    read = any(document.kind == "template" for document in turn.attachments)
    if read and "generate_skeleton" in turn.attempts:
        parts.append(_say(turn, "set aside"))
    if best.said.passed:
        made = "read" if read and not turn.text and not turn.has_page else "built"
        mended = turn.by in ("knowledge", "model") and turn.corrections
        parts.append(_say(turn, "corrected" if mended else "changed" if parts else made, count=turn.corrections))
    else:
        sentences = [f.message_zh if turn.language == "zh" and f.message_zh else f.message for f in best.errors]
        lines = [
            _say(turn, "unfinished", count=turn.corrections),
            *(f"- {words}" for words in dict.fromkeys(sentences)),
        ]
        # A rule's explanation says what the findings say; a model's says more.
        if turn.explanation and not any(words.strip(".。") in turn.explanation for words in sentences):
            lines.append(turn.explanation)
        parts.append("\n".join(lines))
    return " ".join(parts)


def _of_export(turn: Turn) -> str:
    files = _files(turn)
    if not files:
        return _say(turn, "nothing")
    if turn.intent == "preview_report":
        return _say(turn, "preview", count=turn.pages)
    return _say(turn, "exported", name=next(iter(files)))


def _say(turn: Turn, what: str, **values: object) -> str:
    return WORDS[what][turn.language].format(**values)


# --- files ----------------------------------------------------------------------------------------------------------


def _files(turn: Turn) -> dict[str, Ref]:
    """By the name that each has in the output folder."""
    if turn.exported:
        if turn.export_format == "png":
            return {f"page-{number}.png": page for number, page in enumerate(turn.exported, 1)}
        return {f"report.{turn.export_format}": turn.exported[0]}
    if turn.best is not None:
        best, said = turn.best, turn.best.said
        rebuilt = "generate_skeleton" in turn.attempts
        files: dict[str, Ref | None] = {
            "report.jrxml": best.template,
            "data.json": best.data,
            "report.pdf": said.pdf,
            "page-1.png": said.pages[0] if said.pages else None,
            "compare.png": said.compare,
            "layout.png": turn.overlay if rebuilt else None,
            "layout.json": turn.layout if rebuilt else None,
            "verdict.json": said.verdict,
        }
        return {name: ref for name, ref in files.items() if ref}
    if turn.intent == "export_jrxml" and turn.template and turn.data:
        return {"report.jrxml": turn.template, "data.json": turn.data}
    return {}
