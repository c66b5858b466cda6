"""A wish in another frame, as the plain request that it stands for: “could the item be narrower?”, 标题能不能大一点.

Rules read orders: “make the item column narrower”. A frame is a question or a wish around the same words, whatever they
are about, so it is taken off here and never in the templates of a subject. What users say is in
``templates/*/frames.toml``; the plain request is read by the rules like any other, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bandsmith.shared.language import LANGUAGES, Language

from .sentence_templates import Slots, listed, load

SUBJECT = "frames"
_PLAIN: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "asked": ("{request}",),
        "made": ("make the {name} {look}",),
        "given": ("give the {name} {look}",),
        "placed": ("put the {name} {look}", "move the {name} {look}"),
        "wished": ("make {look}", "{look}"),
    },
    "zh": {
        "asked": ("{request}",),
        "made": ("{name}{look}",),
        "given": ("给{name}{look}",),
        "placed": ("把{name}{look}",),
        "wished": ("{look}",),
    },
}
"""The plain requests of each frame, in the order in which they are tried."""
RULES = frozenset(_PLAIN["en"])
_MAX_FRAMES = 3
"""Frames around one request: “would it be possible that the title could be bold”."""


def in_plain_words(clause: str) -> list[str]:
    """Return the requests that a clause may stand for in another frame, the likeliest first."""
    found: list[str] = []
    level = [clause]
    for _ in range(_MAX_FRAMES):
        level = [plain for one in level for plain in _without_frame(one)]
        found += level
    return list(dict.fromkeys(found))


def _without_frame(clause: str) -> Iterator[str]:
    for language in LANGUAGES:
        for subject in load(SUBJECT, language):
            for rule, forms in _PLAIN[language].items():
                for template in subject.templates_for(rule, clause):
                    slots = template.fullmatch(clause)
                    if slots is not None and not _is_no_wish(slots):
                        words = {name: slots[name] for name in ("request", "name", "look")}
                        yield from (form.format(**words) for form in forms)


def _is_no_wish(slots: Slots) -> bool:
    """Whether the words around a frame are those of another sentence: “could it be more than 2000?”, 标题不能放大."""
    return (
        listed(SUBJECT, "no_name", slots["name"]) is not None or listed(SUBJECT, "no_look", slots["look"]) is not None
    )
