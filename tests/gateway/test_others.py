"""Programs of others begin turns on a real server, each in its own way; whoever follows a turn hears how it ended."""

from __future__ import annotations

from datetime import datetime

from services.gateway.actor import GatewayActor
from shared.bus.nats import NatsBus
from shared.events import Envelope

from ..workflow.play import starting
from .scripted import scripted, until_the_end


async def end_of(bus: NatsBus, beginning: Envelope) -> str:
    """How the turn that begins so ends."""
    await bus.send(beginning)
    return (await until_the_end(bus, beginning.turn, beginning.session))[-1].kind


async def test_two_sessions_may_have_turns_of_the_same_id(bus: NatsBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    orders = [
        starting("a sales report", (), turn="order-1", session=session).model_copy(update={"id": f"{session}-order-1"})
        for session in ("north", "south")
    ]
    assert [await end_of(bus, order) for order in orders] == ["TurnFinished", "TurnFinished"]


async def test_a_time_without_a_zone_is_one_in_utc(bus: NatsBus):
    await scripted(bus)
    await GatewayActor(bus).start()
    beginning = starting("a sales report", ()).model_copy(update={"time": datetime(2026, 11, 21, 8, 30)})
    assert await end_of(bus, beginning) == "TurnFinished"
    assert await bus.dead() == []
