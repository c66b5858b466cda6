"""The ``bandsmith`` command and its subcommands."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from . import fill_arguments as filling
from .examples import (
    ANALYSE_EXAMPLES,
    ASK_EXAMPLES,
    ASYNCAPI_EXAMPLES,
    BUILD_EXAMPLES,
    CHAT_EXAMPLES,
    DOCTOR_EXAMPLES,
    FILL_EXAMPLES,
    MCP_EXAMPLES,
    METRICS_EXAMPLES,
    SERVE_EXAMPLES,
    SQL_EXAMPLES,
    STATUS_EXAMPLES,
    WEB_EXAMPLES,
)
from .lazy_group import RootGroup, WebGroup

app = typer.Typer(
    name="bandsmith",
    cls=RootGroup,
    help="Turn forms and sentences into JasperReports templates that the real engine has compiled and filled.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show every step of the workflow with its time.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]

Force = Annotated[bool, typer.Option("--force", help="Overwrite your own files in the output folder.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"bandsmith {version('bandsmith')}")
        raise typer.Exit


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Turn forms and sentences into JasperReports templates that the real engine has compiled and filled."""


# Each command imports its module when it runs: the help and shell completion have to be quick.


@app.command("build", epilog=BUILD_EXAMPLES)
def build_command(
    inputs: Annotated[list[Path], typer.Argument(metavar="INPUT", help="Pictures, PDF, DOCX or XLSX files.")],
    page: Annotated[
        str, typer.Option(metavar="SIZE", help="Page size: WIDTHxHEIGHT in points, A4, Letter, A4-landscape, ...")
    ] = "",
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")] = Path("out"),
    verbose: Verbose = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Build a report template from each INPUT.

    The files of a single INPUT go directly into DIR, those of several into DIR/NAME/, named after the inputs.
    """
    from . import build  # noqa: PLC0415

    raise typer.Exit(build.build_all(inputs, page, out, as_json, verbose, overwrite=force))


@app.command("fill", epilog=FILL_EXAMPLES)
def fill_command(
    template: filling.Template,
    data: filling.Data = None,
    source: filling.Source = "",
    review: filling.Review = False,
    into: filling.Into = None,
    param: filling.Param = None,
    each: filling.Each = "",
    pdf: filling.Pdf = False,
    xlsx: filling.Xlsx = False,
    docx: filling.Docx = False,
    html: filling.Html = False,
    csv: filling.Csv = False,
    png: filling.Png = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")] = Path("out"),
    verbose: Verbose = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Fill TEMPLATE with the rows of a file or of a source, and print it.

    Columns find their fields by name, or by the wording on the report. What does not match is reported, and the exit
    code is then 1; nothing is guessed. A language model writes the queries for a source once; they are kept beside the
    template, and need no model from then on.
    """
    from . import fill  # noqa: PLC0415

    named = {"pdf": pdf, "xlsx": xlsx, "docx": docx, "html": html, "csv": csv, "png": png}
    formats = [name for name, wanted in named.items() if wanted]
    code = fill.fill(
        template, data, param or [], formats, out, as_json, verbose,
        overwrite=force, source=source, review=review, into=into, each=each,
    )  # fmt: skip
    raise typer.Exit(code)


@app.command("chat", epilog=CHAT_EXAMPLES)
def chat_command(
    messages: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="Messages to send, one turn each; without any, you are prompted."),
    ] = None,
    session: Annotated[str, typer.Option(metavar="NAME", help="Continue this session, or start it.")] = "",
    attach: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="Attach a file to the first turn.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Output folder [default: out/NAME].")] = None,
    verbose: Verbose = False,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result of each turn as a line of JSON.")] = False,
) -> None:
    """Talk about a report: build it, change it, have it checked and explained, undo, preview and export."""
    from . import chat  # noqa: PLC0415

    raise typer.Exit(chat.chat(session, attach or [], messages or [], out, as_json, verbose, overwrite=force))


web_app = typer.Typer(rich_markup_mode="markdown")
app.add_typer(web_app, name="web", cls=WebGroup)


@web_app.callback(epilog=WEB_EXAMPLES, invoke_without_command=True)
def web_command(
    context: typer.Context,
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Address to serve [default: BANDSMITH_WEB or 127.0.0.1:8787].")
    ] = "",
    attach: Annotated[Path | None, typer.Option(metavar="FILE", help="Build a report from this form at once.")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Open a page in the browser: drop a form, watch it being built, click on what to change, download."""
    if context.invoked_subcommand:
        return
    from . import web  # noqa: PLC0415

    web.web(listen, attach, open_browser=browser)


@app.command("mcp", epilog=MCP_EXAMPLES)
def mcp_command(
    root: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Files below this folder may be read and written [default: the current one]."),
    ] = None,
) -> None:
    """Serve Bandsmith's tools to programs with a language model (Claude, Cursor and others) over stdio, by MCP."""
    from . import mcp  # noqa: PLC0415

    mcp.mcp(root or [])


SourceNames = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="NAME",
        help="The source to ask; needed if there are several. Given again, their tables are joined.",
    ),
]


