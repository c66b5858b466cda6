"""Where files go: folders, mail through a real SMTP server, a webhook on a real HTTP server."""

from __future__ import annotations

import hashlib
import hmac
import json
import ssl
import threading
from base64 import b64decode
from collections.abc import Iterator
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from aiosmtpd.smtp import AuthResult

from bandsmith.services.planner.delivery import deliver, notify
from bandsmith.services.planner.delivery.folder import allowed_folder
from bandsmith.shared.bus.memory import MemoryBus
from bandsmith.shared.errors import BadInput, RetryableError
from bandsmith.shared.events import DeliverFiles, FilesDelivered, SendNotice
from bandsmith.shared.model.run import Delivery
from tests.shared.processes import free_ports

PDF = b"%PDF-1.4 the statement"
DUE = datetime(2026, 11, 1, 8, tzinfo=UTC)


class Mailbox(Message):
    """Keeps what a mail server accepted."""

    def __init__(self) -> None:
        super().__init__()
        self.mails: list[EmailMessage] = []
        self.refused: dict[str, str] = {}
        """What is answered to an address instead of accepting it."""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    def handle_message(self, message: Any) -> None:
        mail = message_from_bytes(message.as_bytes(), policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)


@pytest.fixture
def mailbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    kept = Mailbox()
    [port] = free_ports(1)
    server = Controller(kept, hostname="127.0.0.1", port=port)
    server.start()
    monkeypatch.setenv("BANDSMITH_SMTP_URL", f"smtp://127.0.0.1:{port}")
    yield kept
    server.stop()


def _anybody(*_: object) -> AuthResult:
    return AuthResult(success=True)


class Hook(HTTPServer):
    """Keeps what was posted, and answers with a status."""

    status = 204

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Receiver)
        self.posts: list[tuple[dict[str, str], bytes]] = []


