"""The GPU is used, or the missing part is named; the CPU is used instead only where that is allowed.

These tests run without a GPU. Another real provider takes CUDA's place to test what sessions request and whether they
are held to it.
"""

import json
import os
import subprocess
import sys
from typing import Literal

import onnxruntime
import pytest

from bandsmith.services.ocr.actor import OcrActor
from bandsmith.services.ocr.engines import device, open_engine
from bandsmith.services.ocr.engines.paddle import PaddleEngine
from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.shared.bus.memory import Broker, MemoryBus
from bandsmith.shared.errors import MissingPart
from bandsmith.shared.settings import BusSettings
from tests.ocr.sample_forms import form

ANOTHER = "AzureExecutionProvider"
"""A provider of every ONNX Runtime build that starts without a device."""
EngineName = Literal["paddle", "rapid"]
engines = pytest.mark.parametrize("engine", ["paddle", "rapid"])
without_cuda = pytest.mark.skipif(
    device.CUDA in onnxruntime.get_available_providers(), reason="this ONNX Runtime has CUDA"
)
with_another = pytest.mark.skipif(
    ANOTHER not in onnxruntime.get_available_providers(), reason="this ONNX Runtime has no other provider to try"
)


@pytest.fixture
def a_gpu_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "gpu_name", lambda: "a GPU")


@without_cuda
@pytest.mark.parametrize("engine", [pytest.param("paddle", marks=pytest.mark.slow), "rapid"])
async def test_without_cuda_a_gpu_replica_refuses_to_start(engine: EngineName):
    actor = OcrActor(MemoryBus(Broker(), BusSettings()), OcrSettings(engine=engine, device="cuda"))
    with pytest.raises(MissingPart) as raised:
        await actor.start()
    await actor.stop()
    assert "onnxruntime-gpu" in raised.value.message
    assert "CUDA" in raised.value.message_zh and raised.value.message_zh != raised.value.message


@pytest.mark.slow
@without_cuda
@engines
def test_fallback_to_the_cpu_is_logged_once(engine: str):
    program = f"""
import json, numpy
from bandsmith.services.ocr.engines import open_engine
from bandsmith.services.ocr.settings import OcrSettings
from bandsmith.shared.telemetry.log import configure
configure()
engine = open_engine(OcrSettings(engine={engine!r}))
engine.start()
print(json.dumps(engine.detect(numpy.full((200, 200, 3), 255, numpy.uint8))))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"BANDSMITH_OCR_DEVICE": "cuda", "BANDSMITH_OCR_FALLBACK": "cpu"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout.splitlines()[-1]) == []
    (entry,) = [json.loads(line) for line in ran.stderr.splitlines() if "ocr.device" in line]
    assert (entry["event"], entry["level"], entry["wanted"]) == ("ocr.device.fallback", "warning", "cuda")
    assert "onnxruntime-gpu" in entry["why"]


@pytest.mark.slow
@with_another
@engines
def test_a_session_that_silently_uses_the_cpu_is_detected(
    engine: EngineName, monkeypatch: pytest.MonkeyPatch, a_gpu_answers: None
):
    """This happens with a driver and a GPU, but no cuDNN: ONNX Runtime continues silently."""
    monkeypatch.setattr(onnxruntime, "InferenceSession", _on_the_cpu())
    monkeypatch.setattr("rapidocr.inference_engine.onnxruntime.main.InferenceSession", onnxruntime.InferenceSession)
    monkeypatch.setattr(device, "CUDA", ANOTHER)
    with pytest.raises(MissingPart, match="cuDNN"):
        open_engine(OcrSettings(engine=engine, device="cuda")).start()
    open_engine(OcrSettings(engine=engine, device="cuda", fallback="cpu")).start()


@pytest.mark.slow
@with_another
def test_sessions_use_the_requested_provider_and_keep_it(monkeypatch: pytest.MonkeyPatch, a_gpu_answers: None):
    requested = []

    class Noting(onnxruntime.InferenceSession):
        def __init__(self, *args, providers, provider_options, **more):
            requested.append((providers, provider_options))
            super().__init__(*args, providers=providers, provider_options=provider_options, **more)

    monkeypatch.setattr(onnxruntime, "InferenceSession", Noting)
    monkeypatch.setattr(device, "CUDA", ANOTHER)
    engine = open_engine(OcrSettings(engine="paddle", device="cuda"))
    engine.start()
    assert isinstance(engine, PaddleEngine)

    assert requested == 2 * [([ANOTHER, device.CPU], [device.CUDA_OPTIONS, {}])]
    for model in (engine._detector, *engine._recognisers):
        session = model.paddlex_predictor.runner.session
        assert session.get_providers() == [ANOTHER, device.CPU]
        assert not session._enable_fallback
    assert len(engine.detect(form())) > 10


def test_rapid_requests_the_same_options(monkeypatch: pytest.MonkeyPatch, a_gpu_answers: None):
    from rapidocr.inference_engine.onnxruntime import main, provider_config

    monkeypatch.setattr(provider_config, "get_available_providers", lambda: [device.CUDA, device.CPU])
    monkeypatch.setattr(provider_config, "get_device", lambda: "GPU")
    requested = []

    class Noting(onnxruntime.InferenceSession):
        def __init__(self, *args, providers, **more):
            requested.append(providers)
            super().__init__(*args, providers=[device.CPU], **more)

    monkeypatch.setattr(main, "InferenceSession", Noting)
    open_engine(OcrSettings(engine="rapid", device="cuda", fallback="cpu")).start()
    assert [providers[0][0] for providers in requested] == 2 * [device.CUDA]
    for _, options in (providers[0] for providers in requested):
        assert options.items() >= device.CUDA_OPTIONS.items()


def _on_the_cpu() -> type:
    class OnTheCpu(onnxruntime.InferenceSession):
        def __init__(self, *args, providers, provider_options=None, **more):
            super().__init__(*args, providers=[device.CPU], **more)

    return OnTheCpu
