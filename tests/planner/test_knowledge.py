"""What is kept helps the next report: fields by label, reports by words and looks, errors by what mended them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from milvus_lite.adapter.grpc.server import start_server_in_thread

from bandsmith.services.planner.knowledge import fields, templates
from bandsmith.services.planner.knowledge.base import Knowledge
from bandsmith.services.planner.settings import KnowledgeSettings
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.errors import BadInput, BandsmithError
from bandsmith.shared.fixes import find_fixes
from bandsmith.shared.llm.embeddings import OpenAIEmbedder
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.knowledge import FieldDefinition, Fix
from bandsmith.shared.model.layout import Block, Layout, RulingLine, TextLine, TextStyle
from bandsmith.shared.model.verdict import Finding
from bandsmith.shared.settings import EmbeddingSettings

PRICE = fields.record(
    FieldDefinition(label="单价", name="unit_price", java_class="java.math.BigDecimal", pattern="#,##0.00")
)
DUE = fields.record(FieldDefinition(label="Due date", name="due_date", java_class="java.util.Date"))
LOOK = TextStyle(family="Liberation Sans", size=10)


def report(name: str, heading: str, field: str) -> bytes:
    """A JRXML with one column."""
    return f"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="{name}">
      <field name="{field}" class="java.lang.String"/>
      <columnHeader><band height="20"><staticText><reportElement x="0" y="0" width="90" height="20"/>
        <text><![CDATA[{heading}]]></text></staticText></band></columnHeader>
      <detail><band height="20"><textField pattern="00"><reportElement x="0" y="0" width="90" height="20"/>
        <textFieldExpression><![CDATA[$F{{{field}}}]]></textFieldExpression></textField></band></detail>
    </jasperReport>""".encode()


def any_in(folder: Path) -> bool:
    return any(folder.iterdir())


def form(*tops: float, text: str = "", moved: float = 0.0) -> Layout:
    """A page with a line of text and a rule at each height; `moved` as a photograph of it may be."""
    boxes = [Box(x=50 + moved, y=top + moved, width=300, height=12) for top in tops]
    return Layout(
        page=Size(width=595, height=842),
        lines=[TextLine(id=f"t{n}", text=text, box=box, style=LOOK) for n, box in enumerate(boxes)],
        rules=[
            RulingLine(id=f"r{n}", x1=40, y1=b.bottom, x2=555, y2=b.bottom, thickness=1)
            for n, b in enumerate(boxes)
        ],
        blocks=[Block(id="b", text=text, lines=["t0"], box=boxes[0], style=LOOK)],
    )  # fmt: skip


# --- fields and reports ----------------------------------------------------------------------------------------------


async def test_nothing_is_opened_or_made_for_knowledge_that_is_not_there(knowledge: Knowledge, tmp_path: Path):
    assert await knowledge.passages("a report with 单价", None) == []
    assert await knowledge.recall([Finding(code="structure.cut", message="x is too small.")]) == []
    assert not any_in(tmp_path)


async def test_a_field_is_recalled_where_its_label_stands(knowledge: Knowledge):
    # Given two fields that were defined
    await knowledge.add(fields=[PRICE, DUE])

    # When a report is asked for that has one of them, Then that one is recalled, as it was defined
    assert await knowledge.passages("生成一个包含商品和单价的表格", None) == [
        "Field: 单价=unit_price:java.math.BigDecimal:#,##0.00"
    ]
    # ... as it is when the label stands on the form, whatever marks it off
    assert await knowledge.passages("", form(100, text="Due  Date:")) == ["Field: Due date=due_date:java.util.Date"]
    # ... and some of its words are not the label
    assert await knowledge.passages("what is due today", None) == []


async def test_a_field_that_is_defined_again_has_its_newest_definition(knowledge: Knowledge):
    await knowledge.add(fields=[DUE])
    await knowledge.add(fields=[fields.record(FieldDefinition(label="due date", name="payable_on"))])

    assert [entry.text for entry in await knowledge.entries()] == ["due date=payable_on:java.lang.String"]


async def test_a_report_is_recalled_by_its_words_with_its_fields(knowledge: Knowledge):
    await knowledge.add(
        templates=[templates.record("a", report("invoice", "Amount", "amount")),
                   templates.record("b", report("timesheet", "工时", "hours"))]
    )  # fmt: skip

    [passage] = await knowledge.passages("做一份统计工时的报表", None)

    assert passage.startswith("A report that was made before, timesheet.")
    assert "工时=hours:java.lang.String:00" in passage


