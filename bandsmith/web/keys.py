"""API keys: a file that holds a hash of each, with its user and role.

A key has 256 random bits, so a plain hash is enough: nothing that could be guessed is worth trying. The file is read
again when it changes, so a key that was added or removed counts at once in every process that reads it.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import structlog
from pydantic import ValidationError

from bandsmith.shared.errors import BadInput
from bandsmith.shared.files import private_folder, write_private
from bandsmith.shared.model.base import Value

from .identity import Role

log = structlog.get_logger(__name__)

PREFIX = "bsk_"
"""What every key starts with, so that scanners for leaked secrets can find them."""
KEY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9@._-]{0,63}")
MAX_FILE_BYTES = 4 * 1024 * 1024


class ApiKey(Value):
    """What is stored of a key."""

    name: str
    user: str
    """Whose sessions it gives access to; several keys may have the same user."""
    role: Role
    hash: str
    """SHA-256 of the key, in hexadecimal digits."""
    created: datetime


class _Stored(Value):
    keys: list[ApiKey] = []


class Keys:
    """The keys in a file, which need not exist."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen: tuple[int, ...] | None = None
        self._by_hash: dict[str, ApiKey] = {}

    def all(self) -> list[ApiKey]:
        """Return the keys by name. Raises ``BadInput`` if the file cannot be read."""
        self._refresh()
        return sorted(self._by_hash.values(), key=lambda key: key.name)

    def find(self, key: str) -> ApiKey | None:
        """Return what is stored of a key; None for an unknown one, and for every one while the file is unreadable."""
        digest = _hash(key)
        return self._first(lambda one: one.hash == digest)

    def named(self, name: str) -> ApiKey | None:
        return self._first(lambda one: one.name == name)

    def add(self, name: str, role: Role, user: str = "") -> str:
        """Store a new key and return it; it cannot be shown again. Raises ``BadInput`` for a name that is taken."""
        if not KEY_NAME.fullmatch(name) or not KEY_NAME.fullmatch(user or name):
            raise BadInput.of("web.keys.invalid_name", code="input")
        key = PREFIX + secrets.token_urlsafe(32)
        stored = ApiKey(name=name, user=user or name, role=role, hash=_hash(key), created=datetime.now(UTC))
        with self._changing():
            if self.named(name):
                raise BadInput.of("web.keys.taken", code="input", name=name)
            self._write([*self.all(), stored])
        return key

    def remove(self, name: str) -> None:
        """Remove a key. Raises ``BadInput`` if there is none with that name."""
        with self._changing():
            kept = [key for key in self.all() if key.name != name]
            if len(kept) == len(self._by_hash):
                raise BadInput.of("web.keys.missing", code="input", name=name)
            self._write(kept)

    def _first(self, matches: Callable[[ApiKey], bool]) -> ApiKey | None:
        try:
            self._refresh()
        except BadInput:
            log.error("web.keys_unreadable")
            return None
        return next((key for key in self._by_hash.values() if matches(key)), None)

    def _refresh(self) -> None:
        """Read the file if it has changed."""
        try:
            status = self._file.stat()
        except FileNotFoundError:
            self._seen, self._by_hash = None, {}
            return
        except OSError:
            raise _unreadable() from None
        seen = (status.st_mtime_ns, status.st_ino, status.st_size)
        if seen == self._seen:
            return
        self._seen = None
        try:
            if status.st_size > MAX_FILE_BYTES:
                raise _unreadable()
            keys = _Stored.model_validate_json(self._file.read_bytes()).keys
        except (OSError, ValidationError):
            raise _unreadable() from None
        self._seen, self._by_hash = seen, {key.hash: key for key in keys}

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Let one process at a time change the file."""
        private_folder(self._file.parent)
        with self._file.with_name(f"{self._file.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, keys: list[ApiKey]) -> None:
        """Replace the file; only its owner can read it."""
        write_private(self._file, _Stored(keys=keys).model_dump_json(indent=2).encode())


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _unreadable() -> BadInput:
    return BadInput.of("web.keys.unreadable", code="input")
