"""The report engine: JasperReports in a JVM, in a separate process. Only this package imports jpype.

Theory of operation
===================

A template is a program. Its expressions are compiled to Java and run while the report is filled, so a template from
outside must be assumed to try anything: open files and connections, start processes, loop forever, take all memory.
Five things stand in its way; each is meant to hold even if those before it fail.

1. *The checks* (`checks.wellformed`, `checks.allowed`, `checks.expressions`) read the template as data and reject every
   element, attribute, property, class and token that is not on an allow-list. Queries are removed before the engine
   sees the template, and what a user's own file has of all this is made inert in a copy (`inert`).
2. *The engine's configuration* (`lockdown`). JasperReports' own class filter admits the same classes as the checks,
   with its built-in lists emptied. Groovy and JavaScript are disabled, every query language is unregistered, the
   repository service that resolves files and addresses is replaced by one that refuses, and a report has at most
   `MAX_PAGES` pages. The properties are also written to the classpath, so they hold wherever the jars are used.
3. *The process* (`worker`). The JVM lives in a child process behind the walls of ``shared.confined``: it reads the
   jars and fonts, writes to a scratch folder, and has no network, no home, no secret, no way to start a program and
   limited memory. Its standard output goes nowhere.
4. *The clock.* Every call has a deadline. A worker that misses it is killed with its process group and a new one
   starts; the caller gets ``EngineTimeout``. A worker that dies, for instance because the JVM exits when memory runs
   out, is replaced as well, and the caller gets ``EngineDied``. The same template is not tried again.
   Others overtake a report that takes long, and foreign templates have workers of their own (`lane`).
5. *The next report* (`jvm_state`). What an expression could change for the whole JVM, its locale, time zone and
   properties, is put back after every call, and a worker in which that was necessary is replaced.

Starting a JVM takes seconds, so a worker fills a small report before it reports ready, and keeps the last compiled and
the last filled report: printing and then exporting the same report compiles and fills it once.

Text is laid out with fonts that the project ships by reference (`fonts`): a font extension, generated from
``shared.fonts``, maps families and common aliases to sets of font files with a CJK fallback. The jars are fetched by
Maven (`setup`) into folders named by the hash of what they are made from (`classpath`).
"""

from .classpath import classpath
from .client import (
    EngineData,
    EngineDied,
    EngineRefused,
    EngineTimeout,
    ExportedFile,
    FileFormat,
    PrintedElement,
    Printout,
    ReportEngine,
    SeenPages,
)
from .lane import EngineLane
from .printed_cells import PrintedCell

__all__ = [
    "EngineData",
    "EngineDied",
    "EngineLane",
    "EngineRefused",
    "EngineTimeout",
    "ExportedFile",
    "FileFormat",
    "PrintedCell",
    "PrintedElement",
    "Printout",
    "ReportEngine",
    "SeenPages",
    "classpath",
]
