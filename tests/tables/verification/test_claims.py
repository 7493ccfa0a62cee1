"""Tests of tokumei.tables.verification.claims."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given

from support.guarded_methods import METHODS, Make, random_source
from support.privacy_reference import NAMES, models
from support.required_claims import require_claims
from tables.anonymizers.enforced_models_helpers import asked, seen
from tables.anonymizers.gaps_and_texts_helpers import SEEDS, by_class, gappy, made
from tables.verification.claims_fixtures import release_of
from tables.verification.claims_fixtures import tree as tree
from tables.verification.rules_helpers import PEOPLE
from tokumei import anonymize
from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, ClaimError, InputError
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.data.table import Table
from tokumei.tables.verification.claims import claim_violations

every_method = pytest.mark.parametrize("make", METHODS.values(), ids=METHODS)


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


@pytest.mark.parametrize("groups", ["mdav", "near"])
def test_groups_of_similar_rows_claim_the_columns_without_gaps(groups: Any) -> None:
    table = gappy(3, 60)
    whole = table.with_frame(table.frame.with_columns(pl.col("ill").fill_null("flu")))
    release = made(Microaggregate(groups=groups, k=3), whole)
    (claim,) = release.claims
    assert claim.params["columns"] == (["ill"] if groups == "mdav" else ["q", "ill"])
    assert claim_violations(release.public, release.claims) == []
    gaps = table.frame["pay"].is_null()
    assert release.public.frame["pay"].is_null().equals(gaps)


@given(SEEDS)
def test_gaps_are_one_category_for_t_closeness(seed: int) -> None:
    table = gappy(seed)
    for name in ("pay", "ill"):
        whole = Counter(table.frame[name].to_list())
        far = []
        for cells in by_class(table.frame, name).values():
            counts = Counter(cells)
            parts = [counts[v] / len(cells) - whole[v] / table.rows for v in whole]
            far.append(sum(map(abs, parts)) / 2)
        for t, is_close in ((max(far) + 1e-6, True), (max(far) - 1e-6, False)):
            if 0 <= t < 1:
                claim = Claim("t-closeness", {"t": t, "columns": ["q"], "sensitive": [name]})
                assert (claim_violations(table, [claim]) == []) is is_close


@pytest.mark.parametrize("make", METHODS.values(), ids=METHODS)
def test_every_class_has_k_persons_and_none_is_named(make: Make) -> None:
    for seed in range(4):
        source = random_source(seed)
        source = Table.of(source.frame, qi=["a", "b"], sa=["s"], ids=["who"] * (seed % 2))
        made = make(k=3, person="who").anonymize(source, rng=Randomness(1))
        assert made.public.schema.names == ["a", "b", "s"]
        people: dict[Any, set[str]] = {}
        for cells, origin in zip(made.public.frame.iter_rows(), made.link.tolist(), strict=True):
            people.setdefault(cells[:2], set()).add(source.frame["who"][origin])
        assert min(len(found) for found in people.values()) >= 3
        assert {"k-per-person", "no-identifiers"} < {claim.rule for claim in made.claims}
        assert claim_violations(made.public, made.claims) == []


def test_many_faults_are_capped_with_a_total() -> None:
    claim = Claim("k-anonymity", {"k": 2, "columns": ["food"]})
    total = len(claim_violations(PEOPLE, [claim]))
    assert total > MAX_SHOWN_VIOLATIONS
    with pytest.raises(ClaimError, match=f"and {total - MAX_SHOWN_VIOLATIONS} more") as caught:
        require_claims(PEOPLE, [claim])
    assert (len(caught.value.faults), caught.value.total) == (MAX_SHOWN_VIOLATIONS, total)
