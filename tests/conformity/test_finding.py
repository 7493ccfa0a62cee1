"""Nothing to look at is no PASS; births, texts, postal codes and unnamed columns are looked at."""

from __future__ import annotations

import datetime as dt

import pytest

import tokumei as tk
from conformity.finding_samples import ROWS, case, people, verdicts
from tokumei.conformity.finding import Verdict


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
