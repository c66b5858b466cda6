"""`serve.yaml`: its fields, its defaults and its errors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.shared.errors import BadInput
from bandsmith.shared.events import Service
from bandsmith.shared.serving.pools import DEFAULTS, OcrPool, Pool, Pools, completed, read_pools

SAMPLE = Path(__file__).parents[2] / "serve.yaml"


@pytest.fixture
def config(tmp_path: Path):
    def write(text: str) -> Path:
        path = tmp_path / "serve.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_sample_equals_the_defaults_and_names_every_field():
    assert read_pools(SAMPLE) == read_pools(None) == DEFAULTS
    named = set(re.findall(r"^ +(?:# )?(\w+):", SAMPLE.read_text(encoding="utf-8"), re.MULTILINE))
    assert named == set(OcrPool.model_fields)
    assert set(Pools.model_fields) == set(get_args(Service))


def test_omitted_fields_have_the_service_s_defaults(config):
    pools = read_pools(config("ocr: {max: 4, gpus: 0.25, resources: {ocr_gpu: 1}, device: cuda}\nplanner:\n"))
    assert pools.ocr == DEFAULTS.ocr.model_copy(
        update={"max": 4, "gpus": 0.25, "resources": {"ocr_gpu": 1.0}, "device": "cuda"}
    )
    assert pools.planner == DEFAULTS.planner
    assert read_pools(config("# nothing yet\n")) == DEFAULTS
    # ... and so are the arguments of an application in KubeRay's serveConfigV2
    assert completed("generator", Pool.model_validate({"max": 3})) == DEFAULTS.generator.model_copy(update={"max": 3})


def test_ocr_engine_and_device_become_settings(monkeypatch: pytest.MonkeyPatch):
    for name, value in OcrPool(engine="rapid", device="cuda", fallback="cpu").environment().items():
        monkeypatch.setenv(name, value)
    settings = OcrSettings()
    assert (settings.engine, settings.device, settings.fallback) == ("rapid", "cuda", "cpu")
    assert OcrPool().environment() == {}
    for field in ("engine", "device", "fallback"):
        ours, theirs = (get_args(kind.model_fields[field].annotation) for kind in (OcrPool, OcrSettings))
        assert set(ours) == {"", *theirs}


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        ("printer: {max: 2}", "printer: unknown field. Known fields are ocr, planner, generator", "没有这个字段"),
        ("ocr: {maxx: 2}", "ocr.maxx: unknown field. Known fields are min, max, target_lag", "没有这个字段"),
        ("planner: {engine: rapid}", "planner.engine: unknown field.", "没有这个字段"),
        ("ocr: {max: many}", "ocr.max: must be a whole number of at least 1.", "必须是不小于 1 的整数"),
        ("ocr: {min: -1}", "ocr.min: must be a whole number of at least 0.", "必须是不小于 0 的整数"),
        ("ocr: {gpus: half}", "ocr.gpus: must be a number of at least 0.", "必须是不小于 0 的数字"),
        ("ocr: {device: tpu}", "ocr.device: must be one of cpu, cuda.", "必须是以下值之一：cpu、cuda"),
        ("ocr: {resources: {big: 0}}", "ocr.resources.big: must be names, each with a number", "大于 0 的数字"),
        ("ocr: {resources: 3}", "ocr.resources: must be names, each with a number", "大于 0 的数字"),
        ("generator: {min: 3, max: 2}", "generator: min must not be greater than max.", "min 不能大于 max"),
        ("ocr: 3", "ocr: must consist of fields, each with a value.", "应由字段和对应的值组成"),
        ("- ocr", "--config: must consist of fields, each with a value.", "应由字段和对应的值组成"),
        ("ocr:\n  max: 1\n min: 2", "is not valid YAML from line 3 on.", "从第 3 行起"),
    ],
)
def test_an_error_names_the_field_and_its_valid_values(config, text: str, english: str, chinese: str):
    with pytest.raises(BadInput) as raised:
        read_pools(config(text))
    assert english in raised.value.message and chinese in raised.value.message_zh


def test_a_missing_file_is_an_error(tmp_path: Path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_pools(tmp_path / "none.yaml")
