"""Classes of the values of a column by calculation, as paper 002 names them beside words.

    words = class_patterns({"12": 33, "13": 25, "14": 48})
    words["sturges"]["12"]          # "[12;13]"

Sturges: 1 + log2(people) classes of equal width; deciles: ten classes of as many people as can be;
Pareto: values by falling frequency, class A up to 80 % of the people, B up to 95 %, C the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, log2

import numpy as np

PARETO_SHARES = {"A": 0.8, "B": 0.95, "C": 1.0}
DECILES = 10


def class_patterns(people: Mapping[str, int]) -> dict[str, dict[str, str]]:
    """The class of every value; those that need numbers only where all values are numbers."""
    patterns = {"pareto": pareto_classes(people)}
    if all(_is_number(value) for value in people):
        patterns["sturges"] = sturges_classes(people)
        patterns["deciles"] = decile_classes(people)
    return patterns


def sturges_classes(people: Mapping[str, int]) -> dict[str, str]:
    """Classes of equal width, as many as Sturges' formula gives for so many people."""
    numbers = {value: float(value) for value in people}
    low, high = min(numbers.values()), max(numbers.values())
    count = max(1, ceil(1 + log2(max(1, sum(people.values())))))
    width = (high - low) / count or 1.0
    places = {
        value: min(int((number - low) / width), count - 1) for value, number in numbers.items()
    }
    return _label_classes(places, numbers)


def decile_classes(people: Mapping[str, int]) -> dict[str, str]:
    """Ten classes; a value lies where the middle of its people does."""
    numbers = {value: float(value) for value in people}
    ordered = sorted(people, key=numbers.__getitem__)
    counts = np.array([people[value] for value in ordered], dtype=float)
    middles = (np.cumsum(counts) - counts / 2) / counts.sum()
    places = {
        value: min(int(middle * DECILES), DECILES - 1)
        for value, middle in zip(ordered, middles, strict=True)
    }
    return _label_classes(places, numbers)


def pareto_classes(people: Mapping[str, int]) -> dict[str, str]:
    """A, B or C by falling frequency; equally frequent values in the order given."""
    ordered = sorted(people, key=lambda value: -people[value])
    total = sum(people.values())
    classes, reached = {}, 0
    for value in ordered:
        share = reached / total
        classes[value] = next(name for name, limit in PARETO_SHARES.items() if share < limit)
        reached += people[value]
    return {value: classes[value] for value in people}


def _label_classes(places: Mapping[str, int], numbers: Mapping[str, float]) -> dict[str, str]:
    """Every class by its smallest and largest value."""
    members: dict[int, list[float]] = {}
    for value, place in places.items():
        members.setdefault(place, []).append(numbers[value])
    return {
        value: f"[{min(members[place]):g};{max(members[place]):g}]"
        for value, place in places.items()
    }


def _is_number(value: str) -> bool:
    try:
        return bool(np.isfinite(float(value)))
    except ValueError:
        return False
