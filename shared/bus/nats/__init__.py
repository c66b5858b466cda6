"""The bus on NATS JetStream, with a stream each for commands, events, dead letters, objects and states."""

from .bus import NatsBus

__all__ = ["NatsBus"]
