"""Delivery by mail: one message to all receivers, with the files attached."""

from __future__ import annotations

import asyncio
import mimetypes
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import format_datetime, localtime
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from bandsmith.shared.errors import BadInput, RetryableError
from bandsmith.shared.events import DeliverFiles, SendNotice
from bandsmith.shared.replies import text

from .settings import LOCAL_HOSTS, DeliverySettings

TIMEOUT_S = 30.0
PERMANENT = 500
"""SMTP codes from here on are final; lower ones may succeed later."""
MAX_ATTACHED_BYTES = 20 * 1024 * 1024
"""Mail servers refuse larger messages."""


async def send_files(settings: DeliverySettings, command: DeliverFiles, files: dict[str, bytes]) -> list[str]:
    """Send the named files, and return the addresses that the mail server accepted.

    Raises ``BadInput`` for what no repetition helps with, else ``RetryableError``.
    """
    delivery = command.delivery
    if sum(map(len, files.values())) > MAX_ATTACHED_BYTES:
        raise BadInput.of("runs.mail_large", code="delivery", limit=MAX_ATTACHED_BYTES // 1024 // 1024)
    message = _message(settings, list(delivery.mail), delivery.title, command.key)
    message.set_content(text("runs.mail_text", command.language, title=delivery.title))
    for name, content in files.items():
        main, _, sub = (mimetypes.guess_type(name)[0] or "application/octet-stream").partition("/")
        message.add_attachment(content, maintype=main, subtype=sub, filename=name)
    refused = await _send(settings, message)
    return [address for address in delivery.mail if address not in refused]


async def send_notice(settings: DeliverySettings, command: SendNotice) -> None:
    """Tell that a run failed. Raises what ``send_files`` raises."""
    due = f"{command.due.astimezone(ZoneInfo(command.zone)):%Y-%m-%d %H:%M} ({command.zone})"
    subject = text("runs.notice_subject", command.language, run=command.run)
    message = _message(settings, list(command.to), subject, f"{command.run}-{command.due:%Y%m%dT%H%M%S}")
    message.set_content(text("runs.notice", command.language, run=command.run, due=due, reason=command.reason))
    await _send(settings, message)


def _message(settings: DeliverySettings, to: list[str], subject: str, key: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = settings.mail_from, ", ".join(to)
    message["Subject"] = " ".join(subject.split())
    message["Date"] = format_datetime(localtime())
    message["Message-ID"] = f"<{key}@bandsmith>"  # mailboxes tell by it that a message came twice
    message["Auto-Submitted"] = "auto-generated"
    return message


async def _send(settings: DeliverySettings, message: EmailMessage) -> set[str]:
    """Send a message, and return the addresses that the server refused. Raises what ``send_files`` raises."""
    url = settings.smtp_url.get_secret_value()
    if not url:
        raise BadInput.of("runs.no_mail_server", code="delivery")
    try:
        return await asyncio.to_thread(_submit, url, message)
    except smtplib.SMTPRecipientsRefused as error:
        if all(code < PERMANENT for code, _ in error.recipients.values()):  # such as greylisting
            raise RetryableError.of("runs.mail_unreachable", code="delivery") from None
        raise BadInput.of("runs.mail_refused", code="delivery") from None
    except smtplib.SMTPAuthenticationError:
        raise BadInput.of("runs.mail_login", code="delivery") from None
    except (smtplib.SMTPException, OSError, ValueError):
        raise RetryableError.of("runs.mail_unreachable", code="delivery") from None


def _submit(url: str, message: EmailMessage) -> set[str]:
    """Send a message in this thread. Raises ``BadInput`` where a password would leave this machine unencrypted."""
    address = urlsplit(url)
    host, context = address.hostname or "localhost", ssl.create_default_context()
    server = (
        smtplib.SMTP_SSL(host, address.port or 465, timeout=TIMEOUT_S, context=context)
        if address.scheme == "smtps"
        else smtplib.SMTP(host, address.port or 587, timeout=TIMEOUT_S)
    )
    with server:
        server.ehlo()
        is_encrypted = address.scheme == "smtps"
        if not is_encrypted and server.has_extn("starttls"):
            server.starttls(context=context)
            is_encrypted = True
        if address.username:
            if not is_encrypted and host not in LOCAL_HOSTS:
                raise BadInput.of("runs.mail_unencrypted", code="delivery")
            server.login(unquote(address.username), unquote(address.password or ""))
        return set(server.send_message(message))
