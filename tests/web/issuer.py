"""An OpenID Connect issuer on loopback: it publishes its keys and signs tokens."""

from __future__ import annotations

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet


class Issuer:
    """Serves while it is entered as a context."""

    def __init__(self) -> None:
        self.loads = 0
        """How often its keys were loaded."""
        self._keys: list[ECKey] = []
        self.change_key()
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                document: Any = {"jwks_uri": f"{issuer.address}/keys"}
                if self.path == "/keys":
                    issuer.loads += 1
                    document = KeySet([*issuer._keys]).as_dict(private=False)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(document).encode())

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Issuer:
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def change_key(self) -> None:
        """Sign with a new key from now on; the old one is published no more."""
        name = f"key-{time.monotonic_ns()}"
        self._keys = [ECKey.generate_key("P-256", {"kid": name, "use": "sig", "alg": "ES256"}, private=True)]

    def token(self, user: str, **claims: Any) -> str:
        """Return a token for a user, valid for five minutes; a claim of None is left out."""
        usual = {"iss": self.address, "aud": "bandsmith", "sub": user, "exp": int(time.time()) + 300}
        given = {name: value for name, value in (usual | claims).items() if value is not None}
        return jwt.encode({"alg": "ES256", "kid": self._keys[0].kid}, given, self._keys[0])

    def public_key(self) -> bytes:
        return self._keys[0].as_pem(private=False)
