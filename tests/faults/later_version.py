"""A later version, as this one sees it: it has commands and answers of kinds that this one does not know."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bandsmith.shared.bus.base import DeliveredMessage, subject_of
from bandsmith.shared.bus.nats import NatsBus
from bandsmith.shared.bus.nats.puller import Puller
from bandsmith.shared.events import Envelope, ExtractLayout, FieldsMapped, LayoutExtracted, MapFields

LATER = "OfALaterVersion"
COMMANDS = {kind.kind() for kind in (ExtractLayout, MapFields)}
ANSWERS = {kind.kind() for kind in (LayoutExtracted, FieldsMapped)}
Handle = Callable[[DeliveredMessage], Awaitable[None]]


class LaterBus(NatsBus):
    """A connection of a part of the later version. Its services answer a command of this version as this one does."""

    answers_all: bool = False
    """Whether its services answer every command as the later version does."""
    _later_commands: set[str]

    async def publish(self, *messages: Envelope) -> None:
        await self._store(*(self._message(*self._of_the_later(message)) for message in messages))

    async def consume_commands(self, service: str, handle: Handle, *, concurrency: int = 1) -> Puller:
        return await super().consume_commands(service, self._reading(handle), concurrency=concurrency)

    async def consume_answers(self, durable: str, handle: Handle, *, concurrency: int = 16) -> Puller:
        return await super().consume_answers(durable, self._reading(handle), concurrency=concurrency)

    def _of_the_later(self, message: Envelope) -> tuple[str, Envelope]:
        """Return a message as the later version has it, with its subject."""
        is_later = message.kind in COMMANDS or (
            message.kind in ANSWERS and (self.answers_all or message.causation in self._later_commands)
        )
        name = LATER if is_later else ""
        return subject_of(message) + name, message.model_copy(update={"kind": message.kind + name})

    def _reading(self, handle: Handle) -> Handle:
        self._later_commands = set()

        async def read(delivery: DeliveredMessage) -> None:
            if LATER in delivery.subject:
                envelope = Envelope.model_validate_json(delivery.data)
                self._later_commands.add(envelope.id)
            await handle(Understood(delivery))

        return read


class Understood:
    """A delivery as the later version reads it."""

    def __init__(self, delivery: DeliveredMessage) -> None:
        self.data = delivery.data.replace(LATER.encode(), b"")
        self.subject = delivery.subject.replace(LATER, "")
        self.count = delivery.count
        self.ack, self.nak = delivery.ack, delivery.nak
        self.term, self.in_progress = delivery.term, delivery.in_progress
