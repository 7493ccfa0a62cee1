"""Applies a remedy to released rows by hand: plain Python on texts, no code of the package.

Cells are texts as a file has them: `20`, `[20;29]`, `{a;b}`, `*`, None.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from random import Random
from typing import Any

Cells = list[str | None]
Columns = dict[str, Cells]
RANGE = re.compile(r"\[(?P<low>[^;\]]+);(?P<high>[^;\]]+)\]")
TOP = 0.95
MAX_SET = 12


def apply_by_hand(
    columns: Columns, action: str, parameters: Mapping[str, Any], seed: int
) -> tuple[Columns, list[int]] | None:
    """The changed columns and the rows that stay; None where nobody can do this by hand."""
    rows = len(next(iter(columns.values())))
    every, names = list(range(rows)), list(parameters.get("columns", ()))
    if action == "drop":
        return {n: cells for n, cells in columns.items() if n not in names}, every
    if action == "coarsen":
        steps = parameters["steps"]
        changed = {
            n: ranges(columns[n], steps[n]) if n in steps else frequent(columns[n], parameters)
            for n in names
        }
        return columns | changed, every
    if action == "round":
        return columns | {names[0]: rounded(columns[names[0]], parameters["step"])}, every
    if action == "top-code":
        return columns | {names[0]: top_coded(columns[names[0]])}, every
    if action == "swap":
        return columns | {names[0]: swapped(columns, names[0], parameters["alike"], seed)}, every
    return None


def number(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        try:
            return float(date.fromisoformat(text[:10]).toordinal())
        except ValueError:
            return None


def ends(cell: str | None) -> tuple[str, str] | None:
    """The texts of the lowest and the highest value of a cell of numbers or days."""
    if cell is None or cell == "*":
        return None
    found = RANGE.fullmatch(cell)
    if found is not None:
        return found["low"], found["high"]
    return (cell, cell) if number(cell) is not None else None


def ranges(cells: Cells, step: float) -> Cells:
    """Ranges of a width, each from its least to its greatest value."""
    groups: dict[int, tuple[str, str]] = {}
    places: list[int | None] = []
    for cell in cells:
        found = ends(cell)
        if found is None:
            places.append(None)
            continue
        low, high = found
        place = math.floor((number(low) + number(high)) / 2 / step)  # type: ignore[operator]
        old = groups.get(place, found)
        groups[place] = min(old[0], low, key=number), max(old[1], high, key=number)  # type: ignore[arg-type]
        places.append(place)
    return [
        cell if place is None else as_range(*groups[place])
        for cell, place in zip(cells, places, strict=True)
    ]


def as_range(low: str, high: str) -> str:
    return low if number(low) == number(high) else f"[{low};{high}]"


def frequent(cells: Cells, parameters: Mapping[str, Any]) -> Cells:
    """The most frequent values; all others as one set."""
    plain = [c for c in cells if c is not None and c != "*" and not c.startswith(("{", "["))]
    kept = {c for c, _ in Counter(plain).most_common(max(parameters["groups"] - 1, 1))}
    others = sorted({*plain} - kept)
    one = "{" + ";".join(others) + "}"
    if len(others) > MAX_SET or any(set(o) & set(";{}[]") for o in others):
        one = "*"
    return [one if c in others else c for c in cells]


def rounded(cells: Cells, step: float) -> Cells:
    return [None if c is None else repr(round(float(c) / step) * step) for c in cells]


def top_coded(cells: Cells) -> Cells:
    values = sorted(v for c in cells if (v := number(c)) is not None)
    limit = values[math.ceil(TOP * (len(values) - 1))]
    high = [c for c in cells if c is not None and number(c) >= limit]  # type: ignore[operator]
    one = as_range(min(high, key=number), max(high, key=number))  # type: ignore[arg-type]
    return [one if c in set(high) else c for c in cells]


def swapped(columns: Columns, name: str, alike: Sequence[str], seed: int) -> Cells:
    """The cells of a column, exchanged among rows with the same cells elsewhere."""
    random, classes = Random(seed), dict[tuple[str | None, ...], list[int]]()
    for row in range(len(columns[name])):
        classes.setdefault(tuple(columns[n][row] for n in alike), []).append(row)
    changed = list(columns[name])
    for rows in classes.values():
        for row, other in zip(rows, random.sample(rows, len(rows)), strict=True):
            changed[row] = columns[name][other]
    return changed


def leave_out(columns: Columns, rows: Sequence[int]) -> Columns:
    return {name: [cells[row] for row in rows] for name, cells in columns.items()}


def cut_at_medians(
    columns: Columns,
    truth: Columns,
    names: Sequence[str],
    k: int,
    sensitive: Sequence[str] = (),
    diverse: int = 1,
) -> list[list[int]]:
    """Parts of at least `k` rows, cut at medians of the column that spreads most over its ranks."""
    ranks = {name: row_ranks(columns[name], truth[name]) for name in names}
    pending, done = [list(range(len(columns[names[0]])))], list[list[int]]()
    while pending:
        part = pending.pop()
        spans = {n: max(ranks[n][r] for r in part) - min(ranks[n][r] for r in part) for n in names}
        for name in sorted(names, key=lambda n: -spans[n]):
            values = sorted(ranks[name][row] for row in part)
            middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
            below = [r for r in part if ranks[name][r] <= middle]
            if len(below) == len(part):
                below = [r for r in part if ranks[name][r] < middle]
            halves = [below, [r for r in part if r not in set(below)]]
            if spans[name] > 0 and all(
                len(h) >= k and all(len({columns[s][r] for r in h}) >= diverse for s in sensitive)
                for h in halves
            ):
                pending += halves
                break
        else:
            done.append(part)
    return done


def row_ranks(cells: Cells, values: Cells) -> list[float]:
    """By row the place of its cell's middle, from 0 to 1: gaps first, then numbers, then texts."""
    present = {value for value in values if value is not None}
    ordered = sorted(present, key=lambda v: (number(v) is None, number(v) or 0.0, v))
    rank = {key(value): place for place, value in enumerate(ordered, 1)}

    def middle(cell: str | None) -> float:
        if cell is None:
            return 0.0
        if cell == "*":
            return len(rank) / 2
        low, high = ends(cell) or (cell, cell)
        members = cell.strip("{}").split(";") if cell.startswith("{") else [low, high]
        places = [rank.get(key(member), -1) for member in members]
        if -1 in places:  # a label that nothing explains
            return len(rank) / 2
        return (min(places) + max(places)) / 2

    order = {m: place for place, m in enumerate(sorted({middle(c) for c in cells}))}
    return [order[middle(c)] / max(len(order) - 1, 1) for c in cells]


