"""What cells of a release stand for beside people whom it was not made from."""

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tables.audit.people import mixed
from tables.audit.reading_helpers import LABELS
from tokumei.tables.audit.inputs import widen_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy


def widen(others):
    members = pl.DataFrame({"town": ["a", "c", "e", "g", "k"]})
    made = {"town": Hierarchy.of("town", LABELS)}
    return widen_hierarchies(
        made, members, pl.DataFrame({"town": others}, schema={"town": pl.String})
    )


@pytest.mark.parametrize(
    ("value", "labels"),
    [
        ("b", ["b", "b", "a … g", "*"]),
        ("f", ["f", "f", "a … g", "*"]),
        ("h", ["h", "h", "h", "*"]),
        ("z", ["z", "z", "z", "*"]),
        (None, ["", "", "", "*"]),
    ],
)
def test_a_value_that_no_member_has_stands_where_labels_say(value, labels):
    """`a … g` holds what lies between, `{a;c}` lists its values."""
    made = widen(["c", value])["town"]
    leaf = made.leaf_codes(pl.Series("town", [value], dtype=pl.String))[0]
    names = [names[int(up[leaf])] for names, up in zip(made.names, made.up, strict=True)]
    assert names == labels


def test_automatic_hierarchies_answer_for_people_with_other_values():
    rng = np.random.default_rng(0)
    members, control = mixed(rng, 60), mixed(rng, 60)
    control = control.with_columns(
        pl.when(pl.int_range(pl.len()) < 5).then(pl.lit("bb")).otherwise("town").alias("town")
    )
    release = members.with_columns(pl.lit("*").alias("age"))
    found = tk.audit(
        release,
        members=members,
        control=control,
        hierarchies="auto",
        kinds=["membership"],
        seed=1,
    )
    assert found.counts["control"] == 60


def test_the_first_digits_of_whole_numbers_are_read():
    """Postal codes without a leading zero come as numbers, and their first digits as others."""
    rng = np.random.default_rng(2)
    codes = [12345, 12399, 13001, 98701]
    members, control = (
        pl.DataFrame({"zip": rng.choice(codes, 80), "x": rng.choice(list("ab"), 80)})
        for _ in range(2)
    )
    release = members.with_columns(pl.col("zip") // 100)
    found = tk.audit(release, members=members, control=control, kinds=["membership"], seed=1)
    seen = found.membership.attacks["covered"].figures
    rows = set(release.rows())
    covered = [[(z // 100, x) in rows for z, x in side.rows()] for side in (members, control)]
    wanted = 0.5 + (np.mean(covered[0]) - np.mean(covered[1])) / 2
    assert seen.auc.value == pytest.approx(wanted)
    assert np.mean(covered[0]) == 1


def test_numbers_too_large_for_a_type_of_whole_ones_are_read():
    rng = np.random.default_rng(2)
    members, control = (
        pl.DataFrame(
            {
                "n": rng.integers(2**63, 2**64 - 1, 80, dtype=np.uint64),
                "x": rng.choice(list("ab"), 80),
            }
        )
        for _ in range(2)
    )
    found = tk.audit(members, members=members, control=control, kinds=["membership"], seed=1)
    assert found.counts["members"] == 80
