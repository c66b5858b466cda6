"""Form in, report out, filled and rendered again, compared with the form: over a folder of pages whose truth is known.

    python -m benchmarks.roundtrip CASES [--only 003,017] [--write]

CASES holds NNN.png (page 1 of a report, 150 dots per inch) and NNN.json (what is printed on it); score.py, which fills
and renders every template itself, and photo.py, which photographs the pages, lie in the folder above it. All inputs of
one page size share one process; the scorer only fetches what was built. keep.py beside it tries them with other
data: longer and missing values, many rows. Results stay in .bandsmith/roundtrip.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from tools import docs

ROOT = Path(__file__).resolve().parent.parent
BANDSMITH = str(Path(sys.executable).with_name("bandsmith"))
WORK = ROOT / ".bandsmith" / "roundtrip"
COLUMNS = ("text", "ink", "ssim", "rules", "dynamic", "detail")
TARGETS = {
    "PNG": (0.90, 0.90, 0.93, 0.85, 0.80, 0.80, 0.87),
    "photo": (0.80, 0.75, 0.85, 0.70, 0.75, 0.70, 0.76),
}


def build(images: list[Path], out: Path) -> float:
    """Build a template of each image, page by known page size, into `out`/<its name>. Gives seconds for one."""
    shutil.rmtree(out, ignore_errors=True)
    out.with_suffix(".log").write_text("")
    sizes = defaultdict(list)
    for image in images:
        page = json.loads(image.with_suffix(".json").read_text())["page"]
        sizes[f"{page['width']}x{page['height']}"].append(image)
    started = time.monotonic()
    for size, group in sizes.items():
        # alone, an input would land in the folder itself
        folder = out if len(group) > 1 else out / group[0].stem
        print(f"{out.name}: building {len(group)} pages of {size}", file=sys.stderr)
        command = [BANDSMITH, "build", *map(str, group), "--page", size, "--out", str(folder)]
        with out.with_suffix(".log").open("a") as log:
            subprocess.run(command, stdout=log, stderr=log, check=False)  # what was not built scores 0
    return (time.monotonic() - started) / len(images)


def score(scorer: Path, cases: Path, out: Path, photo: bool) -> list[dict]:
    """Return the rows that the scorer writes."""
    rows = out.with_suffix(".json")
    fetch = f"{sys.executable} -m benchmarks.roundtrip --fetch {out} {{image}} {{out}}"
    classpath = subprocess.run([BANDSMITH, "classpath"], capture_output=True, text=True, check=True).stdout.strip()
    command = [sys.executable, str(scorer), str(cases), "--build", fetch, "--classpath", classpath, "--json", str(rows)]
    subprocess.run([*command, *(["--photo"] if photo else [])], check=True, cwd=ROOT)
    return json.loads(rows.read_text())


def means(rows: list[dict]) -> list[float]:
    """Each column's mean over the pages that have one, and the mean of these means."""
    columns = [[row[name] for row in rows if row[name] is not None] for name in COLUMNS]
    found = [statistics.mean(column) if column else 0.0 for column in columns]
    return [*found, statistics.mean(found)]


def table(measured: dict[str, tuple[list[dict], float]]) -> str:
    lines = [f"| on | built, compiled, filled | {' | '.join(COLUMNS)} | fidelity | seconds a page |"]
    lines.append("|---" * (len(COLUMNS) + 4) + "|")
    for name, (rows, seconds) in measured.items():
        done = sum(not row["note"] for row in rows)
        figures = " | ".join(_figure(value) for value in means(rows))
        lines.append(f"| {name} | {done} of {len(rows)} | {figures} | {seconds:.1f} |")
        wanted = " | ".join(_figure(value) for value in TARGETS[name])
        lines.append(f"| *wanted* | *{len(rows)} of {len(rows)}* | {wanted} | |")
    return "\n".join(lines)


def keep(checker: Path, out: Path) -> dict[str, float]:
    """How the built templates behave with other data and how they read, by another program's account."""
    figures = out.with_suffix(".keep.json")
    classpath = subprocess.run([BANDSMITH, "classpath"], capture_output=True, text=True, check=True).stdout.strip()
    command = [sys.executable, str(checker), str(out), "--classpath", classpath, "--json", str(figures)]
    subprocess.run(command, check=True, cwd=ROOT)
    found: dict[str, float] = json.loads(figures.read_text())["means"]
    return found


def keep_table(measured: dict[str, dict[str, float]]) -> str:
    names = list(next(iter(measured.values())))
    lines = [f"| on | {' | '.join(names)} | mean |", "|---" * (len(names) + 2) + "|"]
    for name, figures in measured.items():
        cells = " | ".join(_figure(figures[column]) if column in figures else "-" for column in names)
        lines.append(f"| {name} | {cells} | {_figure(statistics.mean(figures.values()))} |")
    return "\n".join(lines)


def _figure(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def fetch(built: Path, image: Path, out: Path) -> int:
    """What the scorer runs as its build command: hand over what was built of `image`."""
    try:
        for name in ("report.jrxml", "data.json"):
            shutil.copy(built / image.stem / name, out / name)
    except FileNotFoundError:
        print("nothing was built", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path, nargs="?")
    parser.add_argument("--only", default="", help="some of the cases, by name, with commas between")
    parser.add_argument("--write", action="store_true", help="write the table into docs/benchmarks.md")
    parser.add_argument("--fetch", nargs=3, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fetch:
        return fetch(*options.fetch)
    if not options.cases or not list(options.cases.glob("*.png")):
        print("Name the folder of the cases: make bench-roundtrip CASES=folder", file=sys.stderr)
        return 2

    cases, tools = WORK / "cases", options.cases.resolve().parent
    shutil.rmtree(cases, ignore_errors=True)
    cases.mkdir(parents=True)
    only = set(filter(None, options.only.split(",")))
    for file in sorted(options.cases.iterdir()):
        if file.suffix in {".png", ".json"} and (not only or file.stem in only):
            shutil.copy(file, cases)
    subprocess.run([sys.executable, str(tools / "photo.py"), str(cases)], check=True)

    measured, kept = {}, {}
    for name, suffix in (("PNG", "png"), ("photo", "jpg")):
        out = WORK / name
        seconds = build(sorted(cases.glob(f"*.{suffix}")), out)
        measured[name] = (score(tools / "score.py", cases, out, photo=suffix == "jpg"), seconds)
        kept[name] = keep(tools / "keep.py", out)
    print(table(measured), keep_table(kept), sep="\n\n")
    if options.write:
        page = docs.put(docs.BENCHMARKS.read_text(), "roundtrip", table(measured))
        docs.BENCHMARKS.write_text(docs.put(page, "keep", keep_table(kept)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
