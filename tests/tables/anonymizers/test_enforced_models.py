"""Every method × every privacy model: the release holds by brute force, or nothing can."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from support.guarded_methods import random_source
from support.privacy_reference import models
from tables.anonymizers.enforced_models_helpers import asked, holds, seen
from tokumei import anonymize
from tokumei.core.errors import InputError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.mondrian import Mondrian


@pytest.mark.long
@pytest.mark.parametrize("cut", ["gain", "median"])
def test_mondrian_stops_only_where_no_cut_is_allowed(cut: Any) -> None:
    for seed in range(20):
        source = random_source(seed)
        whole = seen(source)
        for model in models(whole, seed):
            if model.name == "t-hierarchical" or not model.fulfilled(whole.totals, whole):
                continue
            present = sorted(set(source.frame["b"]))
            method = Mondrian(
                k=2, cut=cut, order={"b": present}, conditions=(asked(model),), sensitive=("s",)
            )
            made = method.anonymize(source.drop(["who"]), rng=Randomness(1), shuffle=False)
            classes: dict[Any, list[Any]] = {}
            for cells, row in zip(made.public.frame.iter_rows(), whole.rows, strict=True):
                classes.setdefault(cells[:2], []).append(row)
            for rows in classes.values():
                for j in (0, 1):
                    for border in {row[j] for row in rows}:
                        low = [row for row in rows if row[j] <= border]
                        high = [row for row in rows if row[j] > border]
                        assert not (holds(low, model, whole) and holds(high, model, whole))


def test_several_conditions_on_several_columns() -> None:
    source = random_source(5)
    frame = source.frame.with_columns(u=pl.Series([f"u{i % 3}" for i in range(source.rows)]))
    made = anonymize(
        frame.drop("who"), "local", qi=["a", "b"], sa=[], k=3,
        conditions=["l=2", "alpha=0.9"], sensitive=["s", "u"], seed=1,
    )  # fmt: skip
    plain = [(claim.rule, claim.params.get("sensitive")) for claim in made.claims]
    assert plain == [
        ("k-anonymity", None), ("l-diversity", ["s", "u"]), ("alpha-k", ["s", "u"]),
    ]  # fmt: skip
    for _, rows in made.public.frame.group_by("a", "b"):
        assert rows["s"].n_unique() >= 2
        assert rows["u"].n_unique() >= 2
        assert max(Counter(rows["u"]).values()) <= 0.9 * rows.height


def test_texts_are_ordered_by_the_leaves_of_a_hierarchy(tmp_path: Path) -> None:
    """low, mid, high: p = (1, 0, 0) is at 1/2 from the uniform, p = (0, 1, 0) at 1/3."""
    (tmp_path / "s.csv").write_text("low;*\nmid;*\nhigh;*\n", encoding="utf-8")
    frame = pl.DataFrame({"a": [1, 1, 2, 2, 3, 3], "s": ["mid"] * 2 + ["low", "high"] * 2})
    asked_for = {"conditions": ["t-ordered=0.34"], "sensitive": ["s"], "k": 2, "seed": 1}
    made = anonymize(
        frame, "mondrian", qi=["a"], sa=[], sensitive_hierarchies=str(tmp_path / "{column}.csv"),
        **asked_for,
    )  # fmt: skip
    assert made.public.frame["a"].n_unique() == 3
    assert made.claims[1].params["order"] == ["low", "mid", "high"]
    with pytest.raises(UsageError, match="give a hierarchy whose leaves are in order"):
        anonymize(frame, "mondrian", qi=["a"], sa=[], **asked_for)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"conditions": ["l=2"]}, "need sensitive columns; name them"),
        ({"sensitive": ["s"]}, "'sensitive' needs a condition"),
        ({"conditions": ["l=2"], "sensitive": ["a"]}, "'a' cannot be a sensitive or person"),
        ({"person": "a"}, "'a' cannot be both quasi-identifier and identifier"),
        ({"person": "s", "conditions": ["l=2"], "sensitive": ["s"]}, "'s' cannot be"),
        ({"person": "wo"}, "unknown column 'wo'"),
        ({"conditions": ["l=2"], "sensitive": ["t"]}, "unknown column 't'"),
        ({"conditions": ["m=2"], "sensitive": ["s"]}, "unknown condition 'm'"),
        ({"conditions": ["t-hierarchical=0.2"], "sensitive": ["s"]}, "needs a hierarchy"),
        ({"conditions": ["l=2"], "sensitive": ["s"], "cut": "relaxed"}, "a relaxed cut divides"),
        ({"person": "s", "cut": "relaxed"}, "a relaxed cut divides"),
    ],
)
def test_what_cannot_be_asked_for(params: dict[str, Any], message: str) -> None:
    frame = pl.DataFrame({"a": [1, 2, 3, 4], "s": [1, 2, 1, 2]})
    with pytest.raises(UsageError, match=message):
        anonymize(frame, "mondrian", qi=["a"], sa=[], k=2, **params)


def test_the_error_says_what_cannot_be_kept_in_both_languages() -> None:
    frame = pl.DataFrame({"a": [1, 2, 3, 4], "s": ["x", "y", "x", "y"]})
    with pytest.raises(InputError) as caught:
        anonymize(frame, "local", qi=["a"], sa=[], k=2, conditions=["l=3"], sensitive=["s"])
    assert "l-diversity (l = 3) cannot be met: for 's'" in caught.value.message.show("en")
    assert "l-diversity (l = 3) は満たせません" in caught.value.message.show("ja")
