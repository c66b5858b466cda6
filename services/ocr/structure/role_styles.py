"""Give texts of one role one typeface: what a picture shows of a single text is too little to tell its style.

The same type looks heavier here and paler there on a scan, and of a short text neither family nor size can be told for
certain. A form however prints its headings alike, and so its labels, and the values of a column. Texts of one role
therefore take the family that fits all of them best, the weight and the colour of most letters where their own is not
clear, and a size that is near their own. Texts that differ clearly, such as a bold sum among values, keep
their own style.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bandsmith.shared.colours import channels
from bandsmith.shared.model.layout import Block, Repeat, TextLine, TextStyle

from ..marks.type_size import fit_size
from ..page_marks import FaceEvidence, PageMarks
from .text_classifier import ends_like_label, is_label

CLEAR_WEIGHT = 0.06
"""A text that is heavier or lighter than the limit of bold print by this, as a logarithm, keeps its weight."""
MIN_VOTES, ALIGNED_PT = 8, 3.0
"""Letters of other texts whose middle or edge is no farther away than this, in points, that tell a text's weight."""
MAX_WEIGHT = 0.3
"""No text counts as more clearly bold or regular than this."""
CLEAR_ROLE = 0.15
"""A role has a family of its own if that fits better by this than the page's."""
CLEAR_FAMILY = 0.3
"""A text that its own family fits better than that of its role by this keeps it."""
MAX_LETTERS = 24
"""No text has more votes than this many letters."""
SAME_SIZE = 0.05
"""Sizes that differ by no more, as a logarithm, are one size."""
SIZE_TOLERANCE, LETTER_TOLERANCE, MAX_SIZE_TOLERANCE = 0.05, 0.4, 0.16
"""A size is uncertain by this, as a logarithm, and by this much more for a text of one letter; in all no more."""
MIN_SIZE_VOTES = 16
"""Letters of other texts that have a size, from which on it is no chance."""
MAX_SPACED_PART = 2
"""Characters without a space between them in a label that is set wide apart, with its colon."""
SPACED_TOLERANCE = 0.45
"""The same for a label that is set wide apart, whose size shows in its height only."""
MAX_COLOUR_DIFFERENCE, MAX_TINT_DIFFERENCE = 60, 25
"""Colours that differ by no more in any channel, and in the spread of their channels, are one ink."""


@dataclass(eq=False)
class _Text:
    """A text whose style was measured."""

    block: Block
    lines: list[TextLine]
    evidence: FaceEvidence
    style: TextStyle

    @property
    def letters(self) -> int:
        """Number of votes."""
        return min(MAX_LETTERS, sum(not char.isspace() for char in self.block.text))

    @property
    def weight(self) -> float:
        """Evidence about the family: a text that fits none tells nothing, as handwriting does."""
        return self.letters * max([0.0, *self.evidence.families.values()])


@dataclass(frozen=True)
class _Print:
    """A line as it was printed, to fit its size again."""

    text: str
    width: float
    height: float
    underline: bool


def with_role_styles(
    blocks: list[Block], marks: PageMarks, tables: Sequence[Repeat], title: Block | None
) -> tuple[list[Block], PageMarks]:
    """Return the blocks and the marks, with one style for texts of one role whose style was measured."""
    by_id = {line.id: line for line in marks.lines}
    texts = [text for block in blocks if (text := _measured(block, by_id, marks.faces)) is not None]
    texts = [text for text in texts if title is None or text.block.id != title.id]
    kinds = _kinds(blocks, tables)
    usual = _best_family(texts)
    for own in _grouped(texts, lambda text: kinds[text.block.id][:2]):
        _even_families(own, usual)
    _fit(texts)
    for own in _grouped(texts, lambda text: kinds[text.block.id]):
        _even_slants(own)
        _even_weights(own)
    for own in _grouped(texts, lambda text: (kinds[text.block.id], text.style.bold)):
        _even_colours(own)
    _fit(texts)
    for own in _grouped(texts, lambda text: (kinds[text.block.id][:2], text.style.bold)):
        _even_sizes(own, may_grow=kinds[own[0].block.id][0] != "cell")
    found = {text.block.id: text.style for text in texts}
    styles = {line.id: text.style for text in texts for line in text.lines}
    lines = [line.model_copy(update={"style": styles.get(line.id, line.style)}) for line in marks.lines]
    evened = [block.model_copy(update={"style": found.get(block.id, block.style)}) for block in blocks]
    return evened, marks.with_lines(lines)


