"""One call of a model: counted, timed and traced, and a sign that whoever makes it is getting on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..handler_timeout import report_progress
from ..telemetry import metrics, traces
from .base import Usage


class Call:
    """What is said of a call when it is over."""

    outcome = "broken"
    """Until it is said otherwise: whoever made the call was stopped, or failed."""
    usage = Usage()

    def ended(self, outcome: str, usage: Usage) -> None:
        self.outcome, self.usage = outcome, usage


@contextmanager
def watched(model: str) -> Iterator[Call]:
    """Within it a model of this name is called."""
    report_progress()
    call, since = Call(), time.perf_counter()
    with traces.calling(model) as span:
        try:
            yield call
        finally:
            used = call.usage
            metrics.called(call.outcome, time.perf_counter() - since, used.tokens_in, used.tokens_out)
            span.note(outcome=call.outcome, tokens_in=used.tokens_in, tokens_out=used.tokens_out)
            if call.outcome not in ("answered", "cut", "stopped"):
                span.failed()
    report_progress()
