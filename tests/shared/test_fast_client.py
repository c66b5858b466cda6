"""The client of NATS: what nats-py itself would not survive."""

from __future__ import annotations

import asyncio

from bandsmith.shared.bus.nats import NatsBus


async def test_a_flush_that_is_cancelled_leaves_the_connection_in_use(bus: NatsBus):
    """Given a flush whose answer has not come
    When its task is cancelled, as that of a reader who goes away
    Then the answer ends nothing else: the next request is answered on the same connection
    """
    flush = asyncio.create_task(bus._client.flush())
    while not bus._client._pongs:  # noqa: ASYNC110 - nats-py does not say when it has sent a ping
        await asyncio.sleep(0)
    flush.cancel()
    await asyncio.gather(flush, return_exceptions=True)
    await bus._client.flush()
    assert bus._client.stats["reconnects"] == 0
