"""The bus on NATS JetStream: work queue, event log, dead letters, objects and states, each a stream of its own."""

from .bus import NatsBus

__all__ = ["NatsBus"]
