"""What every method promises of its release: secrecy, links that lead back, seeds, claims."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import polars as pl
import pytest

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.auto import Auto
from tokumei.tables.anonymizers.delete_rows import Delete
from tokumei.tables.anonymizers.full_domain import Datafly, Flash
from tokumei.tables.anonymizers.local_recoding import (
    CellSuppression,
    KMember,
    LocalRecodingMethod,
    OnePass,
)
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline, Step, TableMethod
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.anonymizers.yamaoka import Yamaoka
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Release, Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.registry import anonymizers
from tokumei.tables.verification.claims import claim_violations

EVERYONE = sample_table(300, seed=1)
QI = [*EVERYONE.schema.qi[:6], "region"]
PEOPLE = Table.of(EVERYONE.frame.select(*QI, *EVERYONE.schema.sa), qi=QI, sa=EVERYONE.schema.sa)
WITH_ID = Table.of(
    PEOPLE.frame.with_columns(who=pl.Series([f"P{i:03}" for i in range(300)])),
    qi=PEOPLE.schema.qi,
    sa=PEOPLE.schema.sa,
    ids=["who"],
)
METHODS: list[TableMethod] = [
    Mondrian(5),
    Mondrian(5, conditions=("l=2",)),
    HierarchicalMondrian(k=5, hierarchies="auto"),
    LocalRecodingMethod(5),
    LocalRecodingMethod(5, suppression=0.1),
    Flash(5),
    Flash(5, suppression=0.1),
    Datafly(5),
    KMember(5),
    OnePass(5),
    CellSuppression(5),
    Auto(5),
    Noise(0.2),
    Yamaoka(0.5),
    Unify(),
    Microaggregate(),
    Microaggregate(groups="mdav", k=4),
    Swap(),
    Swap("near", 3),
    Pipeline((Mondrian(8), Microaggregate("near", 4))),
    Delete(0.2),
    Delete(0.2, "exposed"),
    Pipeline((Delete(0.1), Unify(("region",)), Mondrian(3), Noise(0.1))),
]
IDS = [" ".join(str(part["method"]) for part in m.describe()) + f" {i}" for i, m in
       enumerate(METHODS)]  # fmt: skip
every_method = pytest.mark.parametrize("method", METHODS, ids=IDS)
SEED, SHA256 = 987654, "feedbeef" * 8


def release(method: TableMethod) -> Release:
    """One release for all that only look at it."""
    return _release(METHODS.index(method))


@cache
def _release(place: int) -> Release:
    return METHODS[place].anonymize(WITH_ID, rng=Randomness(SEED), sha256=SHA256)


def test_every_registered_method_is_here() -> None:
    """But `defend`, which searches for seconds (`tests/tables/test_defending.py`)."""
    here = {method.name for method in METHODS}
    assert {*here, "defend"} == {*anonymizers.names(), "pipeline"}


@every_method
def test_claims_hold(method: TableMethod) -> None:
    made = release(method)
    assert claim_violations(made.public, made.claims) == []


@every_method
def test_identifiers_are_gone(method: TableMethod) -> None:
    made = release(method)
    assert made.public.schema.names == PEOPLE.schema.names
    assert "P0" not in made.public.frame.write_csv()


@every_method
@pytest.mark.no_cover
def test_same_seed_same_bytes_other_seed_other_bytes(method: TableMethod) -> None:
    first = release(method)
    again, other = (method.anonymize(WITH_ID, rng=Randomness(seed)) for seed in (SEED, 8))
    assert first.public.frame.write_csv() == again.public.frame.write_csv()
    assert first.link.tolist() == again.link.tolist()
    assert first.link.tolist() != other.link.tolist()


@every_method
@pytest.mark.no_cover
def test_without_a_seed_runs_differ(method: TableMethod) -> None:
    links = [method.anonymize(WITH_ID, rng=Randomness()).link.tolist() for _ in range(2)]
    assert links[0] != links[1]


@every_method
def test_the_secret_shows_nowhere(method: TableMethod) -> None:
    made = release(method)
    manifest = json.dumps(made.manifest())
    for text in (repr(made), manifest, str(made)):
        assert str(SEED) not in text
        assert SHA256[:8] not in text
        assert str(made.link.tolist())[1:20] not in text
        assert str(made.link)[1:12] not in text
    assert made.manifest()["provenance"]["randomness"] == "seeded"
    assert made.provenance.as_json(public=False)["seed"] == SEED


def test_a_step_does_not_show_its_link() -> None:
    assert "link" not in repr(Step.start(PEOPLE))


@every_method
@pytest.mark.no_cover
def test_shuffle_only_reorders(method: TableMethod) -> None:
    plain = method.anonymize(WITH_ID, rng=Randomness(SEED), shuffle=False)
    mixed = release(method)
    assert plain.link.tolist() != mixed.link.tolist()
    assert sorted(plain.link.tolist()) == sorted(mixed.link.tolist())
    back, straight = np.argsort(mixed.link), np.argsort(plain.link)
    assert mixed.public.frame[back].equals(plain.public.frame[straight])


@pytest.mark.parametrize(
    ("method", "kept"),
    [
        (Mondrian(5), PEOPLE.schema.sa),
        (Noise(0.2), PEOPLE.schema.qi),
        (Unify(("region",)), [n for n in PEOPLE.schema.names if n != "region"]),
        (Microaggregate(), PEOPLE.schema.qi),
        (Swap(), PEOPLE.schema.qi),
        (Delete(0.2), PEOPLE.schema.names),
        (Pipeline((Delete(0.3), Mondrian(3), Delete(0.3))), PEOPLE.schema.sa),
    ],
    ids=lambda value: value.name if isinstance(value, TableMethod) else "",
)
def test_the_link_leads_back(method: TableMethod, kept: list[str]) -> None:
    """Columns that a method leaves alone equal those of the linked original row."""
    made = method.anonymize(PEOPLE, rng=Randomness(4))
    original = PEOPLE.frame[made.link]
    assert made.public.frame.select(kept).equals(original.select(kept))
    Comparison.of(PEOPLE, made)


def test_shuffled_rows_are_where_chance_puts_them() -> None:
    """No row stays near its place: the mean shift of a random order is a third of the length."""
    link = Noise(0.0).anonymize(PEOPLE, rng=Randomness(5)).link
    assert 80 < np.abs(link - np.arange(300)).mean() < 120


def test_a_pipeline_composes_links_and_claims() -> None:
    parts = (Delete(0.5), Yamaoka(1.0), Unify(("region",)), Delete(0.5))
    made = Pipeline(parts).anonymize(PEOPLE, rng=Randomness(6), shuffle=False)
    assert made.public.rows == 75
    assert len(set(made.link.tolist())) == 75
    assert [claim.rule for claim in made.claims] == ["constant"]
    steps = [step["method"] for step in made.manifest()["provenance"]["steps"]]
    assert steps == ["delete", "yamaoka", "unify", "delete"]
    # The values are of one real row, the link says another.
    vectors = {row: i for i, row in enumerate(PEOPLE.frame.drop("region").iter_rows())}
    real = [vectors[row] for row in made.public.frame.drop("region").iter_rows()]
    assert all(a != b for a, b in zip(real, made.link.tolist(), strict=True))


def test_equal_steps_of_a_pipeline_draw_their_own_chance() -> None:
    once = Noise(1.0, unit="absolute").anonymize(PEOPLE, rng=Randomness(1), shuffle=False)
    twice = Pipeline((Noise(1000.0, unit="absolute"),) * 2)
    food = PEOPLE.frame["food"].to_numpy()
    moved = twice.anonymize(PEOPLE, rng=Randomness(1), shuffle=False).public.frame["food"] - food
    assert moved.std() == pytest.approx(1000 * 2**0.5, rel=0.2)  # not 2000
    assert once.public.rows == 300


def test_an_empty_pipeline_is_a_shuffle() -> None:
    made = Pipeline(()).anonymize(PEOPLE, rng=Randomness(1))
    assert made.public.frame.equals(PEOPLE.frame[made.link])


@pytest.mark.parametrize("method", [Unify(("who",)), Noise(columns=("who",))])
def test_methods_do_not_see_identifiers(method: TableMethod) -> None:
    with pytest.raises(UnknownNameError, match="unknown column 'who'"):
        method.anonymize(WITH_ID, rng=Randomness(1))


@pytest.mark.parametrize("method", ["local", "flash", "datafly", "auto"])
@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_suppression_is_a_share(method: str, share: float) -> None:
    with pytest.raises(UsageError, match="suppression must lie between 0 and 1"):
        anonymizers.build(method, {"suppression": share})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "method", [Delete(share=0.25, choose="exposed"), Microaggregate(k=3, groups="mdav")]
)
def test_numbers_too_large_to_be_squared_are_told_apart(method: TableMethod) -> None:
    """What is done depends on how the numbers lie to each other, not on how large they are."""
    small = pl.DataFrame({"q": list("aabb" * 6), "x": [float(i * i) for i in range(24)]})
    large = small.with_columns(pl.col("x") * 1e300)
    made = [
        method.anonymize(Table.of(frame, qi=["q"], sa=["x"]), rng=Randomness(1))
        for frame in (small, large)
    ]
    by_row = [dict(zip(one.link, one.public.frame["x"], strict=True)) for one in made]
    assert by_row[0].keys() == by_row[1].keys()
    assert {row: x / 1e300 for row, x in by_row[1].items()} == pytest.approx(by_row[0])
