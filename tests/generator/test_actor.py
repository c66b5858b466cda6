"""The generator's actor builds a template from a layout, command by command."""

import pytest
from pydantic import TypeAdapter

from bandsmith.services.generator.actor import GeneratorActor
from bandsmith.services.validator.compare_pages import measured
from bandsmith.services.validator.engine import ReportEngine
from bandsmith.services.validator.pictures import PagePicture
from bandsmith.shared.errors import TerminalError
from bandsmith.shared.events import (
    FieldsMapped,
    GenerateSkeleton,
    JoinWindows,
    LayoutRefined,
    MapFields,
    RecallKnowledge,
    RefineLayout,
    RefineWindow,
    SkeletonGenerated,
    WindowRefined,
    WindowsJoined,
)
from bandsmith.shared.fields.identifiers import report_name
from bandsmith.shared.model.allowance import Allowance
from bandsmith.shared.model.base import Ref
from bandsmith.shared.model.plan import Data
from bandsmith.shared.turns.verdict import Printed

from .forms import blank, invoice


class MemoryStore:
    """An object store for one test."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    async def put(self, data: bytes, media: str) -> Ref:
        key = f"object{len(self.kept) + 1}"
        self.kept[key] = data
        return Ref(key=key, media=media, size=len(data))

    async def get(self, ref: Ref) -> bytes:
        return self.kept[ref.key]


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


async def skeleton(store: MemoryStore) -> tuple[GeneratorActor, Ref, SkeletonGenerated]:
    actor = GeneratorActor(store)
    layout = await store.put(invoice().layout().model_dump_json().encode(), "application/json")
    form = await store.put(blank(), "image/png")
    event = await actor.handle(GenerateSkeleton(layout=layout, form=form, name="Rechnung 2024/7.png"))
    assert isinstance(event, SkeletonGenerated)
    return actor, layout, event


async def test_all_steps_give_a_template_that_reproduces_the_form(store: MemoryStore, engine: ReportEngine) -> None:
    actor, layout, made = await skeleton(store)
    printout = engine.print(store.kept[made.template.key], Data.model_validate_json(store.kept[made.data.key]))
    items = measured(printout.elements, PagePicture.of_png(printout.pictures[0]))
    seen = await store.put(TypeAdapter(list[Printed]).dump_json(items), "application/json")
    refined = await actor.handle(RefineLayout(template=made.template, layout=layout, printed=seen))
    assert isinstance(refined, LayoutRefined) and refined.unresolved == []
    questions = await store.put(b"{}", "application/json")
    window = await actor.handle(RefineWindow(window=0, questions=questions, allowance=Allowance()))
    assert isinstance(window, WindowRefined) and window.window == 0
    joined = await actor.handle(JoinWindows(template=refined.template, edits=[window.edits]))
    assert isinstance(joined, WindowsJoined) and joined.changed == 0
    mapped = await actor.handle(MapFields(template=joined.template, data=made.data, layout=layout))
    assert isinstance(mapped, FieldsMapped)

    data = Data.model_validate_json(store.kept[mapped.data.key])
    assert data.parameters == {
        "customer": "Meadow Bindery",
        "REPORT_LOCALE": "en_US",
    }
    assert data.rows[0] == {"product": "Wall lamp", "quantity": 4, "amount": 1250.0}
    printout = engine.print(store.kept[mapped.template.key], data, pages=0)
    words = [element.text for element in printout.elements if element.text]
    assert sorted(words) == sorted(block.text for block in invoice().layout().blocks)


async def test_the_same_command_gives_the_same_template_twice(store: MemoryStore) -> None:
    _, _, one = await skeleton(store)
    _, _, other = await skeleton(store)
    assert store.kept[one.template.key] == store.kept[other.template.key]


async def test_a_command_of_another_service_is_refused(store: MemoryStore) -> None:
    with pytest.raises(TerminalError):
        await GeneratorActor(store).handle(RecallKnowledge(text="", layout=Ref(key="x", media="x", size=0)))


def test_a_report_gets_a_safe_name_from_its_file() -> None:
    assert report_name("../Rechnung 2024/7.png") == "Rechnung_2024_7_png"
    assert report_name("发票 (1)") == "发票_1"
    assert report_name("***") == "report"
