"""A file larger than memory, beside Polars' own streaming: `python -m bench.streaming [ROWS]`.

Sixty million rows are a CSV file of about 4 GB. Every command runs in a process of its own; what
the release needs beside its file (link, shuffled parts) is on the same disk.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from bench.enlarged import enlarged
from bench.harness import write_section
from bench.processes import Spent, run

ROWS, DRAWN = 60_000_000, 2_000_000
K = 125
PEAK_MB = 2048
FLOOR = "import polars, sys;polars.scan_csv(sys.argv[1], infer_schema=False).sink_csv(sys.argv[2])"
TITLE = "A file larger than memory (`python -m bench.streaming`)"


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        text = as_markdown(rows, *_measured(Path(name), rows))
    print(text)
    write_section(TITLE, text)


def _measured(folder: Path, rows: int) -> tuple[float, list[tuple[str, Spent]]]:
    """The size of the file in GB, and what each command took."""
    source, out = folder / "x.csv", folder / "y.csv"
    qi, hierarchies = _write(source, rows)
    tokumei = [sys.executable, "-m", "tokumei"]
    claim = ["--engine", "stream", "--qi", ",".join(qi), "--k", str(K)]
    files = ["--data", str(source), "--out", str(out), "--secret", str(folder / "link.csv")]
    method = ["--method", "local", "--hierarchies", hierarchies, "--seed", "1"]
    found = [("Polars: scan + sink", run([sys.executable, "-c", FLOOR, str(source), str(out)]))]
    out.unlink()
    ours = run([*tokumei, "anonymize", "table", *claim, *method, *files])
    found.append(("anonymize table --engine stream --method local, shuffled, verified", ours))
    found.append(("check --engine stream", run([*tokumei, "check", *claim, "--release", str(out)])))
    return source.stat().st_size / 1e9, found


def _write(path: Path, rows: int) -> tuple[list[str], str]:
    """So many rows, drawn again and again from some; the quasi-identifiers and hierarchies."""
    frame, qi, hierarchies = enlarged(min(rows, DRAWN))
    random = np.random.default_rng(2)
    with path.open("wb") as stream:
        for done in range(0, rows, DRAWN):
            drawn = frame[random.permutation(frame.height)[: rows - done]]
            drawn.write_csv(stream, include_header=not done)
    return qi, hierarchies


def as_markdown(rows: int, size: float, found: list[tuple[str, Spent]]) -> str:
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    lines = [
        f"{rows:,} rows, {size:.2f} GB of CSV, 8 quasi-identifiers, k = {K}. "
        f"{os.cpu_count()} cores, load at the end {load}. Target: peak ≤ {PEAK_MB:,} MB.",
        "",
        "| command | seconds | CPU seconds | peak MB |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {what} | {spent.wall:.0f} | {spent.cpu:.0f} | {spent.peak_mb:,.0f} |"
        for what, spent in found
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