def _measured(block: Block, lines: Mapping[str, TextLine], faces: Mapping[str, FaceEvidence]) -> _Text | None:
    """Return a text with the evidence of all of its lines; None where its style was not measured."""
    own = [lines[name] for name in block.lines if name in lines]
    known = [(faces[line.id], len(line.text)) for line in own if line.id in faces]
    if not known or len(known) < len(block.lines):
        return None
    letters = sum(count for _, count in known) or 1
    boldness = sum(face.boldness * count for face, count in known) / letters
    families: dict[str, float] = {}
    for face, _ in known:
        families = families or dict(face.families)
    is_typed = all(face.is_typed for face, _ in known)
    return _Text(block, own, FaceEvidence(boldness, families, is_typed), block.style)


def _kinds(blocks: Iterable[Block], tables: Sequence[Repeat]) -> dict[str, tuple[str, int, int]]:
    """Return the role of each block: what it is, in which table, and in which column of it."""
    kinds = {block.id: (_kind(block), 0, 0) for block in blocks}
    for number, rows in enumerate(tables):
        kinds |= {name: ("heading", number, 0) for name in rows.header}
        kinds |= {name: ("cell", number, n) for n, slot in enumerate(rows.slots) for name in slot.blocks if name}
    return kinds


def _kind(block: Block) -> str:
    """Return what a text outside the rows is."""
    if block.role == "value":
        return "labelled value" if block.prefix else "value"
    return "label" if ends_like_label(block.text) or is_label(block.text) else "wording"


def _grouped(texts: Iterable[_Text], key: Callable[[_Text], Hashable]) -> Iterable[list[_Text]]:
    groups: dict[Hashable, list[_Text]] = defaultdict(list)
    for text in texts:
        groups[key(text)].append(text)
    return groups.values()


def _even_families(texts: Sequence[_Text], usual: str | None) -> None:
    """Give texts the family that fits all of them best, which is the `usual` one of the page unless it is clear."""
    best = _best_family(texts)
    if best is None or usual is None or _advantage(texts, best, usual) < CLEAR_ROLE:
        best = usual
    for text in (text for text in texts if not text.evidence.is_typed):
        own = text.evidence.families
        is_clear = best is not None and best in own and max(own.values()) - own[best] > CLEAR_FAMILY
        family = text.style.family if best is None or is_clear else best
        text.style = text.style.model_copy(update={"family": family})


def _even_slants(texts: Sequence[_Text]) -> None:
    """Slant texts only where most of their role are slanted."""
    slanted = sum(text.letters for text in texts if text.style.italic) > sum(text.letters for text in texts) / 2
    for text in texts:
        text.style = text.style.model_copy(update={"italic": text.style.italic and slanted})


def _best_family(texts: Iterable[_Text]) -> str | None:
    scores: dict[str, float] = defaultdict(float)
    for text in texts:
        for family, score in text.evidence.families.items():
            scores[family] += score * text.weight
    return max(scores, key=lambda family: scores[family], default=None)


def _advantage(texts: Iterable[_Text], family: str, other: str) -> float:
    """Return how much better a family fits than another, on average of the letters that fit any."""
    known = [(text.weight, text.evidence.families) for text in texts if text.evidence.families]
    gains = sum(weight * (scores[family] - scores[other]) for weight, scores in known)
    return gains / max(1.0, sum(weight for weight, _ in known))


def _even_weights(texts: Sequence[_Text]) -> None:
    """Give texts whose weight is not clear the weight that most of their role in that size and colour have.

    Texts in one row or column with a text tell more of it than others do.
    """
    bold = []
    for text in texts:
        alike = [one for one in texts if _apart(one, text) <= MAX_SIZE_TOLERANCE and _is_one_ink(one, text)]
        aligned = [one for one in alike if _are_aligned(one, text)]
        voters = aligned if sum(one.letters for one in aligned) >= text.letters + MIN_VOTES else alike
        tells = sum(one.letters * max(-MAX_WEIGHT, min(MAX_WEIGHT, one.evidence.boldness)) for one in voters)
        bold.append((text.evidence.boldness if abs(text.evidence.boldness) >= CLEAR_WEIGHT else tells) > 0)
    for text, is_bold in zip(texts, bold, strict=True):
        text.style = text.style.model_copy(update={"bold": is_bold})


