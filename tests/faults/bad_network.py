"""A slow and lossy network between clients and a server: a TCP proxy that delays every part and cuts connections."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

PART_BYTES = 16_384


class BadNetwork:
    """Forwards connections to a port of this machine, and breaks them off on request."""

    def __init__(self, port: int, delay: tuple[float, float]) -> None:
        """`delay` is the shortest and the longest time in seconds that a part takes."""
        self._port = port
        self._delay = delay
        self._chance = random.Random(1)
        self._open: set[asyncio.StreamWriter] = set()

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._open |= {writer, server_writer}
        await asyncio.gather(self._copy(reader, server_writer), self._copy(server_reader, writer))
        self._open -= {writer, server_writer}

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while part := await reader.read(PART_BYTES):
                await asyncio.sleep(self._chance.uniform(*self._delay))
                writer.write(part)
                await writer.drain()
        writer.close()

    async def cut(self) -> None:
        """Break off every connection."""
        for writer in list(self._open):
            writer.transport.abort()


@asynccontextmanager
async def bad_network(port: int, delay: tuple[float, float]) -> AsyncIterator[tuple[BadNetwork, int]]:
    """Run a proxy, and yield it with its own port."""
    network = BadNetwork(port, delay)
    server = await asyncio.start_server(network.forward, "127.0.0.1", 0)
    try:
        yield network, server.sockets[0].getsockname()[1]
    finally:
        await network.cut()
        server.close()
