"""Settings, read from environment variables: BANDSMITH_ and the field's name in capitals.

A renamed setting lists both names; the old one still works where the new one is not set.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

from .errors import BadInput
from .language import Language
from .replies import text

Seconds = Annotated[float, "seconds"]

MAX_RETRY_DELAY_S = 30.0
MAX_SHOWN_CHARS = 40
"""Characters of an invalid value that an error message repeats."""


class Settings(BaseSettings):
    """Base class of all settings. Raises ``BadInput`` that names the variable with an invalid value."""

    model_config = SettingsConfigDict(
        env_prefix="BANDSMITH_",
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        env_ignore_empty=True,
        use_attribute_docstrings=True,  # the table of settings in the documentation is generated from them
    )

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise _invalid(type(self), error) from None


class LogSettings(Settings):
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """Lowest level that is logged."""

    @property
    def level(self) -> int:
        return logging.getLevelNamesMapping()[self.log_level.upper()]


class MonitoringSettings(Settings):
    metrics: str = ""
    """Address where `bandsmith serve` exposes metrics to Prometheus, such as `127.0.0.1:9464`; off by default."""
    watchdog: Seconds = Field(default=60.0, gt=0)
    """Seconds after which a process of `bandsmith serve` that makes no progress exits, so that it can be restarted."""


class WebSettings(Settings):
    web: str = "127.0.0.1:8787"
    """Address where `bandsmith web` serves the page."""
    web_origin: str = ""
    """Address under which browsers reach the page, such as `https://reports.example.com`, behind a proxy with TLS."""
    web_secret: SecretStr | None = Field(default=None, min_length=32)
    """Secret of at least 32 characters that signs cookies and links; needed where several processes serve the page.
    By default one is made and kept in the folder BANDSMITH_HOME."""
    web_keys: Path | None = None
    """File with the hashes of API keys; `web-keys.json` in the home folder by default."""
    web_cors: str = ""
    """Sites whose pages may use the HTTP interface with a key (CORS), such as `https://app.example.com`, separated by
    commas. None by default; the cookie of `bandsmith web` never counts there."""
    web_rate: int = Field(default=1200, ge=1)
    """Maximum number of requests that one key or user may send to one process in a minute."""

    @field_validator("web_cors")
    @classmethod
    def _check_cors(cls, value: str) -> str:
        for origin in _origins(value):
            parts = urlsplit(origin)
            if (
                parts.scheme not in ("https", "http")
                or not parts.hostname
                or origin != f"{parts.scheme}://{parts.netloc}"
            ):
                raise BadInput.of("settings.web_cors", code="input")
        return value

    @property
    def cors_origins(self) -> tuple[str, ...]:
        return _origins(self.web_cors)

    @property
    def keys_file(self) -> Path:
        return self.web_keys or HomeSettings().home / "web-keys.json"


def _origins(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.split(",") if one.strip())


class OidcSettings(Settings):
    oidc_issuer: str | None = None
    """Address of the OpenID Connect issuer whose tokens are accepted, such as `https://login.example.com/realms/acme`."""
    oidc_audience: str = "bandsmith"
    """Audience that these tokens must name."""
    oidc_role: Literal["reader", "editor"] = "editor"
    """Role of users whose token has no claim `bandsmith_role`."""

    @field_validator("oidc_issuer")
    @classmethod
    def _check_issuer(cls, value: str | None) -> str | None:
        if value is not None:
            parts = urlsplit(value)
            is_local = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost")
            if not parts.hostname or not (parts.scheme == "https" or is_local):
                raise BadInput.of("settings.oidc_issuer", code="input")
        return value


def _data_folder() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "bandsmith"


class HomeSettings(Settings):
    home: Path = Field(default_factory=_data_folder)
    """Folder for sessions and knowledge on this machine; `~/.local/share/bandsmith` by default."""

    @property
    def bus(self) -> Path:
        """The message server's store."""
        return self.home / "bus"


class SourceSettings(Settings):
    sources: Path | None = None
    """File that names the sources of data; `sources.toml` in the home folder by default."""

    @property
    def file(self) -> Path:
        return self.sources or HomeSettings().home / "sources.toml"


class ToolServerSettings(Settings):
    tool_servers: Path | None = None
    """File that names the programs whose tools tasks may call; `tool_servers.toml` in the home folder by default."""

    @property
    def file(self) -> Path:
        return self.tool_servers or HomeSettings().home / "tool_servers.toml"


class CalendarSettings(Settings):
    calendars: str = ""
    """Database that stores calendars, as an address of SQLAlchemy; `calendars.db` in the home folder by default."""

    @property
    def url(self) -> str:
        return self.calendars or f"sqlite:///{HomeSettings().home / 'calendars.db'}"


