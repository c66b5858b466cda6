"""The planner's actor: it recalls what is known of a form like this one."""

from __future__ import annotations

from shared.actor import Store
from shared.errors import TerminalError
from shared.events import Command, Event, KnowledgeRecalled, RecallKnowledge


class PlannerActor:
    def __init__(self, store: Store) -> None:
        """An empty knowledge base keeps nothing in the store."""

    async def start(self) -> None:
        """Nothing to load."""

    async def stop(self) -> None:
        """Nothing to release."""

    async def handle(self, command: Command) -> Event:
        match command:
            case RecallKnowledge():
                return recall()
        raise TerminalError(f"The planner has no answer to {command.kind()}.", code="unknown-command")


def recall() -> KnowledgeRecalled:
    """What the knowledge base has. It is empty, so nothing is recalled and every form is built from its picture."""
    return KnowledgeRecalled(passages=[])