def key(value: str) -> float | str:
    """Numbers are equal however they are written."""
    found = number(value)
    return value if found is None else found


def merged(
    columns: Columns, truth: Columns, names: Sequence[str], parts: Sequence[Sequence[int]]
) -> Columns:
    """One cell per part and column: what its rows share, else the range or set that holds all."""
    changed = {name: list(columns[name]) for name in names}
    for name in names:
        is_ordered = all(number(v) is not None for v in truth[name] if v is not None)
        for rows in parts:
            cells = {columns[name][row] for row in rows}
            cell = (
                next(iter(cells)) if len(cells) == 1 else joined(cells, {*truth[name]}, is_ordered)
            )
            for row in rows:
                changed[name][row] = cell
    return columns | changed


def joined(cells: set[str | None], values: set[str | None], is_ordered: bool) -> str:
    if None in cells or "*" in cells:
        return "*"
    if is_ordered:
        all_ends = [end for cell in cells for end in ends(cell) or ()]
        return as_range(min(all_ends, key=number), max(all_ends, key=number))  # type: ignore[arg-type]
    members = {m for c in cells for m in (c or "").strip("{}").split(";")}
    if not members <= values:  # a label that nothing explains
        return "*"
    too_many = len(members) > MAX_SET or any(set(m) & set("[]") for m in members)
    return "*" if too_many else "{" + ";".join(sorted(members)) + "}"
