"""New words in the place of others: “write Receipt where it says Invoice”. ``templates/*/wording.toml`` has them."""

from __future__ import annotations

from ...sentence_templates import Slots, listed
from ..reading import Clause, ClauseReading, templated
from .wording import rename


def rename_there(clause: Clause, slots: Slots) -> ClauseReading | None:
    """Only words that are quoted or begin with a capital letter are new: “put the date where …” names a thing."""
    said = slots["new"] or slots["quotation"]
    new = clause.words(said)
    is_thing = new[:1].islower() or listed("wording", "with_article", new) is not None
    if is_thing and not clause.is_quotation(said):
        return None
    return rename(clause, Slots({"name": slots["name"], "new": said}))


RULES = (templated("wording", rename_there),)
