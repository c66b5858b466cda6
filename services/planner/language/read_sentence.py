"""Read a sentence once: its intent, and the change or the report that it asks for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date

from pydantic import BaseModel

from bandsmith.shared.actor import Store
from bandsmith.shared.errors import BadInput, TerminalError
from bandsmith.shared.events import ClassifyIntent, IntentClassified
from bandsmith.shared.llm import Model, ModelFailed, Usage
from bandsmith.shared.llm.answers.report import ChangeAnswer, IntentAnswer
from bandsmith.shared.model.base import Ref
from bandsmith.shared.replies import Text
from bandsmith.shared.replies import text as reply

from .calendar_sentences import read_calendar_question
from .change import read_change
from .change.conversation import has_last_turn_changed, is_last_request_open
from .change.read_change import reading_by_rules
from .filling_sentences import read_source_filling
from .intents import (
    TAKES_BACK,
    Guess,
    classify,
    drops_request,
    export_besides,
    names_replacement,
    points_back,
    steps_named,
    version_named,
    without_replacement,
)
from .llm_intent import accepted, ask_for_intent
from .questions import (
    WORDS,
    asks_for_value,
    comes_again,
    gives_time_and_day,
    is_about_report,
    is_general,
    is_mere_question,
    is_question,
    lists_names,
    plans_by_deadline,
    program_rule,
    speaks_of_work,
    stops_runs,
    wants_explanation,
    without_story,
)
from .run_sentences import read_run_sentence
from .sentence_templates import phrases
from .spec import describes_report, from_model, is_whole_report, read_spec_by_rules, standard_of
from .words_with_page import words_besides_building

IsAnswered = Callable[[ClassifyIntent, Store], Awaitable[bool]]
_EXPORTS = {"preview_report", "export_pdf", "export_jrxml", "export_file"}


async def read_sentence(
    command: ClassifyIntent, store: Store, model: Model | None, is_answered: IsAnswered | None = None
) -> IntentClassified:
    """Return what the user wants, with the change or the report itself where the sentence says it.

    Rules decide where they are sure, else the model where there is one, else the rules' best guess. What is attached
    says nothing of the intent. `is_answered` says whether the report itself answers a question: then no model is asked.
    """
    if whole := _read_whole(command):
        return whole
    besides = export_besides(command.text) if command.has_template and not command.has_page else None
    if besides:
        command = command.model_copy(update={"text": besides.rest})
    guess, answer, usage, trouble = await _intent(command, store, model, is_answered)
    if besides:
        guess = replace(guess, format=besides.formats[0] if besides.formats else None, formats=besides.formats)
    if _drops_a_refused_request(guess, command):
        guess = Guess("unknown", answer=reply("planner.reply.dropped", command.language))
    elif _takes_back_a_refused_request(guess, command):
        guess = Guess("unknown", answer=reply("planner.reply.nothing_taken_back", command.language))
    if trouble:
        model = None  # asking it again would fail too
    change, spec, spent, trouble_of_change = await _content(command, store, model, guess, answer, usage)
    usage, trouble = usage + spent, trouble or trouble_of_change
    notes = [trouble.in_language(command.language)] if trouble else []
    return _classified(command, guess, answer, change, spec).model_copy(update={"notes": notes, "usage": usage})


def _classified(
    command: ClassifyIntent, guess: Guess, answer: IntentAnswer | None, change: Ref | None, spec: Ref | None
) -> IntentClassified:
    """Return the intent as an event, with what the sentence says besides."""
    builds = command.has_page and guess.intent == "initial_generation"
    return IntentClassified(
        intent=guess.intent,
        format=guess.format,
        formats=list(guess.formats),
        with_jrxml=guess.with_jrxml,
        steps=steps_named(command.text) if guess.intent in ("undo_modification", "redo_modification") else 1,
        version=guess.version or version_named(command.text) if guess.intent == "restore_version" else None,
        wording=words_besides_building(command.text) if builds else "",
        replaces=names_replacement(command.text),
        by="model" if answer else "rules",
        answer=guess.answer,
        change=change,
        spec=spec,
        undone=_undone(guess, answer, command),
    )


def _read_whole(command: ClassifyIntent) -> IntentClassified | None:
    """Return what a sentence asks for that one reader accounts for alone; None if there is none."""
    if not command.has_page and read_run_sentence(command.text, command.after_runs):
        return IntentClassified(intent="manage_runs")
    if not command.has_page and read_calendar_question(command.text, date.today()):
        return IntentClassified(intent="plan_work")
    if command.has_template and (filling := read_source_filling(command.text, date.today())):
        return IntentClassified(intent="fill_report", filling=filling)
    return None


def _undone(guess: Guess, answer: IntentAnswer | None, command: ClassifyIntent) -> list[str]:
    """Return what else a sentence asks for that takes the report back: a turn does one or the other."""
    reason = " ".join(answer.undone.split()) if answer else ""
    if not reason or guess.intent not in TAKES_BACK:
        return []
    return [Text.of("language.model_undone", reason=reason).in_language(command.language)]


async def _intent(
    command: ClassifyIntent, store: Store, model: Model | None, is_answered: IsAnswered | None
) -> tuple[Guess, IntentAnswer | None, Usage, Text | None]:
    """Return the intent, the model's answer where it decided, what was spent, and why a model gave no answer."""
    if command.texts and not (command.text.strip() or command.has_page):
        # A table alone is a report to make, as a picture alone is: also where there is one, which is asked about.
        return Guess("initial_generation"), None, Usage(), None
    guess = await _by_rules(command, store)
    may_ask = bool(without_story(command.text)[0]) or asks_for_value(command.text)
    if guess.intent in ("modify_report", "unknown") and may_ask and is_answered:
        guess = Guess("consult_question") if await is_answered(command, store) else guess
    if not model or not command.allowance.calls or (guess.sure and not _may_be_overruled(guess, command, model)):
        return guess, None, Usage(), None
    if guess.intent == "consult_question" and is_answered is not None and await is_answered(command, store):
        return guess, None, Usage(), None
    is_new = guess.sure and guess.intent == "initial_generation"
    may_be_whole = phrases(WORDS, "names_report", command.text) or not command.has_template
    may_be_whole = may_be_whole and not gives_time_and_day(command.text)
    if is_new and may_be_whole and await is_whole_report(store, command):
        return guess, None, Usage(), None
    try:
        answer, usage = await ask_for_intent(command, store, model)
    except ModelFailed as failed:
        return guess, None, failed.usage, Text(failed.message, failed.message_zh)
    found = accepted(answer, has_template=command.has_template, text=command.text)
    if found and guess.sure and found.intent == "unknown":
        found = None  # a model that cannot tell overrules nothing
    return (found, answer, usage, None) if found else (guess, None, usage, None)