async def test_a_report_is_recalled_by_the_looks_of_its_form_alone(knowledge: Knowledge):
    # Given reports of two forms that look different
    await knowledge.add(
        templates=[templates.record("a", report("high", "Alpha", "a"), form(60, 90, 120, 150)),
                   templates.record("b", report("low", "Beta", "b"), form(600, 640, 700, 780)),
                   templates.record("c", report("unseen", "Gamma", "c"))]
    )  # fmt: skip

    # When a photograph of the second comes, in which no word can be read
    passages = await knowledge.passages("", form(600, 640, 700, 780, moved=2.5))

    # Then its report is recalled, and neither another nor one whose form nobody saw
    assert [passage.split(", ")[1].split(".")[0] for passage in passages] == ["low"]


@pytest.mark.parametrize("content", [b"", b"<html/>", b"<jasperReport/>", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"])
def test_what_is_no_jrxml_is_refused_in_both_languages(content: bytes):
    with pytest.raises(BadInput) as refused:
        templates.record("x", content)
    assert refused.value.message != refused.value.message_zh


# --- fixes --------------------------------------------------------------------------------------------------------


def undeclared(name: str) -> Finding:
    return Finding(code="structure.undeclared", message=f"$F{{{name}}} is used, but no field {name} is declared.")


async def test_an_error_that_was_mended_is_mended_again_under_other_names(knowledge: Knowledge):
    # Given an error that a correction mended
    kept = await knowledge.remember(
        find_fixes([undeclared("price")], [], [Declare(scope="field", name="price", java_class="java.math.BigDecimal")])
    )

    # When the same error comes in another report
    [mending] = await knowledge.recall([undeclared("betrag_2")])

    # Then its edits are put for the new name
    assert kept == 1
    assert mending.edits == [Declare(scope="field", name="betrag_2", java_class="java.math.BigDecimal")]


async def test_edits_are_put_for_the_findings_element_whatever_the_numbers(knowledge: Knowledge):
    was = Finding(code="fill.cut", message="title_1 is 12.5 points too small.", element="title_1")
    edits = [SetProperty(element="title_1", name="textAdjust", value="StretchHeight")]
    await knowledge.remember(find_fixes([was], [], edits))

    now = Finding(code="fill.cut", message="total-3 is 4 points too small.", element="total-3")
    other = Finding(code="fill.cut", message="total-3 is 4 points too large.", element="total-3")

    [mending] = await knowledge.recall([other, now])
    assert mending == Fix(
        code="fill.cut", message=now.message, element="total-3",
        edits=[SetProperty(element="total-3", name="textAdjust", value="StretchHeight")],
    )  # fmt: skip


@pytest.mark.parametrize(
    "edits",
    [
        [Move(element="another", x=3)],
        [SetExpression(element="total_1", expression="$F{qty}.multiply($F{price})")],
        [Delete(element="total_1")],
        [],
    ],
    ids=["another element", "fields that the message does not name", "a deletion", "no edits"],
)
async def test_edits_that_hold_for_one_report_alone_are_not_kept(knowledge: Knowledge, edits: list, tmp_path: Path):
    mending = Fix(code="fill.cut", message="total_1 is too small.", element="total_1", edits=edits)

    assert await knowledge.remember([mending]) == 0
    assert not any_in(tmp_path)


async def test_what_was_kept_last_for_an_error_is_what_is_recalled(knowledge: Knowledge):
    for java_class in ("java.lang.String", "java.util.Date"):
        edits = [Declare(scope="field", name="day", java_class=java_class)]
        await knowledge.remember([Fix(code="structure.undeclared", message=undeclared("day").message, edits=edits)])

    [mending] = await knowledge.recall([undeclared("when")])
    assert mending.edits == [Declare(scope="field", name="when", java_class="java.util.Date")]


def test_of_many_edits_each_finding_that_went_away_has_its_own():
    cut = Finding(code="fill.cut", message="a is too small.", element="a")
    stays = Finding(code="fill.cut", message="b is too small.", element="b")
    declares, moves, other = Declare(scope="field", name="qty"), Move(element="a", x=1), Move(element="b", x=1)

    lessons = find_fixes([cut, undeclared("qty"), stays], [stays], [declares, moves, other])

    assert [(lesson.message, lesson.edits) for lesson in lessons] == [
        (cut.message, [moves]),
        (undeclared("qty").message, [declares]),
    ]


# --- what a person does ----------------------------------------------------------------------------------------------


async def test_entries_are_listed_found_and_removed(knowledge: Knowledge):
    await knowledge.add(templates=[templates.record("a", report("invoice", "Amount", "amount"))], fields=[PRICE, DUE])

    assert [entry.kind for entry in await knowledge.entries()] == ["template", "field", "field"]
    assert [entry.title for entry in await knowledge.search("the due dates")] == ["Due date"]

    removed = await knowledge.remove([PRICE.id, "nothing"])
    assert [entry.title for entry in removed] == ["单价"]
    assert [entry.title for entry in await knowledge.entries()] == ["invoice", "Due date"]


async def test_an_embedding_model_finds_what_other_words_mean(settings: KnowledgeSettings, embedder: OpenAIEmbedder):
    # Given fields that were kept without an embedding model, by which only their own words find them
    plain = Knowledge(settings)
    await plain.add(fields=[PRICE, DUE])
    assert await plain.search("cost") == []
    await plain.close()

    # When one is configured, Then what was kept before is found by meaning
    meaning = Knowledge(settings, embedder)
    assert [entry.title for entry in await meaning.search("cost")] == ["单价"]
    await meaning.close()

    # ... words find it while that model is away
    away = OpenAIEmbedder(EmbeddingSettings(url="http://127.0.0.1:9/v1", model="senses"))
    alone = Knowledge(settings, away)
    assert await alone.search("cost") == []
    assert [entry.title for entry in await alone.search("单价")] == ["单价"]
    with pytest.raises(BandsmithError, match="BANDSMITH_EMBEDDING_URL"):
        await alone.add(fields=[DUE])
    await alone.close()

    # ... and nothing is lost when it is taken away again
    plain = Knowledge(settings)
    assert [entry.title for entry in await plain.search("单价")] == ["单价"]
    await plain.close()


async def test_a_servers_address_serves_as_a_path_does_and_to_many(tmp_path: Path):
    # Given a Milvus server (Lite's own, as a program apart), and two planners
    server, database, port = start_server_in_thread(str(tmp_path / "server"))
    settings = KnowledgeSettings(knowledge=f"http://127.0.0.1:{port}")
    one, two = Knowledge(settings), Knowledge(settings)
    assert await two.entries() == []

    # When one keeps something, Then the other finds it
    await one.add(fields=[PRICE])
    await one.remember([Fix(code="a.b", message="x is wrong.", edits=[Declare(scope="field", name="x")])])
    assert [entry.title for entry in await two.search("单价")] == ["单价"]
    assert len(await two.recall([Finding(code="a.b", message="y is wrong.")])) == 1

    # ... and when the server is gone, a turn goes on without
    await one.close()
    server.stop(grace=None).wait()
    database.close()
    assert await two.passages("单价", None) == []
    await two.close()


# --- one process owns it, and may be killed --------------------------------------------------------------------------

OWNER = """
import sys
from pathlib import Path
from bandsmith.services.planner.knowledge.milvus import Milvus
from bandsmith.services.planner.knowledge.records import Record
store = Milvus(Path(sys.argv[1]))
for number in range(10_000):
    store.put("fields", [Record(id=str(number), words=f"label {number}", value={})])
    print(number, flush=True)
"""


def owner(folder: Path) -> subprocess.Popen[str]:
    """Another process that keeps one field after the other and says so."""
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


async def test_what_was_acknowledged_outlives_the_owner_that_is_killed(settings: KnowledgeSettings):
    folder = settings.folder
    process = owner(folder)
    try:
        # Given another process that owns the store
        acknowledged = [process.stdout.readline().strip() for _ in range(12)]
        knowledge = Knowledge(settings)
        # ... a person is told so, and a turn goes on without
        with pytest.raises(BandsmithError) as refused:
            await knowledge.add(fields=[PRICE])
        assert refused.value.code == "knowledge-in-use"
        assert await knowledge.passages("单价", None) == []
        assert [one.value["title"] for one in await knowledge.articles("怎么设置页脚？")] == [
            "How to set a page footer"
        ]
    finally:
        # When it is killed in the middle of keeping
        process.kill()
        rest, said = process.communicate()
    acknowledged += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]

    # Then the store opens, with all that was acknowledged
    kept = {record.id for record in await knowledge._do(lambda: knowledge._open().all("fields"))}
    assert {number.strip() for number in acknowledged} <= kept
    assert len(await knowledge.add(fields=[PRICE])) == 1
    await knowledge.close()
    assert said == ""  # nothing of Milvus' own on the terminal
