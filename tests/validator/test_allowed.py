"""Contents and expressions that a template may not have."""

from __future__ import annotations

import pytest

from bandsmith.services.validator.checks import allowed, expressions
from bandsmith.shared.edits.delete import Delete
from tests.each_case import each

from .reports import field, parameter, report
from .single_finding import only, template

# --- allowed -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (report("<subreport><reportElement key='s' x='0' y='0' width='9' height='9'/></subreport>"), "allowed.element"),
        (report(declared='<import value="java.io.*"/>'), "allowed.element"),
        (report(declared='<scriptlet name="s" class="x.Y"/>'), "allowed.element"),
        (report(declared="<template><![CDATA[\"/etc/x.jrtx\"]]></template>"), "allowed.element"),
        (report(attributes='scriptletClass="x.Y"'), "allowed.attribute"),
        (report(attributes='resourceBundle="x"'), "allowed.attribute"),
        (report(attributes='language="groovy"'), "allowed.language"),
        (report(declared=parameter("p", "java.net.URL")), "allowed.class"),
        (report(declared='<property name="net.sf.jasperreports.data.adapter" value="x"/>'), "allowed.property"),
        (report(declared='<property name="net.sf.jasperreports.export.pdf.javascript" value="x"/>'),
         "allowed.property"),
    ],
)  # fmt: skip
def test_content_that_reads_files_or_loads_code_is_forbidden(content: bytes, code: str):
    assert only(allowed.check(template(content))).code == code


def test_a_forbidden_element_can_be_deleted():
    content = report("<subreport><reportElement key='sub' x='0' y='0' width='9' height='9'/></subreport>")
    assert only(allowed.check(template(content))).edits == [Delete(element="sub")]


# --- expressions ---------------------------------------------------------------------------------------------------


@each(
    "expression",
    [
        '"Total: " + $F{amount}',
        '$F{a} == null ? "-" : $F{a}.trim().toUpperCase()',
        "$F{price}.multiply(new BigDecimal($F{count})).setScale(2, RoundingMode.HALF_UP)",
        'new SimpleDateFormat("yyyy-MM-dd; HH:mm").format($F{day})',
        'new java.text.DecimalFormat("#,##0.00", java.text.DecimalFormatSymbols.getInstance()).format($V{sum})',
        '"第" + $V{PAGE_NUMBER} + "页"',
        'MessageFormat.format("{0} of {1}", new Object[]{$V{PAGE_NUMBER}, 3})',
        "($F{a} != null && $F{b} >= 3) || !$P{flag}",
        "(String) $F{a}",
        "$F{list} instanceof java.util.List",
        'java.util.Arrays.asList("a", "b").contains($F{a})',
        'msg("{0}", $F{a})',
        "new java.io.ByteArrayInputStream(java.util.Base64.getDecoder().decode($P{logo}))",
        "$F{a}.substring(0, 1) + 'x' + 0x1F + 1_000L + .5f",
        '"a ; b } // not a comment " + "\\" quoted"',
        '"\\u4e2d\\u6587"',
        "Math.max(1, $F{a}.intValue()) % 2 == 0",
        "$F{d}.before(new Date())",
        '"a" // + $F{b}',
        "java.awt.Color.RED.darker().getRed()",
        "new java.util.ArrayList<String>(Arrays.asList($F{a})).size()",
    ],
)
def test_an_ordinary_expression_is_allowed(expression: str):
    assert expressions.rejected(expression) is None


@each(
    "expression, code",
    [
        ('"a"; System.exit(0)', "expressions.syntax"),
        ('"a", "b"', "expressions.syntax"),
        ('""; } static { int x', "expressions.syntax"),
        ("new Object() { public String toString() { return null; } }", "expressions.several"),
        ("() -> 1", "expressions.several"),
        ("String::valueOf", "expressions.several"),
        ('"a")); System.exit((0', "expressions.syntax"),
        ('"a" + /* ") */ System.exit(0)', "expressions.class"),
        ("new Object() {{ System.exit(0); }}", "expressions.several"),
        ("switch ($F{a}) { default -> 1; }", "expressions.several"),
        ("Locale.setDefault(Locale.US)", "expressions.class"),
        ("$P{REPORT_LOCALE}.setDefault(null)", "expressions.class"),
        ('Integer.getInteger("user.home")', "expressions.class"),
        ('java.awt.Color.getColor("x")', "expressions.class"),
        ('"a".<String>transform(null)', "expressions.syntax"),
        ("(" * 500 + "1" + ")" * 500, "expressions.syntax"),
        ('"\\u0022+Runtime.getRuntime()+\\u0022"', "expressions.class"),
        ("$F{a}\\u003b", "expressions.syntax"),
        ("x = 1", "expressions.assignment"),
        ("$F{a}++", "expressions.assignment"),
        ("$V{a} += 2", "expressions.assignment"),
        ('"a', "expressions.syntax"),
        ("($F{a}", "expressions.syntax"),
        ("$F{a})", "expressions.syntax"),
        ("`a`", "expressions.syntax"),
        ('Runtime.getRuntime().exec("x")', "expressions.class"),
        ('java.lang.Runtime.getRuntime().exec("x")', "expressions.class"),
        ('new java.io.File("/etc/passwd")', "expressions.class"),
        ('new FileInputStream("/etc/passwd")', "expressions.class"),
        ('new java.net.URL("http://127.0.0.1/").openStream()', "expressions.class"),
        ('System.getenv("HOME")', "expressions.class"),
        ('Thread.sleep(1000L)', "expressions.class"),
        ('$F{a}.getClass().forName("java.lang.Runtime")', "expressions.class"),
        ("String.class", "expressions.class"),
        ('((String) "a").getClass()', "expressions.class"),
        ("this.toString()", "expressions.class"),
        ("evaluate(1)", "expressions.class"),
        ("parameter_x.getValue()", "expressions.class"),
        ("$P{REPORT_CLASS_LOADER}.toString()", "expressions.parameter"),
        ("$P{REPORT_CONNECTION}.toString()", "expressions.parameter"),
        ('"' + "a" * 5000 + '"', "expressions.length"),
    ],
)  # fmt: skip
def test_a_dangerous_expression_is_rejected(expression: str, code: str):
    assert code == (rejection.code if (rejection := expressions.rejected(expression)) else None)


def test_a_rejected_expression_names_its_element():
    finding = only(expressions.check(template(report(field("Runtime.getRuntime()", key="bad")))))
    assert (finding.code, finding.element) == ("expressions.class", "bad")
