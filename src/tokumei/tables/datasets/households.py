"""Generates household expenditure data in the shape of PWSCup 2015.

    table = sample_table(8333, seed=1)      # 13 quasi-identifiers, then 12 yearly spendings in yen

The contest used pseudo microdata of a Japanese national survey (8,333 × 25), which is no longer
given out. No value here comes from it: every row is drawn from made-up tables of chances. Like
the original, a class of all 13 holds not quite two rows on average, one of the six CROSS_COLUMNS
about thirty, and the 21st column (education) is about 76 % zeros.

A spending that happens at all is lognormal, in whole yen:

    log y = log typical + size · log(household size) + income · (income band − 2)
            + wealth · latent wealth + spread · noise + what age and dwelling add

so every column is skewed to the right and columns correlate through size, income and wealth.
Whether it happens is one more draw, which makes the zeros.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.household_members import (
    AGE_BANDS,
    DWELLINGS,
    INDUSTRIES,
    OCCUPATIONS,
    OWNERSHIPS,
    REGIONS,
    SEXES,
    Floats,
    Households,
    Ints,
    draw_households,
)

PAPER_ROWS = 8333
INTEGER, CATEGORY = ColumnKind.INTEGER, ColumnKind.CATEGORY


def _quasi_identifier(name: str, kind: ColumnKind, content: Message) -> Column:
    return Column(name, Role.QI, kind, Message("others may know it: {content}", content=content))


def _sensitive_column(name: str, purpose: Message) -> Column:
    reason = Message("private: yearly yen spent on {purpose}", purpose=purpose)
    return Column(name, Role.SA, INTEGER, reason)


HOUSEHOLD_SCHEMA = Schema(
    (
        _quasi_identifier("household_size", INTEGER, Message("people in the household")),
        _quasi_identifier("earners", INTEGER, Message("people with a job")),
        _quasi_identifier("head_sex", CATEGORY, Message("sex of the head")),
        _quasi_identifier("dwelling_ownership", CATEGORY, Message("owned or rented")),
        _quasi_identifier("dwelling_type", CATEGORY, Message("detached or apartment")),
        _quasi_identifier("city_class", INTEGER, Message("city class, 1 (major city) to 3 (town)")),
        _quasi_identifier("head_age_band", INTEGER, Message("age of the head, in tens")),
        _quasi_identifier("children_under_18", INTEGER, Message("people under 18")),
        _quasi_identifier("elderly_members", INTEGER, Message("people of 65 or more")),
        _quasi_identifier("occupation", CATEGORY, Message("job of the head")),
        _quasi_identifier("industry", CATEGORY, Message("industry of the head")),
        _quasi_identifier("region", CATEGORY, Message("part of the country")),
        _quasi_identifier(
            "income_band", INTEGER, Message("income band, 1 (lowest) to 4 (highest)")
        ),
        _sensitive_column("food", Message("food")),
        _sensitive_column("utilities", Message("power, gas and water")),
        _sensitive_column("housing", Message("rent and repairs")),
        _sensitive_column("furniture", Message("furniture and utensils")),
        _sensitive_column("clothing", Message("clothes and shoes")),
        _sensitive_column("medical", Message("medical care")),
        _sensitive_column("transport", Message("transport")),
        _sensitive_column("education", Message("education")),
        _sensitive_column("recreation", Message("culture and recreation")),
        _sensitive_column("communication", Message("telephone and post")),
        _sensitive_column("gifts", Message("gifts and remittances")),
        _sensitive_column("other", Message("everything else")),
    )
)
CROSS_COLUMNS: tuple[str, ...] = tuple(HOUSEHOLD_SCHEMA.qi[:6])
"""The six quasi-identifiers of the paper's cross table."""


def sample_table(rows: int = PAPER_ROWS, *, seed: int | None = None) -> Table:
    """A table of `rows` households; the same rows and seed give the same table."""
    if rows < 1:
        raise UsageError("a sample needs at least 1 row, not {rows}", rows=rows)
    rng = Randomness(seed).child("households")
    households = draw_households(rows, rng.child("members"))
    columns = _member_columns(households) | draw_spending(households, rng.child("spending"))
    return Table(pl.DataFrame(columns).select(HOUSEHOLD_SCHEMA.names), HOUSEHOLD_SCHEMA)


