"""The streams, as the server is asked for them."""

from __future__ import annotations

from nats.js import api

from ...settings import BusSettings
from ..base import VERSION

DAY = 24 * 60 * 60.0

DUPLICATES = 10 * 60.0
"""Seconds in which a message of the same id is the same message.

A message that is handed out again leads to what it led to before, under the same ids, which stand in the log once only
if they are still known: so it is twice the longest handling (``handling_limit``), with room for the wait before it.
Nothing is wrong after that: readers know ids, answers that nobody awaits move nothing, and dead letters count by name.
But what the services were in the middle of when all were away for longer may stand in the log twice. The server keeps
each id in memory for as long, 150 to 180 bytes: 30,000 of them at 100 turns a minute.
"""

STATES = "STATE"
"""The bucket that keeps the states."""


def streams(settings: BusSettings) -> list[api.StreamConfig]:
    """As they are made where there are none."""
    keep, keep_files = settings.keep_days * DAY, settings.keep_files_days * DAY
    advisories = [f"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{stream}.*" for stream in ("CMD", "EVT")]
    queue, limits = api.RetentionPolicy.WORK_QUEUE, api.RetentionPolicy.LIMITS
    configs = [
        api.StreamConfig("CMD", subjects=[f"cmd.{VERSION}.*.*"], retention=queue, duplicate_window=DUPLICATES),
        api.StreamConfig(
            "EVT",
            subjects=[f"evt.{VERSION}.*.*.*"],
            retention=limits,
            duplicate_window=DUPLICATES,
            max_age=keep,
            allow_direct=True,
        ),
        # The server itself records there what was delivered too often; nobody has to be listening.
        api.StreamConfig(
            "DEAD",
            subjects=["dead.>", *advisories],
            retention=limits,
            duplicate_window=DUPLICATES,
            max_age=keep,
            allow_direct=True,
        ),
        api.StreamConfig(
            "OBJ",
            subjects=["obj.*.*"],
            retention=limits,
            duplicate_window=DUPLICATES,
            max_age=keep_files,
            max_msgs_per_subject=1,
            allow_direct=True,
        ),
        # What `nats kv add STATE` would make, so that the usual tools can look into it.
        api.StreamConfig(
            f"KV_{STATES}",
            subjects=[f"$KV.{STATES}.>"],
            duplicate_window=2 * 60.0,
            discard=api.DiscardPolicy.NEW,
            max_consumers=-1,
            max_msgs=-1,
            max_msgs_per_subject=1,
            allow_rollup_hdrs=True,
            allow_msg_ttl=True,
        ),
    ]
    return [config.evolve(num_replicas=settings.replicas) for config in configs]


def changed(there: api.StreamConfig, wanted: api.StreamConfig, settings: BusSettings) -> api.StreamConfig:
    """What becomes of a stream that was made by an older version, or with other settings.

    Others rely on what they set. Whoever asks for fewer copies takes none away, and whoever says not how long to keep
    things leaves that as it is: what gets too old is gone for all.
    """
    says = "keep_files_days" if wanted.name == "OBJ" else "keep_days"
    return wanted.evolve(
        num_replicas=max(there.num_replicas or 1, settings.replicas),
        max_age=wanted.max_age if says in settings.model_fields_set else there.max_age or wanted.max_age,
        deny_delete=bool(there.deny_delete),  # what was refused once is refused for ever
    )
