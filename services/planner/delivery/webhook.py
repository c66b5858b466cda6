"""Delivery to a webhook: one POST of JSON with the files in it, to a host that the settings allow."""

from __future__ import annotations

import base64
import hashlib
import hmac
from urllib.parse import urlsplit

import httpx2
import orjson

from bandsmith.shared.errors import BadInput, RetryableError
from bandsmith.shared.events import DeliverFiles

from .settings import LOCAL_HOSTS, DeliverySettings

TIMEOUT_S = 30.0


async def post_files(settings: DeliverySettings, command: DeliverFiles, files: dict[str, bytes]) -> list[str]:
    """Send the named files and return the host.

    Raises ``BadInput`` for what no repetition helps with, else ``RetryableError``.
    """
    address = urlsplit(command.delivery.webhook)
    allowed = {host.strip().lower() for host in settings.webhook_hosts.split(",") if host.strip()}
    is_safe = address.scheme == "https" or (address.scheme == "http" and address.hostname in LOCAL_HOSTS)
    if not is_safe or address.netloc.lower() not in allowed:
        raise BadInput.of("runs.webhook_forbidden", code="delivery", host=address.hostname or "?")
    content = [{"name": name, "content": base64.b64encode(data).decode()} for name, data in files.items()]
    body = orjson.dumps({"title": command.delivery.title, "key": command.key, "files": content})
    headers = {"content-type": "application/json", "idempotency-key": command.key}
    if secret := settings.webhook_secret.get_secret_value():
        headers["x-bandsmith-signature"] = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    try:
        async with httpx2.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False) as client:
            answer = await client.post(command.delivery.webhook, content=body, headers=headers)
    except httpx2.HTTPError:
        raise RetryableError.of("runs.webhook_unreachable", code="delivery", host=address.hostname) from None
    if answer.is_server_error or answer.status_code in (408, 429):
        raise RetryableError.of("runs.webhook_unreachable", code="delivery", host=address.hostname)
    if not answer.is_success:
        raise BadInput.of("runs.webhook_refused", code="delivery", host=address.hostname, status=answer.status_code)
    return [str(address.hostname)]
