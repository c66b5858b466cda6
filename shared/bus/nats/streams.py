"""The configuration of the JetStream streams."""

from __future__ import annotations

from nats.js import api

from ...settings import BusSettings
from ..base import VERSION

DAY_S = 24 * 60 * 60.0

DUPLICATE_WINDOW_S = 10 * 60.0
"""How long the server deduplicates messages by id.

A redelivered message leads to the same messages under the same ids, and they are stored once only while their ids are
known: hence twice the longest handling (``handling_limit``), which leaves time for the wait before it. Later duplicates
do no harm: readers know ids, unexpected answers are ignored, and dead letters are counted by name. But if all services
were down for longer, their unfinished work may be in the log twice. The server keeps each id in memory for that time,
150 to 180 bytes each: 30,000 ids at 100 turns a minute.
"""

STATES = "STATE"
"""Name of the key-value bucket for states."""
STATE_DUPLICATE_WINDOW_S = 2 * 60.0


def streams(settings: BusSettings) -> list[api.StreamConfig]:
    """Return the configuration of new streams."""
    keep, keep_files = settings.keep_days * DAY_S, settings.keep_files_days * DAY_S
    advisories = [f"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{stream}.*" for stream in ("CMD", "EVT")]
    configs = [
        api.StreamConfig(
            "CMD",
            subjects=[f"cmd.{VERSION}.*.*"],
            retention=api.RetentionPolicy.WORK_QUEUE,
            duplicate_window=DUPLICATE_WINDOW_S,
        ),
        _kept("EVT", [f"evt.{VERSION}.*.*.*"], keep),
        # The server itself stores its advisories about messages that reached their delivery limit here.
        _kept("DEAD", ["dead.>", *advisories], keep),
        _kept("OBJ", ["obj.*.*"], keep_files).evolve(max_msgs_per_subject=1),
        _states(),
    ]
    return [config.evolve(num_replicas=settings.replicas) for config in configs]


def _kept(name: str, subjects: list[str], seconds: float) -> api.StreamConfig:
    """Return the configuration of a stream whose messages stay for a time, read or not."""
    return api.StreamConfig(
        name,
        subjects=subjects,
        retention=api.RetentionPolicy.LIMITS,
        duplicate_window=DUPLICATE_WINDOW_S,
        max_age=seconds,
        allow_direct=True,
    )


def _states() -> api.StreamConfig:
    """Return the same configuration as `nats kv add STATE` creates, so that the usual tools work with it."""
    return api.StreamConfig(
        f"KV_{STATES}",
        subjects=[f"$KV.{STATES}.>"],
        duplicate_window=STATE_DUPLICATE_WINDOW_S,
        discard=api.DiscardPolicy.NEW,
        max_consumers=-1,
        max_msgs=-1,
        max_msgs_per_subject=1,
        allow_rollup_hdrs=True,
        allow_msg_ttl=True,
    )


def updated(existing: api.StreamConfig, wanted: api.StreamConfig, settings: BusSettings) -> api.StreamConfig:
    """Return the new configuration of a stream created by an older version or with other settings.

    Other clients rely on their settings: the number of replicas is never reduced, and the retention changes only if it
    is set explicitly, because expired messages are lost for everyone.
    """
    retention = "keep_files_days" if wanted.name == "OBJ" else "keep_days"
    return wanted.evolve(
        num_replicas=max(existing.num_replicas or 1, settings.replicas),
        max_age=wanted.max_age if retention in settings.model_fields_set else existing.max_age or wanted.max_age,
        deny_delete=bool(existing.deny_delete),  # the server does not allow changing it back
    )
