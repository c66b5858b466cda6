"""Whether the machines of a cluster have what the replicas of each service need."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bandsmith.shared.errors import MissingPart
from bandsmith.shared.events import Service
from bandsmith.shared.replies import Text
from bandsmith.shared.serving.pools import OcrPool, Pool

Machine = Mapping[str, float]
"""What a machine offers, under Ray's names: CPU, GPU, and custom resources."""
PoolsByService = Mapping[Service, Pool]


class Fitted(NamedTuple):
    """The pools as the machines can hold them."""

    pools: dict[Service, Pool]
    warnings: list[MissingPart]
    """What is missing where the pool falls back to the CPU, or the cluster has to start a machine."""


def fit(pools: PoolsByService, machines: Iterable[Machine], *, growing: bool = False) -> Fitted:
    """Fit the pools to the machines; in a `growing` cluster, a pool that is ``on_demand`` may wait for new machines.

    Raises ``MissingPart`` when no machine can hold a replica, or the machines together cannot hold all of them.
    """
    machines = list(machines)
    fitted: dict[Service, Pool] = {}
    warnings = []
    for service, pool in pools.items():
        fitted[service] = pool
        missing = _missing(service, pool, machines)
        if missing is None:
            continue
        on_cpu = _on_cpu(pool)
        if growing and pool.on_demand and not _contradiction(service, pool):
            warnings.append(MissingPart.of("cli.ray.on_demand", service=service, needs=_listed(_needs(pool))))
        elif on_cpu and not _missing(service, on_cpu, machines):
            fitted[service] = on_cpu
            warnings.append(_falls_back(missing))
        else:
            raise missing
    _check_total([pool for pool in fitted.values() if not (growing and pool.on_demand)], machines)
    return Fitted(fitted, warnings)


def cores(pools: PoolsByService) -> int:
    """Return the cores of all replicas at their maximum, which a Ray of our own is started with."""
    return math.ceil(sum(pool.cpus * pool.max for pool in pools.values())) or 1


def _needs(pool: Pool) -> dict[str, float]:
    return {name: amount for name, amount in {"CPU": pool.cpus, "GPU": pool.gpus, **pool.resources}.items() if amount}


def _missing(service: Service, pool: Pool, machines: list[Machine]) -> MissingPart | None:
    """Return what keeps a single replica from running on any machine."""
    if contradiction := _contradiction(service, pool):
        return contradiction
    needs = _needs(pool)
    if any(all(machine.get(name, 0) >= amount for name, amount in needs.items()) for machine in machines):
        return None
    for name, amount in needs.items():
        largest = max((machine.get(name, 0) for machine in machines), default=0)
        if largest < amount:
            code = "cli.ray.too_little" if largest else "cli.ray.none_has"
            return MissingPart.of(code, service=service, name=name, amount=f"{amount:g}", largest=f"{largest:g}")
    return MissingPart.of("cli.ray.not_on_one_machine", service=service, needs=_listed(needs))


def _contradiction(service: Service, pool: Pool) -> MissingPart | None:
    """Return what is wrong with the pool itself, on any machine."""
    if isinstance(pool, OcrPool) and pool.device == "cuda" and not pool.gpus:
        return MissingPart.of("cli.ray.cuda_without_gpu", service=service)
    return None


def _falls_back(missing: MissingPart) -> MissingPart:
    fallback = Text.of("cli.ray.cpu_instead")
    return MissingPart(f"{missing.message} {fallback.en}", message_zh=f"{missing.message_zh}{fallback.zh}")


def _on_cpu(pool: Pool) -> OcrPool | None:
    """Return the pool without GPU and custom resources, if it may fall back to the CPU."""
    if not isinstance(pool, OcrPool) or pool.fallback != "cpu":
        return None
    return pool.model_copy(update={"device": "cpu", "gpus": 0.0, "resources": {}})


def _check_total(pools: Iterable[Pool], machines: list[Machine]) -> None:
    """Raise ``MissingPart`` when the replicas that always run do not fit on the machines together."""
    wanted: dict[str, float] = {}
    for pool in pools:
        for name, amount in _needs(pool).items():
            wanted[name] = wanted.get(name, 0) + amount * pool.min
    for name, amount in wanted.items():
        available = sum(machine.get(name, 0) for machine in machines)
        if amount > available:
            raise MissingPart.of("cli.ray.total", name=name, amount=f"{amount:g}", available=f"{available:g}")


def _listed(needs: Mapping[str, float]) -> str:
    return ", ".join(f"{name}: {amount:g}" for name, amount in needs.items())
