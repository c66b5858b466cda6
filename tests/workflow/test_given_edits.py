"""A turn that begins with edits in place of words: no sentence is read, and the rest is as for any change."""

from __future__ import annotations

from bandsmith.services.gateway.admission import refusal
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.events import StartTurn, TurnFinished

from .play import PICTURE, end_of, nodes, play, start, starting, with_report

EDITS = (Delete(element="line"),)


def test_edits_change_the_report_without_a_sentence():
    played = list(play(None, start("", (), with_report(), "edited", edits=EDITS)))
    end = end_of(played[-1])
    assert isinstance(end, TurnFinished) and end.intent == "modify_report"
    assert "classify_intent" not in nodes(played) and nodes(played)[-4:-2] == ["modify_jrxml", "save_session"]
    assert len(played[-1].undo) == len(with_report().undo) + 1


def test_edits_without_a_report_say_that_there_is_none():
    *_, last = play(None, start("", (), None, "edited", edits=EDITS))
    end = end_of(last)
    assert isinstance(end, TurnFinished) and not end.complete and "no report yet" in end.reply


def test_edits_with_a_file_are_refused():
    envelope = starting("", (PICTURE,), "edited", edits=EDITS)
    error = refusal(with_report(), StartTurn.model_validate(envelope.payload))
    assert error is not None and "Attach no file" in error.message
