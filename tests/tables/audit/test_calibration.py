"""What every attack must pass: nothing where there is nothing, all of it where there is all."""

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tables.audit.people import case_of, mixed, normals, seen_of
from tokumei.tables.audit.attack_statistics import MembershipFigures, auc_interval
from tokumei.tables.audit.attacks.membership_attack import membership_attacks
from tokumei.tables.audit.distance_spaces import build_spaces

ATTACKS = [name for name in membership_attacks.names() if name != "classifier"]


def all_scores(case, model="together", seed=0, names=ATTACKS):
    seen, member = seen_of(case, model, seed)
    spaces = build_spaces(seen)
    found = {}
    for name in names:
        attack = membership_attacks.build(name)
        if attack.missing(seen) is None:
            found |= attack.variants(seen, spaces)
    return found, member


def figures(case, **options):
    found, member = all_scores(case, **options)
    return {name: MembershipFigures.of(one[member], one[~member]) for name, one in found.items()}


@pytest.mark.long
@pytest.mark.parametrize("model", ["together", "alone"])
def test_a_release_of_strangers_tells_nothing(model):
    """All 400 draws, of more people, and the forest: `python -m bench.audit_calibration`."""
    rng = np.random.default_rng(11)
    held: dict[str, list[bool]] = {}
    values: dict[str, list[float]] = {}
    for _ in range(150):
        parts = [normals(rng, 100) for _ in range(4)]
        scores, member = all_scores(case_of(*parts), model)
        for name, one in scores.items():
            found = auc_interval(one[member], one[~member])
            held.setdefault(name, []).append(found.low <= 0.5 <= found.high)
            values.setdefault(name, []).append(found.value)
    for name in held:
        assert np.mean(held[name]) >= 0.88, name
        assert np.mean(values[name]) == pytest.approx(0.5, abs=0.012), name


def test_copies_of_distinct_rows_are_found():
    rng = np.random.default_rng(5)
    members, control, reference = (normals(rng, 200) for _ in range(3))
    found = figures(case_of(members, members, control, reference))
    for name in ("dcr", "explain", "copy", "box", "covered"):
        assert found[name].auc.value >= 0.999, name


@pytest.mark.long
def test_noisy_copies_are_found_as_often_as_they_should_be():
    rng = np.random.default_rng(1)
    draws = []
    for _ in range(12):
        members, control, reference = (normals(rng, 200) for _ in range(3))
        release = pl.DataFrame(
            {name: members[name] + rng.normal(0, 0.3, 200) for name in members.columns}
        )
        one = figures(case_of(release, members, control, reference), names=["explain"])["explain"]
        draws.append((one.auc.value, one.tpr[0.01].value, one.tpr[0.1].value))
    auc, few, more = np.mean(draws, axis=0)
    assert auc >= 0.95
    assert few >= 0.6
    assert more >= 0.88


def told(case, names=ATTACKS):
    found, member = all_scores(case, names=names)
    return {
        name: MembershipFigures.of(one[member], one[~member]).auc.value
        for name, one in found.items()
    }


def changed(frames, change):
    return [change(frame) for frame in frames]


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.rename({"age": "years", "town": "place"}),
        lambda frame: frame.with_columns(pl.col("age") * 1000),
        lambda frame: frame.with_columns(
            pl.col("town").replace_strict(dict(zip("abcdef", "zyxwvu", strict=True)))
        ),
        lambda frame: frame.with_columns(pl.lit("same").alias("constant")),
        lambda frame: frame.select(reversed(frame.columns)),
    ],
    ids=["renamed", "scaled", "recoded", "constant", "columns turned"],
)
def test_names_units_and_codes_change_no_score(change):
    rng = np.random.default_rng(4)
    members, control, reference = (mixed(rng, 60) for _ in range(3))
    release = members.with_columns(pl.col("age") + pl.Series(rng.integers(-2, 3, 60)))
    frames = [release, members, control, reference]
    before, after = told(case_of(*frames)), told(case_of(*changed(frames, change)))
    assert after == pytest.approx(before, abs=1e-9)


@pytest.mark.parametrize("model", ["together", "alone"])
def test_codes_decide_nothing_among_equally_far_people(model):
    """Hundreds are as far as the tenth: whose code comes first must not matter."""
    rng = np.random.default_rng(8)
    frames = [
        pl.DataFrame({f"c{j}": rng.choice(list("abcde"), 400) for j in range(5)}) for _ in range(4)
    ]
    turned = [
        frame.with_columns(pl.all().replace_strict(dict(zip("abcde", "edacb", strict=True))))
        for frame in frames
    ]
    (before, member), (after, _) = (all_scores(case_of(*one), model) for one in (frames, turned))
    for name in before:
        areas = [auc_interval(one[name][member], one[name][~member]) for one in (before, after)]
        assert areas[0].value == pytest.approx(areas[1].value, abs=1e-9), name


def test_the_order_of_rows_changes_no_score():
    rng = np.random.default_rng(6)
    frames = [mixed(rng, 60) for _ in range(4)]
    turned = [frame[rng.permutation(frame.height)] for frame in frames]
    assert told(case_of(*turned)) == pytest.approx(told(case_of(*frames)), abs=1e-9)


def test_a_duplicated_column_only_weighs_more():
    rng = np.random.default_rng(7)
    frames = [normals(rng, 80, 1) for _ in range(4)]
    twice = [frame.with_columns(pl.col("x0").alias("again")) for frame in frames]
    names = ["dcr", "ratio", "explain", "box"]
    assert told(case_of(*twice), names) == pytest.approx(told(case_of(*frames), names), abs=2e-3)


def test_labels_never_reach_an_attack():
    """Members and control change places: what an attack says of each stays, the figure turns."""
    rng = np.random.default_rng(9)
    release, members, control, reference = (mixed(rng, 80) for _ in range(4))
    one = told(case_of(release, members, control, reference))
    other = told(case_of(release, control, members, reference))
    assert {name: 1 - value for name, value in other.items()} == pytest.approx(one, abs=1e-9)


def test_an_attack_by_the_place_of_rows_learns_nothing():
    """Targets come in random order, so that a leak by place is worth nothing."""
    rng = np.random.default_rng(1)
    members, control = mixed(rng, 2000), mixed(rng, 2000)
    _, member = seen_of(case_of(members, members, control, None))
    found = MembershipFigures.of(
        -np.flatnonzero(member).astype(float), -np.flatnonzero(~member).astype(float)
    )
    assert found.auc.low < 0.5 < found.auc.high


@pytest.mark.long
def test_guesses_on_strangers_are_no_risk():
    rng = np.random.default_rng(12)
    frames = [mixed(rng, 200) for _ in range(4)]
    found = tk.audit(
        frames[0],
        members=frames[1],
        control=frames[2],
        reference=frames[3],
        qi=["age", "town", "work"],
        sa=["ill"],
        kinds=["attribute"],
        seed=1,
    ).attributes["ill"]
    assert found.corrected.low <= 0 <= found.corrected.high
    for one in found.attacks.values():
        assert one.matched.risk.low <= 0.02