class BusSettings(Settings):
    nats_url: str | None = Field(default=None, validation_alias=AliasChoices("NATS_URL", "BANDSMITH_NATS_URL"))
    """Address of a running NATS server to use instead of starting one; separate the servers of a cluster by commas."""
    replicas: int = Field(default=1, ge=1, le=5)
    """Number of servers of a NATS cluster that store each message: 3 tolerates the loss of one."""
    nats_server: str = "nats-server"
    """Name or path of the nats-server program."""
    ack_wait: Seconds = Field(default=10.0, gt=0)
    """Seconds without a heartbeat after which a message is delivered again; workers send three in that time."""
    handling_limit: Seconds = Field(default=300.0, gt=0)
    """Seconds that handling a message may take without progress (each model call counts as progress). After that it
    is cancelled and another worker gets the message."""
    max_deliveries: int = Field(
        default=4, ge=1, validation_alias=AliasChoices("BANDSMITH_MAX_DELIVERIES", "BANDSMITH_DELIVERIES")
    )
    """Maximum number of times a message is tried before it becomes a dead letter."""
    retry_delay: Seconds = Field(default=0.2, ge=0)
    """Seconds before the second delivery; each further delay is four times longer, up to 30 seconds."""
    bus_timeout: Seconds = Field(
        default=30.0, gt=0, validation_alias=AliasChoices("BANDSMITH_BUS_TIMEOUT", "BANDSMITH_PATIENCE")
    )
    """Seconds to wait for an unreachable message server before an operation fails."""
    drain_timeout: Seconds = Field(
        default=10.0, ge=0, validation_alias=AliasChoices("BANDSMITH_DRAIN_TIMEOUT", "BANDSMITH_DRAIN")
    )
    """Seconds that messages in flight have to finish when a worker stops; after that they are handed back."""
    keep_days: float = Field(default=30.0, ge=1)
    """Days that events and dead letters are kept. The value applies to the whole server until it is set again."""
    keep_files_days: float = Field(default=365.0, ge=1)
    """Days that templates, pages and images are kept after they were last written. Applies to the whole server too."""
    object_cache: int = Field(default=16 * 1024 * 1024, ge=0)
    """Bytes of memory for recently used objects, so that they need not be fetched again."""

    @field_validator("nats_url")
    @classmethod
    def _check_addresses(cls, value: str | None) -> str | None:
        if value is not None and not all(_is_server_address(server.strip()) for server in value.split(",")):
            raise BadInput.of("settings.nats_url", code="input")
        return value

    @property
    def delivery_limit(self) -> int:
        """The consumers' ``max_deliver``: a few above `max_deliveries`, so that a worker can still report a failure."""
        return self.max_deliveries + 3

    def delay(self, delivery: int) -> float:
        """Return the seconds to wait after delivery number `delivery` failed."""
        return min(self.retry_delay * 4.0 ** (delivery - 1), MAX_RETRY_DELAY_S)


class ModelSettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_MODEL_", protected_namespaces=())

    url: str | None = None
    """Address of a language model with an OpenAI-compatible chat completions API, including the version:
    ``https://api.example.com/v1``. Without one, only rules are used."""
    name: str | None = None
    """Name of the model at that address."""
    key: SecretStr | None = None
    """API key, if the address requires one."""
    tokenizer: Path | None = None
    """Path of the model's ``tokenizer.json`` for exact token counts (needs ``bandsmith[tokenizer]``); otherwise
    tokens are estimated."""
    format: Literal["auto", "schema", "json", "none", "function"] = "auto"
    """How the form of a reply is asked for: by a JSON schema, as any JSON object, in words only (`none`), or as the
    arguments of a `function` call. `auto` begins with the schema and goes on to `json` and `none` where the address
    rejects it."""
    vision: bool = False
    """Whether the model sees pictures: it is shown the pages of forms that it reads."""
    ask: Literal["always", "unsure"] = "always"
    """When the model is asked about a change of a report: `always`, and its reading counts, or only where rules are
    `unsure`."""
    review: bool = True
    """Whether the model is asked, once a turn, what of the request the printed report does not meet. It is asked about
    changes and new reports that it had a part in."""
    judge: bool = True
    """Whether the model is asked if a query that it wrote answers its question, before the query runs, and what the
    result of its Python says: one call more for each question or step."""
    reasoning: dict[str, Any] | None = None
    """Options that turn reasoning on, as JSON. They are sent with the requests of tasks that need it:
    ``{"reasoning_effort": "medium"}``, or ``{"chat_template_kwargs": {"enable_thinking": true}}``."""
    context: int = Field(default=32_000, ge=1_000)
    """Context length of the model, in tokens."""
    reply: int = Field(default=4_000, ge=100)
    """Maximum tokens of one reply; a longer reply is continued."""
    calls_per_turn: int = Field(default=40, ge=0)
    """Maximum number of calls in one turn."""
    tokens_per_turn: int = Field(default=200_000, ge=0)
    """Maximum number of tokens in one turn, input and output together."""
    connect_timeout: Seconds = Field(
        default=10.0,
        gt=0,
        validation_alias=AliasChoices("BANDSMITH_MODEL_CONNECT_TIMEOUT", "BANDSMITH_MODEL_CONNECT"),
    )
    """Seconds to wait for a connection."""
    read_timeout: Seconds = Field(
        default=60.0, gt=0, validation_alias=AliasChoices("BANDSMITH_MODEL_READ_TIMEOUT", "BANDSMITH_MODEL_PAUSE")
    )
    """Seconds to wait for the next chunk of a reply that has begun."""
    timeout: Seconds = Field(
        default=180.0, gt=0, validation_alias=AliasChoices("BANDSMITH_MODEL_TIMEOUT", "BANDSMITH_MODEL_PATIENCE")
    )
    """Seconds that one call may take until its reply begins, including its retries."""
    reply_timeout: Seconds = Field(default=900.0, gt=0)
    """Seconds that a reply may go on, as long as chunks arrive; after that, what has arrived counts."""
    retries: int = Field(default=3, ge=0)
    """Number of retries, with growing delays, when the address is busy (429), fails (5xx) or is unreachable."""


