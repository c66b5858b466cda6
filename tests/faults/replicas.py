"""Replicas in separate processes, to be killed: ``python -m tests.faults.replicas <number of each service>``.

They are forked from a process that has imported everything, so that a killed one is replaced quickly, and read their
settings from the environment. It prints ``ready`` when all of them accept messages for the first time. They form one
process group, which ends as a whole, however this program ends except by SIGKILL.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys

from bandsmith.services.gateway.actor import configured
from bandsmith.services.generator.actor import GeneratorActor
from bandsmith.services.ocr.actor import OcrActor
from bandsmith.services.planner.actor import PlannerActor
from bandsmith.services.validator.actor import ValidatorActor
from bandsmith.shared.events import Service
from bandsmith.shared.serving.pools import DEFAULTS
from bandsmith.shared.serving.replica import ServiceReplica, WorkFactory, actor_work

SERVICES: dict[Service, WorkFactory] = {
    "ocr": actor_work("ocr", OcrActor),
    "planner": actor_work("planner", PlannerActor),
    "generator": actor_work("generator", GeneratorActor),
    "validator": actor_work("validator", ValidatorActor),
    "gateway": configured,
}


def main(each: int) -> None:
    if os.getpgrp() != os.getpid():
        os.setpgrp()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        run(each)
    finally:
        os.killpg(0, signal.SIGKILL)  # a replica that was just forked is in the group, and in no list yet


def run(each: int) -> None:
    gc.freeze()  # what was imported stays shared
    started, starting = os.pipe()
    replicas = {fork(service, starting): service for service in SERVICES for _ in range(each)}
    for _ in replicas:
        os.read(started, 1)
    print("ready", flush=True)
    while True:
        process, _ = os.wait()
        service = replicas.pop(process)
        replicas[fork(service, starting)] = service


def fork(service: Service, starting: int) -> int:
    """The process of a new replica; it writes a byte there when it takes messages."""
    process = os.fork()
    if process == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            asyncio.run(work(service, starting))
        finally:
            os._exit(1)
    return process


async def work(service: Service, starting: int) -> None:
    replica = ServiceReplica(SERVICES[service], DEFAULTS.of(service).concurrency, {})
    await replica.start()
    os.write(starting, b".")
    await asyncio.Event().wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
