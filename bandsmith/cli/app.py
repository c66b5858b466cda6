"""The command line: `bandsmith build`, `chat`, `sessions`, `kb`, `serve`, `status`, `dead`, `doctor` and others.

Exit codes: 0 all is well; 2 an input or a setting is wrong; 3 a real part is missing; 1 anything else.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import structlog
import typer

from bandsmith.shared.errors import BandsmithError
from bandsmith.shared.telemetry import log

from . import dead, kb, sessions
from .messages import UNFORESEEN, exit_code, sentence

app = typer.Typer(
    help="A picture of a form in, a JasperReports template out that the real engine has compiled and filled.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)

app.add_typer(sessions.app, name="sessions")
app.add_typer(kb.app, name="kb")
app.add_typer(dead.app, name="dead")

BUILD_EXAMPLES = """
**Examples**

    bandsmith build form.jpg
    bandsmith build form.jpg --page A4 --out report/
    bandsmith build scans/*.png --page 595x842 --out reports/ --json
"""
CHAT_EXAMPLES = """
**Examples**

    bandsmith chat
    bandsmith chat --session march --attach form.jpg
    bandsmith chat --session march "make the title larger" "export pdf"
    echo "a sales report with customer and amount" | bandsmith chat --json
"""
SERVE_EXAMPLES = """
**Examples**

    NATS_URL=nats://127.0.0.1:4222 bandsmith serve
    NATS_URL=nats://127.0.0.1:4222 bandsmith serve ocr validator
    NATS_URL=nats://127.0.0.1:4222 bandsmith serve --host ray --config serve.yaml
"""
STATUS_EXAMPLES = """
**Examples**

    bandsmith status
    bandsmith status --once --json
    NATS_URL=nats://127.0.0.1:4222 bandsmith status
"""


@app.command("build", epilog=BUILD_EXAMPLES)
def build_command(
    inputs: Annotated[list[Path], typer.Argument(metavar="INPUT", help="Pictures, PDF, DOCX or XLSX files.")],
    page: Annotated[
        str, typer.Option(metavar="SIZE", help="The page: WIDTHxHEIGHT in points, A4, Letter, A4-landscape, ...")
    ] = "",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the files go.")] = Path("out"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")] = False,
) -> None:
    """Build a report template from each INPUT.

    One INPUT leaves its files directly in DIR, many leave them in DIR/NAME/ by the inputs' names.
    """
    from . import build  # noqa: PLC0415 - the help has to come at once

    raise typer.Exit(build.build_all(inputs, page, out, as_json))


@app.command(epilog=CHAT_EXAMPLES)
def chat(
    messages: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="What to say, one turn each; without any, you are asked.")
    ] = None,
    session: Annotated[str, typer.Option(metavar="NAME", help="Go on with this session, or begin it.")] = "",
    attach: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="A file for the first request.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the files go; by default out/NAME.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print each turn's end as a line of JSON.")] = False,
) -> None:
    """Talk about a report: have one made, changed, checked, explained, undone, shown and exported."""
    from . import chat as talk  # noqa: PLC0415

    raise typer.Exit(talk.chat(session, attach or [], messages or [], out, as_json))


@app.command(epilog=SERVE_EXAMPLES)
def serve(
    services: Annotated[
        list[str] | None, typer.Argument(metavar="SERVICE", help="ocr, planner, generator, validator, gateway.")
    ] = None,
    host: Annotated[
        str,
        typer.Option(metavar="HOST", help="local: in this process; ray: replicas on Ray, here or at RAY_ADDRESS."),
    ] = "local",
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="How many replicas, and what each needs.")] = None,
) -> None:
    """Run services (all of them, or those named) on the server that NATS_URL names, until Ctrl-C."""
    from . import serve as serving  # noqa: PLC0415

    serving.serve(services or [], host, config)


@app.command("status", epilog=STATUS_EXAMPLES)
def status_command(
    watch: Annotated[
        bool | None,
        typer.Option(
            "--watch/--once", help="Stay until Ctrl-C, or not; by default it stays on a terminal.", show_default=False
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, and nothing else; with --watch a line each time.")
    ] = False,
) -> None:
    """Show the services of the Bandsmith that runs: who works, what waits, and what went wrong."""
    from . import status  # noqa: PLC0415

    status.status(watch, as_json)


@app.command("metrics")
def metrics_command(
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="By default BANDSMITH_METRICS, or 127.0.0.1:9464.")
    ] = "",
) -> None:
    """Show Prometheus what is counted in every process (/metrics), and whether the bus answers (/healthz)."""
    from .. import metrics  # noqa: PLC0415

    metrics.metrics(listen)


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")] = False,
) -> None:
    """Check each real part, and say how to mend what is missing."""
    from . import doctor as parts  # noqa: PLC0415

    raise typer.Exit(parts.report(as_json))


@app.command("asyncapi")
def asyncapi_command(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON; by default it is YAML.")] = False,
) -> None:
    """Print what is on the bus, for other programs: an AsyncAPI 3.0 document of every subject and message."""
    from .. import asyncapi  # noqa: PLC0415

    print(asyncapi.as_json() if as_json else asyncapi.as_yaml(), end="\n" if as_json else "")


@app.command()
def classpath() -> None:
    """Print the engine's jars and font extension, joined by the path separator."""
    from bandsmith.services.validator.engine import classpath as entries  # noqa: PLC0415

    print(os.pathsep.join(entries()))


def main() -> None:
    """The console script: every error is one sentence on standard error, and an exit code."""
    try:
        app()
    except BandsmithError as error:
        _stop(error)
    except Exception as error:
        structlog.get_logger(__name__).debug("cli.failed", error=type(error).__name__, where=log.error_locations(error))
        _stop(UNFORESEEN)


def _stop(error: BandsmithError) -> NoReturn:
    print(sentence(error), file=sys.stderr)
    sys.exit(exit_code(error))
