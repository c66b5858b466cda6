"""Choose where an engine computes: on the CPU, or on a GPU through ONNX Runtime's CUDA provider."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import Any

import onnxruntime
import structlog

from bandsmith.shared.errors import MissingPart
from bandsmith.shared.replies import text

from ..settings import OcrSettings
from .models import RECOGNITION, onnx_file

log = structlog.get_logger(__name__)

Providers = list[tuple[str, dict[str, Any]]]
"""ONNX Runtime's providers with their options, the preferred one first."""

CPU = "CPUExecutionProvider"
CUDA = "CUDAExecutionProvider"
CUDA_OPTIONS = {
    "device_id": 0,  # the first one that CUDA_VISIBLE_DEVICES shows; a host that shares GPUs sets that
    # By default cuDNN benchmarks every algorithm for every new shape, and each crop of a page has its own shape.
    "cudnn_conv_algo_search": "HEURISTIC",
    # By default memory grows in powers of two, so replicas that share a GPU would crowd each other out.
    "arena_extend_strategy": "kSameAsRequested",
}


def choose(settings: OcrSettings) -> Providers:
    """Return the providers to request.

    Raises ``MissingPart`` when a GPU is requested, none is available and the CPU is not allowed as a fallback.
    """
    if settings.device == "cpu":
        return [(CPU, {})]
    try:
        gpu_name()
    except MissingPart as error:
        _fall_back(settings, error)
        return [(CPU, {})]
    onnxruntime.set_default_logger_severity(4)  # our own messages say what is missing
    with redirect_stdout(io.StringIO()):
        onnxruntime.preload_dlls()  # load CUDA's libraries from where pip installs them
    return [(CUDA, CUDA_OPTIONS), (CPU, {})]


def confirm(settings: OcrSettings, providers: Providers, sessions: Iterable[onnxruntime.InferenceSession]) -> None:
    """Check that the sessions use the requested provider.

    Where CUDA does not start, ONNX Runtime uses the CPU silently.
    Raises ``MissingPart`` unless the CPU is allowed as a fallback.
    """
    wanted = providers[0][0]
    sessions = list(sessions)
    if any(session.get_providers()[0] != wanted for session in sessions):
        _fall_back(settings, _no_libraries())
    elif not settings.fallback:
        for session in sessions:  # do not switch later either: when a GPU fails, another replica reads the page again
            session.disable_fallback()


def describe(settings: OcrSettings) -> str:
    """Describe where engines compute with these settings, tested with a real session. Raises ``MissingPart``."""
    if settings.device == "cpu":
        try:
            return text("ocr.device.cpu_with_gpu", "en", gpu=gpu_name())
        except MissingPart:
            return text("ocr.device.cpu", "en")
    try:
        strict = settings.model_copy(update={"fallback": ""})
        providers = choose(strict)
        confirm(strict, providers, [onnxruntime.InferenceSession(str(onnx_file(RECOGNITION)), providers=providers)])
        return gpu_name()
    except MissingPart as error:
        if not settings.fallback:
            raise
        return text("ocr.device.fallback", "en", reason=error.message)


def gpu_name() -> str:
    """Return the GPU's name as its driver gives it. Raises ``MissingPart`` for the first thing that is missing."""
    if CUDA not in onnxruntime.get_available_providers():
        raise MissingPart.of("ocr.gpu.no_provider", code=MissingPart.code)
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise MissingPart.of("ocr.gpu.no_driver", code=MissingPart.code) from None
    device, name = ctypes.c_int(), ctypes.create_string_buffer(100)
    if driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0):
        raise MissingPart.of("ocr.gpu.no_device", code=MissingPart.code)
    driver.cuDeviceGetName(name, len(name), device)
    return name.value.decode(errors="replace")


def _fall_back(settings: OcrSettings, error: MissingPart) -> None:
    if not settings.fallback:
        raise error
    log.warning("ocr.device.fallback", device="cpu", wanted=settings.device, why=error.message)


def _no_libraries() -> MissingPart:
    version = onnxruntime.cuda_version.split(".")[0] or "12"
    return MissingPart.of("ocr.gpu.no_libraries", code=MissingPart.code, version=version)
