"""Missing resources are reported in one sentence before anything is started."""

from __future__ import annotations

import pytest

from bandsmith.ray.resources import cores, fit
from bandsmith.shared.errors import MissingPart
from bandsmith.shared.events import Service
from bandsmith.shared.serving.pools import DEFAULTS, OcrPool, Pool, Pools

SMALL = {"CPU": 4.0, "memory": 8e9}
GPU = {"CPU": 8.0, "GPU": 1.0, "ocr_gpu": 4.0}
ON_GPU = OcrPool(gpus=0.5, resources={"ocr_gpu": 1}, device="cuda")


def test_satisfiable_pools_are_unchanged():
    pools: dict[Service, Pool] = {"ocr": ON_GPU, "generator": DEFAULTS.generator}
    assert fit(pools, [SMALL, GPU]) == (pools, [])


@pytest.mark.parametrize(
    ("pool", "machines", "english", "chinese"),
    [
        (
            ON_GPU,
            [SMALL],
            "ocr needs GPU: 0.5 for each replica; no machine has any. Change ocr in the configuration.",
            "机器没有提供",
        ),
        (
            OcrPool(gpus=2, device="cuda"),
            [SMALL, GPU],
            "ocr needs GPU: 2 for each replica; a machine has at most 1. Change ocr in the configuration.",
            "最多提供 1",
        ),
        (
            OcrPool(resources={"big": 1}),
            [SMALL],
            "ocr needs big: 1 for each replica; no machine has any. Change ocr in the configuration.",
            "big: 1",
        ),
        (
            OcrPool(gpus=1, resources={"fast": 1}, device="cuda"),
            [GPU, SMALL | {"fast": 1.0}],
            "ocr needs CPU: 1, GPU: 1, fast: 1 for each replica; no single machine has all of it.",
            "没有一台机器同时具备",
        ),
        (
            OcrPool(gpus=0.5, min=4, max=4, device="cuda"),
            [GPU],
            "The services need GPU: 2 for the replicas that always run; the machines have 1.",
            "机器共有 1",
        ),
        (OcrPool(device="cuda"), [GPU], "device cuda needs a GPU for each replica: set gpus: 1", "请设置 gpus: 1"),
    ],
)
def test_a_missing_resource_is_an_error(pool: OcrPool, machines: list[dict[str, float]], english: str, chinese: str):
    with pytest.raises(MissingPart) as raised:
        fit({"ocr": pool}, machines)
    assert english in raised.value.message and chinese in raised.value.message_zh


def test_the_cpu_fallback_is_used_with_a_warning():
    pools, warnings = fit({"ocr": ON_GPU.model_copy(update={"fallback": "cpu"})}, [SMALL])
    assert (pools["ocr"].gpus, pools["ocr"].resources, pools["ocr"].environment()["BANDSMITH_OCR_DEVICE"]) == (
        0,
        {},
        "cpu",
    )
    assert [warning.message for warning in warnings] == [
        "ocr needs GPU: 0.5 for each replica; no machine has any. Change ocr in the configuration. The CPU is "
        "used instead."
    ]


def test_on_demand_resources_may_be_missing_at_first():
    on_demand = ON_GPU.model_copy(update={"on_demand": True, "min": 9, "max": 9, "fallback": "cpu"})
    pools: dict[Service, Pool] = {"ocr": on_demand, "generator": DEFAULTS.generator}
    fitted, warnings = fit(pools, [SMALL], growing=True)
    assert fitted == pools
    assert [warning.message for warning in warnings] == [
        "ocr needs CPU: 1, GPU: 0.5, ocr_gpu: 1 for each replica; no machine has it yet, so the cluster has to "
        "start one."
    ]
    # ... without a warning if the machines have them; contradictions and pools that are not on demand are refused
    assert fit(pools, [SMALL, GPU], growing=True) == (pools, [])
    for pool, growing in ((OcrPool(device="cuda", on_demand=True), True), (ON_GPU, True), (ON_GPU, False)):
        with pytest.raises(MissingPart):
            fit({"ocr": pool}, [SMALL], growing=growing)
    # ... and a Ray of our own never starts machines
    assert fit({"ocr": on_demand.model_copy(update={"min": 1})}, [SMALL]).pools["ocr"].gpus == 0


def test_a_private_ray_has_all_requested_resources():
    pools = Pools(ocr=OcrPool(max=3), planner=Pool(cpus=0.2))
    assert cores({"ocr": pools.ocr, "planner": pools.planner}) == 4
    assert cores({"planner": Pool(cpus=0)}) == 1
