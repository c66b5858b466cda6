"""Settings of deliveries: environment variables that begin with ``BANDSMITH_``."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from bandsmith.shared.settings import Settings

LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts that are reached without a network, and so without encryption."""


class DeliverySettings(Settings):
    delivery_folder: Path = Path("~")
    """Files of scheduled runs are written below this folder only, and into no hidden one."""
    smtp_url: SecretStr = SecretStr("")
    """Mail server: `smtp://USER:PASSWORD@HOST:587` (STARTTLS where it is offered) or `smtps://...` (TLS from the
    start)."""
    mail_from: str = "bandsmith@localhost"
    """Sender of mails."""
    webhook_hosts: str = ""
    """Hosts that files may be sent to, separated by commas: `hooks.example.com`, `localhost:8080`."""
    webhook_secret: SecretStr = SecretStr("")
    """Key of the signature in the header `x-bandsmith-signature`; without one, deliveries are not signed."""
