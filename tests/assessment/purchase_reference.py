"""Slow and obvious figures of small releases of purchases, by plain loops.

Cells are those of `reference.py`. A released row has the place of its original row and a pseudonym.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.assessment.reference import Cell, Reference, covers

COLUMNS = ("day", "item", "price", "quantity")


@dataclass
class Figures:
    identified: int
    guessed_right: float
    smallest_class: int | None


class PurchaseReference:
    """Original purchases with `customer` and `month`, released cells, links and pseudonyms."""

    def __init__(
        self,
        original: list[dict[str, Any]],
        released: list[dict[str, Cell]],
        link: Sequence[int],
        pseudonyms: Sequence[Any],
        numeric: set[str],
    ) -> None:
        self.original, self.released, self.link = original, released, list(link)
        self.pseudonyms = list(pseudonyms)
        people = [row["customer"] for row in original]
        self.table = Reference(original, released, link, people, numeric)

    def exact_columns(self) -> set[str]:
        """Columns whose released cells all hold the true value."""
        return {
            name
            for name in COLUMNS
            if all(
                covers(cells[name], self.original[origin][name])
                for cells, origin in zip(self.released, self.link, strict=True)
            )
        }

    def fits(self, origin: int, pseudonym: Any, columns: Sequence[str]) -> bool:
        """Whether a pseudonym has a row that fits a purchase."""
        exact, known = self.exact_columns(), self.original[origin]
        for row, owner in enumerate(self.pseudonyms):
            if owner != pseudonym:
                continue
            matches = True
            for name in columns:
                if name in exact:
                    matches = matches and covers(self.released[row][name], known[name])
                elif name == "day":
                    month = self.original[self.link[row]]["month"]
                    matches = matches and month == known["month"]
            if matches:
                return True
        return False

    def candidates(self, pseudonym: Any, form: str, columns: Sequence[str]) -> set[Any]:
        """The pseudonyms that fit what is known of the one behind this pseudonym."""
        everyone = set(self.pseudonyms)
        mine = sorted(
            self.link[row] for row, owner in enumerate(self.pseudonyms) if owner == pseudonym
        )
        fitting = {
            origin: {other for other in everyone if self.fits(origin, other, columns)}
            for origin in mine
        }
        if form == "all":
            found = {q for q in everyone if self.pseudonyms.count(q) == len(mine)}
            for origin in mine:
                found &= fitting[origin]
            return found
        if form == "month":
            best = None
            for month in sorted({self.original[origin]["month"] for origin in mine}):
                found = set(everyone)
                for origin in mine:
                    if self.original[origin]["month"] == month:
                        found &= fitting[origin]
                if best is None or len(found) < len(best):
                    best = found
            assert best is not None
            return best
        if form == "totals":
            return {q for q in everyone if self.totals_fit(pseudonym, q)}
        found, left = set(everyone), list(mine)
        for _ in range(min(int(form), len(mine))):
            best_row = min(left, key=lambda origin: len(found & fitting[origin]))
            left.remove(best_row)
            found &= fitting[best_row]
        return found

    def totals_fit(self, pseudonym: Any, other: Any) -> bool:
        """Whether another pseudonym's rows may add up to what this one's purchases do."""
        mine = [
            self.original[o]
            for o, p in zip(self.link, self.pseudonyms, strict=True)
            if p == pseudonym
        ]
        rows = [c for c, p in zip(self.released, self.pseudonyms, strict=True) if p == other]
        if len(mine) != len(rows):
            return False
        exact = self.exact_columns()
        if "quantity" in exact:
            low = sum(ends(cells["quantity"])[0] for cells in rows)
            high = sum(ends(cells["quantity"])[1] for cells in rows)
            if not low - 1e-6 <= sum(row["quantity"] for row in mine) <= high + 1e-6:
                return False
        if {"price", "quantity"} <= exact:
            low = high = 0.0
            for cells in rows:
                corners = [p * q for p in ends(cells["price"]) for q in ends(cells["quantity"])]
                low, high = low + min(corners), high + max(corners)
            if not low - 1e-4 <= sum(r["price"] * r["quantity"] for r in mine) <= high + 1e-4:
                return False
        return True

    def figures(self, form: str, columns: Sequence[str]) -> Figures:
        """Identified, guessed right, smallest class; a person by the best of its pseudonyms."""
        chance: dict[Any, float] = {}
        smallest = None
        for pseudonym in set(self.pseudonyms):
            origin = self.link[self.pseudonyms.index(pseudonym)]
            customer = self.original[origin]["customer"]
            found = self.candidates(pseudonym, form, columns)
            chance.setdefault(customer, 0.0)
            if pseudonym in found:
                chance[customer] = max(chance[customer], 1 / len(found))
                smallest = len(found) if smallest is None else min(smallest, len(found))
        return Figures(
            sum(value >= 0.9 for value in chance.values()), sum(chance.values()), smallest
        )


def ends(cell: Cell) -> tuple[float, float]:
    """The least and the greatest number that a cell stands for."""
    if cell[0] == "*":
        return -1e9, 1e9
    return (cell[1], cell[2]) if cell[0] == "range" else (cell[1], cell[1])
