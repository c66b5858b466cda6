"""Format spans of time as their number formats show them: ``[h]:mm``, ``[mm]:ss``, ``[h]"h "mm"min"``."""

from __future__ import annotations

import re
from datetime import timedelta

_TOKENS = re.compile(
    r'"(?P<quoted>[^"]{,255})"|\\(?P<escaped>.)|[_*].|\[(?P<elapsed>h{1,9}|m{1,9}|s{1,9})\]|\[[^\[\]]{,255}\]'
    r"|(?P<unit>hh?|mm?|ss?)|(?P<fraction>\.0{1,3})|(?P<end>;)|(?P<other>.)",
    re.IGNORECASE,
)
_DEFAULT = "[h]:mm:ss"
_SECONDS = {"h": 3600, "m": 60, "s": 1}
_CYCLES = {"h": 24, "m": 60, "s": 60}


def format_duration(value: timedelta, code: str) -> str:
    """Return the text of a span of time. A unit in brackets counts on: ``[mm]`` of 90 minutes is 90."""
    tokens = list(_tokens(_DEFAULT if code == "General" else code))
    decimals = max((len(token["fraction"]) - 1 for token in tokens if token["fraction"]), default=0)
    ticks = 10**decimals
    # A fraction below the shown one is rounded, units below the last one shown are cut off, as a spreadsheet does.
    total = round(abs(value / timedelta(seconds=1)) * ticks)
    seconds, fraction = divmod(total, ticks)
    words = [_word(token, seconds, fraction, decimals) for token in tokens]
    return ("-" if value < timedelta(0) else "") + "".join(words).strip()


def _tokens(code: str) -> list[re.Match[str]]:
    """Return the tokens of the first section of a number format."""
    tokens = list(_TOKENS.finditer(code))
    end = next((number for number, token in enumerate(tokens) if token["end"]), len(tokens))
    return tokens[:end]


def _word(token: re.Match[str], seconds: int, fraction: int, decimals: int) -> str:
    """Return what a token prints of a number of seconds and a fraction of one."""
    if elapsed := token["elapsed"]:
        return f"{seconds // _SECONDS[elapsed[0].lower()]:0{len(elapsed)}}"
    if unit := token["unit"]:
        name = unit[0].lower()
        return f"{seconds // _SECONDS[name] % _CYCLES[name]:0{len(unit)}}"
    if token["fraction"]:
        return f".{fraction:0{decimals}}"[: len(token["fraction"])]
    return token["quoted"] or token["escaped"] or (token["other"] or "").replace("@", "")