def _member_columns(households: Households) -> dict[str, pl.Series]:
    family = households.family
    return {
        "household_size": pl.Series(family.size),
        "earners": pl.Series(households.earners),
        "head_sex": _decode_labels(SEXES, households.sex),
        "dwelling_ownership": _decode_labels(OWNERSHIPS, households.ownership),
        "dwelling_type": _decode_labels(DWELLINGS, households.dwelling),
        "city_class": pl.Series(households.city_class),
        "head_age_band": pl.Series(np.array(AGE_BANDS)[family.age_code]),
        "children_under_18": pl.Series(family.children),
        "elderly_members": pl.Series(family.elderly),
        "occupation": _decode_labels(OCCUPATIONS, households.occupation),
        "industry": _decode_labels(INDUSTRIES, households.industry),
        "region": _decode_labels(REGIONS, households.region),
        "income_band": pl.Series(households.income_band),
    }


def _decode_labels(labels: tuple[str, ...], codes: Ints) -> pl.Series:
    return pl.Series(labels).gather(pl.Series(codes))


@dataclass(frozen=True)
class Expense:
    """How one kind of spending depends on the household (see the formula above)."""

    name: str
    typical: float
    size: float
    income: float
    wealth: float
    spread: float
    happens: float = 1.0


EXPENSES = (
    Expense("food", 480_000, 0.55, 0.10, 0.20, 0.32),
    Expense("utilities", 125_000, 0.50, 0.06, 0.14, 0.38),
    Expense("housing", 160_000, 0.05, 0.08, 0.28, 0.85),
    Expense("furniture", 45_000, 0.30, 0.15, 0.39, 0.75, happens=0.95),
    Expense("clothing", 70_000, 0.35, 0.20, 0.48, 0.62, happens=0.98),
    Expense("medical", 65_000, 0.30, 0.06, 0.25, 0.80, happens=0.93),
    Expense("transport", 170_000, 0.40, 0.20, 0.39, 0.72, happens=0.97),
    Expense("education", 150_000, 0.40, 0.22, 0.48, 0.85),
    Expense("recreation", 160_000, 0.25, 0.20, 0.50, 0.62, happens=0.99),
    Expense("communication", 85_000, 0.45, 0.08, 0.20, 0.42),
    Expense("gifts", 50_000, 0.10, 0.18, 0.45, 0.95, happens=0.85),
    Expense("other", 600_000, 0.35, 0.22, 0.48, 0.66),
)

_HOUSING_HAPPENS_OWNED = 0.45
_SCHOOL_FEES = np.array([0.02, 0.79, 0.84, 0.88])
_UNIVERSITY_FEES = 0.20


def draw_spending(households: Households, rng: Randomness) -> dict[str, pl.Series]:
    """The yearly yen of every expense for every household."""
    happens, extra = _spending_chances(households), _log_scale_extras(households)
    return {
        expense.name: pl.Series(
            _draw_expense(expense, households, happens, extra, rng.child(expense.name))
        )
        for expense in EXPENSES
    }


def _draw_expense(
    expense: Expense,
    households: Households,
    happens: Mapping[str, Floats],
    extra: Mapping[str, Floats],
    rng: Randomness,
) -> Ints:
    draw, rows = rng.generator, len(households.wealth)
    level = (
        np.log(expense.typical)
        + expense.size * np.log(households.family.size)
        + expense.income * (households.income_band - 2)
        + expense.wealth * households.wealth
        + expense.spread * draw.normal(size=rows)
        + extra.get(expense.name, 0.0)
    )
    spent = draw.random(rows) < happens.get(expense.name, expense.happens)
    return np.where(spent, np.rint(np.exp(level)), 0).astype(np.int64)


def _spending_chances(households: Households) -> dict[str, Floats]:
    family, rented = households.family, households.ownership == 1
    students = _UNIVERSITY_FEES * (family.grown_children > 0)
    return {
        "housing": np.where(rented, 1.0, _HOUSING_HAPPENS_OWNED),
        "education": np.maximum(_SCHOOL_FEES[family.children], students),
    }


def _log_scale_extras(households: Households) -> dict[str, Floats]:
    """What age, dwelling and place add on the log scale."""
    family, rented = households.family, households.ownership == 1
    return {
        "housing": 1.2 * rented - 0.15 * (households.city_class - 1),
        "utilities": 0.15 * (households.dwelling == 0),
        "medical": 0.30 * family.elderly,
        "transport": 0.20 * (households.city_class - 1),
        "education": 0.35 * family.children + 0.25 * (family.head_age >= 40),
        "communication": 0.10 * family.grown_children - 0.10 * family.elderly,
        "gifts": 0.25 * family.age_code,
    }
