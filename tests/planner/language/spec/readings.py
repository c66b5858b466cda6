"""Readings of requests for reports by rules."""

from __future__ import annotations

from bandsmith.services.planner.language.spec.rule_reader import SpecReading, read
from bandsmith.shared.language import language_of
from bandsmith.shared.model.spec import ReportSpec


def reading(text: str) -> SpecReading:
    return read(text, language_of(text))


def whole(text: str) -> ReportSpec:
    """The spec of a request of which every word is read."""
    found = reading(text)
    assert found.unread == []
    return found.spec


def columns(spec: ReportSpec) -> list[str]:
    return [column.label for column in spec.columns]
