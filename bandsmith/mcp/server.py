"""The server: the tools and resources, for either transport."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import PurePath

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.request_state import RequestStateSecurity

from bandsmith.shared.errors import BandsmithError

from .files import RESOURCE, file_of_version
from .host import Call, ToolHost
from .tools import Tools

INSTRUCTIONS = """\
Bandsmith builds JasperReports templates (JRXML) from pictures, PDFs, Word and Excel files of forms, or from \
sentences, in English and Chinese. The report engine compiles, fills and compares each template before it is \
returned. Build a report first; its session is the name to go on with. Then change it by sentences, one request at a \
time, look at it with preview_report, and export it. Tell the user what the reply says, also what was not done. If \
the result has a question, ask the user, and pass the answer to change_report."""


def mcp_server(host: ToolHost, security: RequestStateSecurity | None = None) -> MCPServer:
    """Return a server; several processes that serve the same clients share the keys of `security`."""
    server = MCPServer(
        "bandsmith",
        title="Bandsmith",
        instructions=INSTRUCTIONS,
        version=version("bandsmith"),
        log_level="ERROR",
        request_state_security=security,
        subscriptions=False,
    )
    tools = Tools(host)
    tools.register(server)

    @server.resource(RESOURCE, name="report_file", description="A file of a version of a report.")
    async def report_file(session: str, version: int, name: str, call: Call) -> bytes:
        try:
            key = host.identity(call).key(session)
            return await file_of_version(await host.client(), key, version, PurePath(name).name)
        except BandsmithError as error:
            raise ResourceNotFoundError(error.message) from None

    return server
