"""Bearer tokens of an OpenID Connect issuer: who a token belongs to, by the issuer's published keys."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx2
import structlog
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from bandsmith.shared.errors import RetryableError
from bandsmith.shared.settings import OidcSettings

from .identity import ROLES, Identity, Role, identity_of_owner
from .problems import Unauthorized

log = structlog.get_logger(__name__)

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Signatures with a private key only: a public key must never be accepted as the secret of an HMAC."""
DISCOVERY = "/.well-known/openid-configuration"
ROLE_CLAIM = "bandsmith_role"
LEEWAY_S = 60
"""Seconds that the clocks of the issuer and of this machine may differ."""
KEYS_S = 3600.0
"""Seconds after which the issuer's keys are loaded again."""
MIN_RELOAD_S = 30.0
"""Seconds between two loads because of a key that is unknown."""
TIMEOUT_S = 10.0
MAX_RESPONSE_BYTES = 1024 * 1024
MAX_TOKEN_CHARS = 16 * 1024


class Issuer:
    """The issuer whose tokens are accepted."""

    def __init__(self, issuer: str, settings: OidcSettings, now: Callable[[], float] = time.monotonic) -> None:
        self._issuer = issuer
        self._settings = settings
        self._now = now
        self._keys: KeySet | None = None
        self._loaded = 0.0
        self._loading = asyncio.Lock()

    async def identity(self, token: str) -> Identity:
        """Return who a token belongs to.

        Raises ``Unauthorized`` for a token that is wrong, has expired, or is meant for another audience, and
        ``RetryableError`` while the issuer's keys cannot be loaded.
        """
        if len(token) > MAX_TOKEN_CHARS:
            raise _refused()
        keys = await self._current_keys()
        try:
            claims = self._verified(token, keys)
        except (JoseError, ValueError, TypeError, KeyError):
            newer = await self._newer_keys(keys)
            if newer is keys:
                raise _refused() from None
            try:
                claims = self._verified(token, newer)
            except (JoseError, ValueError, TypeError, KeyError):
                raise _refused() from None
        return identity_of_owner(f"{self._issuer} {claims['sub']}", self._role(claims))

    def _verified(self, token: str, keys: KeySet) -> dict[str, Any]:
        """Return the claims of a valid token."""
        claims: dict[str, Any] = jwt.decode(token, keys, algorithms=ALGORITHMS).claims
        jwt.JWTClaimsRegistry(
            leeway=LEEWAY_S,
            iss={"essential": True, "value": self._issuer},
            aud={"essential": True, "value": self._settings.oidc_audience},
            exp={"essential": True},
            sub={"essential": True},
        ).validate(claims)
        if not isinstance(claims["sub"], str):
            raise TypeError
        return claims

    def _role(self, claims: dict[str, Any]) -> Role:
        """Return the role that the token names, else the one of every user. Raises ``Unauthorized`` for another."""
        named = claims.get(ROLE_CLAIM, self._settings.oidc_role)
        for role in ROLES:
            if named == role:
                return role
        raise _refused()

    async def _current_keys(self) -> KeySet:
        async with self._loading:
            if self._keys is None or self._now() - self._loaded > KEYS_S:
                await self._load()
            assert self._keys is not None  # _load raises otherwise
            return self._keys

    async def _newer_keys(self, known: KeySet) -> KeySet:
        """Load the keys again: the issuer may have changed them. Return the known ones if that was done just now."""
        async with self._loading:
            if self._keys is known and self._now() - self._loaded > MIN_RELOAD_S:
                await self._load()
            return self._keys or known

    async def _load(self) -> None:
        try:
            async with httpx2.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False) as client:
                address = (await _document(client, self._issuer.rstrip("/") + DISCOVERY))["jwks_uri"]
                if urlsplit(address).scheme != "https" and urlsplit(self._issuer).scheme == "https":
                    raise ValueError
                self._keys = KeySet.import_key_set(await _document(client, address))
        except (httpx2.HTTPError, JoseError, ValueError, TypeError, KeyError) as error:
            log.error("web.issuer_unreachable", error=type(error).__name__)
            if self._keys is None:
                raise RetryableError.of("web.error.issuer", code="issuer") from None
        self._loaded = self._now()


async def _document(client: httpx2.AsyncClient, address: str) -> Any:
    """Return a JSON document. Raises ``ValueError`` for one that is too large."""
    async with client.stream("GET", address) as response:
        response.raise_for_status()
        content = b""
        async for part in response.aiter_bytes():
            content += part
            if len(content) > MAX_RESPONSE_BYTES:
                raise ValueError
    return json.loads(content)


def _refused() -> Unauthorized:
    return Unauthorized.of("web.error.token", code="token")