class EmbeddingSettings(Settings):
    model_config = SettingsConfigDict(env_prefix="BANDSMITH_EMBEDDING_")

    url: str | None = None
    """Address of an embedding model with an OpenAI-compatible embeddings API, including the version. Without one,
    knowledge is searched by words."""
    model: str | None = None
    """Name of the model at that address."""
    key: SecretStr | None = None
    """API key, if the address requires one."""
    timeout: Seconds = Field(
        default=20.0,
        gt=0,
        validation_alias=AliasChoices("BANDSMITH_EMBEDDING_TIMEOUT", "BANDSMITH_EMBEDDING_PATIENCE"),
    )
    """Seconds to wait for a reply."""


def _invalid(settings: type[Settings], error: ValidationError) -> BadInput:
    """Build the error for the first invalid field: the variable, its value, and what is allowed there."""
    first = error.errors(include_url=False)[0]
    variable, field = _variable(settings, str(first["loc"][0]))
    values = {"variable": variable, "value": str(first["input"])[:MAX_SHOWN_CHARS], "example": _example(field)}
    code = "settings.invalid_with_example" if values["example"] else "settings.invalid"

    def message(language: Language) -> str:
        return text(code, language, expected=_expected(field, language), **values)

    return BadInput(message("en"), message_zh=message("zh"))


def _variable(settings: type[Settings], location: str) -> tuple[str, FieldInfo | None]:
    """Return the environment variable that an error is about, and its field.

    pydantic's location is the field's name, or the first alias where the field has aliases.
    """
    if field := settings.model_fields.get(location):
        return f"{settings.model_config['env_prefix']}{location}".upper(), field
    for field in settings.model_fields.values():
        aliases = getattr(field.validation_alias, "choices", ())
        if location in aliases:
            return next((alias for alias in aliases if os.environ.get(alias)), location), field
    return location, None


def _choices(field: FieldInfo | None) -> list[str]:
    return [choice for choice in get_args(field.annotation) if isinstance(choice, str)] if field else []


def _example(field: FieldInfo | None) -> str:
    """Return the default as it would be written, or nothing where the choices or the bounds say enough."""
    if field is None or field.default is None or _choices(field):
        return ""
    return f"{field.default:g}" if isinstance(field.default, float) else str(field.default)


def _expected(field: FieldInfo | None, language: Language) -> str:
    """Describe the values that a field accepts."""
    if field and (choices := _choices(field)):
        return text("settings.expected.choice", language, choices=("、" if language == "zh" else ", ").join(choices))
    if field and "seconds" in field.metadata:
        return text("settings.expected.seconds", language)
    if field and field.annotation in (int, float):
        kind = "integer" if field.annotation is int else "number"
        bounds = {name: getattr(part, name) for part in field.metadata for name in ("ge", "le") if hasattr(part, name)}
        shape = {1: "minimum", 2: "range"}.get(len(bounds), "any")
        return text(f"settings.expected.{kind}.{shape}", language, **bounds)
    return text("settings.expected.value", language)


def _is_server_address(address: str) -> bool:
    """Whether it is ``nats://user:password@host:port``; only the host is required."""
    try:
        parts = urlsplit(address if "://" in address else f"nats://{address}")
        return (
            parts.scheme in ("nats", "tls", "ws", "wss")
            and bool(parts.hostname)
            and parts.port != 0
            and parts.path in ("", "/")
        )
    except ValueError:  # from the port
        return False
