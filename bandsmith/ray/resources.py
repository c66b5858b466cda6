"""What a service's replicas need, and whether the machines of the cluster have it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bandsmith.shared.errors import MissingPart
from bandsmith.shared.events import Service
from bandsmith.shared.serving.pools import OcrPool, Pool

Machine = Mapping[str, float]
"""What a machine offers, as Ray names it: CPU, GPU, and resources of one's own naming."""
Wanted = Mapping[Service, Pool]


class Fitted(NamedTuple):
    pools: dict[Service, Pool]
    warnings: list[MissingPart]
    """What is missing, where the pool lets the CPU stand in for it or the cluster is to start a machine that has it."""


def fit(pools: Wanted, machines: Iterable[Machine], *, growing: bool = False) -> Fitted:
    """The pools as the machines can have them, or can in a growing cluster where the pool is `on_demand`.

    Raises ``MissingPart`` for what not one of them, or not all, have.
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
            warnings.append(_awaited(service, pool))
        elif on_cpu and not _missing(service, on_cpu, machines):
            fitted[service] = on_cpu
            warnings.append(_instead(missing))
        else:
            raise missing
    _together([pool for pool in fitted.values() if not (growing and pool.on_demand)], machines)
    return Fitted(fitted, warnings)


def cores(pools: Wanted) -> int:
    """For all replicas that there may be: what a Ray of our own, on one machine, is to count with."""
    return math.ceil(sum(pool.cpus * pool.max for pool in pools.values())) or 1


def _needs(pool: Pool) -> dict[str, float]:
    return {name: amount for name, amount in {"CPU": pool.cpus, "GPU": pool.gpus, **pool.resources}.items() if amount}


def _missing(service: Service, pool: Pool, machines: list[Machine]) -> MissingPart | None:
    """What keeps a single replica from running anywhere."""
    if wrong := _contradiction(service, pool):
        return wrong
    needs = _needs(pool)
    if any(all(machine.get(name, 0) >= amount for name, amount in needs.items()) for machine in machines):
        return None
    name = next((name for name, amount in needs.items() if _most(name, machines) < amount), "")
    if not name:
        wanted = _listed(needs)
        return MissingPart(
            f"{service} wants {wanted} for each replica; no single machine has all of it.",
            message_zh=f"{service} 的每个副本需要 {wanted}；没有一台机器同时具备。",
        )
    return _too_little(service, name, needs[name], _most(name, machines))


def _contradiction(service: Service, pool: Pool) -> MissingPart | None:
    """What no machine can mend."""
    if not (isinstance(pool, OcrPool) and pool.device == "cuda" and not pool.gpus):
        return None
    return MissingPart(
        f"{service}: device cuda needs a GPU for each replica: say gpus: 1, or less to share one.",
        message_zh=f"{service}：使用 cuda 须为每个副本分配 GPU：请设置 gpus: 1，或更小的数以共用。",
    )


def _most(name: str, machines: list[Machine]) -> float:
    return max((machine.get(name, 0) for machine in machines), default=0)


def _too_little(service: Service, name: str, wanted: float, most: float) -> MissingPart:
    there, there_zh = (f"has at most {most:g}", f"最多提供 {most:g}") if most else ("has any", "没有提供")
    some = "no machine" if not most else "a machine"
    return MissingPart(
        f"{service} wants {name}: {wanted:g} for each replica; {some} {there}. Change {service} in the configuration.",
        message_zh=f"{service} 的每个副本需要 {name}: {wanted:g}；机器{there_zh}。请修改 {service} 的配置。",
    )


def _awaited(service: Service, pool: Pool) -> MissingPart:
    wanted = _listed(_needs(pool))
    return MissingPart(
        f"{service} wants {wanted} for each replica; no machine has it yet, the cluster is to start one.",
        message_zh=f"{service} 的每个副本需要 {wanted}；目前没有机器具备，将由集群启动。",
    )


def _instead(missing: MissingPart) -> MissingPart:
    return MissingPart(f"{missing.message} The CPU does it instead.", message_zh=f"{missing.message_zh}改用 CPU。")


def _on_cpu(pool: Pool) -> OcrPool | None:
    """The same without GPU and without resources of one's own, where that is allowed."""
    if not isinstance(pool, OcrPool) or pool.fallback != "cpu":
        return None
    return pool.model_copy(update={"device": "cpu", "gpus": 0.0, "resources": {}})


def _together(pools: Iterable[Pool], machines: list[Machine]) -> None:
    """Whether the replicas that are always there have room beside each other."""
    wanted: dict[str, float] = {}
    for pool in pools:
        for name, amount in _needs(pool).items():
            wanted[name] = wanted.get(name, 0) + amount * pool.min
    for name, amount in wanted.items():
        there = sum(machine.get(name, 0) for machine in machines)
        if amount > there:
            raise MissingPart(
                f"The services want {name}: {amount:g} for the replicas that always run; the machines have {there:g}.",
                message_zh=f"各服务常驻副本共需要 {name}: {amount:g}；机器共有 {there:g}。",
            )


def _listed(needs: Mapping[str, float]) -> str:
    return ", ".join(f"{name}: {amount:g}" for name, amount in needs.items())
