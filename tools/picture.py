"""Update the picture in the README from the output of ``make demo``: ``python -m tools.picture``."""

from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 1280


def main() -> None:
    picture = Image.open(ROOT / "out" / "compare.png").convert("RGB")
    height = round(picture.height * WIDTH / picture.width)
    small = picture.resize((WIDTH, height), Image.Resampling.LANCZOS)
    few = small.quantize(96, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)  # keeps the colours of the marks
    few.save(ROOT / "samples" / "compare.png", optimize=True)


if __name__ == "__main__":
    main()
