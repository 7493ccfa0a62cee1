"""A clean release of a generated history, and ways to spoil it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.core.conformity_case import ConformityCase, Limits, Roles

PEOPLE, MONTHS, ITEMS = 120, 4, 30


@dataclass(frozen=True, eq=False)
class Clean:
    """A history with a header and a release of it, row by row; `order` shuffles the release."""

    original: pl.DataFrame
    release: pl.DataFrame
    order: np.ndarray

    def case(self, *, earlier: tuple[pl.Series, ...] = (), **roles: object) -> ConformityCase:
        """The release, shuffled, as it would be handed out."""
        named = Roles(
            person="customer",
            pseudonym="customer",
            identifiers=("email",),
            day="day",
            item="item",
            price="price",
            quantity="quantity",
            invoice="invoice",
        )
        released = self.release[self.order]
        return ConformityCase(
            released,
            np.arange(released.height) + 2,
            replace(named, **roles),
            original=self.original,
            origin=self.order,
            earlier=earlier,
            public=released,
            limits=Limits(tails={"age": 90}),
        )

    def with_cells(self, **columns: object) -> Clean:
        """Released columns replaced."""
        return replace(self, release=self.release.with_columns(**columns))

    def with_cell(self, column: str, value: str, row: int = 7) -> Clean:
        """One released cell replaced."""
        cells = self.release[column].to_list()
        cells[row] = value
        return self.with_cells(**{column: pl.Series(cells, dtype=pl.String)})

    def pseudonyms_of(self, made: dict[str, str]) -> Clean:
        """The pseudonym of everyone replaced by a function of the id."""
        return self.with_cells(customer=self.original["customer"].replace_strict(made))


def clean(seed: int) -> Clean:
    """Everyone buys common things at ordinary prices, under a random pseudonym each month."""
    rng = np.random.default_rng(seed)
    ids = rng.choice(np.arange(10_000, 99_999), PEOPLE, replace=False).astype(str)
    who = np.repeat(np.arange(PEOPLE), 10)
    month = rng.integers(MONTHS, size=len(who))
    day = rng.integers(1, 29, size=len(who))
    text = {
        "customer": ids[who],
        "email": [f"person{n}@example.com" for n in who],
        "invoice": (500_000 + rng.permutation(len(who))).astype(str),
        "day": [f"2011/{m + 1}/{d}" for m, d in zip(month, day, strict=True)],
        "item": [f"i{n}" for n in rng.integers(ITEMS, size=len(who))],
        "price": np.round(rng.uniform(1, 20, len(who)), 2).astype(str),
        "quantity": rng.integers(1, 13, size=len(who)).astype(str),
        "age": rng.integers(20, 80, size=PEOPLE)[who].astype(str),
        "memo": rng.choice(["gift", "none", "ok"], len(who)),
    }
    original = pl.DataFrame(
        {name: pl.Series(cells, dtype=pl.String) for name, cells in text.items()}
    )
    original = original[rng.permutation(len(who))]
    codes = rng.choice(np.arange(10**6, 10**7), PEOPLE * MONTHS, replace=False).astype(str)
    place = original.select(
        (pl.col("customer") + pl.col("day").str.extract(r"/(\d+)/", 1)).rank("dense").cast(pl.Int64)
        - 1
    ).to_series()
    release = original.drop("email").with_columns(
        customer=pl.Series(codes).gather(place), invoice=pl.lit("0")
    )
    return Clean(original, release, rng.permutation(original.height))
