"""The planner's door to the outside for finished files: folders, mail and webhooks."""

from __future__ import annotations

from bandsmith.shared.actor import Store
from bandsmith.shared.events import DeliverFiles, FilesDelivered, NoticeSent, SendNotice

from .folder import write_files
from .mail import send_files, send_notice
from .settings import DeliverySettings
from .webhook import post_files

__all__ = ["DeliverySettings", "deliver", "notify"]


async def deliver(store: Store, command: DeliverFiles) -> FilesDelivered:
    """Bring the files to every place that is named.

    Raises ``BadInput`` for a place that is not allowed, ``RetryableError`` for one that cannot be reached now. What is
    delivered again takes the place of what came before, or has the same key.
    """
    settings, delivery = DeliverySettings(), command.delivery
    files = {name: await store.get(ref) for name, ref in command.files.items()}
    reached = []
    if delivery.folder:
        reached += await write_files(settings, delivery, files)
    if delivery.mail:
        await send_files(settings, command, files)
        reached += delivery.mail
    if delivery.webhook:
        reached.append(await post_files(settings, command, files))
    return FilesDelivered(delivered_to=reached)


async def notify(command: SendNotice) -> NoticeSent:
    """Tell of a failed run by mail. Raises ``BadInput`` where no mail server is set, ``RetryableError``."""
    await send_notice(DeliverySettings(), command)
    return NoticeSent(to=list(command.to))
