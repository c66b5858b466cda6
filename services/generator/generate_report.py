"""Build a report from its spec."""

from __future__ import annotations

import asyncio

from bandsmith.shared.actor import Store
from bandsmith.shared.events import GenerateReport, ReportGenerated
from bandsmith.shared.fields.identifiers import report_name
from bandsmith.shared.jrxml.template_look import look_of
from bandsmith.shared.jrxml.writer import build_jrxml
from bandsmith.shared.model.plan import Plan
from bandsmith.shared.model.spec import ReportSpec
from bandsmith.shared.replies import text
from bandsmith.shared.turns.request import ReportRequest

from .example_look import adopt
from .known_fields import name_known_columns
from .spec import build_spec

XML, JSON = "application/xml", "application/json"


async def generate_report(store: Store, command: GenerateReport) -> ReportGenerated:
    """Return the template and the sample data of the report that was asked for."""
    request = ReportRequest.model_validate_json(await store.get(command.spec))
    spec = name_known_columns(request.spec, command.known_fields)
    plan, data = await asyncio.to_thread(build_spec, spec, report_name(spec.title))
    plan = _with_sensitive(plan, request.sensitive)
    look = look_of(await store.get(command.example)) if command.example else None
    if look is not None:
        plan = adopt(plan, look)
    return ReportGenerated(
        template=await store.put(build_jrxml(plan), XML),
        data=await store.put(data.model_dump_json().encode(), JSON),
        remainder="\n".join(request.unread),
        undone=request.undone,
        notes=[*request.notes, *_about_the_example(request.spec, taken=look is not None)],
    )


def _with_sensitive(plan: Plan, labels: list[str]) -> Plan:
    """Return the plan with the fields of these columns marked: no language model may see their values."""
    fields = [field.model_copy(update={"is_sensitive": field.label in labels}) for field in plan.fields]
    return plan.model_copy(update={"fields": fields}) if labels else plan


def _about_the_example(spec: ReportSpec, *, taken: bool) -> list[str]:
    """Say whether the look of a template was taken, where one came along or was asked for."""
    if taken:
        return [text("generator.example.taken", spec.language)]
    return [text("generator.example.missing", spec.language)] if spec.like_example else []