class _Receiver(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.posts.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    server = Hook()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("BANDSMITH_WEBHOOK_HOSTS", f"hooks.example.com,127.0.0.1:{server.server_port}")
    yield server
    server.shutdown()
    server.server_close()


async def delivered(delivery: Delivery) -> FilesDelivered:
    bus = MemoryBus()
    files = {"filled.pdf": await bus.put(PDF, "application/pdf")}
    return await deliver(bus, DeliverFiles(delivery=delivery, files=files, key="k1"))


# --- folders ---------------------------------------------------------------------------------------------------------


async def test_files_lie_in_the_folder_under_the_title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_DELIVERY_FOLDER", str(tmp_path))
    told = await delivered(Delivery(title="Statement 2026-11-01", folder="reports/november"))

    assert (tmp_path / "reports/november/Statement 2026-11-01.pdf").read_bytes() == PDF
    assert told.delivered_to == ["reports/november/Statement 2026-11-01.pdf"]
    assert [path.name for path in (tmp_path / "reports/november").iterdir()] == ["Statement 2026-11-01.pdf"]


@pytest.mark.parametrize("folder", ["..", "../other", "/etc", "reports/../../x", ".ssh", "a/.hidden/b", "link"])
def test_no_other_folder_is_written(tmp_path: Path, folder: str):
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to("/tmp")
    with pytest.raises(BadInput, match="BANDSMITH_DELIVERY_FOLDER"):
        allowed_folder(root, folder)


async def test_a_title_is_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_DELIVERY_FOLDER", str(tmp_path))
    await delivered(Delivery(title="../../x/..", folder="reports"))
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["_.._x_.pdf"]


# --- mail ------------------------------------------------------------------------------------------------------------


async def test_a_mail_has_the_files_attached(mailbox: Mailbox):
    await delivered(Delivery(title="Statement 2026-11-01", mail=["ann@example.com", "bob@example.com"]))

    [mail] = mailbox.mails
    [attached] = mail.iter_attachments()
    assert (mail["Subject"], mail["To"]) == ("Statement 2026-11-01", "ann@example.com, bob@example.com")
    assert (attached.get_filename(), attached.get_content()) == ("Statement 2026-11-01.pdf", PDF)


async def test_a_mail_that_is_sent_again_has_the_same_id(mailbox: Mailbox):
    for _ in range(2):
        await delivered(Delivery(title="Statement", mail=["ann@example.com"]))
    assert len({mail["Message-ID"] for mail in mailbox.mails}) == 1


async def test_a_title_adds_no_header(mailbox: Mailbox):
    await delivered(Delivery(title="Statement\r\nBcc: eve@example.com", mail=["ann@example.com"]))
    assert mailbox.mails[0]["Bcc"] is None


async def test_a_failure_is_told_in_the_language_of_the_run(mailbox: Mailbox):
    await notify(
        SendNotice(
            to=["ann@example.com"], run="statement", due=DUE, zone="Asia/Shanghai", reason="没有数据。", language="zh"
        )
    )
    mail = mailbox.mails[0]
    assert mail["Subject"] == "定时任务 statement 失败" and "没有数据。" in mail.get_content()
    assert "2026-11-01 16:00 (Asia/Shanghai)" in mail.get_content()


async def test_without_a_mail_server_a_sentence_says_what_to_set():
    with pytest.raises(BadInput, match="BANDSMITH_SMTP_URL"):
        await delivered(Delivery(title="Statement", mail=["ann@example.com"]))


async def test_a_mail_server_that_is_away_is_tried_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_SMTP_URL", "smtp://127.0.0.1:1")
    with pytest.raises(RetryableError):
        await delivered(Delivery(title="Statement", mail=["ann@example.com"]))


async def test_an_address_that_the_mail_server_refuses_is_named(mailbox: Mailbox):
    mailbox.refused = {"bob@example.com": "550 no such user"}
    told = await delivered(Delivery(title="Statement", mail=["ann@example.com", "bob@example.com"]))
    assert told.delivered_to == ["ann@example.com"] and told.left_out == 1 and "bob@example.com" in told.notes[0]


@pytest.mark.parametrize(("answer", "error"), [("450 try again later", RetryableError), ("550 no such user", BadInput)])
async def test_a_mail_server_that_refuses_every_address(mailbox: Mailbox, answer: str, error: type[Exception]):
    mailbox.refused = {"ann@example.com": answer}
    with pytest.raises(error):
        await delivered(Delivery(title="Statement", mail=["ann@example.com"]))


async def test_a_password_never_leaves_this_machine_unencrypted(monkeypatch: pytest.MonkeyPatch):
    # Given a mail server on another machine, as its name says, that offers no encryption
    monkeypatch.setattr("bandsmith.services.planner.delivery.mail.LOCAL_HOSTS", frozenset[str]())
    [port] = free_ports(1)
    server = Controller(Mailbox(), hostname="127.0.0.1", port=port, authenticator=_anybody, auth_require_tls=False)
    server.start()
    monkeypatch.setenv("BANDSMITH_SMTP_URL", f"smtp://ann:secret@127.0.0.1:{port}")
    try:
        with pytest.raises(BadInput, match="no encryption"):
            await delivered(Delivery(title="Statement", mail=["ann@example.com"]))
    finally:
        server.stop()


async def test_a_mail_is_encrypted_where_the_server_offers_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost").configure_cert(context)
    kept = Mailbox()
    [port] = free_ports(1)
    server = Controller(kept, "localhost", port, tls_context=context, require_starttls=True)
    server.start()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    monkeypatch.setenv("BANDSMITH_SMTP_URL", f"smtp://localhost:{port}")
    await delivered(Delivery(title="Statement", mail=["ann@example.com"]))
    server.stop()
    assert len(kept.mails) == 1


async def test_a_place_that_refuses_does_not_keep_the_files_from_the_others(mailbox: Mailbox):
    told = await delivered(Delivery(title="Statement", folder="/etc", mail=["ann@example.com"]))
    assert told.delivered_to == ["ann@example.com"] and told.left_out == 1
    assert "BANDSMITH_DELIVERY_FOLDER" in told.notes[0]


# --- webhooks --------------------------------------------------------------------------------------------------------


async def test_a_webhook_gets_the_files_signed(hook: Hook, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BANDSMITH_WEBHOOK_SECRET", "secret")
    await delivered(Delivery(title="Statement", webhook=f"http://127.0.0.1:{hook.server_port}/in"))

    [(headers, body)] = hook.posts
    [file] = json.loads(body)["files"]
    assert (file["name"], b64decode(file["content"])) == ("Statement.pdf", PDF)
    assert headers["idempotency-key"] == "k1"
    assert headers["x-bandsmith-signature"] == "sha256=" + hmac.new(b"secret", body, hashlib.sha256).hexdigest()


@pytest.mark.parametrize(
    "address",
    ["https://other.example.com/", "http://hooks.example.com/", "file:///etc/passwd", "http://127.0.0.1:1/", "x"],
)
async def test_no_other_host_gets_files(hook: Hook, address: str):
    with pytest.raises(BadInput, match="BANDSMITH_WEBHOOK_HOSTS"):
        await delivered(Delivery(title="Statement", webhook=address))
    assert not hook.posts


@pytest.mark.parametrize(("status", "error"), [(500, RetryableError), (429, RetryableError), (404, BadInput)])
async def test_a_webhook_that_refuses(hook: Hook, status: int, error: type[Exception]):
    hook.status = status
    with pytest.raises(error, match=r"127\.0\.0\.1"):
        await delivered(Delivery(title="Statement", webhook=f"http://127.0.0.1:{hook.server_port}/in"))
