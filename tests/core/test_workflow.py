"""Tests of tokumei.core.workflow."""

from __future__ import annotations

import numpy as np
import pytest

from histories.category_mapping_study_fixtures import general as general
from histories.category_mapping_study_fixtures import history as history
from tokumei.core.workflow import make_release
from tokumei.histories.category_mapping_study import (
    basket_f1,
    original_item_rows,
    released_item_rows,
)
from tokumei.histories.data.generalized_history import format_general_history
from tokumei.histories.kind import HISTORIES
from tokumei.histories.registry import anonymizers


def slow_pairs(people: dict[int, dict[str, list[float]]]) -> set[tuple[str, str]]:
    items = sorted({item for held in people.values() for item in held})
    has = {
        (p, item): 1 - np.prod([1 - min(w, 1 - 1e-12) for w in held.get(item, [])])
        for p, held in people.items()
        for item in items
    }
    n = len(people)
    share = {item: sum(has[p, item] for p in people) / n for item in items}
    often = [item for item in items if share[item] >= 0.05]
    found = set()
    for at, a in enumerate(often):
        for b in often[at + 1 :]:
            both = sum(has[p, a] * has[p, b] for p in people) / n
            if both >= 0.05 and both / (share[a] * share[b]) >= 1.2:
                found.add((a, b))
    return found


def test_baskets_against_a_plain_loop(history, general) -> None:
    sides = []
    mapping = {item: item[:2] for item in history.item_names}
    source = history.with_items(mapping)
    released = make_release(
        HISTORIES, source, anonymizers.build("rank-match", {"k": 3}), seed=1
    ).rows
    for persons, items in (
        (source.customer_codes.tolist(), source.frame["item"].to_list()),
        (released.person.tolist(), format_general_history(released)["item"].to_list()),
    ):
        people: dict[int, dict[str, list[float]]] = {}
        for person, item in zip(persons, items, strict=True):
            if person < 0:
                continue
            held = people.setdefault(person, {})
            members = [] if item == "*" else item.strip("{}").split(";")
            for one in members:
                held.setdefault(one, []).append(1 / len(members))
        sides.append(slow_pairs(people))
    both = len(sides[0] & sides[1])
    expected = 2 * both / (len(sides[0]) + len(sides[1])) if sides[0] or sides[1] else 1.0
    found = basket_f1(original_item_rows(source), released_item_rows(released, source.item_names))
    assert found == pytest.approx(expected)
