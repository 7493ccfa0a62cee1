"""Generates the members of a household: the 13 discrete columns.

Columns are drawn in the order in which life decides them (age, family, work, place, dwelling,
income), each conditional on the earlier ones, so impossible households cannot occur.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tokumei.core.randomness import Randomness

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LARGEST_HOUSEHOLD = 6
ELDERLY_AGE = 65

AGE_BANDS = (20, 30, 40, 50, 60, 70)
SEXES = ("male", "female")
OWNERSHIPS = ("owned", "rented")
DWELLINGS = ("detached", "apartment")
OCCUPATIONS = ("no job", "manual worker", "office worker", "public servant", "self employed")
INDUSTRIES = ("no industry", "manufacturing", "construction", "trade", "services", "government")
REGIONS = (
    *("Kanto", "Kinki", "Chubu", "Kyushu", "Tohoku"),
    *("Chugoku", "Hokkaido", "Hokuriku", "Shikoku", "Okinawa"),
)

# One row per age band of the head, unless the name says otherwise. Rows sum to 1.
_AGE_SHARES = np.array([0.05, 0.16, 0.20, 0.23, 0.21, 0.15])
_PARTNER_SHARES = np.array([0.45, 0.78, 0.85, 0.88, 0.86, 0.72])
_CHILDREN_SHARES = np.array(
    [
        [0.60, 0.30, 0.10, 0.00],
        [0.32, 0.25, 0.36, 0.07],
        [0.42, 0.22, 0.30, 0.06],
        [0.89, 0.09, 0.02, 0.00],
        [1.00, 0.00, 0.00, 0.00],
        [1.00, 0.00, 0.00, 0.00],
    ]
)
_GROWN_CHILDREN_SHARES = np.array(
    [
        [1.00, 0.00, 0.00],
        [1.00, 0.00, 0.00],
        [0.90, 0.08, 0.02],
        [0.50, 0.32, 0.18],
        [0.68, 0.26, 0.06],
        [0.84, 0.15, 0.01],
    ]
)
_PARENTS_SHARES = np.array(
    [
        [1.00, 0.00, 0.00],
        [0.97, 0.02, 0.01],
        [0.92, 0.05, 0.03],
        [0.89, 0.09, 0.02],
        [0.94, 0.06, 0.00],
        [1.00, 0.00, 0.00],
    ]
)
_HEAD_WORKS_SHARES = np.array([0.97, 0.98, 0.98, 0.96, 0.48, 0.10])
_PARTNER_WORKS_SHARES = np.array([0.35, 0.35, 0.52, 0.50, 0.20, 0.03])
_OCCUPATION_SHARES = np.array(
    [
        [0.00, 0.52, 0.40, 0.06, 0.02],
        [0.00, 0.50, 0.42, 0.05, 0.03],
        [0.00, 0.46, 0.43, 0.07, 0.04],
        [0.00, 0.46, 0.40, 0.07, 0.07],
        [0.00, 0.48, 0.20, 0.02, 0.30],
        [0.00, 0.25, 0.05, 0.00, 0.70],
    ]
)
_INDUSTRY_OF_OCCUPATION = np.array(
    [
        [1.00, 0.00, 0.00, 0.00, 0.00, 0.00],
        [0.00, 0.76, 0.16, 0.04, 0.04, 0.00],
        [0.00, 0.08, 0.02, 0.12, 0.78, 0.00],
        [0.00, 0.00, 0.00, 0.00, 0.05, 0.95],
        [0.00, 0.04, 0.12, 0.74, 0.10, 0.00],
    ]
)
_REGION_SHARES = np.array([[0.48, 0.22, 0.12, 0.07, 0.04, 0.025, 0.02, 0.012, 0.008, 0.005]])
_CITY_CLASS_OF_REGION = np.array(
    [
        [0.86, 0.13, 0.01],
        [0.80, 0.18, 0.02],
        [0.20, 0.72, 0.08],
        [0.18, 0.70, 0.12],
        [0.06, 0.76, 0.18],
        [0.12, 0.76, 0.12],
        [0.30, 0.55, 0.15],
        [0.04, 0.86, 0.10],
        [0.04, 0.84, 0.12],
        [0.04, 0.81, 0.15],
    ]
)
_OWNER_SHARES = np.array([0.12, 0.45, 0.74, 0.85, 0.90, 0.91])
_DETACHED_OF_CITY_CLASS = np.array([0.72, 0.93, 0.98])
_INCOME_OF_AGE = np.array([-0.45, -0.10, 0.15, 0.30, -0.05, -0.25])
_INCOME_LIMITS = np.array([-0.60, 0.15, 0.95])


@dataclass(frozen=True)
class Family:
    """The people of each household, by their place in it."""

    head_age: Ints
    partner: Flags
    partner_age: Ints
    children: Ints
    grown_children: Ints
    parents: Ints

    @property
    def age_code(self) -> Ints:
        """The position of the head's age in AGE_BANDS."""
        return self.head_age // 10 - 2

    @property
    def size(self) -> Ints:
        """How many people."""
        return 1 + self.partner + self.children + self.grown_children + self.parents

    @property
    def elderly(self) -> Ints:
        """How many people of ELDERLY_AGE or more; the head's parents always are."""
        partner_too = self.partner & (self.partner_age >= ELDERLY_AGE)
        return (self.head_age >= ELDERLY_AGE).astype(np.int64) + partner_too + self.parents


