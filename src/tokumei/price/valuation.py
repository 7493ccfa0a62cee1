"""What any release is worth, whoever made it: its cells looked up in a price list.

    found = value_release(original, release, prices)
    found.value, found.ratio            # Decimal("2648556"), 0.6057…
    found.unpriced                      # cells that are no word of the list: worth nothing

A column that is missing is deleted. A cell is a word of any pattern, or a value of the original.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import polars as pl

from tokumei.core.cells import STAR, canonical, plain_text
from tokumei.core.errors import InputError
from tokumei.core.text import Text
from tokumei.price.build import priced_columns
from tokumei.price.dictionary import ORIGINAL, PriceList

KEPT, GENERALIZED, DELETED = "kept", "generalized", "deleted"
TREATMENTS = {
    KEPT: Text("kept", "そのまま"),
    GENERALIZED: Text("generalized", "一般化"),
    DELETED: Text("deleted", "削除"),
}


@dataclass(frozen=True)
class Unpriced:
    """Cells of a release that are worth nothing because no price is known."""

    attribute: str
    cell: str | None
    rows: int


@dataclass(frozen=True)
class AttributeValue:
    """An attribute before and after; `k` is the smallest count of its values before."""

    name: str
    before: Decimal
    after: Decimal
    k: int
    treatment: str
    unpriced: tuple[Unpriced, ...] = ()

    @property
    def ratio(self) -> float | None:
        """After to before."""
        return float(self.after / self.before) if self.before else None


@dataclass(frozen=True)
class Valuation:
    """The value of a release against that of its original."""

    attributes: tuple[AttributeValue, ...]
    k: int
    rows: int
    released: int
    currency: str

    @property
    def value(self) -> Decimal:
        """The sum over all attributes."""
        return sum((one.after for one in self.attributes), Decimal())

    @property
    def original_value(self) -> Decimal:
        """What the data were worth as they were."""
        return sum((one.before for one in self.attributes), Decimal())

    @property
    def ratio(self) -> float | None:
        """The value to that of the original."""
        return float(self.value / self.original_value) if self.original_value else None

    @property
    def unpriced(self) -> list[Unpriced]:
        """All cells without a price, the most frequent first."""
        every = [cell for one in self.attributes for cell in one.unpriced]
        return sorted(every, key=lambda cell: -cell.rows)

    def as_json(self) -> dict[str, Any]:
        """Plain data in currency."""
        return {
            "value": _number(self.value),
            "original_value": _number(self.original_value),
            "ratio": self.ratio,
            "k": self.k,
            "rows": self.rows,
            "released": self.released,
            "currency": self.currency,
            "attributes": [_line(one) for one in self.attributes],
            "unpriced": [dict(vars(one)) for one in self.unpriced],
        }


def value_release(
    original: pl.DataFrame,
    release: pl.DataFrame,
    prices: PriceList,
    *,
    columns: Sequence[str] | None = None,
) -> Valuation:
    """The value per attribute and in total; `k` counts the priced columns that are there."""
    names = priced_columns(original.columns, prices, columns)
    present = [name for name in names if name in release.columns]
    if not original.height or not release.height:
        raise InputError("there are no rows to value", "評価する行がありません")
    lines = [_valued(name, original[name], release, prices) for name in names]
    sizes = release.group_by(present).len()["len"] if present else pl.Series([release.height])
    k = int(str(sizes.min()))
    return Valuation(tuple(lines), k, original.height, release.height, prices.currency)


def _valued(
    name: str, original: pl.Series, release: pl.DataFrame, prices: PriceList
) -> AttributeValue:
    first = prices.patterns[name][ORIGINAL]
    of_value: dict[str | None, Decimal | None] = {
        value: prices.prices[name].get(word) for value, word in first.items()
    }
    of_cell = dict(of_value)
    of_cell.update((plain_text(word), price) for word, price in prices.prices[name].items())
    before, counts, _ = _sum(name, original, of_value)
    k = min(counts.values())
    if name not in release.columns:
        return AttributeValue(name, before, Decimal(), k, DELETED)
    after, cells, unpriced = _sum(name, release[name], of_cell)
    known = set(of_value) | {plain_text(word) for word in first.values()}
    treatment = KEPT if set(cells) <= known else GENERALIZED
    if set(cells) <= {STAR, None} and None not in counts:
        treatment = DELETED
    return AttributeValue(name, before, after, k, treatment, unpriced)


def _sum(
    name: str, cells: pl.Series, price_of: Mapping[str | None, Decimal | None]
) -> tuple[Decimal, dict[str | None, int], tuple[Unpriced, ...]]:
    counted = canonical(cells).alias("cell").value_counts(name="rows").iter_rows()
    counts: dict[str | None, int] = dict(counted)
    total, unpriced = Decimal(), []
    for cell, rows in counts.items():
        price = price_of.get(cell)
        if price is None:
            unpriced.append(Unpriced(name, cell, rows))
        else:
            total += price * rows
    return total, counts, tuple(unpriced)


def _line(one: AttributeValue) -> dict[str, Any]:
    return {
        "attribute": one.name,
        "before": _number(one.before),
        "after": _number(one.after),
        "ratio": one.ratio,
        "k": one.k,
        "treatment": one.treatment,
    }


def _number(amount: Decimal) -> float | int:
    return int(amount) if amount == amount.to_integral_value() else float(amount)
