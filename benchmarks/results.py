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


def markdown(results: list[Result]) -> str:
    return "\n".join([HEADER, *map(str, results)])
