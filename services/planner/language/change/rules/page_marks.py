"""What every page carries besides its contents: when and by whom it was printed, a watermark; lines to sign on.

What users say is in ``templates/*/page_marks.toml``.
"""

from __future__ import annotations

import re

from bandsmith.shared.edits.add_page_mark import AddPageMark
from bandsmith.shared.edits.add_signatures import MAX_SIGNATURES, AddSignatures
from bandsmith.shared.edits.add_watermark import KEY, AddWatermark
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.fonts import is_cjk
from bandsmith.shared.replies import text

from ...both_parties import with_both_parties
from ...colours import colour
from ...references import Target
from ...sentence_templates import Slots, listed
from ..reading import Clause, ClauseReading, refused, templated

MAX_LABEL_WORDS, MAX_LABEL_CHARS = 4, 12
"""Words of an English label of a signature, and characters of a Chinese one."""
_OF_BOTH = re.compile(r"双方|两方|\bboth\b|\beach\b", re.IGNORECASE)
"""Words for two signers: on one line they would print as one."""
_ABOVE_SIGNATURES = ("title", "pageHeader", "columnHeader", "detail", "columnFooter", "summary")
MAX_WATERMARK_CHARS = 40
_BETWEEN_LABELS = re.compile(r"(?:(?<!\s)\s++)?(?:[,，、;；&+/]|\band\b|和|与|及|以及)\s*+", re.IGNORECASE)
_NO_LABEL = re.compile(
    r"\b(?:in|on|at|with|under|below|above|beside|side|next|can|sign|to|from|into|bottom|top|end|page|line|lines|bold|red|blue|grey)\b"
    r"|[在下上底右左栏线处行区个各的不没我你是]|位置|日期|[:：]|\d|^[一二两三四五六七八九十几]+$",
    re.IGNORECASE,
)
"""What the label of a signature does not hold: it says where or how."""


def printed_time(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _mark(slots, "time")


def printed_date(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _mark(slots, "date")


def printed_by(clause: Clause, slots: Slots) -> ClauseReading | None:
    return _mark(slots, "user", user=clause.words(slots["quotation"]) if slots["quotation"] else None)


def _mark(slots: Slots, what: str, user: str | None = None) -> ClauseReading:
    values: dict[str, object] = {"what": what, "align": slots["side"] or ("Left" if what == "user" else "Right")}
    if slots["edge"]:
        values["band"] = slots["edge"]
    return ClauseReading([AddPageMark.model_validate({**values, "user": user})])


def watermark(clause: Clause, slots: Slots) -> ClauseReading | None:
    """A text in quotation marks or in capitals, or one that is usual on watermarks; anything else may be a wish."""
    words = clause.words(slots["text"])
    is_plain = clause.is_quotation(slots["text"]) or words.isupper() or listed("page_marks", "stamp", words)
    if not is_plain or len(words) > MAX_WATERMARK_CHARS:
        return None
    shown = words if clause.is_quotation(slots["text"]) or not words.isascii() else words.upper()
    values: dict[str, object] = {"text": shown}
    if slots["colour"]:
        values["colour"] = colour(slots["colour"])
    return ClauseReading([AddWatermark.model_validate(values)])


def no_watermark(clause: Clause, slots: Slots) -> ClauseReading | None:
    if clause.view.piece(KEY) is None:
        return refused("language.no_watermark")
    return ClauseReading([Delete(element=KEY)])


def signatures(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Lines with the labels that are listed, as the user wrote them."""
    labels = [_label(clause.words(part)) for part in _BETWEEN_LABELS.split(slots["labels"]) if part.strip()]
    if slots["whose"]:
        labels.insert(0, f"{_label(clause.words(slots['whose']))} signature")
    labels = with_both_parties(labels)
    if slots["above"] and not _stands_above(clause, slots["above"]):
        return None
    if slots["count"] and int(slots["count"]) != len(labels):
        return None
    if not labels or len(labels) > MAX_SIGNATURES or not all(_is_label(label) for label in labels):
        return None
    side = slots["half"] or None
    return ClauseReading([AddSignatures.model_validate({"labels": labels, "side": side})])


def _stands_above(clause: Clause, words: str) -> bool:
    """Whether words name texts of the page below which lines to sign on are put anyway."""
    found = clause.find(words)
    return isinstance(found, Target) and all(piece.section in _ABOVE_SIGNATURES for piece in found.pieces)


def signature_and_date(clause: Clause, slots: Slots) -> ClauseReading | None:
    """“A place where the customer can sign and date”: a line for each."""
    signer = _label(clause.words(slots["labels"])) if slots["labels"] else _caption(clause, "language.signature")
    if not _is_label(signer):
        return None
    return ClauseReading([AddSignatures(labels=[signer, _caption(clause, "language.signing_date")])])


def signature(clause: Clause, slots: Slots) -> ClauseReading | None:
    return ClauseReading([AddSignatures(labels=[_caption(clause, "language.signature")])])


def _caption(clause: Clause, code: str) -> str:
    """Return a text of the catalogue in the language of the report."""
    return text(code, "zh" if clause.view.chinese else "en")


def _label(words: str) -> str:
    words = re.sub(r"^(?:the|a|an|one for|for)\s+", "", words.strip(" \"'“”"), flags=re.IGNORECASE)
    return words[:1].upper() + words[1:]


def _is_label(words: str) -> bool:
    if not words or _NO_LABEL.search(words) or _OF_BOTH.search(words):
        return False
    if any(is_cjk(char) for char in words):
        return len(words) <= MAX_LABEL_CHARS
    return len(words.split()) <= MAX_LABEL_WORDS


RULES = tuple(
    templated("page_marks", rule)
    for rule in (
        printed_time,
        printed_date,
        printed_by,
        watermark,
        no_watermark,
        signature_and_date,
        signature,
        signatures,
    )
)
