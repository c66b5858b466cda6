"""The streams, as the server is asked for them."""

from __future__ import annotations

from nats.js import api

from ..base import VERSION

DUPLICATES = 30 * 60.0
"""Seconds in which a message of the same id is the same message."""


STATES = "STATE"
"""The bucket that keeps the states."""


def streams(keep: float, keep_files: float, replicas: int) -> list[api.StreamConfig]:
    """How long events and files are kept, in seconds; how many servers keep each."""
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
    return [config.evolve(num_replicas=replicas) for config in configs]
