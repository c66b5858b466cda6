"""Why a change of a calendar is refused: a sentence for people and for models, in every language."""

from __future__ import annotations

from bandsmith.shared.replies import Text


class ChangeRefused(Exception):
    """A change is not carried out, and the calendar stays as it was."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason

    @classmethod
    def of(cls, code: str, **values: object) -> ChangeRefused:
        """Build the refusal from the catalogue's text ``schedule.refused.<code>``."""
        return cls(Text.of(f"schedule.refused.{code}", **values))
