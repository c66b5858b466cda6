"""Settings come from the environment, each under its name in capitals with the prefix BANDSMITH_."""

from __future__ import annotations

from pydantic import AliasChoices, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """The base of every part's settings."""

    model_config = SettingsConfigDict(
        env_prefix="BANDSMITH_", frozen=True, extra="ignore", populate_by_name=True, env_ignore_empty=True
    )


class LogSettings(Settings):
    log_level: str = "warning"
    """debug, info, warning or error."""


class BusSettings(Settings):
    nats_url: str | None = Field(default=None, validation_alias=AliasChoices("NATS_URL", "BANDSMITH_NATS_URL"))
    """A running server to use instead of one of our own."""
    nats_server: str = "nats-server"
    """The server's program, by name or path."""
    ack_wait: float = Field(default=10.0, gt=0)
    """Seconds without a sign of life after which a message is delivered again; workers give one every third of it."""
    deliveries: int = Field(default=5, ge=1)
    """How often a message is tried before it is given up."""
    retry_delay: float = Field(default=0.5, ge=0)
    """Seconds before the second delivery; each further one waits four times longer, at most 30 seconds."""
    patience: float = Field(default=30.0, gt=0)
    """Seconds to wait for a server that is away before a message counts as not sent."""
    drain: float = Field(default=10.0, ge=0)
    """Seconds that messages in hand get to finish when a worker stops; then they are handed back."""
    keep_days: float = Field(default=30.0, gt=0)
    """How long events, objects and dead letters are kept."""
    object_cache: int = Field(default=64 * 1024 * 1024, ge=0)
    """Bytes of objects kept in memory, so that what was just stored is not fetched again."""
