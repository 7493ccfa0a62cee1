"""Remedies promise what is measured afterwards, from files that were written and read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tokumei.assessment.assess import assess_opened
from tokumei.assessment.assessment import Assessment
from tokumei.assessment.open_release import AssessTable, open_release
from tokumei.assessment.propose_remedies import needed_size
from tokumei.assessment.remedies import apply_remedy
from tokumei.assessment.remedy import Remedy
from tokumei.core.scenario import Scenario


def draw_table(seed: int, rows: int = 120) -> pl.DataFrame:
    """A table with numbers, days, texts, gaps and people of several rows."""
    draw = np.random.default_rng(seed)
    days = np.datetime64("2024-01-01") + draw.integers(0, 300, rows).astype("timedelta64[D]")
    ages = [
        None if hide else int(age)
        for age, hide in zip(draw.integers(18, 80, rows), draw.random(rows) < 0.03, strict=True)
    ]
    return pl.DataFrame(
        {
            "person": [f"p{number}" for number in draw.integers(0, rows * 3 // 4, rows)],
            "age": pl.Series(ages, dtype=pl.Int64),
            "town": draw.choice(["Aki", "Ebi", "Ino", "Oki", "Uji", "Kai", "Saku"], rows),
            "day": pl.Series(days).cast(pl.Date),
            "amount": np.round(draw.gamma(2, 500, rows), 2),
            "illness": draw.choice(["flu", "gout", "cold"], rows),
        }
    )


def assess_files(
    folder: Path,
    original: pl.DataFrame,
    release: pl.DataFrame,
    link: np.ndarray,
    scenario: Scenario,
) -> Assessment:
    original.write_csv(folder / "x.csv")
    release.write_csv(folder / "y.csv")
    return tk.assess(
        str(folder / "x.csv"),
        str(folder / "y.csv"),
        link=link,
        scenario=scenario,
        qi=["age", "town", "day"],
        sa=["illness"],
        ids=["person"],
        remedies=False,
    )


def check_promise(remedy: Remedy, found: Assessment) -> None:
    assert found.verdict.word == remedy.verdict, remedy
    assert max(attacker.identified for attacker in found.attackers) == remedy.identified, remedy
    share = max(attacker.share for attacker in found.attackers)
    assert share == pytest.approx(remedy.share), remedy
    assert found.kept == pytest.approx(remedy.kept), remedy


@pytest.mark.parametrize("recipient", ["public", "partner", "inside"])
@pytest.mark.parametrize("person", ["person", "none"])
@pytest.mark.parametrize("seed", range(3))
def test_promised_figures_equal_those_measured_afterwards(
    seed: int, person: str, recipient: str, tmp_path: Path
) -> None:
    original = draw_table(seed)
    release, link = original.drop("person"), np.arange(original.height)
    scenario = Scenario.for_recipient(recipient, person=person)
    request = AssessTable(
        original=original,
        release=release,
        link=link,
        scenario=scenario,
        qi=("age", "town", "day"),
        sa=("illness",),
        ids=("person",),
    )
    opened = open_release(request)
    found = assess_opened(opened, scenario)
    assert found.verdict.word == "does-not-fit"
    assert found.remedies
    assert found.remedies[0].verdict == "fits"
    for remedy in found.remedies:
        applied = apply_remedy(opened, scenario, remedy.action, remedy.parameters)
        assert applied is not None
        changed, new_scenario = applied
        assert changed.link is not None
        again = assess_files(
            tmp_path,
            original,
            changed.released.frame,
            changed.link,
            new_scenario,
        )
        check_promise(remedy, again)


@pytest.mark.parametrize("k", [2, 5, 20])
def test_merged_classes_have_enough_people(k: int) -> None:
    original = draw_table(9)
    limits = {"identified": 0.0, "guessed_right": 1.0, "smallest_class": k}
    scenario = Scenario.for_recipient("partner", person="person", limits=limits)
    request = AssessTable(
        original=original,
        release=original.drop("person"),
        link=np.arange(original.height),
        qi=("age", "town", "day"),
        scenario=scenario,
    )
    opened = open_release(request)
    assert needed_size(scenario) == k
    parameters: dict[str, object] = {"columns": ["age", "town", "day"], "k": k}
    applied = apply_remedy(opened, scenario, "merge", parameters)
    assert applied is not None
    frame, people = applied[0].released.frame, original["person"]
    for rows in frame.with_row_index().group_by("age", "town", "day").agg("index")["index"]:
        assert people.gather(rows).n_unique() >= k
    assert assess_opened(*applied, remedies=False).verdict.word == "fits"


def test_a_release_that_fits_needs_no_remedy() -> None:
    original = pl.DataFrame({"age": [1] * 10})
    found = tk.assess(original, original, link=np.arange(10), qi=["age"])
    assert found.verdict.word == "fits"
    assert not found.remedies
    assert found.remedy_note is None
