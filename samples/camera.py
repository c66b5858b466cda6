"""Simulate how a page is captured: photographed by a phone on a desk, or scanned slightly skewed."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image

PHOTO_SIZE = (1600, 1200)
"""Width and height of a photo in pixels."""


def photograph(page: Image.Image, seed: int, corners: list[tuple[int, int]]) -> Image.Image:
    """Photograph a page on a wooden desk under a lamp; `corners` are its corners there, clockwise from top left."""
    noise = np.random.default_rng(seed)
    width, height = PHOTO_SIZE
    sheet: np.ndarray = np.asarray(page, np.float32)
    flat = np.array([[0, 0], [page.width, 0], [page.width, page.height], [0, page.height]], np.float32)
    view = cv2.getPerspectiveTransform(flat, np.array(corners, np.float32))
    # The page is larger than its area in the photo: soften it first, or thin strokes would break up.
    sheet = cv2.GaussianBlur(sheet, (0, 0), 0.5)
    paper = cv2.warpPerspective(sheet, view, PHOTO_SIZE, flags=cv2.INTER_CUBIC)
    cover = cv2.warpPerspective(np.ones(sheet.shape[:2], np.float32), view, PHOTO_SIZE)[..., None]

    shadow = cv2.GaussianBlur(np.roll(cover[..., 0], (9, 7), (0, 1)), (0, 0), 9)[..., None]
    scene = _wood(noise) * (1 - 0.55 * shadow)
    scene = scene * (1 - cover) + paper * cover

    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    lamp = np.exp(-(((x - 0.35 * width) / (1.15 * width)) ** 2) - ((y - 0.2 * height) / (1.1 * height)) ** 2)
    scene *= (0.62 + 0.38 * lamp)[..., None] * np.array([1.0, 0.985, 0.95], np.float32)  # the light is warm

    scene = cv2.GaussianBlur(scene, (0, 0), 0.6) + noise.normal(0, 2.5, scene.shape)
    return Image.fromarray(np.clip(scene, 0, 255).astype(np.uint8))


def _wood(noise: np.random.Generator) -> np.ndarray:
    """Draw a desk top with long grain in two browns."""
    height = PHOTO_SIZE[1]
    grain = cv2.resize(noise.normal(0, 1, (height // 5, 8)), PHOTO_SIZE, interpolation=cv2.INTER_CUBIC)
    grain = grain + 0.6 * cv2.resize(noise.normal(0, 1, (height // 2, 24)), PHOTO_SIZE, interpolation=cv2.INTER_LINEAR)
    grain = cv2.GaussianBlur(grain, (0, 0), 2)
    dark, light = np.array([92, 62, 40], np.float32), np.array([134, 96, 64], np.float32)
    return dark + (light - dark) * np.clip(0.5 + 0.32 * grain, 0, 1)[..., None].astype(np.float32)


def scan(page: Image.Image, seed: int, degrees: float) -> Image.Image:
    """Scan a page on an office scanner: rotated by `degrees`, slightly grey, with specks of dust."""
    noise = np.random.default_rng(seed)
    paper = np.array([247, 246, 241], np.float32)
    turn = cv2.getRotationMatrix2D((page.width / 2, page.height / 2), degrees, 1)
    edge = (255, 255, 255)
    turned = cv2.warpAffine(np.asarray(page, np.float32), turn, page.size, flags=cv2.INTER_CUBIC, borderValue=edge)
    scene = 18 + turned * (paper - 18) / 255  # a scanner's black is never quite black
    for x, y, size in zip(
        noise.integers(0, page.width, 40), noise.integers(0, page.height, 40), noise.integers(1, 3, 40), strict=True
    ):
        cv2.circle(scene, (int(x), int(y)), int(size) // 2, (150, 148, 142), -1, cv2.LINE_AA)
    scene = cv2.GaussianBlur(scene, (0, 0), 0.55) + noise.normal(0, 2.0, scene.shape)
    return Image.fromarray(np.clip(scene, 0, 255).astype(np.uint8))