@dataclass(frozen=True)
class Households:
    """The 13 discrete columns as integers (codes for text), and the wealth behind them."""

    family: Family
    earners: Ints
    sex: Ints
    ownership: Ints
    dwelling: Ints
    city_class: Ints
    occupation: Ints
    industry: Ints
    region: Ints
    income_band: Ints
    wealth: Floats


def draw_households(rows: int, rng: Randomness) -> Households:
    """Draw `rows` households, each from its own independent life."""
    family = _draw_family(rows, rng.child("family"))
    place = rng.child("place").generator
    region = _draw_options(_REGION_SHARES, np.zeros(rows, dtype=np.int64), place)
    city_class = 1 + _draw_options(_CITY_CLASS_OF_REGION, region, place)
    occupation, industry, earners = _draw_work(family, rng.child("work"))
    ownership, dwelling = _draw_dwelling(family, city_class, rng.child("dwelling"))
    wealth = rng.child("wealth").generator.normal(size=rows)
    female = np.where(family.partner, 0.01, 0.55)
    skilled = np.isin(occupation, (2, 3))
    income = _INCOME_OF_AGE[family.age_code] + 0.60 * (earners - 1) + 0.30 * skilled + 0.22 * wealth
    return Households(
        family=family,
        earners=earners,
        sex=(rng.child("sex").generator.random(rows) < female).astype(np.int64),
        ownership=ownership,
        dwelling=dwelling,
        city_class=city_class,
        occupation=occupation,
        industry=industry,
        region=region,
        income_band=1 + np.searchsorted(_INCOME_LIMITS, income).astype(np.int64),
        wealth=wealth,
    )


def _draw_family(rows: int, rng: Randomness) -> Family:
    draw = rng.generator
    age = _draw_options(_AGE_SHARES[None, :], np.zeros(rows, dtype=np.int64), draw)
    head_age = 10 * (age + 2) + draw.integers(0, 10, rows)
    partner = draw.random(rows) < _PARTNER_SHARES[age]
    children = _draw_options(_CHILDREN_SHARES, age, draw) * (partner | (draw.random(rows) < 0.25))
    room = LARGEST_HOUSEHOLD - 1 - partner - children
    grown = np.minimum(_draw_options(_GROWN_CHILDREN_SHARES, age, draw), room)
    return Family(
        head_age=head_age,
        partner=partner,
        partner_age=np.maximum(head_age + draw.integers(-5, 3, rows), 20),
        children=children,
        grown_children=grown,
        parents=np.minimum(_draw_options(_PARENTS_SHARES, age, draw), room - grown),
    )


def _draw_work(family: Family, rng: Randomness) -> tuple[Ints, Ints, Ints]:
    draw, age = rng.generator, family.age_code
    rows = len(age)
    head = draw.random(rows) < _HEAD_WORKS_SHARES[age]
    partner = family.partner & (draw.random(rows) < _PARTNER_WORKS_SHARES[age])
    earners = head.astype(np.int64) + partner + draw.binomial(family.grown_children, 0.75)
    occupation = np.where(head, _draw_options(_OCCUPATION_SHARES, age, draw), 0)
    return occupation, _draw_options(_INDUSTRY_OF_OCCUPATION, occupation, draw), earners


def _draw_dwelling(family: Family, city_class: Ints, rng: Randomness) -> tuple[Ints, Ints]:
    draw, rows = rng.generator, len(city_class)
    chance = _OWNER_SHARES[family.age_code] + 0.04 * (city_class - 2) - 0.25 * (family.size == 1)
    owned = draw.random(rows) < np.clip(chance, 0.03, 0.97)
    detached = np.where(owned, _DETACHED_OF_CITY_CLASS[city_class - 1], 0.08)
    apartment = draw.random(rows) >= detached
    return (~owned).astype(np.int64), apartment.astype(np.int64)


def _draw_options(table: Floats, group: Ints, draw: np.random.Generator) -> Ints:
    """One option per row, with the chances of the row's group (a row of `table`)."""
    limits = np.cumsum(table, axis=1)[:, :-1]
    chance = draw.random(len(group))
    chosen = np.zeros(len(group), dtype=np.int64)
    for limit in limits.T:
        chosen += chance >= limit[group]
    return chosen
