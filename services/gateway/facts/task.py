"""What a turn knows of work that it plans in a calendar."""

from __future__ import annotations

from typing import Annotated

from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.task import Planning

from .common import CommonFacts
from .learning import INTERNAL

MAX_WORK_REJECTIONS = 3
"""How often a user may have a proposal worked out again."""


class TaskFacts(CommonFacts):
    planning: Annotated[Planning | None, INTERNAL] = None
    work_objections: Annotated[list[str], INTERNAL] = []
    """What the user had against earlier proposals."""
    work_change: Ref | None = None
    work_change_id: str = ""
    work_shown: str = ""
    work_reply: str = ""
    work_refusal: str = ""

    @property
    def planned_in(self) -> Planning:
        """The calendar that is planned in; where the message alone asked for it, the main one."""
        return self.planning or Planning()
