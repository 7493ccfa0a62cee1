"""The pseudonym table f: (period, customer) → pseudonym or DEL; guesses and releases.

    table = PseudonymTable.of_rows(original, released, customers=master.customers, months=months)
    table.cells()                    # customer, p1 … pL: the file F
    table.codes[i, p]                # place in table.pseudonyms, -1 for DEL

True tables are secret: nothing of them is shown in a repr.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import positions_in
from tokumei.core.provenance import Claim, Provenance
from tokumei.core.verification import VerifiableRelease
from tokumei.pseudonyms.data.purchase_text_cells import DELETED, Months, PeriodRows

NO_PSEUDONYM = -1


@dataclass(frozen=True, eq=False)
class PseudonymTable:
    """A row per customer, a column per period; `pseudonyms` are distinct and sorted as text."""

    customers: pl.Series = field(repr=False)
    pseudonyms: pl.Series = field(repr=False)
    codes: np.ndarray = field(repr=False)

    def __repr__(self) -> str:
        people, periods = self.codes.shape
        return f"PseudonymTable(customers={people}, periods={periods})"

    @property
    def periods(self) -> int:
        """How many periods."""
        return int(self.codes.shape[1])

    @classmethod
    def of_cells(cls, customers: pl.Series, cells: pl.DataFrame) -> PseudonymTable:
        """From a text column per period (DEL where there is no pseudonym)."""
        all_names = pl.concat([column.alias("name") for column in cells.get_columns()])
        pseudonyms = all_names.filter(all_names != DELETED).unique().sort().alias("pseudonym")
        codes = [positions_in(column, pseudonyms) for column in cells.get_columns()]
        return cls(customers, pseudonyms, np.column_stack(codes))

    @classmethod
    def of_rows(
        cls, original: PeriodRows, released: PeriodRows, *, customers: pl.Series, months: Months
    ) -> PseudonymTable:
        """The true table of a row-aligned release: who got which pseudonym in which period.

        The rules allow one per customer and period; should there be more, the last row's counts.
        """
        if original.rows != released.rows:
            raise InputError(
                "{rows} released rows for {original_rows} original ones",
                rows=released.rows,
                original_rows=original.rows,
            )
        kept = released.kept
        customer = positions_in(original.cells["customer"], customers)[kept]
        period = months.of(original.days)[kept]
        codes = np.full((len(customers), months.count), NO_PSEUDONYM, dtype=np.int64)
        codes[customer, period] = released.person[kept]
        return cls(customers, released.people.alias("pseudonym"), codes)

    def cells(self) -> pl.DataFrame:
        """The file's form: customer, p1 … pL as text."""
        names = pl.concat([self.pseudonyms, pl.Series("pseudonym", [DELETED])])
        columns = [
            names.gather(np.where(codes < 0, len(names) - 1, codes)).alias(f"p{place}")
            for place, codes in enumerate(self.codes.T, start=1)
        ]
        return pl.DataFrame([self.customers.alias("customer"), *columns])

    def codes_among(self, pseudonyms: pl.Series) -> np.ndarray:
        """The codes in another list of pseudonyms (-2 where a pseudonym is not in it)."""
        places = positions_in(self.pseudonyms, pseudonyms)
        places = np.where(places < 0, -2, places)
        return np.where(self.codes < 0, NO_PSEUDONYM, np.append(places, NO_PSEUDONYM)[self.codes])


@dataclass(frozen=True, eq=False)
class PeriodGuess:
    """A guessed table; `confidence` (0…1, same shape) is the attacker's own estimate."""

    table: PseudonymTable
    confidence: np.ndarray

    @classmethod
    def certain(cls, table: PseudonymTable) -> PeriodGuess:
        """A guess without any estimate of its own: 1 where it names a pseudonym."""
        return cls(table, (table.codes >= 0).astype(np.float64))


@dataclass(frozen=True, eq=False)
class PeriodRelease(VerifiableRelease):
    """A(T) in the original's order and the table f are secret; `public` leaves the building."""

    rows: PeriodRows = field(repr=False)
    table: PseudonymTable = field(repr=False)
    months: Months
    claims: tuple[Claim, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def __repr__(self) -> str:
        kept = int(self.rows.kept.sum())
        return f"PeriodRelease(rows={kept} of {self.rows.rows}, people=<secret>)"

    @cached_property
    def public(self) -> PeriodRows:
        """What attackers see (S)."""
        return self.rows.public()

    def manifest(self) -> Mapping[str, object]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": int(self.rows.kept.sum()),
            "periods": self.months.count,
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True),
        }