@app.command("ask", epilog=ASK_EXAMPLES)
def ask_command(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="A question in words, or a SELECT.")],
    source: SourceNames = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write result.csv and query.sql into this folder.")
    ] = None,
    verbose: Verbose = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Answer a QUESTION about data with a query that is checked and run read-only.

    A SELECT is run as it is; a question in words needs a language model.
    """
    from . import ask  # noqa: PLC0415

    raise typer.Exit(ask.ask(question, source or [], out, as_json, verbose, overwrite=force))


@app.command("sql", epilog=SQL_EXAMPLES)
def sql_command(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="A question in words, or a SELECT.")],
    source: SourceNames = None,
    verbose: Verbose = False,
    as_json: Json = False,
) -> None:
    """Print the query that would answer a QUESTION, checked and not run."""
    from . import ask  # noqa: PLC0415

    raise typer.Exit(ask.ask(question, source or [], None, as_json, verbose, overwrite=False, only_query=True))


@app.command("analyse", epilog=ANALYSE_EXAMPLES)
def analyse_command(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="A question in words, or the answer to a plan that is waiting.")
    ],
    source: SourceNames = None,
    review: Annotated[bool, typer.Option("--review", help="Show the plan and wait for a yes before it runs.")] = False,
    session: Annotated[
        str, typer.Option(metavar="NAME", help="Continue this session: answer its plan, or ask further questions.")
    ] = "",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Output folder [default: out/NAME].")] = None,
    verbose: Verbose = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Analyse a QUESTION in several steps, and write a report: Markdown, a web page with charts, and a PDF.

    A language model plans the steps, writes a query for each, and the text. Every figure comes from a query.
    """
    from . import analyse  # noqa: PLC0415

    code = analyse.analyse(question, source or [], session, out, as_json, verbose, review=review, overwrite=force)
    raise typer.Exit(code)


@app.command("serve", epilog=SERVE_EXAMPLES)
def serve_command(
    services: Annotated[
        list[str] | None, typer.Argument(metavar="SERVICE", help="ocr, planner, generator, validator, gateway.")
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="HOST", help="local: in this process; ray: as replicas on Ray, on this machine or at RAY_ADDRESS."
        ),
    ] = "local",
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Number of replicas of each service, and what each needs.")
    ] = None,
) -> None:
    """Run services (all of them, or those named) on the NATS server at NATS_URL until Ctrl-C."""
    from . import serve  # noqa: PLC0415

    serve.serve(services or [], host, config)


@app.command("status", epilog=STATUS_EXAMPLES)
def status_command(
    watch: Annotated[
        bool | None,
        typer.Option(
            "--watch/--once",
            help="Refresh until Ctrl-C, or print once; by default it refreshes on a terminal.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print only JSON; with --watch, one line for each refresh.")
    ] = False,
) -> None:
    """Show the services that are running: replicas, waiting messages, failures and dead letters."""
    from . import status  # noqa: PLC0415

    status.status(watch, as_json)


@app.command("metrics", epilog=METRICS_EXAMPLES)
def metrics_command(
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Address to serve [default: BANDSMITH_METRICS or 127.0.0.1:9464].")
    ] = "",
) -> None:
    """Serve the metrics of every process to Prometheus (/metrics), with health checks (/healthz, /livez)."""
    from . import metrics  # noqa: PLC0415

    metrics.metrics(listen)


@app.command("doctor", epilog=DOCTOR_EXAMPLES)
def doctor_command(
    fix: Annotated[bool, typer.Option("--fix", help="First download and install the report engine.")] = False,
    as_json: Json = False,
) -> None:
    """Check each required component and say how to install what is missing."""
    from . import doctor  # noqa: PLC0415

    raise typer.Exit(doctor.report(as_json, fix=fix))


@app.command("asyncapi", epilog=ASYNCAPI_EXAMPLES)
def asyncapi_command(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of YAML.")] = False,
) -> None:
    """Print the AsyncAPI 3.0 document: every subject and message on the bus, for other programs."""
    from .. import asyncapi  # noqa: PLC0415

    print(asyncapi.as_json() if as_json else asyncapi.as_yaml(), end="\n" if as_json else "")


@app.command("classpath", epilog='**Example:** javac -cp "$(bandsmith classpath)" Scriptlet.java')
def classpath_command() -> None:
    """Print the class path of the report engine: its jars and the font extension."""
    from bandsmith.services.validator.engine import classpath  # noqa: PLC0415

    print(os.pathsep.join(classpath()))