async def _by_rules(command: ClassifyIntent, store: Store) -> Guess:
    if _is_known_question(command):
        return Guess("consult_question")
    guess = classify(
        command.text,
        has_template=command.has_template,
        has_page=command.has_page,
        remarks=bool(command.remarks),
        language=command.language,
    )
    if command.has_template and guess.intent in ("modify_report", "unknown") and names_replacement(command.text):
        guess = Guess("initial_generation")
    if guess.intent in ("consult_question", "modify_report", "unknown") and await describes_report(store, command):
        guess = Guess("initial_generation")
    if guess.intent == "consult_question" and not command.has_template and lists_names(command.text):
        guess = Guess("initial_generation", sure=False)
    if guess.intent == "consult_question" and not guess.answer and not is_mere_question(command.text):
        guess = replace(guess, sure=False)  # "a line that says how many" is a request
    if guess.intent == "consult_question" and await _asks_for_change(store, command):
        guess = Guess("modify_report", sure=False)
    return _work_instead(guess, command) or guess


async def _asks_for_change(store: Store, command: ClassifyIntent) -> bool:
    """Whether a message that looks like a question holds a request: a story with “could you take the price out”.

    Its clauses have to read as a change, and none may want something explained.
    """
    if not (command.template and command.data) or wants_explanation(command.text):
        return False
    try:
        return bool((await reading_by_rules(store, command)).edits)
    except BadInput:
        return False


def _work_instead(guess: Guess, command: ClassifyIntent) -> Guess | None:
    """Return what is meant by a message that names a report and asks for none: runs that stop, or work to plan.

    Rules would read it as a whole: “six hours before Friday” after a comma looks to them like a column.
    """
    if guess.intent not in ("initial_generation", "unknown") or guess.answer or command.has_page:
        return None
    if stops_runs(command.text):
        return Guess("manage_runs", sure=False)
    if not command.has_template and plans_by_deadline(command.text):
        return Guess("plan_work", sure=False)
    return None


