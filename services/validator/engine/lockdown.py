"""What a template may not do: the engine's own settings for it, and a repository and query bundle that serve nothing.

A template is a program: its expressions are Java. The static check of expressions comes first; this is the second
wall, inside the engine; the process around it, killable and without a network, is the third.
"""

from __future__ import annotations

from typing import Any

MAX_PAGES = 200

CLASSES = (
    # What expressions of ordinary reports use.
    "java.lang.Object,java.lang.String,java.lang.Boolean,java.lang.Character,java.lang.Number,java.lang.Byte,"
    "java.lang.Short,java.lang.Integer,java.lang.Long,java.lang.Float,java.lang.Double,java.lang.Math,"
    "java.lang.StringBuilder,java.lang.CharSequence,java.lang.Comparable,java.math.BigDecimal,java.math.BigInteger,"
    "java.math.RoundingMode,java.math.MathContext,java.text.NumberFormat,java.text.DecimalFormat,"
    "java.text.DecimalFormatSymbols,java.text.DateFormat,java.text.SimpleDateFormat,java.text.MessageFormat,"
    "java.util.Date,java.util.Calendar,java.util.GregorianCalendar,java.util.Locale,java.util.TimeZone,"
    "java.util.Objects,java.util.Arrays,java.util.List,java.util.Collection,java.util.Set,java.util.Map,"
    "java.util.ArrayList,java.util.HashMap,java.sql.Date,java.sql.Time,java.sql.Timestamp,java.time.LocalDate,"
    "java.time.LocalDateTime,java.time.LocalTime,java.time.ZoneId,java.time.Instant,java.time.ZonedDateTime,"
    "java.time.temporal.ChronoUnit,java.time.format.DateTimeFormatter,java.awt.Color,"
    # A picture comes as a base64 parameter.
    "java.io.InputStream,java.io.ByteArrayInputStream,java.util.Base64,java.util.Base64$Decoder,"
    # What the engine itself hands to expressions.
    "net.sf.jasperreports.engine.JREmptyDataSource,net.sf.jasperreports.engine.data.JRBeanCollectionDataSource,"
    "net.sf.jasperreports.engine.data.JRMapCollectionDataSource"
).split(",")
"""The classes that expressions may name."""

_FILTER = "net.sf.jasperreports.report.class"
PROPERTIES = {
    f"{_FILTER}.filter.enabled": "true",
    # The engine's own lists hold data sources that open files and connections.
    f"{_FILTER}.whitelist.jasperreports.data.sources": "",
    f"{_FILTER}.whitelist.jasperreports.date.range": "",
    f"{_FILTER}.whitelist.jasperreports.misc": "",
    f"{_FILTER}.whitelist.jasperreports.java": "",
    f"{_FILTER}.whitelist.bandsmith": ",".join(CLASSES),
    "net.sf.jasperreports.compiler.groovy": "disabled",
    "net.sf.jasperreports.compiler.javascript": "disabled",
    "net.sf.jasperreports.governor.max.pages.enabled": "true",
    "net.sf.jasperreports.governor.max.pages": str(MAX_PAGES),
}
"""Settings that hold wherever the engine runs with our classpath."""
