"""A benchmark's result: one line of the table of figures."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    what: str
    figure: str
    target: str
    """Empty where there is none."""
    details: str

    def __str__(self) -> str:
        return f"| {self.what} | {self.figure} | {self.target} | {self.details} |"


HEADER = "| what | measured | target | from |\n|---|---|---|---|"


def markdown(results: list[Result], earlier: str = "") -> str:
    """Return the table of some results. Rows of an `earlier` table that were not measured now stay where they are."""
    rows = {line.split(" | ")[0]: line for line in earlier.splitlines() if line.startswith("| ")}
    rows.pop("| what", None)
    return "\n".join([HEADER, *(rows | {f"| {result.what}": str(result) for result in results}).values()])
