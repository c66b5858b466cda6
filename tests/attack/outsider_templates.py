"""Hostile templates of an attacker who has read the manual and not the code: each is named after what it tries.

``{secret}`` is a file to read, ``{made}`` one that must not appear, ``{address}`` an address that must not be opened.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from tests.validator.reports import report, row_field

from .templates import Values, with_values

BOX = '<reportElement x="0" y="0" width="90" height="20"/>'

EXPRESSIONS = {
    "a class is looked up by name": 'Class.forName("java.lang.Runtime").getName()',
    "a class is reached from a text": '"".getClass().getClassLoader().toString()',
    "a class is reached from a field": "$F{a}.getClass().getModule().getLayer().toString()",
    "a process is built": 'new ProcessBuilder("touch", "{made}").start().toString()',
    "a lambda hides a call": '((java.util.function.Supplier<String>) () -> System.getenv("PATH")).get()',
    "a method reference hides a call": "((java.util.function.Supplier) System::lineSeparator).get().toString()",
    "a switch hides a call": '(switch (1) { case 1 -> System.getProperty("user.home"); default -> ""; })',
    "an anonymous class has an initializer": 'new java.util.HashMap(){{ put("a", System.getenv()); }}.toString()',
    "an array of threads": "new Thread[]{Thread.currentThread()}[0].getName()",
    "the machine's threads are slept": '"a" + new java.util.Timer(true)',
    "all memory is asked for": "new byte[Integer.MAX_VALUE][64].length + $F{a}",
    "a text is repeated a billion times": '"x".repeat(1000000000)',
    "a text is padded to a billion": 'String.format("%1000000000d", 1)',
    "a text pattern never ends": '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("(a+)+$") + ""',
    "a number of a billion digits": "java.math.BigInteger.TEN.pow(1000000000).toString()",
    "a number of a billion places": 'new java.math.BigDecimal("1E1000000000").toPlainString()',
    "a number is shifted far": "java.math.BigInteger.ONE.shiftLeft(2000000000).toString()",
    "a scanner reads a file": 'new java.util.Scanner(java.nio.file.Path.of("{secret}")).nextLine()',
    "the files class reads a file": 'java.nio.file.Files.readString(java.nio.file.Path.of("{secret}"))',
    "a picture reader reads a file": 'javax.imageio.ImageIO.read(new java.io.File("{secret}")).toString()',
    "an address is opened": 'new java.net.URL("{address}").openStream().toString()',
    "an address is compared": 'new java.net.URL("{address}").equals(new java.net.URL("{address}")) + ""',
    "a name is looked up": 'java.net.InetAddress.getByName("localhost").toString()',
    "a directory service is asked": 'new javax.naming.InitialContext().lookup("ldap://127.0.0.1/x").toString()',
    "a script engine is fetched": 'new javax.script.ScriptEngineManager().getEngineByName("js").eval("1").toString()',
    "the engine loads a report": 'net.sf.jasperreports.engine.util.JRLoader.loadObject(new java.io.File("{secret}"))',
    "the engine fills a report": 'net.sf.jasperreports.engine.JasperRunManager.runReportToPdfFile("{secret}", null)',
    "the context is handed out": "$P{JASPER_REPORTS_CONTEXT}.toString()",
    "the report itself is handed out": "$P{JASPER_REPORT}.getMainDataset().getScriptletClass()",
    "the scriptlet is called": "$P{REPORT_SCRIPTLET}.getClass().getName()",
    "the locale of the machine is set": "new Object(){ int x() { java.util.Locale.setDefault(null); return 1; } }.x()",
    "the time zone of the machine is set": "((Runnable) () -> java.util.TimeZone.setDefault(null)).toString()",
    "a property of the machine is set": 'System.setProperty("java.awt.headless", "false")',
    "the machine is stopped": '(Boolean.getBoolean("x") ? "" : "" + Runtime.getRuntime().availableProcessors())',
    "Unicode escapes spell a call": "\\u0053\\u0079\\u0073\\u0074\\u0065\\u006d.getenv().toString()",
    "an escape ends the text": '"\\u0022 + System.getenv() + \\u0022"',
    "an octal escape hides a quote": '"\\42" + System.getenv() + "\\42"',
    "a comment hides a call": '"a" /* " */ + System.getenv() /* " */',
    "a line comment hides the rest": '"a" // \n + System.getenv()',
    "a generic call hides its class": 'java.util.Collections.<String>nCopies(500000000, "x").toString()',
    "brackets nest without end": "(" * 3_000 + '"a"' + ")" * 3_000,
    "a sum has a hundred thousand parts": '"a"' + ' + "a"' * 100_000,
    "questions nest without end": "true ? " * 2_000 + '"a"' + ' : "b"' * 2_000,
    "a name with a dollar sign from another class": "java.lang.Character$UnicodeBlock.of('a').toString()",
}
NEEDS_MEMORY = {
    "all memory is asked for",
    "a text is repeated a billion times",
    "a text is padded to a billion",
    "a number of a billion places",
    "a number is shifted far",
}
"""These end the engine's worker at its limit of memory. Their own report gets a sentence, the next one a new worker."""
MARKUP = {
    "a styled text opens a file": '<a href="file://{secret}" type="Reference">x</a>',
    "a styled text loads a picture": '<img src="{address}" width="10"/>',
    "a styled text holds ten thousand tags": "<b>" * 10_000 + "x" + "</b>" * 10_000,
    "a styled text has a font of a billion points": '<style size="1000000000">x</style>',
    "a styled text refers to an entity": '<!DOCTYPE a [<!ENTITY e SYSTEM "file://{secret}">]><b>&e;</b>',
}
DECLARED = {
    "a default value reads the environment": '<parameter name="p" class="java.lang.String">'
    '<defaultValueExpression>System.getenv("PATH")</defaultValueExpression></parameter>',
    "a parameter is a list of a hostile class": '<parameter name="p" class="java.util.List" '
    'nestedType="java.lang.Runtime"/>',
    "a class name closes the class": '<field name="f" class="java.lang.String; } static { System.exit(1); }"/>',
    "a field's description is an XPath": '<field name="f" class="java.lang.String"><fieldDescription>'
    "document('{address}')</fieldDescription></field>",
    "a sort field is a program": '<sortField name="a&quot;) || System.exit(1) || (&quot;" order="Ascending"/>',
    "a group expression reads a file": '<group name="g"><groupExpression>'
    'new java.util.Scanner(new java.io.File("{secret}")).next()</groupExpression></group>',
    "a filter stops the machine": "<filterExpression>System.exit(1) == null</filterExpression>",
    "a style's condition is a program": '<style name="s" isDefault="true"><conditionalStyle><conditionExpression>'
    "Runtime.getRuntime() != null</conditionExpression><style/></conditionalStyle></style>",
    "a query reads a file": "<queryString language=\"sql\">select * from read_csv('{secret}')</queryString>",
    "a subdataset has ten thousand fields": '<subDataset name="d">'
    + "".join(f'<field name="f{n}" class="java.lang.String"/>' for n in range(10_000))
    + "</subDataset>",
    "a property names an application's class": '<property name="net.sf.jasperreports.components.table.renderer" '
    'value="java.lang.Runtime"/>',
}


def _printed(expression: str) -> Callable[[Values], bytes]:
    def made(values: Values) -> bytes:
        text = escape(with_values(expression, values))
        return report(
            f"<textField>{BOX}<textFieldExpression>{text}</textFieldExpression></textField>", declared=row_field("a")
        )

    return made


def _marked(text: str) -> Callable[[Values], bytes]:
    def made(values: Values) -> bytes:
        styled = escape(with_values(text, values))
        return report(f'<staticText>{BOX}<textElement markup="styled"/><text>{styled}</text></staticText>')

    return made


def _declared(part: str) -> Callable[[Values], bytes]:
    def made(values: Values) -> bytes:
        first, second = (row_field("a"), with_values(part, values))
        return report(f"<staticText>{BOX}<text>x</text></staticText>", declared=first + second)

    return made


TEMPLATES: dict[str, Callable[[Values], bytes]] = {
    **{name: _printed(expression) for name, expression in EXPRESSIONS.items()},
    **{name: _marked(text) for name, text in MARKUP.items()},
    **{name: _declared(part) for name, part in DECLARED.items()},
}
