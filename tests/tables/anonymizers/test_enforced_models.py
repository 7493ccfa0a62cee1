"""Every method × every privacy model: the release holds by brute force, or nothing can."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from support.guarded_methods import METHODS, Make, random_source
from support.privacy_reference import NAMES, PARENTS, Model, SmallTable, models
from tokumei import anonymize
from tokumei.core.errors import InputError, UsageError
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.full_domain import Flash
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.verification.claims import claim_violations

every_method = pytest.mark.parametrize("make", METHODS.values(), ids=METHODS)


def seen(table: Table) -> SmallTable:
    return SmallTable(list(table.frame.select("a", "b", "s").iter_rows()))


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hierarchy of the reference, as a file."""
    path: Path = tmp_path_factory.mktemp("h") / "s.csv"
    path.write_text("".join(f"{v};{PARENTS[v]};*\n" for v in range(5)), encoding="utf-8")
    return str(path)


def asked(model: Model) -> str:
    return f"{model.name}=" + ",".join(repr(number) for number in (model.limit, *model.extra))


def release_of(make: Make, source: Table, text: str, tree: str, k: int = 2) -> Release:
    method = make(k=k, conditions=(text,), sensitive_hierarchies={"s": tree})
    return method.anonymize(source.drop(["who"]), rng=Randomness(1))


@pytest.mark.long
@every_method
def test_every_class_holds_or_not_even_one_class_does(make: Make, tree: str) -> None:
    refused = cut = 0
    for seed in range(5):
        source = random_source(seed)
        whole = seen(source)
        for model in models(whole, seed):
            possible = model.fulfilled(whole.totals, whole)
            if not possible:
                with pytest.raises(InputError, match="not even all rows as a single class"):
                    release_of(make, source, asked(model), tree)
                refused += 1
                continue
            made = release_of(make, source, asked(model), tree)
            found = seen(made.public)
            for counts in found.classes.values():
                assert sum(counts) >= 2
                assert model.fulfilled(counts, found), (seed, model)
            assert claim_violations(made.public, made.claims) == []
            assert made.claims[0].rule == "k-anonymity"
            assert len(made.claims) == 2
            cut += len(found.classes) > 1
    assert refused
    assert cut > 5


@pytest.mark.parametrize("name", NAMES)
def test_the_claim_of_each_model_catches_a_release_that_breaks_it(name: str, tree: str) -> None:
    caught = 0
    for seed in range(30):
        source = random_source(seed)
        whole = seen(source)
        model = next(one for one in models(whole, seed) if one.name == name)
        if not model.fulfilled(whole.totals, whole):
            continue
        promise = release_of(Mondrian, source, asked(model), tree).claims
        careless = Mondrian(k=2).anonymize(source.drop(["who"]), rng=Randomness(1)).public
        found = seen(careless)
        broken = [not model.fulfilled(counts, found) for counts in found.classes.values()]
        faults = claim_violations(careless, promise)
        assert len(faults) == sum(broken)
        caught += any(broken)
    assert caught > 2


# --- no needless coarseness


def counts_of(rows: list[tuple[Any, ...]], values: list[int]) -> list[int]:
    return [sum(row[2] == value for row in rows) for value in values]


def holds(rows: list[tuple[Any, ...]], model: Model, whole: SmallTable) -> bool:
    return len(rows) >= 2 and model.fulfilled(counts_of(rows, whole.values), whole)


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


# --- several conditions and columns, and what cannot be asked for


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
    with pytest.raises(UsageError, match="give a hierarchy whose leaves stand in their order"):
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
    assert "l-diversity (l = 3) cannot be met: for 's'" in caught.value.message.en
    assert "l-diversity (l = 3) は満たせません" in caught.value.message.ja


def test_claims_of_the_manifest_name_released_values_only(tree: str) -> None:
    made = release_of(Mondrian, random_source(1), "t-hierarchical=0.9", tree)
    claim: Claim = made.claims[1]
    shown = {str(value) for value in made.public.frame["s"].unique()}
    assert set(claim.params["hierarchy"]) == shown
    assert all(len(path) == 2 for path in claim.params["hierarchy"].values())


@every_method
def test_texts_that_spell_one_number_are_one_value(make: Make) -> None:
    texts = ["1.0"] + ["1"] * 5 + ["a"] * 6
    frame = pl.DataFrame({"a": texts, "b": list("uvwxyzuvwxyz"), "s": [1, 2, 3] * 4})
    release = anonymize(Table.of(frame, qi=["a", "b"], sa=["s"]), make(k=3), seed=1)
    assert claim_violations(release.public, release.claims) == []
