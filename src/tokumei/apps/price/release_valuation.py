"""Values any release by looking up its cells in a price list.

    valuation = value_release(original, release, prices)
    valuation.value, valuation.ratio    # Decimal("2648556"), 0.6057…
    valuation.unpriced                  # cells that are no word of the list: worth nothing

A column that is missing is deleted. A cell is a word of any pattern, or a value of the original.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import polars as pl

from tokumei.apps.price.build_problem import select_priced_columns
from tokumei.apps.price.price_list import ORIGINAL_PATTERN, PriceList
from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import SUPPRESSED_CELL, canonicalize_column, canonicalize_value
from tokumei.core.messages import Message

KEPT_TREATMENT, GENERALIZED_TREATMENT, DELETED_TREATMENT = "kept", "generalized", "deleted"
TREATMENT_LABELS = {
    KEPT_TREATMENT: Message("kept", context="of a word"),
    GENERALIZED_TREATMENT: Message("generalized"),
    DELETED_TREATMENT: Message("deleted"),
}


@dataclass(frozen=True)
class UnpricedCells:
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
    unpriced: tuple[UnpricedCells, ...] = ()

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
        return sum((attribute.after for attribute in self.attributes), Decimal())

    @property
    def original_value(self) -> Decimal:
        """The value of the original data."""
        return sum((attribute.before for attribute in self.attributes), Decimal())

    @property
    def ratio(self) -> float | None:
        """The value to that of the original."""
        return float(self.value / self.original_value) if self.original_value else None

    @property
    def unpriced(self) -> list[UnpricedCells]:
        """All cells without a price, the most frequent first."""
        all_cells = [cell for attribute in self.attributes for cell in attribute.unpriced]
        return sorted(all_cells, key=lambda cell: -cell.rows)

    def as_json(self) -> dict[str, object]:
        """Plain data in currency."""
        return {
            "value": _to_plain_number(self.value),
            "original_value": _to_plain_number(self.original_value),
            "ratio": self.ratio,
            "k": self.k,
            "rows": self.rows,
            "released": self.released,
            "currency": self.currency,
            "attributes": [_attribute_to_json(entry) for entry in self.attributes],
            "unpriced": [dict(vars(entry)) for entry in self.unpriced],
        }


def value_release(
    original: pl.DataFrame,
    release: pl.DataFrame,
    prices: PriceList,
    *,
    columns: Sequence[str] | None = None,
) -> Valuation:
    """The value per attribute and in total; `k` counts the priced columns that are there."""
    names = select_priced_columns(original.columns, prices, columns)
    present = [name for name in names if name in release.columns]
    if not original.height or not release.height:
        raise InputError("there are no rows to value")
    lines = [_value_attribute(name, original[name], release, prices) for name in names]
    sizes = release.group_by(present).len()["len"] if present else pl.Series([release.height])
    k = int(str(sizes.min()))
    return Valuation(tuple(lines), k, original.height, release.height, prices.currency)


def _value_attribute(
    name: str, original: pl.Series, release: pl.DataFrame, prices: PriceList
) -> AttributeValue:
    original_words = prices.patterns[name][ORIGINAL_PATTERN]
    price_by_value: dict[str | None, Decimal | None] = {
        value: prices.prices[name].get(word) for value, word in original_words.items()
    }
    price_by_cell = dict(price_by_value)
    price_by_cell.update(
        (canonicalize_value(word), price) for word, price in prices.prices[name].items()
    )
    before, counts, _ = _sum_prices(name, original, price_by_value)
    k = min(counts.values())
    if name not in release.columns:
        return AttributeValue(name, before, Decimal(), k, DELETED_TREATMENT)
    after, cells, unpriced = _sum_prices(name, release[name], price_by_cell)
    known_values = set(price_by_value) | {
        canonicalize_value(word) for word in original_words.values()
    }
    treatment = KEPT_TREATMENT if set(cells) <= known_values else GENERALIZED_TREATMENT
    if set(cells) <= {SUPPRESSED_CELL, None} and None not in counts:
        treatment = DELETED_TREATMENT
    return AttributeValue(name, before, after, k, treatment, unpriced)


def _sum_prices(
    name: str, cells: pl.Series, price_of: Mapping[str | None, Decimal | None]
) -> tuple[Decimal, dict[str | None, int], tuple[UnpricedCells, ...]]:
    cell_counts = canonicalize_column(cells).alias("cell").value_counts(name="rows").iter_rows()
    counts: dict[str | None, int] = dict(cell_counts)
    total, unpriced = Decimal(), []
    for cell, rows in counts.items():
        price = price_of.get(cell)
        if price is None:
            unpriced.append(UnpricedCells(name, cell, rows))
        else:
            total += price * rows
    return total, counts, tuple(unpriced)


def _attribute_to_json(attribute: AttributeValue) -> dict[str, object]:
    return {
        "attribute": attribute.name,
        "before": _to_plain_number(attribute.before),
        "after": _to_plain_number(attribute.after),
        "ratio": attribute.ratio,
        "k": attribute.k,
        "treatment": attribute.treatment,
    }


def _to_plain_number(amount: Decimal) -> float | int:
    return int(amount) if amount == amount.to_integral_value() else float(amount)
