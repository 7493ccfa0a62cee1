"""Tests of tokumei.tables.anonymizers.full_domain."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest

from support.guarded_methods import random_source
from support.privacy_reference import models
from tables.anonymizers.enforced_models_helpers import asked, holds, seen
from tables.verification.claims_fixtures import release_of
from tables.verification.claims_fixtures import tree as tree
from tokumei.tables.anonymizers.full_domain import Flash
from tokumei.tables.hierarchies.choose import choose_hierarchies


@pytest.mark.long
def test_flash_is_as_good_as_looking_at_every_node(tree: str) -> None:
    """Also under δ-disclosure, which is not monotone."""
    for seed in range(8):
        source = random_source(seed)
        whole = seen(source)
        trees = choose_hierarchies("auto", source.frame, ["a", "b"])
        labels = [[one.labels(level).to_list() for level in range(one.height + 1)]
                  for one in trees.values()]  # fmt: skip
        leaves = [one.leaf_codes(source.frame[name]).tolist() for name, one in trees.items()]
        costs = [one.ncp() for one in trees.values()]
        for model in models(whole, seed):
            if not model.fulfilled(whole.totals, whole):
                continue
            best = math.inf
            for levels in product(*(range(len(names)) for names in labels)):
                classes: dict[Any, list[Any]] = {}
                loss = 0.0
                for row, place in zip(whole.rows, zip(*leaves, strict=True), strict=True):
                    cell = tuple(labels[j][levels[j]][place[j]] for j in (0, 1))
                    classes.setdefault(cell, []).append(row)
                    loss += sum(costs[j][levels[j], place[j]] for j in (0, 1))
                if all(holds(rows, model, whole) for rows in classes.values()):
                    best = min(best, loss)
            made = release_of(Flash, source, asked(model), tree).public.frame
            widths = [
                {labels[j][level][leaf]: costs[j][level, leaf] for level in range(len(labels[j]))
                 for leaf in range(len(labels[j][0]))} for j in (0, 1)]  # fmt: skip
            found = sum(
                widths[j][str(cell)] for j, name in enumerate("ab") for cell in made[name].to_list()
            )
            assert found == pytest.approx(best)
