"""Read what a message wants of scheduled runs, find what is missing, and work out what the user is told or asked.

A sentence is read by rules where they account for every word, else by the model. Addresses, folders and names of a
model's answer count only if they stand in what the user said. Nothing is changed here.
"""

from __future__ import annotations

from datetime import UTC, datetime

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import ReadRunRequest, RunRequestRead
from bandsmith.shared.llm import Model, Usage
from bandsmith.shared.model.binding import BindingFile
from bandsmith.shared.model.run import Times
from bandsmith.shared.model.run_request import RunDraft, RunEdit, RunRequest
from bandsmith.shared.runs.times import begins_after, checked, first_dues
from bandsmith.shared.runs.wording import MAX_SHOWN_TIMES, edit_lines

from ..binding.binding_file import read_binding_file
from ..delivery import DeliverySettings
from ..delivery.folder import allowed_folder
from ..language.run_sentences import read_run_correction, read_run_details, read_run_sentence
from .checks import NotFilled, NotPossible, completed, gap_in, named_runs
from .first_filling import GAPS, FillingAnswer, filling_first, read_filling_answer
from .llm_run_request import ask_for_run_request
from .local_zone import local_zone
from .wording import change_words, edit_words, gap_words, list_words, new_run_words, refused_words, unread_words


async def read_run_request(command: ReadRunRequest, store: Store, model: Model | None) -> RunRequestRead:
    """Return what is wanted, and what the user is told or asked about it. Raises ``ModelFailed``."""
    (request, agreed), usage = await _request(command, model)
    zone = local_zone()
    if request is None and _is_shown(command):
        return RunRequestRead(run_step="other", run_words=unread_words(command), run_request=None, usage=usage)
    if request is None:
        return RunRequestRead(run_step="tell", run_words=unread_words(command), run_request=None, usage=usage)
    if request.do == "list":
        words = list_words(command.known_runs, request.names, command.language)
        return RunRequestRead(run_step="tell", run_words=words, run_request=request, usage=usage)
    try:
        if request.do == "add":
            has_model = model is not None and command.allowance.calls > 0
            bindings = await _bindings(command, store)
            try:
                read = _new_run(command, request, bindings, zone)
            except NotFilled as lacking:
                read = filling_first(command, request, lacking, agreed=agreed, has_model=has_model)
        else:
            read = _change(command, request)
    except (NotPossible, BadInput) as refused:
        read = RunRequestRead(run_step="tell", run_words=refused_words(refused, command.language), run_request=request)
    return read.model_copy(update={"usage": usage})


async def _request(command: ReadRunRequest, model: Model | None) -> tuple[FillingAnswer, Usage]:
    """Return what is wanted, and what a model cost; no request where it cannot be read."""
    known = command.run_request
    if known is not None and known.gap in GAPS:
        return read_filling_answer(command, known), Usage()
    if known is None:
        by_rules = read_run_sentence(command.text, after_runs=True)
    else:
        by_rules = read_run_details(command.text, known) if known.gap else _correction(command, known)
    if by_rules is not None or model is None or not command.allowance.calls:
        return FillingAnswer(by_rules), Usage()
    request, usage = await ask_for_run_request(command, model)
    return FillingAnswer(request), usage


def _is_shown(command: ReadRunRequest) -> bool:
    """Whether the turn before showed a run and asked for consent, or offered to fill its report."""
    return command.run_request is not None and command.run_request.gap in ("", *GAPS)


def _correction(command: ReadRunRequest, known: RunRequest) -> RunRequest | None:
    """Return what was shown as it is to be instead. A change that leaves the times keeps those of its run."""
    view = next((run for run in command.known_runs if run.name in known.names), None)
    if known.do == "change" and view and not known.draft.rule:
        known = known.model_copy(update={"draft": known.draft.model_copy(update={"rule": view.rule})})
    return read_run_correction(command.text, known)


async def _bindings(command: ReadRunRequest, store: Store) -> BindingFile | None:
    return read_binding_file(await store.get(command.bindings)) if command.bindings else None


def _new_run(command: ReadRunRequest, request: RunRequest, bindings: BindingFile | None, zone: str) -> RunRequestRead:
    """Ask for what is missing of a new run, or whether it is right. Raises ``BadInput``, ``NotPossible``."""
    request = completed(command, request, bindings).model_copy(update={"gap": ""})
    if gap := gap_in(command, request, bindings):
        request = request.model_copy(update={"gap": gap})
        return RunRequestRead(run_step="ask", run_words=gap_words(command, request), run_request=request)
    now = datetime.now(UTC)
    begins = begins_after(now, zone)
    times = checked(Times(rule=request.draft.rule, zone=zone, begins=begins, excluded=request.draft.excluded))
    due = first_dues(times, now, MAX_SHOWN_TIMES)
    if not due:
        raise BadInput.of("runs.never", code="run")
    request = _with_folder(command, request)
    words = new_run_words(command, request, due, zone)
    return RunRequestRead(run_step="confirm", run_words=words, run_request=request, run_zone=zone, run_begins=begins)


def _with_folder(command: ReadRunRequest, request: RunRequest) -> RunRequest:
    """Return the request with the folder as it is written to. Raises ``BadInput`` for one that is not allowed.

    A user of the web may name a folder only where the settings say below which. The person at this machine sees its
    whole path.
    """
    folder, settings = request.draft.folder, DeliverySettings()
    if not folder:
        return request
    if command.owner and "delivery_folder" not in settings.model_fields_set:
        raise BadInput.of("runs.talk.no_folder", code="run")
    path = allowed_folder(settings.delivery_folder, folder)
    shown = folder if command.owner else str(path)
    return request.model_copy(update={"draft": request.draft.model_copy(update={"folder": shown})})


def _change(command: ReadRunRequest, request: RunRequest) -> RunRequestRead:
    """Ask which run is meant, or whether the change is right. Raises ``NotPossible``."""
    if not command.known_runs:
        raise NotPossible("runs.talk.none")
    names = named_runs(command.known_runs, request.names)
    if not names or (request.do == "change" and len(names) > 1):
        request = request.model_copy(update={"gap": "which"})
        return RunRequestRead(run_step="ask", run_words=gap_words(command, request), run_request=request)
    request = request.model_copy(update={"names": names, "gap": ""})
    if request.do == "change":
        return _edit(command, request)
    return RunRequestRead(run_step="confirm", run_words=change_words(command, request), run_request=request)


def _edit(command: ReadRunRequest, request: RunRequest) -> RunRequestRead:
    """Ask whether a run is to be changed so. Raises ``BadInput``, ``NotPossible``."""
    view = next(run for run in command.known_runs if run.name == request.names[0])
    if request.wording:
        known = request.model_copy(update={"draft": RunDraft(rule=view.rule)})
        request = read_run_correction(request.wording, known) or request
        request = request.model_copy(update={"wording": ""})
    if request.draft.rule == view.rule:
        request = request.model_copy(update={"draft": request.draft.model_copy(update={"rule": ""})})
    request = _with_folder(command, request)
    edit = RunEdit.of(request.draft)
    if not edit:
        raise NotPossible("runs.talk.nothing_to_change")
    lines = edit_lines(edit, view.zone, datetime.now(UTC), command.language)
    words = edit_words(view, lines, request.undone, command.language)
    return RunRequestRead(run_step="confirm", run_words=words, run_request=request)
