"""Where an engine computes: on the CPU, or on a GPU through ONNX Runtime's CUDA provider; and what that lacks."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import Any

import onnxruntime
import structlog

from bandsmith.shared.errors import MissingPart

from ..settings import OcrSettings
from .models import RECOGNITION, onnx_file

log = structlog.get_logger(__name__)

Providers = list[tuple[str, dict[str, Any]]]
"""ONNX Runtime's providers with their options, the one that is wanted first."""

CPU = "CPUExecutionProvider"
CUDA = "CUDAExecutionProvider"
OPTIONS = {
    "device_id": 0,  # the first that CUDA_VISIBLE_DEVICES shows; a host that shares out GPUs sets that
    # By default cuDNN tries every algorithm for every new shape, and each crop of a page has its own.
    "cudnn_conv_algo_search": "HEURISTIC",
    # By default memory is taken in powers of two; replicas that share a GPU would crowd each other out.
    "arena_extend_strategy": "kSameAsRequested",
}


def choose(settings: OcrSettings) -> Providers:
    """What sessions are to be asked for.

    Raises ``MissingPart`` where a GPU is wanted, none answers, and nothing may stand in for it.
    """
    if settings.device == "cpu":
        return [(CPU, {})]
    try:
        gpu_name()
    except MissingPart as error:
        _fall_back(settings, error)
        return [(CPU, {})]
    onnxruntime.set_default_logger_severity(4)  # what is missing is said in our own words
    with redirect_stdout(io.StringIO()):
        onnxruntime.preload_dlls()  # CUDA's libraries, from where pip puts them
    return [(CUDA, OPTIONS), (CPU, {})]


def confirm(settings: OcrSettings, providers: Providers, sessions: Iterable[onnxruntime.InferenceSession]) -> None:
    """Hold the sessions to what they were asked for: where CUDA does not start, ONNX Runtime takes the CPU instead.

    Raises ``MissingPart`` unless the CPU may stand in.
    """
    wanted = providers[0][0]
    sessions = list(sessions)
    if any(session.get_providers()[0] != wanted for session in sessions):
        _fall_back(settings, _no_libraries())
    elif not settings.fallback:
        for session in sessions:  # nor later, when a GPU fails: the page is then tried again, by another replica
            session.disable_fallback()


def describe(settings: OcrSettings) -> str:
    """Where engines compute with these settings, tried with a real session. Raises ``MissingPart`` as they would."""
    if settings.device == "cpu":
        try:
            return f"CPU; BANDSMITH_OCR_DEVICE=cuda takes the GPU, {gpu_name()}"
        except MissingPart:
            return "CPU; there is no CUDA"
    try:
        strict = settings.model_copy(update={"fallback": ""})
        providers = choose(strict)
        confirm(strict, providers, [onnxruntime.InferenceSession(str(onnx_file(RECOGNITION)), providers=providers)])
        return gpu_name()
    except MissingPart as error:
        if not settings.fallback:
            raise
        return f"CPU instead of CUDA. {error.message}"


def gpu_name() -> str:
    """The GPU's name, as its driver says it. Raises ``MissingPart`` for the first thing that is not there."""
    if CUDA not in onnxruntime.get_available_providers():
        raise MissingPart(
            "ONNX Runtime is installed without CUDA: run `pip uninstall -y onnxruntime onnxruntime-gpu` and "
            "`pip install 'onnxruntime-gpu[cuda,cudnn]>=1.23,<2'`.",
            message_zh="安装的 ONNX Runtime 不含 CUDA：请运行 `pip uninstall -y onnxruntime onnxruntime-gpu`，"
            "再运行 `pip install 'onnxruntime-gpu[cuda,cudnn]>=1.23,<2'`。",
        )
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise MissingPart(
            "The NVIDIA driver is not installed: install it, or give the container access to the GPU.",
            message_zh="没有安装 NVIDIA 驱动：请安装驱动，或让容器能够访问 GPU。",
        ) from None
    device, name = ctypes.c_int(), ctypes.create_string_buffer(100)
    if driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0):
        raise MissingPart(
            "No GPU answers: check what `nvidia-smi` lists and what CUDA_VISIBLE_DEVICES allows.",
            message_zh="没有可用的 GPU：请检查 `nvidia-smi` 的输出和 CUDA_VISIBLE_DEVICES 的设置。",
        )
    driver.cuDeviceGetName(name, len(name), device)
    return name.value.decode(errors="replace")


def _fall_back(settings: OcrSettings, error: MissingPart) -> None:
    if not settings.fallback:
        raise error
    log.warning("ocr.device.fallback", device="cpu", wanted=settings.device, why=error.message)


def _no_libraries() -> MissingPart:
    version = onnxruntime.cuda_version.split(".")[0] or "12"
    return MissingPart(
        f"The GPU's libraries are not complete: install CUDA {version} and cuDNN 9 with "
        "`pip install 'onnxruntime-gpu[cuda,cudnn]>=1.23,<2'`, and a driver that is new enough for them.",
        message_zh=f"GPU 运行库不完整：请运行 `pip install 'onnxruntime-gpu[cuda,cudnn]>=1.23,<2'` 安装 CUDA {version} "
        "和 cuDNN 9，并使用足够新的驱动。",
    )
