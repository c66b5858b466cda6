"""What the options of ``bandsmith runs`` mean: times, formats, and where files are delivered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar, cast, get_args

from pydantic import ValidationError

from bandsmith.services.planner.delivery.folder import allowed_folder
from bandsmith.services.planner.delivery.settings import DeliverySettings
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.base import Value
from bandsmith.shared.model.run import MAX_MAILS, Delivery, Times
from bandsmith.shared.model.session_parts import Format
from bandsmith.shared.runs.times import checked, zone_of

V = TypeVar("V", bound=Value)
OPTIONS = {
    "rule": "--at",
    "zone": "--zone",
    "excluded": "--except",
    "folder": "--to",
    "webhook": "--webhook",
}
"""The options of the command by the field that they set."""


def times_of(rule: str, zone: str, begins: datetime | None, excluded: Sequence[datetime]) -> Times:
    """Return when the run is due. Raises ``BadInput``."""
    start = begins or datetime.now(zone_of(zone)).replace(tzinfo=None, microsecond=0)
    days = [day.date() for day in excluded]
    return checked(checked_options(lambda: Times(rule=rule, zone=zone, begins=start, excluded=days)))


def delivery_of(name: str, to: str, mail: Sequence[str], webhook: str) -> Delivery:
    """Return where the files go; a relative folder is meant as this shell sees it. Raises ``BadInput``."""
    folder = str(Path(to).expanduser().absolute()) if to else ""
    if folder:
        allowed_folder(DeliverySettings().delivery_folder, folder)
    mails = addresses_of("--mail", mail)
    return checked_options(lambda: Delivery(title=name, folder=folder, mail=mails, webhook=webhook))


def formats_of(given: Sequence[str]) -> list[Format]:
    """Return the formats. Raises ``BadInput`` for one that is none."""
    known = get_args(Format)
    if unknown_ones := [one for one in given if one not in known]:
        raise BadInput.of("runs.format", code="run", format=unknown_ones[0], formats=", ".join(known))
    return [cast("Format", one) for one in given]


def addresses_of(option: str, given: Sequence[str]) -> list[str]:
    """Return mail addresses. Raises ``BadInput`` for one that is not valid, or for too many."""
    if len(given) > MAX_MAILS:
        raise BadInput.of("runs.option", code="run", option=option)
    for address in given:
        try:
            Delivery(mail=[address])
        except ValidationError:
            raise BadInput.of("runs.mail_address", code="run", address=address) from None
    return list(given)


def checked_options(build: Callable[[], V]) -> V:
    """Return the value. Raises ``BadInput`` that names the option of the first field that is not valid."""
    try:
        return build()
    except ValidationError as error:
        field = str(error.errors()[0]["loc"][0])
        raise BadInput.of("runs.option", code="run", option=OPTIONS.get(field, field)) from None


def local_zone() -> str:
    """Return the name of this machine's time zone; UTC where it has none."""
    try:
        return str(Path("/etc/localtime").resolve().relative_to("/usr/share/zoneinfo"))
    except ValueError:
        return "UTC"
