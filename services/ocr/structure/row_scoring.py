"""How good an explanation of the page some rows are."""

from __future__ import annotations

from bandsmith.shared.model.layout import Block

from .headers import are_asked, header_share
from .rows import Place, Rows, same_place
from .text_classifier import ends_like_label, is_label, is_total, shape, split_prefix


def score(rows: Rows, blocks: list[Block]) -> float:
    """How much the rows explain; 0 for what only looks like rows: a list of labels and values, or of totals."""
    count = len(rows.tops)
    shared = [p for p in rows.places if len(p.blocks) >= 2]
    if len(shared) < 2 or _is_label_list(shared, count) or _is_totals(rows.places):
        return 0.0
    if not rows.grid and are_asked(rows, blocks, shared):
        return 0.0
    if _is_several_rows(shared) and sum(is_fixed(p, count) for p in shared) < 0.15 * len(shared):
        return 0.0
    alone = sum(len(p.blocks) for p in rows.places if len(p.blocks) < 2)
    spread = max(b.box.right for p in shared for b in p.blocks.values()) - min(
        b.box.x for p in shared for b in p.blocks.values()
    )
    consistent = sum(_consistent(p) for p in shared) / len(shared)
    headed = header_share(rows, blocks, shared)
    if len(shared) < 3 and headed < 1 and not rows.grid and not any(is_fixed(p, count) for p in shared):
        return 0.0
    gain = rows.explained - 1.5 * alone
    wide = 0.5 + 0.5 * min(1.0, spread / 250)
    return gain * (0.6 + 0.4 * consistent) * (1 + 0.3 * headed) * wide * (1.3 if rows.grid else 1.0)


def _is_several_rows(places: list[Place]) -> bool:
    """Whether most slots of a row stand in one column with another: the step is a multiple of the true one."""
    stacked = [
        p for p in places if any(q is not p and same_place(p.first, q.first) and _apart(p, q) > 5 for q in places)
    ]
    return len(stacked) > 0.6 * len(places)


def _apart(p: Place, q: Place) -> float:
    return abs(p.first.box.middle[1] - q.first.box.middle[1])


def _is_label_list(places: list[Place], count: int) -> bool:
    """Labels down the left with their values beside: every row asks something else."""
    lists = 0
    for place in places:
        texts = [b.text for b in place.blocks.values()]
        if all(t.strip() in (":", "：") for t in texts):
            return True
        different = len(set(texts)) > 0.5 * len(texts)
        asking = [ends_like_label(t) or bool(split_prefix(t)[0]) for t in texts]
        wording = [is_label(t) and shape(t) == "text" for t in texts]
        if different and (sum(asking) >= 0.5 * len(texts) or sum(wording) >= 0.7 * len(texts)):
            heads = {split_prefix(t)[0] for t in texts if split_prefix(t)[0]}
            if len(heads) == 1 and sum(asking) == len(texts):
                continue
            lists += 1
    return lists > 0.25 * len(places)


def _is_totals(places: list[Place]) -> bool:
    return any(
        len(p.blocks) >= 2
        and sum(is_total(b.text) for b in p.blocks.values()) >= 0.5 * len(p.blocks)
        and len({b.text for b in p.blocks.values()}) > 1
        for p in places
    )


def _consistent(place: Place) -> float:
    shapes = [shape(b.text) for b in place.blocks.values()]
    return max(shapes.count(s) for s in set(shapes)) / len(shapes)


def is_fixed(place: Place, count: int) -> bool:
    """Whether the slot says the same in every row, and says it as forms do."""
    texts = {"".join(b.text.split()) for b in place.blocks.values()}
    whole = len(place.blocks) == count
    return whole and len(texts) == 1 and shape(place.first.text) == "text" and (count > 2 or is_label(place.first.text))
