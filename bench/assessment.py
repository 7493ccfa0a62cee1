"""The assessment of a release, beside what it replaces: attack, measure and conform one by one.

CPU seconds, because other work on the machine does not change them; memory of a fresh process.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import tokumei as tk
from bench.harness import Result, apart
from tokumei.assessment.assess import assess_table
from tokumei.assessment.open_release import AssessTable
from tokumei.conformity.assessment import assess_files
from tokumei.core.conformity_case import CaseFiles
from tokumei.core.scenario import Scenario
from tokumei.tables.services.attack import attack_table
from tokumei.tables.services.comparison_requests import (
    AttackTableRequest,
    ComparisonRequest,
    MeasureTableRequest,
)
from tokumei.tables.services.measure import measure_table

COLUMNS = (
    *("head_sex", "head_age_band", "region", "occupation", "household_size", "city_class"),
    *("income_band", "food", "housing", "medical", "education"),
)
QI = COLUMNS[:7]


def write_release(folder: Path, rows: int, columns: int) -> None:
    """An original, a release of it in classes of five, and the link."""
    people = tk.sample_table(rows, seed=1).frame.select(COLUMNS[:columns])
    people.write_csv(folder / "x.csv")
    release = tk.anonymize(people, "mondrian", qi=QI, sa=COLUMNS[7:columns], k=5, seed=1)
    tk.save(release, folder / "y.csv", secret=folder / "link.csv")


def assess(folder: str, recipient: str, remedies: bool) -> float:
    """CPU seconds of an assessment from files."""
    started = time.process_time()
    assess_table(
        AssessTable(
            original=f"{folder}/x.csv",
            release=f"{folder}/y.csv",
            link=f"{folder}/link.csv",
            scenario=Scenario.for_recipient(recipient),
            remedies=remedies,
        )
    )
    return time.process_time() - started


def one_by_one(folder: str) -> float:
    """CPU seconds of the three services on the same files."""
    started = time.process_time()
    original, release, link = (f"{folder}/{name}.csv" for name in ("x", "y", "link"))
    comparison = ComparisonRequest(original=original, release=release, link=link)
    attack_table(AttackTableRequest(comparison=comparison, expected=True, seed=0))
    measure_table(MeasureTableRequest(comparison=comparison))
    assess_files(CaseFiles("table", original=original, release=release, truth=link), seed=0)
    return time.process_time() - started


def results() -> list[Result]:
    """The lines of RESULTS.md."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        write_release(Path(folder), 100_000, 11)
        parts, _ = apart(one_by_one, folder)
        for what, recipient, remedies in (
            ("assess 100,000 × 11", "partner", False),
            ("assess 100,000 × 11 for the public, with remedies", "public", True),
        ):
            ours, peak = apart(assess, folder, recipient, remedies)
            floor = "attack, measure, conform (CPU)"
            found.append(Result(what, ours, parts, floor, "≤ 1.3, aim .5", peak))
    with tempfile.TemporaryDirectory() as folder:
        write_release(Path(folder), 400_000, 10)
        ours, peak = apart(assess, folder, "partner", True)
        found.append(Result("assess 400,000 × 10 (CPU)", ours, None, "", "≤ 1 GB", peak))
    return found
