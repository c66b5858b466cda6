"""The programs whose tools a task may call: ``tool_servers.toml`` in the home folder, which a person edits.

    [time]
    command = ["uvx", "mcp-server-time"]

Each is a server of the Model Context Protocol: a program that is started, or an address.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, model_validator

from .errors import BadInput
from .model.base import Value
from .owners import is_among

MAX_SERVERS = 20
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]


class ToolServer(Value):
    """A program whose tools may be called."""

    name: Name
    command: list[str] = Field(default=[], max_length=50)
    """The program and its arguments."""
    env: dict[str, str] = {}
    """Its environment besides PATH and HOME; ``${NAME}`` is the value of an environment variable."""
    url: str = ""
    """Address of a server over HTTP, if it is none that is started."""
    users: list[str] = []
    """Users whose tasks may call it, besides the person at this machine, as in ``sources.toml``."""

    @model_validator(mode="after")
    def _is_started_or_has_an_address(self) -> Self:
        if bool(self.command) == bool(self.url) or (self.url and urlsplit(self.url).scheme not in ("http", "https")):
            raise ValueError("a command or an address, not both")
        return self

    def is_open_to(self, owner: str) -> bool:
        """Whether the sessions of an owner may call it; `owner` is what ``owner_of_session`` returns."""
        return is_among(owner, self.users)

    @property
    def environment(self) -> dict[str, str]:
        """The environment with the values of variables. Raises ``BadInput`` for one that is not set."""

        def value(found: re.Match[str]) -> str:
            if found[1] not in os.environ:
                raise BadInput.of("schedule.servers.variable", code="servers", name=self.name, variable=found[1])
            return os.environ[found[1]]

        return {name: _VARIABLE.sub(value, text) for name, text in self.env.items()}


def servers_of(owner: str, file: Path) -> dict[str, ToolServer]:
    """Return the servers that an owner's tasks may call, by name; none where there is no file. Raises ``BadInput``."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        servers = [ToolServer.model_validate({"name": name, **entry}) for name, entry in content.items()]
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError, TypeError):
        raise BadInput.of("schedule.servers.unreadable", code="servers", file=file.name) from None
    return {server.name: server for server in servers[:MAX_SERVERS] if server.is_open_to(owner)}
