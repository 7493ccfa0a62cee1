"""Releases in which cells are of several kinds, and people whose files are."""

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tables.audit.people import case_of, mixed, seen_of
from tokumei.tables.audit.control_matching import ControlMatching

KINDS = {"kinds": ["membership", "attribute"], "seed": 1}


def noisy(rng, n):
    """People whose sensitive value goes with nothing but themselves."""
    numbers = {f"x{j}": rng.normal(size=n) for j in range(4)}
    return pl.DataFrame(
        {**numbers, "town": rng.choice(list("abcd"), n), "ill": rng.choice(list("xyz"), n)}
    )


@pytest.fixture(scope="module")
def parts():
    rng = np.random.default_rng(8)
    members, control, reference = (noisy(rng, 150) for _ in range(3))
    release = members.with_columns(
        (pl.col(f"x{j}") + pl.Series(rng.normal(0, 0.1, 150))).alias(f"x{j}") for j in range(4)
    )
    people = {"members": members, "control": control, "reference": reference}
    return release, people, {"qi": [*(f"x{j}" for j in range(4)), "town"], "sa": ["ill"]}


@pytest.mark.parametrize(
    "cells",
    [
        pl.lit("*"),
        pl.lit(None, dtype=pl.String),
        pl.when(pl.col("town").is_in(["a", "b"])).then(pl.lit("{a;b}")).otherwise(pl.lit("{c;d}")),
        pl.when(pl.int_range(pl.len()) % 5 == 0).then(pl.lit("*")).otherwise("town"),
    ],
    ids=["suppressed", "emptied", "generalized", "some suppressed"],
)
def test_one_generalized_column_does_not_hide_the_others(parts, cells):
    """Noisy copies are found by distances, though a town is not told, or only half."""
    release, people, roles = parts
    found = tk.audit(release.with_columns(cells.alias("town")), **people, **roles, **KINDS)
    assert found.membership.attacks["explain"].figures.auc.value > 0.95
    assert found.attributes["ill"].corrected.low > 0.5
    assert found.attributes["ill"].attacks["nearest-1"].members > 0.9


def test_guesses_by_fewer_columns_are_those_of_a_file_without_the_others(parts):
    release, people, roles = parts
    silent = tk.audit(release.with_columns(town=pl.lit("*")), **people, **roles, **KINDS)
    less = {name: frame.drop("town") for name, frame in people.items()}
    roles = {**roles, "qi": roles["qi"][:-1]}
    without = tk.audit(release.drop("town"), **less, **roles, **KINDS)
    for name in ("nearest-1", "nearest-5", "twins", "forest"):
        one, other = (found.attributes["ill"].attacks[name] for found in (silent, without))
        assert (one.members, one.control, one.probable) == (
            other.members,
            other.control,
            other.probable,
        )
    for name in ("dcr", "ratio", "explain", "density"):
        one, other = (found.membership.attacks[name].figures for found in (silent, without))
        assert one.as_json() == other.as_json(), name


def test_every_rate_is_that_of_the_attack_that_finds_the_most(parts):
    release, people, roles = parts
    found = tk.audit(release, **people, **roles, **KINDS).membership
    for rate, one in found.rates.items():
        most = max(attack.figures.tpr[rate].value for attack in found.attacks.values())
        assert one.value == most
        assert found.attacks[found.finders[rate]].figures.tpr[rate].value == most


def test_rounded_numbers_are_measured_as_what_they_show():
    rng = np.random.default_rng(2)
    frames = [
        pl.DataFrame({"a": rng.integers(0, 1000, 80), "b": rng.integers(0, 1000, 80)})
        for _ in range(2)
    ]
    release = frames[0].with_columns((pl.col("a") / 10).round().cast(pl.Int64) * 10)
    seen, _ = seen_of(case_of(release, *frames, None))
    assert seen.columns[0].general
    one = seen.measured.columns[0]
    assert not one.general
    assert one.cell_numbers[one.released].tolist() == release["a"].to_list()


def test_the_order_of_rows_changes_no_guess(parts):
    release, people, roles = parts
    order = np.random.default_rng(1).permutation(150)
    one, other = (
        tk.audit(given, **people, **roles, kinds=["attribute"], seed=1).attributes["ill"]
        for given in (release, release[order])
    )
    for name, attack in one.attacks.items():
        assert attack.as_json() == other.attacks[name].as_json(), name


def slow_matching(rows, member):
    """Member by member: the five nearest controls and all as near as the fifth share it."""
    weights = np.zeros(len(rows))
    others = np.flatnonzero(~member)
    for i in np.flatnonzero(member):
        far = np.array([np.sqrt(sum((rows[i] - rows[j]) ** 2)) for j in others])
        chosen = far <= np.sort(far)[4] + 1e-9
        weights[others[chosen]] += 1 / chosen.sum() / member.sum()
    return weights[~member]


def test_matching_is_that_of_a_plain_loop():
    rng = np.random.default_rng(4)
    frames = [pl.DataFrame({"x": rng.integers(0, 30, n) / 1.0}) for n in (40, 50)]
    seen, member = seen_of(case_of(frames[0], *frames, None))
    column = seen.columns[0]
    scale = frames[0]["x"].std(ddof=0)
    rows = (column.value_numbers[column.known[: seen.targets]] / scale)[:, None]
    found = ControlMatching.of(seen, member)
    assert found.weights == pytest.approx(slow_matching(rows, member))
    assert found.weights.sum() == pytest.approx(1)
    right = np.zeros(len(member), dtype=bool)
    nobody = found.risk(right).risk
    assert nobody.low < nobody.value == 0 < nobody.high


def test_a_column_of_numbers_and_texts_is_read_alike_in_all_files():
    """One file may have numbers only, by chance; a few texts among numbers are mistakes."""
    rng = np.random.default_rng(5)
    members, control = mixed(rng, 150), mixed(rng, 150)
    rooms = [["12", "13", "A4"][i] for i in rng.integers(0, 3, 150)]
    members = members.with_columns(pl.Series("room", rooms))
    control = control.with_columns(pl.Series("room", rng.integers(12, 14, 150)))
    found = tk.audit(members, members=members, control=control, kinds=["membership"], seed=1)
    assert found.control_test.differs
    typo = control.with_columns(
        pl.when(pl.int_range(pl.len()) == 7).then(pl.lit("x")).otherwise("age").alias("age")
    )
    with pytest.raises(tk.InputError, match="control, line 9 holds the first text"):
        tk.audit(members, members=members, control=typo, seed=1)


def test_exact_copies_single_out_everybody_by_their_exact_values():
    """As ranges, numbers of copies single out only those at an end."""
    rng = np.random.default_rng(7)
    members, control = noisy(rng, 60), noisy(rng, 60)
    asked = {"members": members, "control": control, "kinds": ["singling-out"], "seed": 1}
    found = tk.audit(members, **asked)
    assert (found.singling_out[-1].equal, found.singling_out[-1].members) == (True, 60)
    assert "the exact values of 6 columns of one released row" in tk.render(found)


def test_singling_out_asks_everybody_where_the_reference_fills_up():
    """Members who were left out would look like descriptions that fail."""
    rng = np.random.default_rng(6)
    parts = [noisy(rng, n) for n in (90, 60, 40)]
    asked = {"members": parts[0], "control": parts[1], "kinds": ["singling-out"], "seed": 1}
    few = tk.audit(parts[0], **asked).singling_out[-1]
    found = tk.audit(parts[0], **asked, reference=parts[2]).singling_out[-1]
    assert few.people == 60
    assert few.rate < 0.8
    assert (found.people, found.rate) == (90, 1.0)