def _is_known_question(command: ClassifyIntent) -> bool:
    """Whether rules answer all of the message themselves: it asks about the user's report, or about the program."""
    if command.has_page:
        return False
    return (command.template is not None and is_question(command.text)) or program_rule(command.text) is not None


def _drops_a_refused_request(guess: Guess, command: ClassifyIntent) -> bool:
    """Whether "never mind, leave it as it was" is about a request that changed nothing: an earlier change stays."""
    is_undo = guess.intent == "undo_modification" and drops_request(command.text)
    return is_undo and not has_last_turn_changed(command.history, command.earlier)


def _takes_back_a_refused_request(guess: Guess, command: ClassifyIntent) -> bool:
    """Whether "undo that last one" is about a request that changed nothing: the change before it is not meant."""
    is_undo = guess.intent == "undo_modification" and points_back(command.text)
    return is_undo and is_last_request_open(command.history, command.earlier)


def _may_be_overruled(guess: Guess, command: ClassifyIntent, model: Model) -> bool:
    """Whether a model is asked although rules are sure.

    Rules are sure of much that is none of theirs: work that is planned, scheduled, filled or delivered looks to them
    like a change, a question about the program or, where there is no report, like a new one. A model that tells the
    intent also carries it out in the same reply, so it costs no further call. Rules keep what they read as a whole, and
    questions of a general kind, which the manual answers.
    """
    if not model.is_always_asked or command.has_page:
        return False
    if guess.intent == "initial_generation":
        return not (names_replacement(command.text) if command.has_template else _names_a_report(command))
    if guess.intent in _EXPORTS:
        return command.has_template and comes_again(command.text)
    if guess.intent == "modify_report":
        return not command.remarks
    is_known = command.template is not None and is_about_report(command.text)
    is_known = is_known or program_rule(command.text) is not None
    is_question = guess.intent == "consult_question" and not is_known
    return is_question and (speaks_of_work(command.text) or not is_general(command.text))


def _names_a_report(command: ClassifyIntent) -> bool:
    """Whether a sentence names a report or a kind of it, such as an invoice, and no work beyond it."""
    names = phrases(WORDS, "names_report", command.text) or standard_of(command.text, command.language)
    return bool(names) and not speaks_of_work(command.text) and not gives_time_and_day(command.text)


def _proposed(answer: IntentAnswer | None, command: ClassifyIntent) -> ChangeAnswer | None:
    """Return the edits that came with the intent, even none at all; None where the model cannot have known all."""
    if answer is None or answer.truncated or command.remarks or command.has_page:
        return None
    return answer.as_change()


async def _content(
    command: ClassifyIntent, store: Store, model: Model | None, guess: Guess, answer: IntentAnswer | None, spent: Usage
) -> tuple[Ref | None, Ref | None, Usage, Text | None]:
    """Return the change or the report that is asked for, what reading it cost, and why a model gave no answer."""
    if guess.answer:
        return None, None, Usage(), None
    if command.template and command.data and guess.intent in ("modify_report", "unknown"):
        change, usage, trouble = await _change(command, store, model, _proposed(answer, command), spent)
        return change, None, usage, trouble
    if not command.has_page and guess.intent in ("initial_generation", "unknown"):
        return None, await _spec(command, store, model, answer, spent), Usage(), None
    return None, None, Usage(), None


async def _change(
    command: ClassifyIntent, store: Store, model: Model | None, proposed: ChangeAnswer | None, spent: Usage
) -> tuple[Ref | None, Usage, Text | None]:
    """Return the change, or None for a template that cannot be read: who reads it again says why."""
    try:
        change, usage = await read_change(store, command, model, command.allowance.less(spent), proposed)
    except BadInput:
        return None, Usage(), None
    return await _put(store, change), usage, change.trouble


async def _spec(
    command: ClassifyIntent, store: Store, model: Model | None, answer: IntentAnswer | None, spent: Usage
) -> Ref | None:
    """Return the report, or None where it is read later: a model is asked with the knowledge that is recalled first."""
    if answer and answer.spec and not (answer.truncated or command.remarks):
        return await _put(store, from_model(without_replacement(command.text), answer, command.language))
    try:
        described = command.model_copy(update={"text": without_replacement(command.text)})
        request, sure = await read_spec_by_rules(store, described)
    except TerminalError:
        return None
    may_ask = model is not None and command.allowance.less(spent).calls > 0
    return await _put(store, request) if sure or not may_ask else None


async def _put(store: Store, value: BaseModel) -> Ref:
    return await store.put(value.model_dump_json().encode(), "application/json")
