"""One line of the table of speeds: what was measured, the figure, what is wanted of it, and what it was made of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    what: str
    figure: str
    wanted: str
    made_of: str


def markdown(rows: list[Row]) -> str:
    lines = ["| what | measured | wanted | from |", "|---|---|---|---|"]
    return "\n".join(lines + [f"| {row.what} | {row.figure} | {row.wanted} | {row.made_of} |" for row in rows])
