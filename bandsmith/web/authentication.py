"""Who sends a request, and whether they may: every route of every protocol passes ``admit``."""

from __future__ import annotations

from starlette.requests import Request

from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.owners import owner_of_user

from .access import SHARE_PREFIX
from .door import Door, door_of, identity_of
from .identity import Identity, Role, identity_of_owner
from .keys import PREFIX, ApiKey
from .problems import Forbidden, Gone, NotFound, Unauthorized

COOKIE = "bandsmith"
SECURE_COOKIE = "__Host-bandsmith"
"""Where the page is served with TLS: browsers accept this name from this host only, never from a subdomain."""
SAFE = frozenset({"GET", "HEAD"})


async def admit(request: Request, role: Role) -> Identity:
    """Return who sends a request, and note it.

    Raises ``Unauthorized``, ``Forbidden`` for one who has not that role, and for a request that another site may have
    made the browser send, and ``TooMany`` for one who sends too many.
    """
    identity = await identify(request)
    if identity is None:
        raise Unauthorized.of("web.error.login", code="login")
    door = door_of(request)
    if not identity.may(role):
        raise Forbidden.of("web.error.shared" if identity.share else "web.error.role", code="role", role=role)
    if request.method not in SAFE:
        check_origin(request)
    door.rates.take(identity.user)
    request.state.identity = identity
    return identity


async def identify(request: Request) -> Identity | None:
    """Return who sends a request: by a link to a session in its path, an API key, a token or a cookie; else None.

    Raises ``Unauthorized`` for a wrong key or token: a cookie beside it does not count then.
    """
    door = door_of(request)
    session = request.path_params.get("session", "")
    if session.startswith(SHARE_PREFIX):
        return await _of_share(door, session)
    if header := request.headers.get("authorization", ""):
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthorized.of("web.error.token", code="token")
        return await of_token(door, token.strip())
    return _of_cookie(door, request.cookies.get(cookie_name(door), ""))


async def is_still_admitted(request: Request) -> bool:
    """Whether a request that was admitted would be now: its key, token, cookie or link may have ended meanwhile.

    True while the bus or the issuer is unreachable, since then it is not known.
    """
    try:
        return await identify(request) == identity_of(request)
    except (Unauthorized, Forbidden, Gone, NotFound):
        return False
    except BandsmithError:
        return True


async def of_token(door: Door, token: str) -> Identity:
    """Return who an API key or a token of the issuer belongs to. Raises ``Unauthorized``."""
    if token.startswith(PREFIX):
        if key := door.keys.find(token):
            return _of_key(key)
        raise Unauthorized.of("web.error.key", code="key")
    if door.issuer is None:
        raise Unauthorized.of("web.error.token", code="token")
    return await door.issuer.identity(token)


async def _of_share(door: Door, token: str) -> Identity:
    """Return who has a link to a session. Raises ``NotFound``, or ``Gone`` when it has expired or was revoked."""
    identity = door.access.shared(token)
    assert identity.share is not None
    if await door.client.exists(identity.share.key):
        session = await door.client.session(identity.share.key)
        if session.unshared and identity.share.made <= session.unshared.timestamp():
            raise Gone.of("web.error.share_revoked", code="share")
    return identity


def _of_cookie(door: Door, cookie: str) -> Identity | None:
    """Return who a cookie belongs to. One that was given for an API key counts as long as the key does."""
    identity = door.access.identity(cookie)
    if identity is None or not identity.api_key:
        return identity
    key = door.keys.named(identity.api_key)
    now = _of_key(key) if key else None
    return now if now and now.owner == identity.owner else None


def _of_key(key: ApiKey) -> Identity:
    return identity_of_owner(owner_of_user(key.user), key.role, key.name)


def check_origin(request: Request) -> None:
    """Raise ``Forbidden`` for a request that another site may have made the browser send.

    Programs send a key and no origin. A browser always sends its origin, also where a proxy adds the token. Pages of
    configured sites send a key too: a cookie does not count there.
    """
    origin, has_key = request.headers.get("origin"), "authorization" in request.headers
    if has_key and (origin is None or origin in door_of(request).cors):
        return
    expected = door_of(request).origin or f"{request.url.scheme}://{request.headers.get('host', '')}"
    if origin != expected:
        raise Forbidden.of("web.error.origin", code="origin")


def cookie_name(door: Door) -> str:
    return SECURE_COOKIE if door.is_secure else COOKIE
