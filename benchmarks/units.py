"""Figures as the tables of docs/scale.md print them."""

from __future__ import annotations


def whole(value: float) -> str:
    return f"{value:,.0f}"


def hundredths(value: float) -> str:
    return f"{value:.2f}"


def percent(value: float) -> str:
    return f"{100 * value:,.0f} %" if value >= 0.01 else "less than 1 %"


def rate(value: float) -> str:
    """Two digits of it: no more are known."""
    for unit, name in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if value >= unit:
            return f"{_two(value / unit)}{name}"
    return _two(value)


def size(value: float) -> str:
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= unit:
            return f"{_two(value / unit)} {name}"
    return f"{value:.0f} B"


def _two(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"