def _are_aligned(one: _Text, other: _Text) -> bool:
    first, second = one.block.box, other.block.box
    in_row = abs(first.middle[1] - second.middle[1]) < ALIGNED_PT
    return in_row or min(abs(first.x - second.x), abs(first.right - second.right)) < ALIGNED_PT


def _even_colours(texts: Sequence[_Text]) -> None:
    """Give texts whose colours are nearly the same the one that most letters have."""
    votes: Counter[str] = Counter()
    for text in texts:
        votes[text.style.colour] += text.letters
    common = [next(one for one in texts if one.style.colour == colour) for colour, _ in votes.most_common()]
    nearest = [next(one for one in common if _is_one_ink(one, text)).style.colour for text in texts]
    for text, colour in zip(texts, nearest, strict=True):
        text.style = text.style.model_copy(update={"colour": colour})


def _is_one_ink(one: _Text, other: _Text) -> bool:
    first, second = channels(one.style.colour), channels(other.style.colour)
    differences = [abs(a - b) for a, b in zip(first, second, strict=True)]
    tint = abs((max(first) - min(first)) - (max(second) - min(second)))
    return max(differences) <= MAX_COLOUR_DIFFERENCE and tint <= MAX_TINT_DIFFERENCE


def _even_sizes(texts: Sequence[_Text], *, may_grow: bool) -> None:
    """Give each text the commonest size that it may have, or its own where enough other texts have that, too.

    What may not grow keeps its size rather than a clearly larger one: a value that needs one more line in its cell
    makes its row higher than on the form, and moves all below it.
    """
    common = _common_sizes(texts)
    for text in (text for text in texts if not text.evidence.is_typed):
        fitting = [size for size in common if may_grow or math.log(size / text.style.size) <= SAME_SIZE]
        if not fitting:
            continue
        nearest = min(fitting, key=lambda size: abs(math.log(size / text.style.size)))
        may_be = [size for size in fitting if abs(math.log(size / text.style.size)) <= _uncertainty(text)]
        is_shared = common[nearest] >= text.letters + MIN_SIZE_VOTES
        size = nearest if is_shared else max([nearest, *may_be], key=lambda size: common[size])
        text.style = text.style.model_copy(update={"size": size})


def _common_sizes(texts: Sequence[_Text]) -> dict[float, int]:
    """Return the sizes of texts, nearly equal ones as one, each with its number of votes."""
    found: dict[float, int] = {}
    waiting = list(texts)
    while waiting:
        middle = max(waiting, key=lambda text: sum(o.letters for o in waiting if _apart(o, text) <= SAME_SIZE))
        near = [text for text in waiting if _apart(text, middle) <= SAME_SIZE]
        waiting = [text for text in waiting if _apart(text, middle) > SAME_SIZE]
        found[_median([(text.style.size, text.letters) for text in near])] = sum(text.letters for text in near)
    return found


def _apart(one: _Text, other: _Text) -> float:
    return abs(math.log(one.style.size / other.style.size))


def _uncertainty(text: _Text) -> float:
    longest = max(len(line.text) for line in text.lines)
    if "  " in text.block.text and all(len(part) <= MAX_SPACED_PART for part in text.block.text.split()):
        return SPACED_TOLERANCE
    return min(MAX_SIZE_TOLERANCE, SIZE_TOLERANCE + LETTER_TOLERANCE / longest)


def _median(sizes: Sequence[tuple[float, int]]) -> float:
    """Return the middle size, each with its number of votes."""
    ordered = sorted(sizes)
    half, passed = sum(votes for _, votes in ordered) / 2, 0
    return next(size for size, votes in ordered if (passed := passed + votes) >= half)


def _fit(texts: Iterable[_Text]) -> None:
    """Give texts with a new face the size in which they are as wide as they were in their own one."""
    for text in (text for text in texts if not text.evidence.is_typed):
        line = max(text.lines, key=lambda line: line.box.width)
        printed = _Print(line.text, line.box.width, line.box.height, text.style.underline)
        old, new = (fit_size(printed, _face(style))[0] for style in (text.block.style, text.style))
        size = max(1.0, round(text.block.style.size * new / old * 2) / 2)
        text.style = text.style.model_copy(update={"size": size})


def _face(style: TextStyle) -> tuple[str, bool, bool]:
    return style.family, style.bold, style.italic
