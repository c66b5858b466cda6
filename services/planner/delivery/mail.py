"""Delivery by mail: one message to all receivers, with the files attached."""

from __future__ import annotations

import asyncio
import mimetypes
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import format_datetime, localtime
from urllib.parse import unquote, urlsplit

from bandsmith.shared.errors import BadInput, RetryableError
from bandsmith.shared.events import DeliverFiles, SendNotice
from bandsmith.shared.replies import text

from .names import file_names
from .settings import DeliverySettings

TIMEOUT_S = 30.0
MAX_ATTACHED_BYTES = 20 * 1024 * 1024
"""Mail servers refuse larger messages."""


async def send_files(settings: DeliverySettings, command: DeliverFiles, files: dict[str, bytes]) -> None:
    """Send the files. Raises ``BadInput`` for what no repetition helps with, else ``RetryableError``."""
    delivery = command.delivery
    if sum(map(len, files.values())) > MAX_ATTACHED_BYTES:
        raise BadInput.of("runs.mail_large", code="delivery", limit=MAX_ATTACHED_BYTES // 1024 // 1024)
    message = _message(settings, list(delivery.mail), delivery.title, command.key)
    message.set_content(text("runs.mail_text", command.language, title=delivery.title))
    for name, content in file_names(delivery.title, files).items():
        main, _, sub = (mimetypes.guess_type(name)[0] or "application/octet-stream").partition("/")
        message.add_attachment(content, maintype=main, subtype=sub, filename=name)
    await _send(settings, message)


async def send_notice(settings: DeliverySettings, command: SendNotice) -> None:
    """Tell that a run failed. Raises what ``send_files`` raises."""
    due = f"{command.due.astimezone():%Y-%m-%d %H:%M}"
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


async def _send(settings: DeliverySettings, message: EmailMessage) -> None:
    url = settings.smtp_url.get_secret_value()
    if not url:
        raise BadInput.of("runs.no_mail_server", code="delivery")
    try:
        await asyncio.to_thread(_submit, url, message)
    except smtplib.SMTPRecipientsRefused:
        raise BadInput.of("runs.mail_refused", code="delivery") from None
    except smtplib.SMTPAuthenticationError:
        raise BadInput.of("runs.mail_login", code="delivery") from None
    except (smtplib.SMTPException, OSError, ValueError):
        raise RetryableError.of("runs.mail_unreachable", code="delivery") from None


def _submit(url: str, message: EmailMessage) -> None:
    address = urlsplit(url)
    host, context = address.hostname or "localhost", ssl.create_default_context()
    server = (
        smtplib.SMTP_SSL(host, address.port or 465, timeout=TIMEOUT_S, context=context)
        if address.scheme == "smtps"
        else smtplib.SMTP(host, address.port or 587, timeout=TIMEOUT_S)
    )
    with server:
        if address.scheme != "smtps" and server.has_extn("starttls"):
            server.starttls(context=context)
        if address.username:
            server.login(unquote(address.username), unquote(address.password or ""))
        server.send_message(message)
