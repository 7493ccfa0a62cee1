"""Recoding: the whole command on a million and ten million rows, and the kernels on Adult."""

from __future__ import annotations

import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from bench.enlarged import adult_data, enlarged
from bench.harness import Result, best_of
from bench.processes import Spent, run
from tokumei.tables.anonymizers.recoding.lattice import find_best_levels
from tokumei.tables.anonymizers.recoding.lattice_task import LatticeQuery
from tokumei.tables.anonymizers.recoding.local_search import recode_locally
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.hierarchies.choose import choose_hierarchies

MILLION = 1_000_000
LARGE = 10 * MILLION
ROUNDS = 5
K = 10
NCP = {5: 0.02835, 10: 0.04325, 50: 0.0960}
FLOOR = "import polars, sys; polars.read_csv(sys.argv[1]).write_csv(sys.argv[2])"


def results() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        return [*_million(Path(folder)), *_ten_million(Path(folder)), *_kernels()]


def _million(folder: Path) -> list[Result]:
    source, ours = _written(MILLION, folder)
    floor = [sys.executable, "-c", FLOOR, str(source), str(folder / "z.csv")]
    run(ours)  # a checkout compiles the kernels that are missing
    rounds = [(run(floor), run(ours)) for _ in range(ROUNDS)]
    least, most = (Spent.least(spent) for spent in zip(*rounds, strict=True))
    what = f"anonymize table --method local, {MILLION:,} × 8 QI, verified, the whole command"
    name = f"Polars read + write, peak {least.peak_mb:.0f} MB"
    target = "ratio ≤ 2.4, peak ≤ 1.5 × Polars'"
    return [
        Result(what, most.wall, least.wall, name, target, most.peak_mb),
        Result(f"{what}: CPU seconds", most.cpu, least.cpu, name, "ratio ≤ 2.4"),
    ]


def _ten_million(folder: Path) -> list[Result]:
    _, ours = _written(LARGE, folder)
    spent = run(ours)
    what = f"anonymize table --method local, {LARGE:,} × 8 QI, verified, the whole command"
    return [Result(what, spent.wall, None, "", "≤ 120 s and ≤ 8 GB", spent.peak_mb)]


def _written(rows: int, folder: Path) -> tuple[Path, list[str]]:
    """A table of that many rows, and the command that anonymizes it."""
    source = folder / "x.csv"
    frame, qi, hierarchies = enlarged(rows)
    frame.write_csv(source)
    command = f"-m tokumei anonymize table --method local --k {K} --qi {','.join(qi)}".split()
    files = {"data": source, "out": folder / "y.csv", "secret": folder / "link.csv"}
    options = [part for name, path in files.items() for part in (f"--{name}", str(path))]
    return source, [sys.executable, *command, *options, "--hierarchies", hierarchies]


def _kernels() -> list[Result]:
    """CPU seconds after load, on one thread."""
    adult = adult_data()
    if adult is None:
        return []
    frame, qi, hierarchies = adult
    found = LocalEngine(frame).tuples(qi)
    problem = RecodingProblem.of(found, choose_hierarchies(hierarchies, frame, qi))
    results = []
    for k, most in NCP.items():
        loss = recode_locally(problem, k).loss
        what = f"local recoding of Adult, k = {k}, NCP {loss:.5f}: CPU seconds"
        seconds = best_of(3, partial(recode_locally, problem, k), clock=time.process_time)
        results.append(Result(what, seconds, None, "", f"≤ 0.5 s, NCP ≤ {most}"))
        seconds = best_of(
            3, partial(find_best_levels, problem, LatticeQuery(k=k)), clock=time.process_time
        )
        what = f"full-domain optimum of Adult, k = {k}: CPU seconds"
        results.append(Result(what, seconds, None, "", "≤ 0.5 s"))
    return results
