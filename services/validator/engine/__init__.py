"""The report engine: JasperReports in a JVM in a process of its own. Only this package imports jpype."""

from .parts import classpath

__all__ = ["classpath"]
