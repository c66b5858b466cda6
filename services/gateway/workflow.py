"""The vocabulary of the table of routes, and the pure function that reads it.

Theory of operation
===================

A workflow is a table of rows. Each row says: at this node, on this event, if this condition holds, go to that node and
send that command. The first row that matches wins. A row with a cap stops matching once its cost no longer fits under
the limit, so the row below it says what happens then. ``Workflow.route`` reads the table; it changes nothing.

Every turn ends because of three properties, which tests/workflow/test_table.py proves for the real table:

- Without its capped rows the graph of (node, awaited command) has no cycle.
- Each capped row costs something, so it can be taken only finitely often before its cap is renewed.
- A row may renew a cap (``renews``) only at the price of another cap, and no chain of renewals leads back to where it
  began. The caps therefore form levels: rows of the top level are taken finitely often, and between two of them so are
  the rows of each level below.

A row that sends several commands at once (``each``) awaits every answer. Rows of the same node that send nothing and
stay there take the answers one by one; each time fewer are missing, so they cannot form a cycle either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bandsmith.shared.events import Command, Event, Message, StageFailed

from .state import Turn

Condition = Callable[[Turn], bool]
Parts = Callable[[Turn], Sequence[object]]


class AtOnce(Message):
    """Stands for no message: the gateway does the node's work itself, so the next row is taken at once."""


ANYWHERE = "*"
ANYTHING = Message


@dataclass(frozen=True)
class Cap:
    """A limit on what the rows of one name may cost together in a turn."""

    name: str
    limit: int
    cost: int = 1
    """What taking the row is charged."""


@dataclass(frozen=True)
class Row:
    at: str
    on: type[Message]
    go: str | type[Event]
    """The next node, or the event that ends the turn. The same node without a cap continues the same visit."""
    send: type[Command] | None = None
    when: Condition | None = None
    cap: Cap | None = None
    each: Parts | None = None
    """The parts of the node's work: one command is sent for each, at the same time, with the part as fact ``part``."""
    renews: tuple[str, ...] = ()
    """Names of the caps that start again from zero when the row is taken."""

    def matches(self, turn: Turn, on: type[Message]) -> bool:
        return (
            self.at in (turn.node, ANYWHERE)
            and issubclass(on, self.on)
            and (self.when is None or self.when(turn))
            and (self.cap is None or turn.spent.get(self.cap.name, 0) + self.cap.cost <= self.cap.limit)
        )

    def charged(self, spent: dict[str, int]) -> dict[str, int]:
        """What each cap has been charged once the row is taken."""
        spent = {name: charge for name, charge in spent.items() if name not in self.renews}
        if self.cap:
            spent[self.cap.name] = spent.get(self.cap.name, 0) + self.cap.cost
        return spent

    @property
    def enters(self) -> bool:
        """Whether the row begins another visit to a node, which counts as an attempt."""
        return self.go != self.at or self.cap is not None

    @property
    def stays(self) -> bool:
        """Whether the row only waits for the answers that are still missing."""
        return self.go == self.at and self.send is None

    @property
    def outcome(self) -> str:
        """How the node ended, in words."""
        if self.on is StageFailed:
            return "failed"
        return self.when.__name__.replace("_", " ") if self.when else ""


class Workflow:
    """A table of rows. The first row's node begins a turn; the last row takes everything that no other row expects."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self.rows = rows
        self.first = rows[0].at
        self.unrouted = rows[-1]
        """The row that ends a turn whose answer nothing expects, with an error."""
        self._at = {node: [row for row in rows if row.at in (node, ANYWHERE)] for node in {row.at for row in rows}}
        self._fan_outs: dict[object, list[Parts]] = {}
        for row in rows:
            if row.each:
                self._fan_outs.setdefault(row.go, []).append(row.each)

    def knows(self, node: str) -> bool:
        """Whether a row begins at the node; a gateway of a newer version may have more nodes."""
        return node in self._at

    def parts(self, turn: Turn, node: str) -> int:
        """How many parts of a node's work run at the same time."""
        return max([1, *(len(each(turn)) for each in self._fan_outs.get(node, ()))])

    def route(self, turn: Turn, on: type[Message]) -> Row:
        """The first row that matches, for a turn that has already learned from the event."""
        return next(row for row in self._at.get(turn.node, [self.unrouted]) if row.matches(turn, on))
