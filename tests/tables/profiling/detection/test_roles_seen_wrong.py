"""Columns whose roles were wrong in tables of strangers."""

from __future__ import annotations

import random

import polars as pl
import pytest

from tokumei.tables.profiling.profile import TableProfile
from tokumei.tables.profiling.profiler import look

ROWS = 1200
Cells = list[int] | list[str] | list[float]


def profile(**columns: Cells) -> TableProfile:
    return look(pl.DataFrame(columns))


def people(draw: random.Random) -> dict[str, Cells]:
    return {
        "age": [draw.randint(18, 90) for _ in range(ROWS)],
        "sex": [draw.choice(["male", "female"]) for _ in range(ROWS)],
    }


@pytest.fixture
def draw() -> random.Random:
    return random.Random(3)


@pytest.mark.parametrize("name", ["seqn", "SEQN", "RespondentID", "unitid", "bcode"])
def test_numbers_that_never_repeat_are_dropped_or_asked_about(
    name: str, draw: random.Random
) -> None:
    numbers = draw.sample(range(10_000, 60_000), ROWS)
    for cells in (numbers, sorted(numbers)):
        found = profile(**{name: cells}, **people(draw))
        assert found[name].fate in ("drop", "ask")


@pytest.mark.parametrize("name", ["MRN", "ori_hid", "hhid", "patid"])
def test_numbers_of_people_that_repeat_tell_people_apart(name: str, draw: random.Random) -> None:
    numbers = draw.sample(range(100_000, 999_999), 300)
    found = profile(
        **{name: [draw.choice(numbers) for _ in range(ROWS)]},
        score=[draw.random() for _ in range(ROWS)],
    )
    assert found.person is not None
    assert found.person.column == name
    assert found.person.several


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("child6", [0, 0, 0, 0, 1, 1, 2, 3]),
        ("doctor", [0, 0, 0, 0, 1, 1, 2, 5, 9]),
        ("person", [0, 1]),
        ("lead1", [20, 21, 22, 23, 24, 25, 26, 27, 28]),
    ],
)
def test_what_is_counted_or_measured_is_nobody(
    name: str, values: list[int], draw: random.Random
) -> None:
    found = profile(**{name: [draw.choice(values) for _ in range(ROWS)]}, **people(draw))
    assert found.person is None


def test_few_people_of_many_rows_each_stay_people(draw: random.Random) -> None:
    found = profile(
        Subject=[row % 12 + 1 for row in range(132)], conc=[draw.random() for _ in range(132)]
    )
    assert found.person is not None
    assert found.person.people == 12


def test_a_number_of_awards_is_no_person(draw: random.Random) -> None:
    found = profile(
        award_no=[row // 2 for row in range(200)], sex=[("m", "f")[row % 2] for row in range(200)]
    )
    assert found.person is None


def test_tail_numbers_are_no_postal_codes(draw: random.Random) -> None:
    tails = [f"N{draw.randint(100, 999)}{draw.choice(['UA', 'AA', 'JB'])}" for _ in range(300)]
    assert profile(tailnum=[draw.choice(tails) for _ in range(ROWS)])["tailnum"].type != "postal"
    codes = [f"SW{draw.randint(1, 9)} {draw.randint(1, 9)}AB" for _ in range(ROWS)]
    assert profile(column1=codes)["column1"].type == "postal"


def test_two_months_are_not_yes_and_no(draw: random.Random) -> None:
    assert profile(month=[draw.choice([1, 2]) for _ in range(ROWS)])["month"].type != "flag"


def test_ways_to_pay_are_not_yes_and_no(draw: random.Random) -> None:
    ways = [draw.choice(["現金", "カード", "PayPay"]) for _ in range(ROWS)]
    assert profile(決済=ways)["決済"].type == "category"
    paid = [draw.choice(["済", "未"]) for _ in range(ROWS)]
    assert profile(入金済=paid)["入金済"].type == "flag"


def test_penguins_are_no_people(draw: random.Random) -> None:
    sexes = [draw.choice(["male", "female"]) for _ in range(ROWS)]
    kinds = [draw.choice(["Adelie", "Gentoo"]) for _ in range(ROWS)]
    assert profile(species=kinds, sex=sexes).people is False
    assert profile(region=kinds, sex=sexes).people is True


@pytest.mark.parametrize("name", ["black", "hispanic", "married", "female"])
def test_what_others_see_of_a_person_is_known(name: str, draw: random.Random) -> None:
    found = profile(**{name: [draw.choice([0, 1]) for _ in range(ROWS)]}, **people(draw))
    assert found[name].role == "quasi"


@pytest.mark.parametrize(("first", "step"), [(1, 1), (500, 1), (0, 1)])
def test_numbers_given_one_by_one_are_asked_about_in_any_order(
    first: int, step: int, draw: random.Random
) -> None:
    numbers = draw.sample(range(first, first + ROWS * step + 40), ROWS)
    assert profile(nmbr=numbers, **people(draw))["nmbr"].fate in ("drop", "ask")


def test_years_and_measurements_that_never_repeat_stay(draw: random.Random) -> None:
    found = profile(anno=list(range(1900, 2020)), rain=[draw.randint(0, 10**6) for _ in range(120)])
    assert {found[name].fate for name in ("anno", "rain")}.isdisjoint({"drop", "ask"})
