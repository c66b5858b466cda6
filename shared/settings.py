"""Settings come from the environment, each under its name in capitals with the prefix BANDSMITH_."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from .errors import BadInput


class Settings(BaseSettings):
    """The base of every part's settings. Making one raises ``BadInput`` that names the variable which is wrong."""

    model_config = SettingsConfigDict(
        env_prefix="BANDSMITH_",
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        env_ignore_empty=True,
        use_attribute_docstrings=True,  # the README's table is made from them
    )

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise _wrong(type(self), str(error.errors(include_input=False)[0]["loc"][0])) from None


class LogSettings(Settings):
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """The least that is logged."""

    @property
    def level(self) -> int:
        return logging.getLevelNamesMapping()[self.log_level.upper()]


class WatchSettings(Settings):
    metrics: str = ""
    """Where `bandsmith serve` shows metrics to Prometheus, as `127.0.0.1:9464`; by default nowhere."""
    watchdog: float = Field(default=60.0, gt=0)
    """Seconds for which a process of `bandsmith serve` may stand still before it ends, to be started again."""


def _data_folder() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "bandsmith"


class HomeSettings(Settings):
    home: Path = Field(default_factory=_data_folder)
    """Where sessions and knowledge are kept on this machine; by default `~/.local/share/bandsmith`."""

    @property
    def bus(self) -> Path:
        """The store of the message server."""
        return self.home / "bus"


class BusSettings(Settings):
    nats_url: str | None = Field(default=None, validation_alias=AliasChoices("NATS_URL", "BANDSMITH_NATS_URL"))
    """A running server to use instead of one of our own; several of a cluster are separated by commas."""
    replicas: int = Field(default=1, ge=1, le=5)
    """Of how many servers of a cluster each keeps a copy of everything: 3 where one of them may be lost at any time."""
    nats_server: str = "nats-server"
    """The server's program, by name or path."""
    ack_wait: float = Field(default=10.0, gt=0)
    """Seconds without a sign of life after which a message is delivered again; workers give one every third of it."""
    handling_limit: float = Field(default=300.0, gt=0)
    """Seconds that the handling of a message may go without getting on (each call of a model is getting on); then it
    is stopped, and the message given to another worker."""
    deliveries: int = Field(default=4, ge=1)
    """How often a message is tried before it is given up."""
    retry_delay: float = Field(default=0.2, ge=0)
    """Seconds before the second delivery; each further one waits four times longer, at most 30 seconds."""
    patience: float = Field(default=30.0, gt=0)
    """Seconds to wait for a server that is away before a message counts as not sent."""
    drain: float = Field(default=10.0, ge=0)
    """Seconds that messages in hand get to finish when a worker stops; then they are handed back."""
    keep_days: float = Field(default=30.0, ge=1)
    """How long events and dead letters are kept. It holds for all on the server, until somebody says otherwise."""
    keep_files_days: float = Field(default=365.0, ge=1)
    """How long templates, pages and pictures are kept after they were last written; likewise."""
    object_cache: int = Field(default=16 * 1024 * 1024, ge=0)
    """Bytes of objects kept in memory, so that what was just stored is not fetched again."""

    @field_validator("nats_url")
    @classmethod
    def _addresses(cls, value: str | None) -> str | None:
        if value is not None and not all(_is_server(server.strip()) for server in value.split(",")):
            raise BadInput(
                "NATS_URL is no server's address: give it as nats://host:4222, or nats://user:password@host:4222 with "
                "signs like @, : and / of a password as %40, %3A and %2F.",
                message_zh="NATS_URL 不是服务器地址：请写成 nats://主机:4222，或 nats://用户:密码@主机:4222；"
                "密码中的 @、:、/ 等符号请写成 %40、%3A、%2F。",
            )
        return value

    @property
    def most_deliveries(self) -> int:
        """What the bus allows: some beyond those that are handled, so that a worker can still say why it gave up."""
        return self.deliveries + 3

    def delay(self, delivery: int) -> float:
        """Seconds to wait after the delivery of this number failed."""
        return min(self.retry_delay * 4.0 ** (delivery - 1), 30.0)


class ModelSettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_MODEL_", protected_namespaces=())

    url: str | None = None
    """Address of a language model that speaks OpenAI's chat completions, up to and with its version:
    ``https://api.example.com/v1``. Without one, rules work alone."""
    name: str | None = None
    """The model's name at that address."""
    key: SecretStr | None = None
    """The key for that address, where it wants one."""
    tokenizer: Path | None = None
    """The model's ``tokenizer.json``, to count tokens by it (needs ``bandsmith[tokenizer]``); else they are
    estimated."""
    context: int = Field(default=32_000, ge=1_000)
    """Tokens that the model takes and gives together."""
    reply: int = Field(default=4_000, ge=100)
    """The most tokens of one reply; a longer one is continued."""
    calls_per_turn: int = Field(default=40, ge=0)
    """Calls that one turn may make."""
    tokens_per_turn: int = Field(default=200_000, ge=0)
    """Tokens, in and out, that one turn may use."""
    connect: float = Field(default=10.0, gt=0)
    """Seconds to wait for a connection."""
    pause: float = Field(default=60.0, gt=0)
    """Seconds to wait for the next piece of a reply."""
    patience: float = Field(default=180.0, gt=0)
    """Seconds that one call may take with its retries."""
    retries: int = Field(default=3, ge=0)
    """How often a call is tried again, after growing delays, when the address is busy (429), fails (5xx) or is away."""


class EmbeddingSettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_EMBEDDING_")

    url: str | None = None
    """Address of an embedding model that speaks OpenAI's embeddings, up to and with its version. Without one,
    knowledge is searched by words."""
    model: str | None = None
    """The model's name at that address."""
    key: SecretStr | None = None
    """The key for that address, where it wants one."""
    patience: float = Field(default=20.0, gt=0)
    """Seconds to wait for an answer."""


def _wrong(settings: type[Settings], field: str) -> BadInput:
    """`field` is its name, or the variable's own where it has another."""
    name, known = field, settings.model_fields.get(field)
    if known:
        name = f"{settings.model_config['env_prefix']}{field}".upper()
    if choices := [choice for choice in get_args(known.annotation) if choice] if known else []:
        return BadInput(
            f"{name} has to be one of {', '.join(map(str, choices))}.",
            message_zh=f"{name} 必须是以下之一：{'、'.join(map(str, choices))}。",
        )
    usual, usual_zh = (f": it is {known.default} by default", f"（默认值为 {known.default}）") if known else ("", "")
    return BadInput(
        f"{name} is set to what it cannot be; correct or unset it{usual}.",
        message_zh=f"{name} 的值无效，请改正或取消设置{usual_zh}。",
    )


def _is_server(address: str) -> bool:
    """As ``nats://user:password@host:port``, of which the host alone is needed."""
    try:
        parts = urlsplit(address if "://" in address else f"nats://{address}")
        return (
            parts.scheme in ("nats", "tls", "ws", "wss")
            and bool(parts.hostname)
            and parts.port != 0
            and parts.path in ("", "/")
        )
    except ValueError:  # the port
        return False
