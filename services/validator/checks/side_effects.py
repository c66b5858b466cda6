"""Find what a change made worse on page 1 without being asked to.

These are texts over each other or over a picture, and a text that is no longer centred.

Only what was not so before the change counts, and only what shows in ink: boxes may overlap without harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from bandsmith.shared.jrxml.sensitive import Reference, prints_sensitive, sensitive_references
from bandsmith.shared.jrxml.template import Template, TemplateElement
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.shortening import shortened
from bandsmith.shared.turns.verdict import Finding, Printed

from .. import text_fit
from .base import MAX_QUOTED_CHARS, Check, FindingCode, Stage
from .structure import overlapping

_PICTURES = frozenset({"image", "componentElement"})
MAX_FINDINGS = 5
"""Findings of each kind."""
CENTRED_PT = 2
"""A text is centred on the page if its middle is at most this far from the middle of the page."""
OFF_CENTRE_PT = 5
"""It is not centred any more from this distance on."""
MAX_CENTRED_SHARE = 0.9
"""A text that takes a larger share of the page's width is neither centred nor not."""


class Code(FindingCode):
    OVERLAP = "change.overlap"
    PICTURE = "change.picture"
    CENTRE = "change.centre"


@dataclass(frozen=True)
class PrintedTemplate:
    """Page 1 of a report."""

    template: Template
    printed: Sequence[Printed]

    @cached_property
    def inks(self) -> list[tuple[Printed, Box]]:
        """The texts whose ink can be computed, with it. What lies behind the page, as a watermark does, is left out."""
        found = []
        for one in self.printed:
            element = self.template.by_key.get(one.key or "")
            text = (one.text or "").strip()
            if element is not None and text and self._kind(one) and _is_measurable(element):
                found.append((one, text_fit.ink_of(self.template, element, one.text or "", one.box)))
        return found

    @cached_property
    def overlaps(self) -> dict[tuple[str, str], tuple[str, str]]:
        """The texts that are printed over each other, by the keys of their elements."""
        pairs = overlapping([ink for _, ink in self.inks])
        found: dict[tuple[str, str], tuple[str, str]] = {}
        for first, second in pairs:
            one, other = sorted((self.inks[first][0], self.inks[second][0]), key=lambda each: each.key or "")
            found.setdefault((one.key or "", other.key or ""), (self.shown(one), self.shown(other)))
        return found

    @cached_property
    def on_pictures(self) -> dict[tuple[str, str], str]:
        """The texts that meet a picture or a code, by the keys of both elements."""
        pictures = [one for one in self.printed if self._kind(one) in _PICTURES]
        boxes = [one.box for one in pictures] + [ink for _, ink in self.inks]
        found: dict[tuple[str, str], str] = {}
        for first, second in overlapping(boxes):
            if first < len(pictures) <= second:
                text = self.inks[second - len(pictures)][0]
                found.setdefault((pictures[first].key or "", text.key or ""), self.shown(text))
        return found

    def _kind(self, one: Printed) -> str:
        """Return the kind of an element before the page; empty of what lies behind it."""
        element = self.template.by_key.get(one.key or "")
        return element.kind if element is not None and element.band.section != "background" else ""

    @cached_property
    def _sensitive(self) -> frozenset[Reference]:
        return sensitive_references(self.template.root)

    def shown(self, one: Printed) -> str:
        """Return a text as a finding quotes it, which a model may read: of a sensitive value the element's name."""
        element = self.template.by_key.get(one.key or "")
        if element is not None and prints_sensitive(element.node, self._sensitive):
            return one.key or ""
        words = " ".join((one.text or "").split())
        return shortened(words, MAX_QUOTED_CHARS)

    def is_centred(self, ink: Box, tolerance: float) -> bool:
        return abs(ink.x + ink.width / 2 - self.template.page_width / 2) <= tolerance


def side_effects(before: PrintedTemplate, after: PrintedTemplate) -> list[Finding]:
    """Return what is worse on page 1 than before, as warnings."""
    overlaps = (
        Finding.of(Code.OVERLAP, severity="warning", element=keys[1], text=texts[0], other=texts[1])
        for keys, texts in after.overlaps.items()
        if keys not in before.overlaps
    )
    pictures = (
        Finding.of(Code.PICTURE, severity="warning", element=keys[0], text=text)
        for keys, text in after.on_pictures.items()
        if keys not in before.on_pictures
    )
    return [
        *islice(overlaps, MAX_FINDINGS),
        *islice(pictures, MAX_FINDINGS),
        *islice(_no_longer_centred(before, after), MAX_FINDINGS),
    ]


def _no_longer_centred(before: PrintedTemplate, after: PrintedTemplate) -> Iterator[Finding]:
    """Find texts that got another wording in the same place, and lost the middle of the page by it."""
    known = {one.key: (one, ink) for one, ink in reversed(before.inks)}
    for one, ink in after.inks:
        if one.key not in known or one.row:
            continue
        old, old_ink = known[one.key]
        if old.text == one.text or not _stands_alike(before.template, after.template, one.key or ""):
            continue
        is_wide = old_ink.width > MAX_CENTRED_SHARE * before.template.page_width
        was_centred = before.is_centred(old_ink, CENTRED_PT) and not is_wide
        if was_centred and not after.is_centred(ink, OFF_CENTRE_PT):
            yield Finding.of(Code.CENTRE, severity="warning", element=one.key, text=after.shown(one))


def _stands_alike(before: Template, after: Template, key: str) -> bool:
    """Whether an element was not moved, resized or aligned in another way: that is asked for."""
    one, other = before.by_key.get(key), after.by_key.get(key)
    if one is None or other is None:
        return False
    return _place(one) == _place(other) and before.page_width == after.page_width


def _place(element: TemplateElement) -> tuple[object, ...]:
    return element.x, element.width, text_fit.text_attributes(element).get("textAlignment")


def _is_measurable(element: TemplateElement) -> bool:
    return element.kind in ("staticText", "textField") and text_fit.is_measurable(element)


CHECK: Check[PrintedTemplate] = Check(Stage.CHANGE, Code)
