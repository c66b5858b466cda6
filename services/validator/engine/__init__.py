"""The report engine: JasperReports in a JVM in a process of its own. Only this package imports jpype."""

from .classpath import classpath
from .client import EngineDied, EngineRefused, EngineTimeout, FileFormat, PrintedElement, Printout, ReportEngine

__all__ = [
    "EngineDied",
    "EngineRefused",
    "EngineTimeout",
    "FileFormat",
    "PrintedElement",
    "Printout",
    "ReportEngine",
    "classpath",
]
