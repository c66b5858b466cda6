"""Words that a document carries: which of them are one text, and which signs are lines to write on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bandsmith.services.ocr.marks.embedded_words import (
    is_part_of_word,
    join_words,
    style_of,
    without_leaders,
    word_areas,
)
from bandsmith.services.ocr.marks.strokes import Stroke
from bandsmith.services.ocr.page import SCALE, Word
from bandsmith.shared.fonts import measure
from bandsmith.shared.model.geometry import Box
from bandsmith.shared.model.layout import TextStyle


def line_of(text: str, family: str, size: float = 10) -> list[Word]:
    """Set the words of a line as a document has them."""
    words, x = [], 50.0
    for part in text.split(" "):
        width = measure(part, family, size).advance
        box = Box(x=x, y=100, width=width, height=1.13 * size)
        words.append(Word(part, box, TextStyle(family=family, size=size)))
        x += width + measure(" ", family, size).advance
    return words


@pytest.mark.parametrize("family", ["Liberation Sans", "Liberation Serif", "Liberation Mono"])
def test_the_words_of_a_line_are_one_text_in_every_face(family):
    assert len(word_areas(line_of("Invoice address of the customer", family))) == 1


def test_underscores_are_a_line_to_write_on_and_no_word():
    words = line_of("Name: ________ Date:____ A_B", "Liberation Sans")

    assert [word.text for word in without_leaders(words)] == ["Name:", "Date:", "A_B"]


def test_dots_of_both_kinds_are_a_line_to_write_on_and_no_value():
    words = line_of("Home: ……..……..…….……… Town:....... etc…. Wait…", "Liberation Sans")

    assert [word.text for word in without_leaders(words)] == ["Home:", "Town:", "etc….", "Wait…"]


def test_a_label_that_dots_touch_ends_where_its_letters_do():
    (word,) = line_of("Vorname:........................................", "Liberation Serif")
    (label,) = without_leaders([word])

    assert label.text == "Vorname:"
    assert label.box.width == pytest.approx(measure("Vorname:", "Liberation Serif", 10).advance, abs=0.5)


def test_labels_on_one_line_of_dots_are_words_of_their_own():
    (word,) = line_of("Name:..........Date:..........", "Liberation Sans")
    name, date = without_leaders([word])

    assert (name.text, date.text) == ("Name:", "Date:")
    assert date.box.x - name.box.right == pytest.approx(measure("." * 10, "Liberation Sans", 10).advance, abs=0.5)


def test_brackets_around_a_line_to_write_on_stay_with_it():
    words = line_of("(____)", "Liberation Sans")

    assert without_leaders(words) == words


def test_a_colon_in_another_weight_belongs_to_the_word_that_it_touches():
    label, colon, far = line_of("IBAN : :", "Liberation Sans")
    touching = Word(colon.text, colon.box.model_copy(update={"x": label.box.right}))
    assert join_words([label, touching]) == "IBAN:"
    assert join_words([label, far]) == "IBAN :"


def test_a_stroke_through_the_letters_of_a_word_is_no_rule_and_an_underline_is():
    (word,) = line_of("Price", "Liberation Sans")
    left, right = word.box.x * SCALE, word.box.right * SCALE
    middle, below = word.box.middle[1] * SCALE, (word.box.bottom - 0.5) * SCALE

    assert is_part_of_word(Stroke(True, middle, left + 4, right + 6, 2, (0, 0, 0)), [word])
    assert not is_part_of_word(Stroke(True, below, left, right, 1, (0, 0, 0)), [word])
    assert not is_part_of_word(Stroke(True, middle, left - 300, right + 300, 1, (0, 0, 0)), [word])


def test_a_value_in_another_colour_than_the_label_before_it_is_a_text_of_its_own():
    words = line_of("Name: Ann Berg", "Liberation Sans")
    printed = [
        words[0],
        *(replace(word, style=word.style.model_copy(update={"colour": "#802010"})) for word in words[1:] if word.style),
    ]
    assert len(word_areas(printed)) == 2
    marked = [*words[:2], printed[2]]
    assert len(word_areas(marked)) == 1


def in_bold(words: list[Word]) -> list[Word]:
    return [replace(word, style=word.style.model_copy(update={"bold": True})) for word in words if word.style]


@pytest.mark.parametrize("text", ["Invoice no: 136659", "Date issued : 13-09", "联系电话： 13970449703"])
def test_a_value_in_another_weight_than_the_label_before_it_is_a_text_of_its_own(text: str):
    words = line_of(text, "Liberation Sans")
    assert len(word_areas(words)) == 1
    assert len(word_areas([*in_bold(words[:-1]), words[-1]])) == 2
    assert len(word_areas([*words[:-1], *in_bold(words[-1:])])) == 2


def test_a_colon_in_the_weight_of_the_value_ends_a_label_in_bold():
    words = line_of("Invoice # : 136659", "Liberation Sans")
    areas = word_areas([*in_bold(words[:2]), *words[2:]])
    assert [round(left / SCALE) for left, *_ in areas] == [50, round(words[3].box.x)]


def test_words_in_bold_that_are_no_label_stay_in_their_line():
    words = line_of("Please pay 200 within 14 days", "Liberation Sans")
    assert len(word_areas([*words[:2], *in_bold(words[2:3]), *words[3:]])) == 1


def test_a_paragraph_that_begins_with_a_word_in_bold_is_not_cut():
    first = line_of("Note: prices hold for thirty days from", "Liberation Sans")
    below = line_of("the date of this offer", "Liberation Sans")
    below = [replace(word, box=word.box.model_copy(update={"y": 112})) for word in below]
    assert len(word_areas([*in_bold(first[:1]), *first[1:], *below])) == 2
    assert len(word_areas([*in_bold(first[:1]), *first[1:], *in_bold(below)])) == 3


def test_a_line_has_the_style_of_most_of_its_characters():
    words = line_of("LMC (Lead Management Consulting)", "Liberation Sans")
    mixed = [*in_bold(words[:1]), *words[1:]]
    assert style_of(mixed) == words[1].style
    assert style_of(in_bold(words)) == in_bold(words)[0].style


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Date issued: 13/09/2022", 2),
        ("開立日期： 2025/12/02", 2),
        ("开票日期 : 2022年9月7日", 2),
        ("Printed: 2022-09-13 10:20", 1),
        ("From: Ann Date: 2022-09-13", 1),
        ("Valid until 2022-09-13", 1),
        ("Project: 2022-0913", 1),
    ],
)
def test_a_date_that_ends_the_line_of_its_label_is_a_text_of_its_own(text: str, count: int):
    assert len(word_areas(line_of(text, "Liberation Sans"))) == count


def test_the_sides_of_zeros_below_each_other_in_a_column_are_no_dotted_line_and_dots_between_columns_are():
    (zero,) = line_of("0", "Liberation Sans")
    column = [replace(zero, box=zero.box.moved(0, 13 * row)) for row in range(6)]
    top, bottom = zero.box.y * SCALE, column[-1].box.bottom * SCALE
    side, beside = (zero.box.right - 0.2) * SCALE, (zero.box.right + 9) * SCALE

    assert is_part_of_word(Stroke(False, side, top, bottom, 2, (0, 0, 0), "Dotted"), column)
    assert not is_part_of_word(Stroke(False, beside, top, bottom, 2, (0, 0, 0), "Dotted"), column)
