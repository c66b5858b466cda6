"""A page as a model answers that it is: its texts, the parts that they are divided into, and what is added."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from bandsmith.shared.llm.answers.report import FormAnswer, PartedAnswer
from bandsmith.shared.model.form_reading import AddedReading
from bandsmith.shared.model.layout import TextLine
from bandsmith.shared.text_parts import parts_of

from .added_places import NoPlaceError, place_of, print_at
from .given_rows import later_rows
from .shown_form import ShownPage


class AnsweredPage:
    """An answer about a page. Texts have the numbers by which the answer names them."""

    def __init__(self, answer: FormAnswer, page: ShownPage) -> None:
        self.answer, self.page = answer, page

    @cached_property
    def texts(self) -> Mapping[str, TextLine]:
        """The texts of the page, their parts (``24.1``), added ones (``a1``) and those that were taken for marks."""
        printed = {number: one.line for number, one in self.added.items() if one.line.text}
        return {**self.own_texts, **printed, **self.seen, **self._parts}

    @cached_property
    def own_texts(self) -> Mapping[str, TextLine]:
        """The texts that were read on the page."""
        return {number: mark for number, mark in self.page.marks.items() if isinstance(mark, TextLine)}

    @cached_property
    def _parts(self) -> Mapping[str, TextLine]:
        return {
            f"{one.text}.{place}": part
            for one in self.answer.parted
            if self.is_parted(one)
            for place, part in enumerate(parts_of(self.own_texts[str(one.text)], one.parts), 1)
        }

    def is_parted(self, one: PartedAnswer) -> bool:
        """Return whether the parts have the letters of the text, as it was read or as the model corrects it."""
        mark = self.own_texts.get(str(one.text))
        if mark is None:
            return False
        may_correct = self.page.form is not None and mark.confidence < 1
        seen = [other.reads for other in self.answer.misread if may_correct and str(other.text) == str(one.text)]
        return "".join("".join(one.parts).split()) in {"".join(text.split()) for text in (mark.text, *seen)}

    @cached_property
    def seen(self) -> Mapping[str, TextLine]:
        """The texts that were taken for strokes, areas, boxes and pictures, by the number of each."""
        found: dict[str, TextLine] = {}
        for one in self.answer.misread if self.page.form else []:
            mark, number = self.page.marks.get(str(one.text)), str(one.text)
            if mark is None or number in self.own_texts:
                continue
            if line := print_at(mark.box, one.reads, self.own_texts.values()):
                found[number] = line.model_copy(update={"id": f"seen{number}", "confidence": 0.5})
        return found

    @cached_property
    def added(self) -> Mapping[str, AddedReading]:
        """The places that are added."""
        return {number: one for number, one in self.places.items() if isinstance(one, AddedReading)}

    @cached_property
    def places(self) -> Mapping[str, AddedReading | str]:
        """Each place that the answer adds, or the reason why it cannot be used, in words for the model."""
        texts = {**self.own_texts, **self._parts}
        rows = later_rows(self.answer, self.page.layout, texts)
        found: dict[str, AddedReading | str] = {}
        for place, one in enumerate(self.answer.added, 1):
            known = texts | {number: other.line for number, other in found.items() if isinstance(other, AddedReading)}
            try:
                box, near = place_of(one, known, self.page)
            except NoPlaceError as reason:
                found[f"a{place}"] = str(reason)
                continue
            if not one.reads and any(area.holds(*box.middle) for area in rows):
                found[f"a{place}"] = "it is in a row that repeats: give it for the first row only"
                continue
            line = near.model_copy(update={"id": f"a{place}", "text": one.reads, "box": box})
            found[f"a{place}"] = AddedReading(line=line, label=one.label)
        return found
