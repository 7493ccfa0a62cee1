"""Nothing to look at is no PASS; births, texts, postal codes and unnamed columns are looked at."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

import tokumei as tk
from conformity.finding_samples import ROWS, case, people, verdicts
from tokumei.apps.cli.app import main
from tokumei.conformity.finding import Verdict
from tokumei.core.messages import use_language


def births() -> list[dt.date]:
    return [dt.date(1940, 3, 4) + dt.timedelta(days=173 * i) for i in range(ROWS)]


def era(day: dt.date) -> str:
    if day >= dt.date(1989, 1, 8):
        return f"平成{day.year - 1988}年{day.month}月{day.day}日"
    return f"昭和{day.year - 1925}年{day.month}月{day.day}日"


WRITINGS = {
    "iso": lambda day: day.isoformat(),
    "compact": lambda day: f"{day:%Y%m%d}",
    "slashes": lambda day: f"{day:%Y/%m/%d}",
    "day first": lambda day: f"{day:%d/%m/%Y}",
    "words": lambda day: f"{day:%d %b %Y}",
    "era": era,
    "short era": lambda day: (
        f"S{day.year - 1925}.{day.month}.{day.day}"
        if day < dt.date(1989, 1, 8)
        else f"H{day.year - 1988}.{day.month}.{day.day}"
    ),
}


@pytest.mark.parametrize("writing", WRITINGS)
def test_births_are_found_in_every_writing(writing: str) -> None:
    cells = [WRITINGS[writing](day) for day in births()]
    assert verdicts(people(生年月日=cells))["birth-dates"] is Verdict.FAIL
    assert verdicts(people(dob=cells))["birth-dates"] is Verdict.FAIL


def test_years_months_and_ranges_are_no_full_dates() -> None:
    for cells in (
        [f"{day.year}" for day in births()],
        [f"{day:%Y-%m}" for day in births()],
        [f"[{day.isoformat()};{day.isoformat()}]" for day in births()],
    ):
        assert verdicts(people(birth=cells))["birth-dates"] is Verdict.PASS


def test_what_was_not_there_is_not_applicable() -> None:
    found = tk.conform(case(people()))
    nothing = {one.id for one in found.findings if one.verdict is Verdict.NOTHING}
    assert {"derived-pseudonyms", "lifetime", "invoice-numbers", "extreme-prices"} <= nothing
    assert {"free-text", "postal-codes", "original-ids", "declared-identifiers"} <= nothing
    assert found.examined_count == len(found.findings) - len(nothing)
    assert found.manifest()["looked_at_something"] == found.examined_count
    assert sum(found.counts.values()) == len(found.findings)


def test_columns_that_nobody_named_are_looked_at() -> None:
    mails = [f"user{i}@example.com" for i in range(ROWS)]
    found = {one.id: one for one in tk.conform(case(people(contact=mails), qi=("age",))).findings}
    assert found["identifying-columns"].verdict is Verdict.FAIL
    assert found["identifying-columns"].figures["unique_share"] == 1.0
    assert found["all-columns"].figures["share"] == 1.0
    assert found["all-columns"].verdict is Verdict.HUMAN
    assert verdicts(people())["all-columns"] is Verdict.PASS


def told(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, object]:
    with pytest.raises(SystemExit):
        main([*(str(one) for one in args), "--json"])
    use_language(None)
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("beside", ["manifest", "nothing", "roles"])
@pytest.mark.parametrize("clear", ["mail", "phone"])
def test_a_clear_identifier_is_never_reported_as_less_than_what_it_tells(
    clear: str, beside: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`attack`, `conform` and `risk` say at least the share of people whose value is unique."""
    cells = {
        "mail": [f"user{i if i < 90 else 0}@example.com" for i in range(ROWS)],
        "phone": [f"090-1234-{5000 + (i if i < 90 else 0)}" for i in range(ROWS)],
    }[clear]
    unique = sum(cells.count(cell) == 1 for cell in cells) / ROWS
    source, public, link = (tmp_path / name for name in ("x.csv", "y.csv", "link.csv"))
    people(**{clear: cells}).write_csv(source)
    release = ["anonymize", "table", "--data", source, "--qi", "age,sex", "--pass", clear]
    release += ["--person", "none"]
    told(capsys, *release, "--k", 5, "--out", public, "--secret", link, "--seed", 1)
    both = ["--original", source, "--release", public, "--truth", link]
    if beside != "manifest":
        Path(f"{public}.manifest.json").unlink()
    both += ["--qi", "age"] if beside == "roles" else []
    attacked = told(capsys, "attack", *both, "--expected", "--seed", 1)
    assert attacked["strongest"]["rate"] >= unique  # type: ignore[index]
    found = told(capsys, "conform", *both)
    checks = {one["id"]: one for one in found["checks"]}  # type: ignore[attr-defined]
    assert checks["identifying-columns"]["figures"]["unique_share"] >= unique
    assert checks["all-columns"]["figures"]["share"] >= unique
    assert checks["attack-1"]["figures"]["rate"] >= unique
    risky = told(capsys, "risk", "--data", public, *both[6:])
    assert risky["everything"]["unique_share"] >= unique  # type: ignore[index]
