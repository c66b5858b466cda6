"""Whose a session is: its key starts with a hash of its owner, so that no other user can name it.

The sessions of the person at this machine have no owner in their keys. Their names must not look like such keys, which
``owner_of_session`` reads.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

OWNER_DIGITS = 16
EVERYBODY = "*"
_OWNED = re.compile(rf"([0-9a-f]{{{OWNER_DIGITS}}})-.")


def owner_of_user(user: str) -> str:
    """Return the owner of the sessions of a user with API keys; no user of an OIDC issuer has the same."""
    return f"user {user}"


def digest_of_owner(owner: str) -> str:
    """Return what stands for an owner in the keys of sessions; empty for the person at this machine."""
    return hashlib.sha256(owner.encode()).hexdigest()[:OWNER_DIGITS] if owner else ""


def owner_of_session(key: str) -> str:
    """Return the digest of a session's owner; empty for a session of the person at this machine."""
    found = _OWNED.match(key)
    return found[1] if found else ""


def prefix_in(key: str) -> str:
    """Return what the keys of the owner's sessions begin with; empty for a session of the person at this machine."""
    owner = owner_of_session(key)
    return f"{owner}-" if owner else ""


def is_among(owner: str, users: Sequence[str]) -> bool:
    """Whether an owner, as ``owner_of_session`` returns it, is one of the users, or the person at this machine.

    A user of an OIDC issuer is its address and the subject of the token, with a space between them; ``*`` is everybody.
    """
    if not owner or EVERYBODY in users:
        return True
    return any(digest_of_owner(user if " " in user else owner_of_user(user)) == owner for user in users)
