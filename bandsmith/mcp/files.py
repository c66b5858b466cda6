"""The files of a report as resources: ``bandsmith://march/3/report.pdf`` is a file of version 3 of a session."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_types import ContentBlock, ResourceLink

from bandsmith.client import Client
from bandsmith.shared.errors import BadInput
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.session_parts import Version

RESOURCE = "bandsmith://{session}/{version}/{name}"
NO_VERSION = 0
"""Number in the addresses of files that belong to no version, such as the result of a query."""


def resource_uri(session: str, version: int | None, name: str) -> str:
    return RESOURCE.format(session=session, version=version or NO_VERSION, name=name)


def resource_links(session: str, version: int | None, files: Mapping[str, Ref]) -> list[ContentBlock]:
    """Return links to files by their names."""
    return [
        ResourceLink(
            type="resource_link",
            name=name,
            uri=resource_uri(session, version, name),
            mime_type=ref.media,
            size=ref.size,
        )
        for name, ref in files.items()
    ]


async def files_of_version(client: Client, key: str, number: int) -> dict[str, Ref]:
    """Return the files of a version by name, with what was exported of it as far as the log has it.

    Raises ``BadInput`` if there is no such session or version.
    """
    session = await client.session(key)
    version = next((one for one in session.versions if one.number == number), None)
    if version is None and number != NO_VERSION:
        raise BadInput.of("mcp.version", code="version", number=number)
    files = _own_files(version) if version else {}
    for end in await client.ends(key):
        if (end.version or NO_VERSION) == number:
            files |= end.files
    return files


async def file_of_version(client: Client, key: str, number: int, name: str) -> bytes:
    """Return a file of a version. Raises ``BadInput`` if there is none with that name, or it has expired."""
    ref = (await files_of_version(client, key, number)).get(name)
    if ref is None:
        raise BadInput.of("mcp.file", code="file")
    return await client.fetch(ref)


def _own_files(version: Version) -> dict[str, Ref]:
    pages = version.pages or ([version.page] if version.page else [])
    files = {"report.jrxml": version.template, "data.json": version.data, "report.pdf": version.pdf}
    files |= {"form.png": version.form}
    files |= {f"page-{number}.png": page for number, page in enumerate(pages, 1)}
    return {name: ref for name, ref in files.items() if ref}
