"""The knowledge base recalls fields by label, reports by words and page, and the fixes of earlier errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from milvus_lite.adapter.grpc.server import start_server_in_thread

from bandsmith.services.planner.knowledge import fields, fixes, templates
from bandsmith.services.planner.knowledge.base import Knowledge
from bandsmith.services.planner.settings import KnowledgeSettings
from bandsmith.shared.edits.base import Edit
from bandsmith.shared.edits.declare import Declare
from bandsmith.shared.edits.delete import Delete
from bandsmith.shared.edits.move import Move
from bandsmith.shared.edits.set_expression import SetExpression
from bandsmith.shared.edits.set_property import SetProperty
from bandsmith.shared.errors import BadInput, BandsmithError
from bandsmith.shared.llm.embeddings import OpenAIEmbedder
from bandsmith.shared.model.geometry import Box, Size
from bandsmith.shared.model.knowledge import FieldDefinition
from bandsmith.shared.model.layout import Block, Layout, RulingLine, TextLine, TextStyle
from bandsmith.shared.settings import EmbeddingSettings
from bandsmith.shared.turns.fixes import Fix, find_fixes
from bandsmith.shared.turns.verdict import Finding

PRICE = fields.record(
    FieldDefinition(label="单价", name="unit_price", java_class="java.math.BigDecimal", pattern="#,##0.00")
)
DUE = fields.record(FieldDefinition(label="Due date", name="due_date", java_class="java.util.Date"))
STYLE = TextStyle(family="Liberation Sans", size=10)


def report(name: str, heading: str, field: str) -> bytes:
    """A JRXML with one column."""
    return f"""<jasperReport xmlns="http://jasperreports.sourceforge.net/jasperreports" name="{name}">
      <field name="{field}" class="java.lang.String"/>
      <columnHeader><band height="20"><staticText><reportElement x="0" y="0" width="90" height="20"/>
        <text><![CDATA[{heading}]]></text></staticText></band></columnHeader>
      <detail><band height="20"><textField pattern="00"><reportElement x="0" y="0" width="90" height="20"/>
        <textFieldExpression><![CDATA[$F{{{field}}}]]></textFieldExpression></textField></band></detail>
    </jasperReport>""".encode()


def is_empty(folder: Path) -> bool:
    return not any(folder.iterdir())


def form(*tops: float, text: str = "", moved: float = 0.0) -> Layout:
    """A page with a line of text and a rule at each height; `moved` shifts them, as in a photograph of the page."""
    boxes = [Box(x=50 + moved, y=top + moved, width=300, height=12) for top in tops]
    return Layout(
        page=Size(width=595, height=842),
        lines=[TextLine(id=f"t{n}", text=text, box=box, style=STYLE) for n, box in enumerate(boxes)],
        rules=[
            RulingLine(id=f"r{n}", x1=40, y1=b.bottom, x2=555, y2=b.bottom, thickness=1)
            for n, b in enumerate(boxes)
        ],
        blocks=[Block(id="b", text=text, lines=["t0"], box=boxes[0], style=STYLE)],
    )  # fmt: skip


# --- fields and reports ----------------------------------------------------------------------------------------------


async def test_recalling_does_not_create_a_store(knowledge: Knowledge, tmp_path: Path):
    assert (await knowledge.known("a report with 单价", None)).passages == []
    assert await knowledge.recall([Finding(code="structure.cut", message="x is too small.")]) == []
    assert is_empty(tmp_path)


async def test_a_field_is_recalled_by_its_whole_label(knowledge: Knowledge):
    # Given two definitions of fields
    await knowledge.add(fields=[PRICE, DUE])

    # When a request names the label of one, Then its definition is recalled
    assert (await knowledge.known("生成一个包含商品和单价的表格", None)).passages == [
        "Field: 单价=unit_price:java.math.BigDecimal:#,##0.00"
    ]
    # ... also when the label is on the form, whatever separates it from its value
    assert (await knowledge.known("", form(100, text="Due  Date:"))).passages == [
        "Field: Due date=due_date:java.util.Date"
    ]
    # ... but not for a part of the label
    assert (await knowledge.known("what is due today", None)).passages == []


async def test_a_new_definition_of_a_field_replaces_the_old_one(knowledge: Knowledge):
    await knowledge.add(fields=[DUE])
    await knowledge.add(fields=[fields.record(FieldDefinition(label="due date", name="payable_on"))])

    assert [entry.text for entry in await knowledge.entries()] == ["due date=payable_on:java.lang.String"]


async def test_a_report_is_recalled_by_its_words(knowledge: Knowledge):
    await knowledge.add(
        templates=[templates.record("a", report("invoice", "Amount", "amount")),
                   templates.record("b", report("timesheet", "工时", "hours"))]
    )  # fmt: skip

    [passage] = (await knowledge.known("做一份统计工时的报表", None)).passages

    assert passage.startswith("A report that was made before, timesheet.")
    assert "工时=hours:java.lang.String:00" in passage


async def test_a_report_is_recalled_by_its_page_alone(knowledge: Knowledge):
    # Given reports of two forms that look different
    await knowledge.add(
        templates=[templates.record("a", report("high", "Alpha", "a"), form(60, 90, 120, 150)),
                   templates.record("b", report("low", "Beta", "b"), form(600, 640, 700, 780)),
                   templates.record("c", report("unseen", "Gamma", "c"))]
    )  # fmt: skip

    # When a photograph of the second comes, with no legible words
    passages = (await knowledge.known("", form(600, 640, 700, 780, moved=2.5))).passages

    # Then only its report is recalled, not one whose page is different or unknown
    assert [passage.split(", ")[1].split(".")[0] for passage in passages] == ["low"]


@pytest.mark.parametrize("content", [b"", b"<html/>", b"<jasperReport/>", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"])
def test_a_file_that_is_not_a_jrxml_is_rejected_in_both_languages(content: bytes):
    with pytest.raises(BadInput) as refused:
        templates.record("x", content)
    assert refused.value.message != refused.value.message_zh


# --- fixes --------------------------------------------------------------------------------------------------------


def undeclared(name: str) -> Finding:
    return Finding.of("structure.undeclared", reference=f"$F{{{name}}}", kind="field", name=name)


async def test_a_fix_is_recalled_for_the_same_error_with_other_names(knowledge: Knowledge):
    # Given an error that a correction fixed
    kept = await knowledge.remember(
        find_fixes([undeclared("price")], [], [Declare(scope="field", name="price", java_class="java.math.BigDecimal")])
    )

    # When the same error occurs in another report
    [fix] = await knowledge.recall([undeclared("betrag_2")])

    # Then its edits are adapted to the new name
    assert kept == 1
    assert fix.edits == [Declare(scope="field", name="betrag_2", java_class="java.math.BigDecimal")]


async def test_a_fix_is_adapted_to_the_element_whatever_the_numbers(knowledge: Knowledge):
    was = Finding(code="fill.cut", message="title_1 is 12.5 points too small.", element="title_1")
    edits: list[Edit] = [SetProperty(element="title_1", name="textAdjust", value="StretchHeight")]
    await knowledge.remember(find_fixes([was], [], edits))

    now = Finding(code="fill.cut", message="total-3 is 4 points too small.", element="total-3")
    other = Finding(code="fill.cut", message="total-3 is 4 points too large.", element="total-3")

    [fix] = await knowledge.recall([other, now])
    assert fix == Fix(
        code="fill.cut", message=now.message, element="total-3",
        edits=[SetProperty(element="total-3", name="textAdjust", value="StretchHeight")],
    )  # fmt: skip


def test_a_fix_survives_a_rewording_of_the_catalogue(monkeypatch: pytest.MonkeyPatch):
    # Given a fix that was learned before the text of its finding was reworded
    declare = Declare(scope="field", name="price", java_class="java.math.BigDecimal")
    learned = undeclared("price")
    record = fixes.record(Fix(code=learned.code, message=learned.message, edits=[declare]))
    reworded = "Declare the {kind} {name}, which {reference} refers to."
    monkeypatch.setattr(fixes, "catalogue", lambda language: {"findings.structure.undeclared": reworded})

    # When the same error is found in the new words, Then the fix applies
    found = Finding(code=learned.code, message=reworded.format(kind="field", name="hours", reference="$F{hours}"))
    fix = fixes.apply(record, found)
    assert fix.edits == [Declare(scope="field", name="hours", java_class="java.math.BigDecimal")]

    # ... but not to another kind of name
    other = Finding(code=learned.code, message=reworded.format(kind="parameter", name="hours", reference="$P{hours}"))
    assert fixes.apply(record, other) is None


def test_a_fix_of_an_older_version_is_matched_by_its_message():
    declare = Declare(scope="field", name="price", java_class="java.math.BigDecimal")
    record = fixes.record(Fix(code="structure.undeclared", message=undeclared("price").message, edits=[declare]))
    older = record.model_copy(update={"value": {name: record.value[name] for name in ("code", "message", "edits")}})

    renamed = declare.model_copy(update={"name": "hours"})
    assert fixes.apply(older, undeclared("hours")).edits == [renamed]


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
async def test_edits_that_suit_only_one_report_are_not_kept(knowledge: Knowledge, edits: list, tmp_path: Path):
    fix = Fix(code="fill.cut", message="total_1 is too small.", element="total_1", edits=edits)

    assert await knowledge.remember([fix]) == 0
    assert is_empty(tmp_path)


async def test_the_newest_fix_of_an_error_is_recalled(knowledge: Knowledge):
    for java_class in ("java.lang.String", "java.util.Date"):
        edits: list[Edit] = [Declare(scope="field", name="day", java_class=java_class)]
        await knowledge.remember([Fix(code="structure.undeclared", message=undeclared("day").message, edits=edits)])

    [fix] = await knowledge.recall([undeclared("when")])
    assert fix.edits == [Declare(scope="field", name="when", java_class="java.util.Date")]


def test_each_resolved_finding_gets_the_edits_that_concern_it():
    cut = Finding(code="fill.cut", message="a is too small.", element="a")
    stays = Finding(code="fill.cut", message="b is too small.", element="b")
    declares, moves, other = Declare(scope="field", name="qty"), Move(element="a", x=1), Move(element="b", x=1)

    lessons = find_fixes([cut, undeclared("qty"), stays], [stays], [declares, moves, other])

    assert [(lesson.message, lesson.edits) for lesson in lessons] == [
        (cut.message, [moves]),
        (undeclared("qty").message, [declares]),
    ]


# --- what users do ---------------------------------------------------------------------------------------------------


async def test_entries_can_be_listed_searched_and_removed(knowledge: Knowledge):
    await knowledge.add(templates=[templates.record("a", report("invoice", "Amount", "amount"))], fields=[PRICE, DUE])

    assert [entry.kind for entry in await knowledge.entries()] == ["template", "field", "field"]
    assert [entry.title for entry in await knowledge.search("the due dates")] == ["Due date"]

    removed = await knowledge.remove([PRICE.id, "nothing"])
    assert [entry.title for entry in removed] == ["单价"]
    assert [entry.title for entry in await knowledge.entries()] == ["invoice", "Due date"]


async def test_an_embedding_model_finds_other_words_of_the_same_meaning(
    settings: KnowledgeSettings, embedder: OpenAIEmbedder
):
    # Given fields added without an embedding model, so that only their own words find them
    plain = Knowledge(settings)
    await plain.add(fields=[PRICE, DUE])
    assert await plain.search("cost") == []
    await plain.close()

    # When a model is configured, Then existing fields are found by meaning
    meaning = Knowledge(settings, embedder)
    assert [entry.title for entry in await meaning.search("cost")] == ["单价"]
    await meaning.close()

    # ... by words alone while the model is unreachable
    away = OpenAIEmbedder(EmbeddingSettings(url="http://127.0.0.1:9/v1", model="senses"))
    alone = Knowledge(settings, away)
    assert await alone.search("cost") == []
    assert [entry.title for entry in await alone.search("单价")] == ["单价"]
    with pytest.raises(BandsmithError, match="BANDSMITH_EMBEDDING_URL"):
        await alone.add(fields=[DUE])
    await alone.close()

    # ... and nothing is lost when the model is no longer configured
    plain = Knowledge(settings)
    assert [entry.title for entry in await plain.search("单价")] == ["单价"]
    await plain.close()


async def test_several_planners_share_a_milvus_server(tmp_path: Path):
    # Given a Milvus server (that of Milvus Lite) and two planners
    server, database, port = start_server_in_thread(str(tmp_path / "server"))
    settings = KnowledgeSettings(knowledge=f"http://127.0.0.1:{port}")
    one, two = Knowledge(settings), Knowledge(settings)
    assert await two.entries() == []

    # When one adds something, Then the other finds it
    await one.add(fields=[PRICE])
    await one.remember([Fix(code="a.b", message="x is wrong.", edits=[Declare(scope="field", name="x")])])
    assert [entry.title for entry in await two.search("单价")] == ["单价"]
    assert len(await two.recall([Finding(code="a.b", message="y is wrong.")])) == 1

    # ... and when the server has stopped, a turn goes on without it
    await one.close()
    server.stop(grace=None).wait()
    database.close()
    assert (await two.known("单价", None)).passages == []
    await two.close()


# --- the owner may be killed -----------------------------------------------------------------------------------------

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
    """Start another process that adds one field after another and prints the number of each."""
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
async def test_acknowledged_records_survive_a_killed_owner(settings: KnowledgeSettings):
    folder = settings.folder
    process = owner(folder)
    try:
        # Given another process that owns the store
        acknowledged = [process.stdout.readline().strip() for _ in range(12)]
        knowledge = Knowledge(settings)
        # ... which is an error for a user, while a turn goes on without it
        with pytest.raises(BandsmithError) as refused:
            await knowledge.add(fields=[PRICE])
        assert refused.value.code == "knowledge-in-use"
        assert (await knowledge.known("单价", None)).passages == []
        assert [one.value["title"] for one in await knowledge.articles("怎么设置页脚？")] == [
            "How to set a page footer"
        ]
    finally:
        # When it is killed in the middle of a write
        process.kill()
        output, errors = process.communicate()
    acknowledged += [line for line in output.splitlines(keepends=True) if line.endswith("\n")]

    # Then the store opens and contains everything that was acknowledged
    kept = {record.id for record in await knowledge._do(lambda: knowledge._open().all("fields"))}
    assert {number.strip() for number in acknowledged} <= kept
    assert len(await knowledge.add(fields=[PRICE])) == 1
    await knowledge.close()
    assert errors == ""  # Milvus prints nothing to the terminal
