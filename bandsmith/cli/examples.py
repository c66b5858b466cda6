"""The examples below the help of each command, in Markdown."""

from __future__ import annotations

BUILD_EXAMPLES = """
**Examples**

    bandsmith build form.jpg
    bandsmith build form.jpg --page A4 --out report/
    bandsmith build scans/*.png --page 595x842 --out reports/ --json
"""
FILL_EXAMPLES = """
**Examples**

    bandsmith fill report.jrxml --data rows.csv
    bandsmith fill report.jrxml --data rows.xlsx --param month=2026-10 --pdf --xlsx --out october/
    bandsmith fill invoice.jrxml --data invoice.json --html --json
    bandsmith fill report.jrxml --source shop --param month=2026-10 --review
    bandsmith fill statement.jrxml --data rows.csv --each customer
"""
ASK_EXAMPLES = """
**Examples**

    bandsmith ask "which five customers bought most in March?" --source shop
    bandsmith ask "SELECT city, COUNT(*) FROM customers GROUP BY city" --source shop --out out/
    bandsmith ask "每个城市有多少客户？" --source shop --json
    bandsmith ask "which customers of the CRM bought nothing this year?" --source shop --source crm
"""
SQL_EXAMPLES = """
**Examples**

    bandsmith sql "which five customers bought most in March?" --source shop
    bandsmith sql "SELECT city FROM customers" --source shop
"""
ANALYSE_EXAMPLES = """
**Examples**

    bandsmith analyse "how did sales develop in 2026, and who drove it?" --source shop --out sales/
    bandsmith analyse "哪些城市的销售额下降了？" --source shop --review
    bandsmith analyse "yes" --session analysis-2026-11-20-0930-1f2e
"""
CHAT_EXAMPLES = """
**Examples**

    bandsmith chat
    bandsmith chat --session march --attach form.jpg
    bandsmith chat --session march "make the title larger" "export pdf"
    echo "a sales report with customer and amount" | bandsmith chat --json
"""
WEB_EXAMPLES = """
**Examples**

    bandsmith web
    bandsmith web --attach form.jpg
    NATS_URL=nats://127.0.0.1:4222 bandsmith web --no-browser
    bandsmith web keys add ann
"""
MCP_EXAMPLES = """
**Examples**

    bandsmith mcp --root ~/forms
    claude mcp add bandsmith -- bandsmith mcp
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
METRICS_EXAMPLES = """
**Examples**

    bandsmith metrics
    NATS_URL=nats://127.0.0.1:4222 bandsmith metrics --listen 0.0.0.0:9464
"""
DOCTOR_EXAMPLES = """
**Examples**

    bandsmith doctor
    bandsmith doctor --fix
    bandsmith doctor --json
"""
ASYNCAPI_EXAMPLES = """
**Examples**

    bandsmith asyncapi > asyncapi.yaml
    bandsmith asyncapi --json
"""
