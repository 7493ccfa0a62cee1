"""Tests of tokumei.tables.privacy_levels."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest

import tokumei as tk
from tables.frames_in_and_out_helpers import ROWS, visits


def test_one_liners_against_plain_loops() -> None:
    frame = visits()
    qi = [*zip(frame["age"] // 6, frame["sex"], strict=True)]
    frame["band"] = frame["age"] // 6
    sick = [["flu", "none", "cold"][i % 7 % 3] for i in range(ROWS)]
    frame["disease"] = sick
    sizes = Counter(qi)
    assert tk.k_anonymity(frame, ["band", "sex"]) == min(sizes.values())
    classes: dict[Any, list[str]] = defaultdict(list)
    for key, value in zip(qi, sick, strict=True):
        classes[key].append(value)
    assert tk.l_diversity(frame, ["band", "sex"], "disease") == min(
        len({*values}) for values in classes.values()
    )
    whole = Counter(sick)
    far = max(
        sum(abs(values.count(v) / len(values) - n / ROWS) for v, n in whole.items()) / 2
        for values in classes.values()
    )
    assert tk.t_closeness(frame, ["band", "sex"], ["disease"]) == pytest.approx(far)
    frame["who"] = [i // 4 for i in range(ROWS)]
    people: dict[Any, set[int]] = defaultdict(set)
    for key, person in zip(qi, frame["who"], strict=True):
        people[key].add(person)
    assert tk.k_anonymity(frame, ["band", "sex"], person="who") == min(map(len, people.values()))
    with pytest.raises(tk.UsageError):
        tk.k_anonymity(frame, [])
