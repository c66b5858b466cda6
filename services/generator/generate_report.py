"""Build a report from its spec."""

from __future__ import annotations

import asyncio

from bandsmith.shared.actor import Store
from bandsmith.shared.events import GenerateReport, ReportGenerated
from bandsmith.shared.fields.identifiers import report_name
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.request import ReportRequest

from .spec import build_spec

XML, JSON = "application/xml", "application/json"


async def generate_report(store: Store, command: GenerateReport) -> ReportGenerated:
    """Return the template and the sample data of the report that was asked for."""
    request = ReportRequest.model_validate_json(await store.get(command.spec))
    plan, data = await asyncio.to_thread(build_spec, request.spec, report_name(request.spec.title))
    return ReportGenerated(
        template=await store.put(build_jrxml(plan), XML),
        data=await store.put(data.model_dump_json().encode(), JSON),
        notes=request.notes,
    )
