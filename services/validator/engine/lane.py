"""Workers for templates of one origin. A job that takes long is overtaken by those behind it.

A lane has at most ``MAX_WORKERS``: one, and another from the moment a job has run for ``SPARE_AFTER_S``, so that the
jobs behind it begin before it ends, and the next one after a kill finds a worker that is ready. A worker that has had
nothing to do for ``IDLE_S`` ends.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import structlog

from bandsmith.shared import orphan_threads
from bandsmith.shared.errors import MissingPart

from .client import ReportEngine

log = structlog.get_logger(__name__)
T = TypeVar("T")
MAX_WORKERS = 2
SPARE_AFTER_S = 3.0
"""How long a job may run before another worker starts. Most take less; a new worker takes about 4 s and 230 MB."""
IDLE_S = 300.0


class EngineLane:
    """One or two engines and their threads. Jobs begin in the order in which they come, each with its own engine."""

    def __init__(self, name: str, make: Callable[[], ReportEngine], *, kept: int) -> None:
        """`kept` is the number of workers that stay however long they have nothing to do."""
        self._kept = kept
        self._engines = [make() for _ in range(MAX_WORKERS)]
        self._threads = ThreadPoolExecutor(MAX_WORKERS, thread_name_prefix=f"engine-{name}")
        self._changed = threading.Condition()
        self._resting = list(self._engines)
        """Engines without a worker."""
        self._idle: dict[ReportEngine, threading.Timer] = {}
        """Engines with a worker and no job, the last used one last, and what ends their workers."""
        self._is_stopped = False

    @property
    def ready_pids(self) -> list[int]:
        """The processes of the workers that can begin a job at once."""
        return [engine.pid for engine in self._idle if engine.is_ready and engine.pid is not None]

    async def start(self) -> None:
        """Start the first worker. Raises ``MissingPart`` when the engine is not set up."""
        await self.run(ReportEngine.start)

    def warm_up(self) -> None:
        """Start a worker in the background, for the job that comes next."""
        self._threads.submit(self._run, ReportEngine.start)

    async def run(self, work: Callable[[ReportEngine], T]) -> T:
        """Do all the work for one template. Raises ``MissingPart`` when the engine is not set up."""
        return await orphan_threads.run_on(self._threads, lambda: self._run(work))

    async def stop(self) -> None:
        """End the workers once their jobs are done."""
        await asyncio.to_thread(self._stop)

    def _stop(self) -> None:
        self._threads.shutdown()
        with self._changed:
            self._is_stopped = True
            for timer in self._idle.values():
                timer.cancel()
        for engine in self._engines:
            engine.stop()

    def _run(self, work: Callable[[ReportEngine], T]) -> T:
        engine = self._take()
        try:
            engine.start()
            late = _later(SPARE_AFTER_S, self._add_spare)
            try:
                return work(engine)
            finally:
                late.cancel()
        finally:
            self._put(engine)

    def _take(self) -> ReportEngine:
        """Wait for an engine without a job; one whose worker is ready comes first."""
        with self._changed:
            self._changed.wait_for(lambda: self._idle or len(self._resting) == MAX_WORKERS)
            if not self._idle:
                return self._resting.pop()
            engine = max(self._idle, key=lambda engine: engine.is_ready)
            self._idle.pop(engine).cancel()
            return engine

    def _put(self, engine: ReportEngine) -> None:
        with self._changed:
            if self._is_stopped:
                engine.stop()
            elif engine.pid is None:
                self._resting.append(engine)
            else:
                self._idle[engine] = _later(IDLE_S, lambda: self._retire(engine))
            self._changed.notify_all()

    def _add_spare(self) -> None:
        with self._changed:
            if self._is_stopped or not self._resting:
                return
            engine = self._resting.pop()
        try:
            engine.start()
        except MissingPart as error:
            log.warning("engine.no_spare", code=error.code)
        self._put(engine)

    def _retire(self, engine: ReportEngine) -> None:
        """End the worker of an engine that has had nothing to do, unless it is kept."""
        with self._changed:
            if engine in self._idle and MAX_WORKERS - len(self._resting) > self._kept:
                del self._idle[engine]
                engine.stop()
                self._resting.append(engine)
                self._changed.notify_all()


def _later(seconds: float, work: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()
    return timer
