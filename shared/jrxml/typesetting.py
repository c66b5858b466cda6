"""Predict how the engine sets text: where it breaks lines, and how much space it needs.

This was found by printing with the engine: a line is as high as ascent + descent + leading of its tallest faces, the
first baseline lies leading + ascent below the top, and a line that does not fit completely is not printed at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..fonts import DEFAULT_FAMILY, FAMILIES, Measure, is_cjk, measure
from ..model.layout import TextStyle


def with_known_family(style: TextStyle) -> TextStyle:
    """Return the style with a family that the engine has."""
    return style if style.family in FAMILIES else style.model_copy(update={"family": DEFAULT_FAMILY})


def measure_text(text: str, style: TextStyle) -> Measure:
    return measure(text, style.family, style.size, style.bold, style.italic)


def text_height(lines: Sequence[str], style: TextStyle) -> float:
    """Return the height of lines that stand one below the other."""
    return sum(measure_text(line, style).line_height for line in lines)


def whole_height(lines: Sequence[str], style: TextStyle) -> int:
    """Return the height in whole points that the engine needs to print all lines."""
    return math.ceil(text_height(lines, style))


def whole_width(lines: Sequence[str], style: TextStyle) -> int:
    """Return the width in whole points that the engine needs to print each line unbroken."""
    return math.ceil(max(measure_text(line, style).advance for line in lines) + 0.3)


def join_lines(lines: Sequence[str]) -> str:
    """Return broken lines as one text, with a blank at each break except between Chinese characters."""
    text = lines[0]
    for line in lines[1:]:
        close = bool(text) and bool(line) and is_cjk(text[-1]) and is_cjk(line[0])
        text += line if close else f" {line}"
    return text


def break_lines(text: str, width: float, style: TextStyle) -> list[str]:
    """Return the lines that the engine breaks a text into: after blanks, between Chinese characters, else mid-word."""
    out = []
    for paragraph in text.split("\n"):
        line = ""
        for word in _words(paragraph):
            if line and measure_text((line + word).rstrip(), style).advance > width:
                out.append(line.rstrip())
                line = ""
            while measure_text(word.rstrip(), style).advance > width and len(word) > 1:
                head = next(
                    (n for n in range(len(word) - 1, 0, -1) if measure_text(word[:n], style).advance <= width), 1
                )
                out.append(word[:head])
                word = word[head:]  # noqa: PLW2901 - the rest of a word too long for a line
            line += word
        out.append(line.rstrip())
    return out


def _words(text: str) -> list[str]:
    """Return the parts that are not broken: words with the blanks after them, and single Chinese characters."""
    words: list[str] = []
    fresh = True
    for char in text:
        closing = char in "，。、；：！？）》」』”,.;:!?)%"
        if (words and not fresh and (closing or not is_cjk(char))) or (words and closing):
            words[-1] += char
        else:
            words.append(char)
        fresh = char.isspace() or char == "-" or (is_cjk(char) and char not in "（《「『“")
    return words
