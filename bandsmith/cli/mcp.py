"""``bandsmith mcp``: the Model Context Protocol over stdio."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from bandsmith.shared.errors import BadInput

from ..mcp.local import LocalHost, local_server
from ..web.identity import Identity
from .messages import quiet_log
from .web import open_bus


def mcp(roots: Sequence[Path]) -> None:
    """Serve until the input ends. Raises ``BadInput`` for a root that is none."""
    quiet_log()
    chosen = list(roots) or [Path.cwd()]
    if any(not root.is_dir() or root.resolve() == Path(root.resolve().anchor) for root in chosen):
        raise BadInput.of("mcp.root", code="root")
    asyncio.run(_serve(LocalHost(chosen, Identity("", "admin"))))


async def _serve(host: LocalHost) -> None:
    async with host.running(open_bus):
        await local_server(host).run_stdio_async()
