"""The time zone of this machine, in which times of a conversation are meant."""

from __future__ import annotations

import os
from pathlib import Path
from zoneinfo import available_timezones


def local_zone() -> str:
    """Return the name of the zone of TZ or of the machine; UTC where neither names one."""
    named = os.environ.get("TZ", "").lstrip(":")
    if named in available_timezones():
        return named
    try:
        return str(Path("/etc/localtime").resolve().relative_to("/usr/share/zoneinfo"))
    except ValueError:
        return "UTC"
