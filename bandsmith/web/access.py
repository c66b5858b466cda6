"""What lets people in: one-time links, cookies, links to sessions, and links to files.

Cookies and links carry their content with a signature, so no process has to remember them. Each has a purpose, which is
part of what is signed: a link cannot be used as a cookie.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any, NamedTuple

from bandsmith.shared.bus.base import NAME
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.base import Ref

from .identity import MAX_SESSION_CHARS, Identity, Role, Share
from .problems import Forbidden, Gone, NotFound

INVITATION_S = 600
"""Seconds that a one-time link is valid."""
DAY_S = 24 * 3600
COOKIE_S = 30 * DAY_S
FILE_LINK_S = 3600
"""Seconds that a link to a file is valid at least. Links made in the same period are equal, so browsers cache them."""
SHARE_PREFIX = "shared-"
"""What the token of a link to a session starts with; the token takes the place of the session's id."""
MAX_SHARE_DAYS = 90
SIGNATURE_DIGITS = 64


class StoredFile(NamedTuple):
    """A file that a signed link leads to."""

    name: str
    content: Ref


class Access:
    """Issues and checks invitations, cookies and links."""

    def __init__(self, secret: bytes, now: Callable[[], float] = time.time) -> None:
        self._secret = secret
        self._now = now
        self._invitations: dict[str, tuple[Identity, float]] = {}
        """Each one-time link that has not been used, by its token: who enters by it, and its end."""

    def invite(self, owner: str = "", role: Role = "admin") -> str:
        """Return the token of a link that lets a browser in once."""
        now = self._now()
        self._invitations = {token: one for token, one in self._invitations.items() if one[1] >= now}
        token = secrets.token_urlsafe(24)
        self._invitations[token] = (Identity(owner, role), now + INVITATION_S)
        return token

    def redeem(self, token: str) -> str:
        """Return the cookie for an invitation, which is used up. Raises ``Forbidden``."""
        identity, end = self._invitations.pop(token, (None, 0.0))
        if identity is None or end < self._now():
            raise Forbidden.of("web.error.invitation", code="invitation")
        return self.cookie(identity.owner, identity.role)

    def cookie(self, owner: str, role: Role = "editor", key: str = "") -> str:
        """Return a new cookie; no two are equal. `key` names the API key without which it is worth nothing."""
        end = int(self._now()) + COOKIE_S
        content = {"owner": owner, "role": role, "key": key, "end": end, "nonce": secrets.token_hex(8)}
        return self._signed("cookie", content)

    def identity(self, cookie: str) -> Identity | None:
        """Return who a cookie belongs to; None for one that is wrong or has expired."""
        content = self._verified("cookie", cookie)
        if content is None or content["end"] < self._now() or "role" not in content:
            return None
        return Identity(content["owner"], content["role"], content["key"])

    def share(self, key: str, days: int) -> str:
        """Return the token of a link that shows a session to everyone who has it, for so many days."""
        now = round(self._now(), 3)
        content = {"key": key, "end": int(now) + days * DAY_S, "made": now}
        body, _, signature = self._signed("share", content).partition(".")
        return f"{SHARE_PREFIX}{body}-{signature}"

    def shared(self, token: str) -> Identity:
        """Return who has a link to a session. Raises ``NotFound``, or ``Gone`` when it has expired."""
        body = token.removeprefix(SHARE_PREFIX)
        content = self._verified("share", f"{body[: -SIGNATURE_DIGITS - 1]}.{body[-SIGNATURE_DIGITS:]}")
        if content is None:
            raise NotFound.of("web.error.session", code="session")
        if content["end"] < self._now():
            raise Gone.of("web.error.share_expired", code="share")
        return Identity("", "reader", share=Share(token, content["key"], content.get("made", 0)))

    def file_path(self, name: str, content: Ref, seconds: int = FILE_LINK_S) -> str:
        """Return the path of a link to a file, which is valid for so many seconds at least."""
        end = (int(self._now()) // seconds + 2) * seconds
        token = self._signed("file", {"name": name, "content": content.model_dump(), "end": end})
        return f"/api/files/{token}/{name}"

    def file(self, token: str, name: str) -> StoredFile:
        """Return the file that a link leads to. Raises ``NotFound``, or ``Gone`` when the link has expired."""
        content = self._verified("file", token)
        if content is None or content["name"] != name or PurePath(name).name != name:
            raise NotFound.of("web.error.link", code="link")
        if content["end"] < self._now():
            raise Gone.of("web.error.link_expired", code="link")
        return StoredFile(name, Ref.model_validate(content["content"]))

    def upload_key(self, owner: str, name: str, content: Ref) -> str:
        """Return the key of a file that an owner has uploaded; it is valid for a day."""
        about = {"owner": owner, "name": name, "content": content.model_dump(), "end": int(self._now()) + DAY_S}
        return self._signed("upload", about)

    def uploaded(self, owner: str, key: str) -> StoredFile:
        """Return the file that the owner uploaded. Raises ``NotFound``, or ``Gone`` when the key has expired."""
        content = self._verified("upload", key)
        if content is None or content["owner"] != owner:
            raise NotFound.of("web.error.upload", code="upload")
        if content["end"] < self._now():
            raise Gone.of("web.error.upload_expired", code="upload")
        return StoredFile(content["name"], Ref.model_validate(content["content"]))

    def _signed(self, purpose: str, content: Mapping[str, object]) -> str:
        body = base64.urlsafe_b64encode(json.dumps(content, separators=(",", ":")).encode()).decode().rstrip("=")
        return f"{body}.{self._signature(purpose, body)}"

    def _verified(self, purpose: str, token: str) -> dict[str, Any] | None:
        body, _, signature = token.partition(".")
        if not token.isascii() or not hmac.compare_digest(signature, self._signature(purpose, body)):
            return None
        content: dict[str, Any] = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        return content

    def _signature(self, purpose: str, body: str) -> str:
        return hmac.new(self._secret, f"{purpose}.{body}".encode(), hashlib.sha256).hexdigest()


def turn_id(wanted: str) -> str:
    """Return a turn's id as the client gave it, or a new one. Raises ``BadInput`` for an invalid id."""
    if not wanted:
        return secrets.token_hex(16)
    turn = wanted.replace("-", "")
    if not NAME.fullmatch(turn) or len(turn) > MAX_SESSION_CHARS:
        raise BadInput.of("web.error.turn", code="turn")
    return turn
