"""Questions that a turn ends with: the user of the program answers them in a form (elicitation).

Since protocol version 2026-07-28 a call ends with the question, and the program calls again with the answer and the
state that came with the question. Before, the question is a request within the call. A program that cannot ask its
user gets the question in the result; the model asks, and calls again with the answer as its request.
"""

from __future__ import annotations

from contextlib import suppress

from mcp.server.elicitation import render_elicitation_schema
from mcp.shared.exceptions import NoBackChannelError
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequests, InputRequiredResult
from mcp_types.version import is_version_at_least

from bandsmith.answers import answer_text, form_of
from bandsmith.shared.errors import BadInput
from bandsmith.shared.language import Language
from bandsmith.shared.model.session_parts import Pending
from bandsmith.shared.replies import text

from .host import Call

ANSWER = "answer"
FIRST_VERSION_WITH_STATE = "2026-07-28"


def given_answer(call: Call, language: Language) -> tuple[str, str | None] | None:
    """Return the session that a call continues and the user's answer, None for one that the user did not give.

    None for a call that answers nothing.
    """
    if not call.request_state or not call.input_responses:
        return None
    kind, _, session = call.request_state.partition(":")
    response = call.input_responses.get(ANSWER)
    return session, _as_text(kind, response, language) if isinstance(response, ElicitResult) else None


async def ask(call: Call, session: str, question: Pending, language: Language) -> InputRequiredResult | str | None:
    """Ask the user: return the answer as text, or what the call has to end with; None without an answer."""
    capabilities = call.client_capabilities
    if capabilities is None or capabilities.elicitation is None:
        return None
    schema = render_elicitation_schema(form_of(question))
    if is_version_at_least(call.protocol_version or "", FIRST_VERSION_WITH_STATE):
        params = ElicitRequestFormParams(message=question.text, requested_schema=schema)
        requests: InputRequests = {ANSWER: ElicitRequest(method="elicitation/create", params=params)}
        return InputRequiredResult(input_requests=requests, request_state=f"{question.kind}:{session}")
    try:
        response = await call.session.elicit_form(
            message=question.text,
            requested_schema=schema,
            related_request_id=call.request_id,
        )
    except NoBackChannelError:  # over HTTP, where any process may answer, programs of that age cannot be asked
        return None
    return _as_text(question.kind, response, language)


def _as_text(kind: str, response: ElicitResult, language: Language) -> str | None:
    """Return a filled form as the text of the turn that answers; None for one that was closed or is not valid."""
    if response.action == "decline" and kind == "confirmation":
        return text("web.request.no", language)
    if response.action != "accept":
        return None
    with suppress(BadInput):
        return answer_text(kind, response.content or {}, language)
    return None
