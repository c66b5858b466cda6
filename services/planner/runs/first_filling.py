"""A run of a report that was never filled so: offer to fill it once now, read the answer, and prepare the filling.

The request for the run is kept meanwhile. It goes on with the queries that the user has reviewed, or with a file of
rows that comes instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ReadRunRequest, RunRequestRead
from bandsmith.shared.model.document import Document
from bandsmith.shared.model.errand import Errand, ErrandTurn
from bandsmith.shared.model.filling import Filling
from bandsmith.shared.model.run_request import RunRequest
from bandsmith.shared.replies import listed, text
from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import sources_of

from ..data.asked_sources import named_source
from ..language.filling_sentences import read_source_filling
from ..language.periods import read_period
from .checks import NotFilled
from .wording import refused_words

GAPS = ("report", "fill")
"""What is asked while a request for a run is kept until its report is there, or was filled."""
MAX_ANSWER_CHARS = 80


class FillingAnswer(NamedTuple):
    """What a message says to the offer to fill the report."""

    request: RunRequest | None
    """None: it is another request."""
    agreed: bool = False


def read_filling_answer(command: ReadRunRequest, known: RunRequest) -> FillingAnswer:
    """Return the request for the run with the source that a message names, and whether that is to be filled from."""
    if command.has_rows:
        draft = known.draft.model_copy(update={"source": "", "period": ""})
        return FillingAnswer(known.model_copy(update={"draft": draft}))
    if command.agrees:
        return FillingAnswer(known, agreed=known.gap == "fill")
    if known.gap == "report":
        return FillingAnswer(None)
    if filling := read_source_filling(command.text, date.today()):
        news = {name: value for name in ("source", "period", "each") if (value := getattr(filling, name))}
    else:
        named = _named_sources(command)
        news = {"source": named[0]} if len(named) == 1 else {}
        if not news:
            return FillingAnswer(None)
    return FillingAnswer(known.model_copy(update={"draft": known.draft.model_copy(update=news)}), agreed=True)


def filling_first(
    command: ReadRunRequest, request: RunRequest, lacking: NotFilled, *, agreed: bool, has_model: bool
) -> RunRequestRead:
    """Return what fills the report, if the user has agreed to that, else the question. Raises ``BadInput``."""
    reason = refused_words(lacking, command.language)
    if not command.run_title:
        return _asked(command, request, [reason], "no_report")
    names = list(sources_of(command.owner, SourceSettings().file))
    try:
        source = named_source(request.draft.source or lacking.source, command.owner).name
    except BadInput as refused:
        if not names:
            raise
        unknown = [refused_words(refused, command.language)] if request.draft.source else [reason]
        return _asked(command, _with_source(request, ""), unknown, "which", names)
    request = _with_source(request, source)
    if not has_model:
        return _asked(command, request, [reason], "no_model")
    if agreed:
        request = request.model_copy(update={"gap": "fill"})
        return RunRequestRead(
            run_step="fill", run_words=reason, run_request=request, work_errand=_errand(command, request)
        )
    others = [name for name in names if name != source]
    return _asked(command, request, [reason], "offer_of_several" if others else "offer", others)


def _asked(
    command: ReadRunRequest, request: RunRequest, words: Sequence[str], code: str, names: Sequence[str] = ()
) -> RunRequestRead:
    gap = "report" if code == "no_report" else "fill"
    values = {"source": request.draft.source, "names": listed(list(names), command.language)}
    question = text(f"runs.first_filling.{code}", command.language, **values)
    kept = text("runs.first_filling.kept", command.language)
    return RunRequestRead(
        run_step="ask",
        run_words="\n".join([*words, question, kept]),
        run_request=request.model_copy(update={"gap": gap}),
    )


def _errand(command: ReadRunRequest, request: RunRequest) -> Errand:
    """Return the filling, whose queries the user reviews."""
    assert command.saved is not None, "a report that has a title is there"
    draft = request.draft
    filling = Filling(
        formats=draft.formats,
        source=draft.source,
        period=draft.period if read_period(draft.period, date.today()) else "",
        sample=command.saved.data,
        each=draft.each,
        review=True,
    )
    report = Document(name="report.jrxml", content=command.saved.template)
    return Errand(turn=ErrandTurn(attachments=[report], filling=filling))


def _named_sources(command: ReadRunRequest) -> list[str]:
    """Return the sources whose names stand in a short message."""
    if len(command.text) > MAX_ANSWER_CHARS:
        return []
    names = sources_of(command.owner, SourceSettings().file)
    words = {word.casefold() for word in re.findall(r"[A-Za-z0-9_-]+", command.text)}
    return [name for name in names if name.casefold() in words]


def _with_source(request: RunRequest, source: str) -> RunRequest:
    return request.model_copy(update={"draft": request.draft.model_copy(update={"source": source})})
