"""The planner's door to the outside for finished files: folders, mail and webhooks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import DeliverFiles, FilesDelivered, NoticeSent, SendNotice
from bandsmith.shared.replies import listed, message_in, text

from .folder import write_files
from .mail import send_files, send_notice
from .names import file_names
from .settings import DeliverySettings
from .webhook import post_files

__all__ = ["DeliverySettings", "deliver", "notify"]


async def deliver(store: Store, command: DeliverFiles) -> FilesDelivered:
    """Bring the files to every place that is named; a place that refuses them leaves the others as they are.

    Raises ``BadInput`` where every place refused, ``RetryableError`` for one that cannot be reached now. What is
    delivered again takes the place of what came before, or has the same key.
    """
    settings, delivery = DeliverySettings(), command.delivery
    files = file_names(delivery.title, {name: await store.get(ref) for name, ref in command.files.items()})
    ways: list[Callable[[], Awaitable[list[str]]]] = []
    if delivery.folder:
        ways.append(lambda: write_files(settings, delivery, files))
    if delivery.webhook:
        ways.append(lambda: post_files(settings, command, files))
    if delivery.mail:  # last: when a delivery is repeated, it is the mail that a person would see twice
        ways.append(lambda: send_files(settings, command, files))
    reached, refusals = list[str](), list[BadInput]()
    for bring in ways:
        try:
            reached += await bring()
        except BadInput as refusal:
            refusals.append(refusal)
    if refusals and not reached:
        raise refusals[0]
    notes = [message_in(refusal, command.language) for refusal in refusals]
    missed = [address for address in delivery.mail if address not in reached]
    if missed and len(missed) < len(delivery.mail):
        notes.append(text("runs.mail_missed", command.language, names=listed(missed, command.language)))
    return FilesDelivered(delivered_to=reached, left_out=len(notes), notes=notes)


async def notify(command: SendNotice) -> NoticeSent:
    """Tell of a failed run by mail. Raises ``BadInput`` where no mail server is set, ``RetryableError``."""
    await send_notice(DeliverySettings(), command)
    return NoticeSent(to=list(command.to))
