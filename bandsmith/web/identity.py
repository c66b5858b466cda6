"""Who sends a request, what they may do, and which sessions are theirs."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from bandsmith.shared.bus.base import NAME
from bandsmith.shared.owners import OWNER_DIGITS, digest_of_owner

from .problems import NotFound

Role = Literal["reader", "editor", "admin"]
"""A reader looks and downloads; an editor also builds, changes and deletes; an admin has the sessions of all users."""
ROLES: tuple[Role, ...] = get_args(Role)
"""Each role may do what those before it may."""
MAX_SESSION_CHARS = 64


class Share(NamedTuple):
    """What a link to a session gives access to."""

    token: str
    key: str
    """Key of the session."""
    made: float
    """When the link was made, in seconds since 1970."""


class Identity(NamedTuple):
    """Who sends a request."""

    owner: str
    """Empty for the person at this machine and for admins, who have every session."""
    role: Role
    api_key: str = ""
    """Name of the API key that let them in."""
    share: Share | None = None
    """The one session that is visible, for someone who has nothing but a link to it."""

    @property
    def prefix(self) -> str:
        """What the keys of this owner's sessions start with."""
        return f"{self.digest}-" if self.owner else ""

    @property
    def digest(self) -> str:
        """What stands for the owner in the keys of sessions; empty for the person at this machine and for admins."""
        return digest_of_owner(self.owner)

    @property
    def user(self) -> tuple[str, str, str]:
        """Who is counted where users are limited."""
        return self.owner, self.api_key, self.share.key if self.share else ""

    def may(self, role: Role) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)

    def key(self, session: str) -> str:
        """Return the key of a session by its id. Raises ``NotFound`` for an invalid id."""
        if self.share:
            if session == self.share.token:
                return self.share.key
        elif len(session) <= self._max_chars and NAME.fullmatch(session):
            return self.prefix + session
        raise NotFound.of("web.error.session", code="session")

    @property
    def _max_chars(self) -> int:
        """An admin names the session of a user by its whole key."""
        return MAX_SESSION_CHARS if self.owner else MAX_SESSION_CHARS + OWNER_DIGITS + 1

    def session(self, key: str) -> str:
        """Return the id of a session by its key."""
        return self.share.token if self.share else key.removeprefix(self.prefix)


def identity_of_owner(owner: str, role: Role, api_key: str = "") -> Identity:
    """Return the identity of someone with a role: every session belongs to an admin too."""
    return Identity("" if role == "admin" else owner, role, api_key)
