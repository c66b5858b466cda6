"""One model call, with its metrics and its span."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..handler_timeout import report_progress
from ..model.allowance import Usage
from ..telemetry import metrics, traces


class ModelCall:
    """The outcome and cost of a call."""

    outcome = "broken"
    """Initial value, for a caller that was cancelled or failed."""
    usage = Usage()

    def finished(self, outcome: str, usage: Usage) -> None:
        self.outcome, self.usage = outcome, usage


@contextmanager
def model_call(model: str) -> Iterator[ModelCall]:
    """Count, time and trace the model call made in the block, which also counts as progress of its handler."""
    report_progress()
    call, start = ModelCall(), time.perf_counter()
    with traces.calling(model) as span:
        try:
            yield call
        finally:
            used = call.usage
            metrics.model_called(call.outcome, time.perf_counter() - start, used.tokens_in, used.tokens_out)
            span.set(outcome=call.outcome, tokens_in=used.tokens_in, tokens_out=used.tokens_out)
            if call.outcome not in ("answered", "cut", "stopped"):
                span.fail()
    report_progress()
