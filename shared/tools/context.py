"""The tools that every task has: which other tools are offered, and the whole of a result that was shortened.

A domain is offered pack by pack, so that a model reads only the tools that its task needs. The pack ``core`` comes with
its domain and stays until the whole domain goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from bandsmith.shared.model.base import Value
from bandsmith.shared.model.task import FOREIGN, SEVERAL, ForeignTool
from bandsmith.shared.replies import Text

from . import ALL_TOOLS, DOMAINS, TOOLS, ErrandTool, Tool
from .base import parameters_of

CORE = "core"
REFINING = "schedule.deep_analyze"
REFINING_PACKS = ("schedule.core", REFINING)
PLACING = ("place_work", "place_all")
"""Tools that place all work at once."""
REFINING_TOOLS = ("analyze_health", "move", "swap")
"""While the pack that refines a calendar is offered, these are its only tools, and change only what they may."""
MAX_LINE_CHARS = 200
"""Characters of an earlier result that are shown in later rounds."""


class PacksRefused(Exception):
    """There is no such domain or pack; the text names those that exist."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.en)
        self.reason = reason


class ContextTool(Value):
    """A call of a tool that reads nothing of a calendar."""

    name: ClassVar[str]

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        return parameters_of(cls)


class ContextToolsAdd(ContextTool):
    """Offer the tools of a domain from now on. "replace" offers only these, "merge" adds them."""

    name = "context_tools_add"

    domain: str
    packs: list[str] = Field(default=[], max_length=10)
    mode: Literal["replace", "merge"] = "merge"

    def apply(self, known: Sequence[str]) -> list[str]:
        """Return the packs that are offered afterwards. Raises ``PacksRefused``."""
        _check(self.domain, self.packs)
        kept = [] if self.mode == "replace" else known
        return sorted({*kept, *(f"{self.domain}.{pack}" for pack in (CORE, *self.packs))})


class ContextToolsRemove(ContextTool):
    """Offer a domain, or some of its packs, no longer. The pack core goes only with its whole domain."""

    name = "context_tools_remove"

    domain: str
    packs: list[str] = Field(default=[], max_length=10)
    """None: the whole domain."""

    def apply(self, known: Sequence[str]) -> list[str]:
        """Return the packs that are offered afterwards. Raises ``PacksRefused``."""
        if not self.domain.startswith(FOREIGN):
            _check(self.domain, self.packs)
        if not self.packs:
            return [pack for pack in known if not pack.startswith(f"{self.domain}.")]
        gone = {f"{self.domain}.{pack}" for pack in self.packs if pack != CORE}
        return [pack for pack in known if pack not in gone]


class Recall(ContextTool):
    """Show the whole of an earlier result that was shortened."""

    name = "recall"

    id: str
    """Of the call."""


CONTEXT_TOOLS: dict[str, type[ContextTool]] = {
    tool.name: tool for tool in (ContextToolsAdd, ContextToolsRemove, Recall)
}


def first_line(result: str) -> str:
    """Return what later rounds show of a result. The whole of one that has more is kept, for ``recall``."""
    return result.partition("\n")[0][:MAX_LINE_CHARS]


def packs_of(domain: str) -> list[str]:
    """Return the packs of a domain, ``core`` first."""
    return sorted(
        {tool.pack for tool in ALL_TOOLS.values() if tool.domain == domain}, key=lambda pack: (pack != CORE, pack)
    )


def tool_names(domain: str, pack: str) -> list[str]:
    """Return the names of a pack's tools."""
    return sorted(name for name, tool in ALL_TOOLS.items() if (tool.domain, tool.pack) == (domain, pack))


def offered(packs: Sequence[str]) -> dict[str, type[Tool] | type[ErrandTool]]:
    """Return the tools of these packs, by name. The pack that refines a calendar hides the others of its domain.

    What makes several calls at once comes with every domain.
    """
    if REFINING in packs:
        others = [pack for pack in packs if not pack.startswith("schedule.")]
        refining: dict[str, type[Tool] | type[ErrandTool]] = {name: TOOLS[name] for name in REFINING_TOOLS}
        return refining | offered(others)
    return {
        name: tool
        for name, tool in ALL_TOOLS.items()
        if f"{tool.domain}.{tool.pack}" in packs or (packs and name == SEVERAL)
    }


def foreign_offered(packs: Sequence[str], known: Sequence[ForeignTool]) -> list[ForeignTool]:
    """Return the tools of other programs whose domains are offered."""
    return [tool for tool in known if f"{FOREIGN}{tool.server}.{CORE}" in packs]


def _check(domain: str, packs: Sequence[str]) -> None:
    if domain not in DOMAINS:
        raise PacksRefused(Text.of("schedule.tools.no_domain", domain=domain, domains=", ".join(DOMAINS)))
    known = packs_of(domain)
    for pack in packs:
        if pack not in known:
            raise PacksRefused(Text.of("schedule.tools.no_pack", pack=pack, packs=", ".join(known)))
