"""All figures of `tokumei release` and of roles, as one command: a section of bench/RESULTS.md.

    python -m bench.release_figures FOLDER [--part 3]

Writes public tables of packages into FOLDER unless it is there, releases those of the sources that
nothing was tuned on, compares roles with labels, and measures two files of given sizes.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from bench import release_tables, role_corpus
from bench.harness import write_section
from bench.release_corpus import SUFFIXES, Outcome, release_one, summarize

TITLE = "Releases and roles of strangers' tables (`python -m bench.release_figures`)"
SIZES = ((2_300, 16), (400_000, 10))
"""The smaller first: the peak of memory is that of all children so far."""
CORPUS_COLUMNS = (
    "tables", "count", "ends_well", "fits", "kept_median", "kept_worst_tenth",
    "mondrian_kept_median", "mondrian_kept_worst_tenth", "large_tables", "large_with_empty_column",
    "mondrian_large_with_empty_column",
)  # fmt: skip
ROLE_COLUMNS = (
    "tables", "count", "columns", "acceptable", "person", "identifiers_flagged_or_asked",
    "needless_questions", "sure", "likely", "unsure",
)  # fmt: skip


def release_reported(folder: Path, part: int) -> list[dict[str, object]]:
    """The figures of releases for a partner, by source."""
    outcomes = [
        release_one(path, "partner", tuned=False)
        for source in release_tables.REPORTED
        for path in sorted((folder / source).glob("*"))[::part]
        if path.suffix in SUFFIXES
    ]
    return list(_summaries(outcomes))


def _summaries(outcomes: Sequence[Outcome]) -> list[dict[str, object]]:
    sources = dict.fromkeys(outcome.source for outcome in outcomes)
    groups = {"all": list(outcomes)}
    groups |= {name: [one for one in outcomes if one.source == name] for name in sources}
    return [summarize(name, members) for name, members in groups.items()]


def compare_roles(folder: Path, labels: str) -> list[dict[str, object]]:
    """The figures of roles beside labels, by source."""
    results = role_corpus.compare_all(folder, labels)
    sources = dict.fromkeys(result.source for result in results)
    groups = {"all": results}
    groups |= {name: [one for one in results if one.source == name] for name in sources}
    figures = [role_corpus.summarize(name, members) for name, members in groups.items()]
    return [figure | dict(figure["right_by_word"]) for figure in figures]  # type: ignore[call-overload]


def measure_command(rows: int, columns: int, folder: Path) -> tuple[float, float]:
    """CPU seconds and megabytes of the command on a generated file."""
    path = folder / f"{rows}x{columns}.csv"
    generate_people(rows, columns).write_csv(path)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    target = folder / f"{path.stem}-release"
    command = [sys.executable, "-m", "tokumei", "release", str(path), "--out", str(target)]
    subprocess.run([*command, "--answers", "defaults"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1024


def generate_people(rows: int, columns: int, seed: int = 5) -> pl.DataFrame:
    """Customers with demography, days, an income, and as many amounts as asked for."""
    draw = np.random.default_rng(seed)
    codes = draw.choice(draw.integers(10_000, 99_999, 800), rows)
    day = pl.lit("1940-01-01").str.to_date()
    frame = pl.DataFrame(
        {
            "customer_id": [f"C{number:07d}" for number in draw.permutation(rows)],
            "sex": draw.choice(["F", "M"], rows),
            "birth_date": draw.integers(0, 23_000, rows),
            "zip": codes.astype(str),
            "state": draw.choice(["CA", "NY", "TX", "OH", "VT", "WA"], rows),
            "occupation": draw.choice(["clerk", "nurse", "teacher", "driver", "cook"], rows),
            "joined": draw.integers(27_400, 30_400, rows),
            "income": draw.lognormal(10, 0.6, rows).round(2),
            "visits": draw.poisson(6, rows),
            "segment": draw.choice(["A", "B", "C"], rows),
        }
    )
    days = [(day + pl.duration(days=name)).alias(name) for name in ("birth_date", "joined")]
    amounts = [pl.Series(f"amount_{n}", draw.gamma(2, 50, rows).round(2)) for n in range(columns)]
    return frame.with_columns(days).with_columns(amounts[: columns - frame.width])


def as_table(figures: Sequence[dict[str, object]], columns: Sequence[str]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(name.replace("_", " ") for name in columns) + " |"]
    lines.append("|" + "---|" * len(columns))
    for figure in figures:
        lines.append("| " + " | ".join(_show(figure[name]) for name in columns) + " |")
    return "\n".join(lines) + "\n"


def _show(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1%}"
    return "–" if value is None else str(value)


def describe(folder: Path, part: int) -> str:
    """The section."""
    corpus, roles, tuned = (
        release_reported(folder, part),
        compare_roles(folder, "reported"),
        compare_roles(folder, "tuning"),
    )
    with TemporaryDirectory() as place:
        costs = [measure_command(*size, Path(place)) for size in SIZES]
    lines = [
        f"{rows:,} × {columns}: {seconds:.1f} CPU seconds, {memory:,.0f} MB"
        for (rows, columns), (seconds, memory) in zip(SIZES, costs, strict=True)
    ]
    return (
        f"Releases for a partner of every table (1 of {part}) of packages that nothing was tuned "
        "on, beside Mondrian with the same k over the same columns:\n\n"
        f"{as_table(corpus, CORPUS_COLUMNS)}\nRoles beside labels, of the same packages (a word's "
        f"share is how often it is right):\n\n{as_table(roles, ROLE_COLUMNS)}\n"
        f"Of the packages that roles were mended on:\n\n{as_table(tuned, ROLE_COLUMNS)}\n"
        f"The whole command, {os.cpu_count()} cores: {'; '.join(lines)}.\n"
    )


def main() -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", type=int, default=1, help="only every PARTth table")
    arguments = parser.parse_args()
    if not arguments.folder.exists():
        release_tables.write_tables(arguments.folder, release_tables.SOURCES)
    text = describe(arguments.folder, arguments.part)
    print(text)
    write_section(TITLE, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
