"""The PP-OCR models, which the package rapidocr ships as ONNX files in its wheel: nothing is downloaded."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from pathlib import Path

import onnxruntime
import yaml

from bandsmith.shared.errors import MissingPart

DETECTION = "PP-OCRv6_small_det"
RECOGNITION = "PP-OCRv6_small_rec"
_FILES = {DETECTION: "PP-OCRv6_det_small.onnx", RECOGNITION: "PP-OCRv6_rec_small.onnx"}


def onnx_file(model: str) -> Path:
    """Return the ONNX file of a model. Raises ``MissingPart`` when rapidocr is not installed or lacks it."""
    package = importlib.util.find_spec("rapidocr")
    for folder in package.submodule_search_locations or () if package else ():
        file = Path(folder) / "models" / _FILES[model]
        if file.is_file():
            return file
    raise MissingPart.of("ocr.models", code=MissingPart.code)


def paddle_folder(model: str, cache: Path) -> Path:
    """Return a folder as PaddleOCR expects it (``inference.onnx``, ``inference.yml``), made in `cache` if missing."""
    source = onnx_file(model)
    folder = cache.expanduser() / f"{model}-{source.stat().st_size}"
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Written elsewhere and moved into place, so that two processes that start together never see half a folder.
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        made = Path(temporary) / model
        made.mkdir()
        shutil.copy(source, made / "inference.onnx")
        config = yaml.safe_dump(_config(model, source), allow_unicode=True)
        (made / "inference.yml").write_text(config, encoding="utf-8")
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    return folder


def _config(model: str, source: Path) -> dict:
    decode = {"DecodeImage": {"channel_first": False, "img_mode": "BGR"}}
    if model == DETECTION:
        normal = {"mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225], "scale": "1./255.", "order": "hwc"}
        before = [decode, {"DetResizeForTest": {"resize_long": 960}}, {"NormalizeImage": normal}, {"ToCHWImage": None}]
        after = {
            "name": "DBPostProcess",
            "thresh": 0.3,
            "box_thresh": 0.6,
            "max_candidates": 3000,
            "unclip_ratio": 1.5,
        }
    else:
        before = [decode, {"RecResizeImg": {"image_shape": [3, 48, 320]}}]
        after = {"name": "CTCLabelDecode", "character_dict": _characters(source)}
    return {
        "Global": {"model_name": model},
        "PreProcess": {"transform_ops": before},
        "PostProcess": after,
    }


def _characters(source: Path) -> list[str]:
    session = onnxruntime.InferenceSession(str(source), providers=["CPUExecutionProvider"])
    return session.get_modelmeta().custom_metadata_map["character"].split("\n")
