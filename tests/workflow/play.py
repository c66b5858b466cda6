"""Plays the services' part against the routing table, without a bus: for every command, each answer it may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services.gateway.state import Session, Turn
from services.gateway.steps import advance, begin
from shared.events import (
    COMMANDS,
    CorrectTemplate,
    DraftRendered,
    Envelope,
    Event,
    ExplainFailure,
    ExtractLayout,
    FailureExplained,
    FieldsMapped,
    GenerateSkeleton,
    JoinWindows,
    KnowledgeRecalled,
    LayoutExtracted,
    MapFields,
    RecallKnowledge,
    RefineWindow,
    RenderDraft,
    SkeletonGenerated,
    StageFailed,
    StartTurn,
    TemplateCorrected,
    TemplateValidated,
    ValidateTemplate,
    WindowRefined,
    WindowsJoined,
)
from shared.model.base import Ref
from shared.model.document import Document
from shared.model.verdict import Finding, Likeness


def ref(key: str) -> Ref:
    return Ref(key=key, media="application/octet-stream", size=1)


def skeleton(windows: int = 2) -> SkeletonGenerated:
    return SkeletonGenerated(template=ref("skeleton"), data=ref("data"), windows=windows)


def joined(changed: int = 0) -> WindowsJoined:
    return WindowsJoined(template=ref("joined"), changed=changed, windows=2)


def validated(errors: int = 0, likeness: float = 0.9) -> TemplateValidated:
    findings = [Finding(code="structure.overlap", message=f"Overlap {n}.") for n in range(errors)]
    return TemplateValidated(
        passed=errors == 0,
        findings=findings,
        likeness=Likeness(ssim=likeness, texts=likeness),
        pdf=ref("pdf"),
        pages=[ref("page")],
        compare=ref("compare"),
        verdict=ref(f"verdict-{errors}"),
    )


def corrected(name: str = "corrected", changed: bool = True) -> TemplateCorrected:
    return TemplateCorrected(template=ref(name), changed=changed)


def failed(command: str) -> StageFailed:
    return StageFailed(command=command, code="failed", message=f"{command} cannot be done.")


ANSWERS: dict[type, Callable[[dict], list[Event]]] = {
    ExtractLayout: lambda _: [
        LayoutExtracted(layout=ref("layout"), form=ref("form"), overlay=ref("overlay"), total_rows=3)
    ],
    RecallKnowledge: lambda _: [KnowledgeRecalled()],
    GenerateSkeleton: lambda _: [skeleton(2), skeleton(0)],
    RenderDraft: lambda _: [DraftRendered(page=ref("page"), printed=ref("printed"))],
    RefineWindow: lambda asked: [WindowRefined(window=asked["window"], edits=ref(f"edits-{asked['window']}"))],
    JoinWindows: lambda _: [joined(0), joined(3)],
    MapFields: lambda _: [FieldsMapped(template=ref("mapped"), data=ref("mapped-data"))],
    ValidateTemplate: lambda _: [validated(0), validated(1)],
    ExplainFailure: lambda _: [FailureExplained(explanation="Two elements overlap.", explanation_zh="两个元素重叠。")],
    CorrectTemplate: lambda _: [corrected(), corrected(changed=False)],
}
"""Everything a service may say, the usual first; besides ``StageFailed``."""


def answers(command: Envelope) -> list[Event]:
    return [*ANSWERS[COMMANDS[command.kind]](command.payload), failed(command.kind)]


def start() -> Session:
    """A session whose first turn has just begun."""
    document = Document(name="form.jpg", content=ref("photo"))
    envelope = Envelope(
        id="start",
        kind="StartTurn",
        session="s",
        turn="t",
        payload=StartTurn(document=document).model_dump(mode="json"),
    )
    return begin(Session(id="s"), envelope, StartTurn(document=document))


def answer(session: Session, command: Envelope, event: Event) -> Session | None:
    envelope = Envelope(
        id=f"answer-to-{command.id}",
        kind=event.kind(),
        session=session.id,
        turn=command.turn,
        node=command.node,
        causation=command.id,
        attempt=command.attempt,
        payload=event.model_dump(mode="json"),
    )
    return advance(session, envelope)


def play(script: dict[type, list[Event]] | None = None) -> Iterator[Turn]:
    """A whole turn, step by step; `script` names what a command is answered with each time, the last for ever."""
    script = {command: list(events) for command, events in (script or {}).items()}
    session: Session | None = start()
    while session and session.turn:
        yield session.turn
        if not session.turn.awaiting:
            return
        command = next(iter(session.turn.awaiting.values()))
        queue = script.get(COMMANDS[command.kind], [])
        event = (queue.pop(0) if len(queue) > 1 else queue[0]) if queue else answers(command)[0]
        session = answer(session, command, event)


def nodes(turns: list[Turn]) -> list[str]:
    """The nodes that a turn came to, one by one."""
    said = [event.message() for turn in turns for event in turn.said if event.kind == "NodeStarted"]
    return [event.node for event in said]
