"""What a look-alike household spends in a year: the 12 continuous columns, in whole yen.

A spending that happens at all is lognormal:

    log y = log typical + size · log(household size) + income · (income band − 2)
            + wealth · latent wealth + spread · noise + what age and dwelling add

so every column is skewed to the right and columns correlate through size, income and wealth.
Whether it happens is one more draw, which makes the zeros.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.tables.sample.members import Floats, Households, Ints


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


def draw_spending(households: Households, rng: Randomness) -> dict[str, Ints]:
    """The yearly yen of every expense for every household."""
    happens, extra = _chances(households), _extras(households)
    return {
        expense.name: _draw(expense, households, happens, extra, rng.child(expense.name))
        for expense in EXPENSES
    }


def _draw(
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


def _chances(households: Households) -> dict[str, Floats]:
    family, rented = households.family, households.ownership == 1
    students = _UNIVERSITY_FEES * (family.grown_children > 0)
    return {
        "housing": np.where(rented, 1.0, _HOUSING_HAPPENS_OWNED),
        "education": np.maximum(_SCHOOL_FEES[family.children], students),
    }


def _extras(households: Households) -> dict[str, Floats]:
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
