"""The sources of data that a user has named: ``sources.toml`` in the home folder, or where BANDSMITH_SOURCES says.

    [shop]
    url = "sqlite:///shop.db"

    [ledger]
    url = "postgresql://reader:${LEDGER_PASSWORD}@db.example.com/ledger"
    sensitive = ["customers.email"]
    users = ["ann", "ben"]

A password stands, as it is, in an environment variable that is read when a connection is opened, and never in the file.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlsplit

from pydantic import Field, ValidationError, field_validator

from .errors import BadInput
from .files import write_private
from .model.base import Value
from .model.source import Dialect
from .owners import is_among

SERVERS: Mapping[str, Dialect] = {"postgresql": "postgres", "mysql": "mysql", "mariadb": "mysql"}
DIALECTS: Mapping[str, Dialect] = {"sqlite": "sqlite", "duckdb": "duckdb", **SERVERS}
"""By the scheme of an address."""
FILE_SUFFIXES = (".csv", ".parquet", ".xlsx")
"""Files that DuckDB reads, each as one table; a folder holds several."""
FILES = "files"
"""The scheme of an address of files."""
SENSITIVE = ("password", "passwd", "secret", "token", "email", "mail", "phone", "mobile", "ssn", "iban", "card_number",
             "密码", "邮箱", "电话", "手机", "身份证", "银行卡", "证件")  # fmt: skip
"""A column whose name contains one of these is sensitive: models do not see its values."""
TOGETHER = "+"
"""Stands between the names of sources that are asked together; no name contains it."""
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]


class Source(Value):
    """Where data are read."""

    name: Name
    url: str
    """``sqlite:///PATH``, ``duckdb:///PATH``, ``postgresql://…``, ``mysql://…``, ``files:///PATH`` (file or folder)."""
    sensitive: list[str] = []
    """Columns whose values no model sees: ``table.column``."""
    users: list[str] = []
    """Users who may ask it, besides the person at this machine and admins: those of the API keys, or ``*`` for all.

    A user of an OIDC issuer is its address and the subject of the token, with a space between them.
    """

    @field_validator("url")
    @classmethod
    def _check(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in {*DIALECTS, FILES} or (parts.password and not _VARIABLE.fullmatch(parts.password)):
            raise ValueError
        return url

    @property
    def dialect(self) -> Dialect:
        return DIALECTS.get(urlsplit(self.url).scheme, "duckdb")

    @property
    def path(self) -> Path | None:
        """The file or folder, if the source is one."""
        parts = urlsplit(self.url)
        return Path(self.url.partition("///")[2] or "/") if parts.scheme not in SERVERS else None

    def is_open_to(self, owner: str) -> bool:
        """Whether the sessions of an owner may ask it; `owner` is what ``owner_of_session`` returns."""
        return is_among(owner, self.users)

    @property
    def address(self) -> str:
        """The address with the values of environment variables. Raises ``BadInput`` for one that is not set."""

        def value(found: re.Match[str]) -> str:
            if found[1] not in os.environ:
                raise BadInput.of("data.variable_missing", code="source", name=self.name, variable=found[1])
            return quote(os.environ[found[1]], safe="")  # a password may contain @, : and /

        return _VARIABLE.sub(value, self.url)


def read_sources(file: Path) -> dict[str, Source]:
    """Return the sources by name; none where there is no file. Raises ``BadInput`` for one that cannot be read."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        return {name: Source.model_validate({"name": name, **entry}) for name, entry in content.items()}
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError, TypeError):
        raise BadInput.of("data.sources_unreadable", code="source", file=file.name) from None


def sources_of(owner: str, file: Path) -> dict[str, Source]:
    """Return the sources that the sessions of an owner may ask, by name. Raises what ``read_sources`` raises."""
    return {name: source for name, source in read_sources(file).items() if source.is_open_to(owner)}


def write_sources(file: Path, sources: Mapping[str, Source]) -> None:
    """Replace the file; only its owner can read it."""
    lines: list[str] = []
    for source in sources.values():
        lines += [f"[{source.name}]", f"url = {_toml(source.url)}"]
        if source.sensitive:
            lines.append(f"sensitive = [{', '.join(map(_toml, source.sensitive))}]")
        if source.users:
            lines.append(f"users = [{', '.join(map(_toml, source.users))}]")
        lines.append("")
    write_private(file, "\n".join(lines).encode())


def is_sensitive(table: str, column: str, named: frozenset[str]) -> bool:
    """Whether a column's values are kept from models: the source says so, or its name does."""
    if f"{table}.{column}".casefold() in named:
        return True
    return any(part in column.casefold() for part in SENSITIVE)


def names_of(source: str) -> list[str]:
    """Return the names of the sources that are asked: one, or several together."""
    return source.split(TOGETHER)


def questions_file(sources: Path, name: str) -> Path:
    """Return the file of a source's verified questions, which stands beside the file of the sources."""
    return sources.with_name(f"{name}.questions.yaml")


def source_of(name: str, place: str) -> Source:
    """Return the source at an address or path as a user writes it. Raises ``BadInput``."""
    if "://" not in place:
        path = Path(place).expanduser()
        is_files = path.is_dir() or path.suffix.lower() in FILE_SUFFIXES
        scheme = FILES if is_files else "duckdb" if path.suffix.lower() == ".duckdb" else "sqlite"
        place = f"{scheme}:///{path}"
    scheme, _, rest = place.partition("://")
    if scheme not in SERVERS:
        rest = "/" + str(Path(rest.removeprefix("/")).absolute())
    try:
        source = Source(name=name, url=f"{scheme}://{rest}")
    except ValidationError as error:
        is_name = error.errors()[0]["loc"] == ("name",)
        raise BadInput.of("data.source_name" if is_name else "data.source_address", code="source") from None
    if source.path is not None and not source.path.exists():
        raise BadInput.of("data.source_missing", code="source", name=name)
    return source


def _toml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
