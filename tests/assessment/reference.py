"""Slow and obvious figures of small releases, by plain loops; shares no code with the package.

A cell is ("*",), ("range", low, high), ("set", {values}) or ("is", value); None is a missing value.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

Cell = tuple[Any, ...]


def covers(cell: Cell, value: Any) -> bool:
    if cell[0] == "*":
        return True
    if cell[0] == "range":
        return value is not None and cell[1] <= value <= cell[2]
    if cell[0] == "set":
        return value in cell[1]
    return bool(cell[1] == value)


class Reference:
    """Rows of both sides as dictionaries, the link, and the person of every original row."""

    def __init__(
        self,
        original: list[dict[str, Any]],
        released: list[dict[str, Cell]],
        link: Sequence[int],
        people: Sequence[Any],
        numeric: set[str],
    ) -> None:
        self.original, self.released, self.link = original, released, list(link)
        self.people, self.numeric = list(people), numeric
        self.person_of_row = [self.people[origin] for origin in self.link]

    def possible(self, row: int, how: str) -> tuple[str, set[Any]]:
        """A known column, and its values that somebody thinks possible: `age`, `age~10%`, `city~1`.

        Values are those of the original; a missing value is known as missing.
        """
        name, _, rough = how.partition("~")
        true = self.original[self.link[row]][name]
        if not rough or true is None:
            return name, {true}
        values = {other[name] for other in self.original if other[name] is not None}
        if rough.endswith("%"):
            slack = abs(true) * float(rough[:-1]) / 100
            return name, {value for value in values if abs(value - true) <= slack + 1e-9}
        return name, {
            value for value in values if str(value)[: int(rough)] == str(true)[: int(rough)]
        }

    def fits(self, other: int, known: dict[str, set[Any]]) -> bool:
        """Whether each cell of a released row may stand for a value thought possible."""
        cells = self.released[other]
        return all(any(covers(cells[name], v) for v in values) for name, values in known.items())

    def tells_rows_of_one_person(self) -> bool:
        """Whether a released column has one cell per person with several rows, and another each."""
        people = {*self.person_of_row}
        if not 1 < len(people) < len(self.person_of_row):
            return False
        for name in self.released[0]:
            pairs = {
                (write(cells[name]), person)
                for cells, person in zip(self.released, self.person_of_row, strict=True)
            }
            if len(pairs) == len(people) == len({cell for cell, _ in pairs}):
                return True
        return False

    def candidates(self, row: int, knows: Sequence[str]) -> set[Any]:
        """People who fit what is known of the original row behind a released row."""
        known = dict(self.possible(row, how) for how in knows)
        return {
            self.person_of_row[other]
            for other in range(len(self.released))
            if self.fits(other, known)
        }

    def figures(self, knows: Sequence[str], sensitive: str | None = None) -> dict[str, Any]:
        """Identified, guessed right, smallest set, people whose sensitive value is certain."""
        identified, certain, wrong, smallest = set(), set(), set(), None
        chance: dict[Any, float] = {}
        for row, person in enumerate(self.person_of_row):
            found = self.candidates(row, knows)
            if person not in found:
                wrong |= {person} if len(found) == 1 else set()
                continue
            chance[person] = max(chance.get(person, 0.0), 1 / len(found))
            smallest = len(found) if smallest is None else min(smallest, len(found))
            if found == {person}:
                identified.add(person)
            if sensitive is not None:
                known = dict(self.possible(row, how) for how in knows)
                cells = {
                    self.released[other][sensitive]
                    for other in range(len(self.released))
                    if self.fits(other, known)
                }
                if (
                    len(cells) == 1
                    and next(iter(cells))[0] == "is"
                    and next(iter(cells))[1] is not None
                ):
                    certain.add(person)
        return {
            "identified": len(identified),
            "guessed_right": sum(chance.values()),
            "smallest_class": smallest,
            "certain": len(certain),
            "confidently_wrong": len(wrong - identified),
            "not_fitting": len({*self.person_of_row} - {*chance}),
        }

    def unique(self, columns: Sequence[str]) -> int:
        """People with a row whose cells nobody else has."""
        alone = set()
        for row, person in enumerate(self.person_of_row):
            cells = [self.released[row][name] for name in columns]
            owners = {
                self.person_of_row[other]
                for other in range(len(self.released))
                if [self.released[other][name] for name in columns] == cells
            }
            if owners == {person}:
                alone.add(person)
        return len(alone)

    def losses(self, name: str) -> tuple[float, float]:
        """Information kept of a column, and the share of its empty cells."""
        values = [row[name] for row in self.original]
        domain = set(values)
        numbers = [value for value in values if value is not None]
        losses = [1.0] * (len(self.original) - len(self.released))
        for cells, origin in zip(self.released, self.link, strict=True):
            losses.append(
                self.loss(cells[name], self.original[origin][name], domain, numbers, name)
            )
        return 1 - sum(losses) / len(losses), sum(loss > 1 - 1e-12 for loss in losses) / len(losses)

    def loss(self, cell: Cell, true: Any, domain: set[Any], numbers: list[Any], name: str) -> float:
        if cell[0] == "*":
            return 1.0
        if cell[0] == "range":
            width = max(numbers) - min(numbers)
            share = (cell[2] - cell[1]) / width if width else float(cell[2] > cell[1])
            return min(1.0, share)
        if cell[0] == "set":
            return min(1.0, (len(cell[1] & domain) - 1) / max(len(domain) - 1, 1))
        if cell[1] == true:
            return 0.0
        if name not in self.numeric or cell[1] is None or true is None:
            return 1.0
        apart = [
            abs(a - b)
            for (i, a), (j, b) in product(enumerate(numbers), enumerate(numbers))
            if i != j
        ]
        mean = sum(apart) / len(apart) if apart else 0.0
        return min(1.0, abs(cell[1] - true) / mean) if mean else 1.0


def write(cell: Cell) -> str | None:
    """A cell as a release writes it."""
    if cell[0] == "*":
        return "*"
    if cell[0] == "range":
        return f"[{cell[1]};{cell[2]}]"
    if cell[0] == "set":
        return "{" + ";".join(sorted(cell[1])) + "}"
    return None if cell[1] is None else str(cell[1])
