"""The report engine: JasperReports in a JVM in a process of its own. Only this package imports jpype."""

from .client import Engine, EngineDied, EngineRefused, EngineTimeout, File, PrintedElement, Printout
from .parts import classpath

__all__ = ["Engine", "EngineDied", "EngineRefused", "EngineTimeout", "File", "PrintedElement", "Printout", "classpath"]
