"""The report engine: JasperReports in a JVM in a process of its own. Only this package imports jpype."""

from .classpath import classpath
from .client import Engine, EngineDied, EngineRefused, EngineTimeout, File, PrintedElement, Printout

__all__ = ["Engine", "EngineDied", "EngineRefused", "EngineTimeout", "File", "PrintedElement", "Printout", "classpath"]
