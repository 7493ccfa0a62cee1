"""Members matched with controls, against plain loops over people and rows."""

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tables.audit.people import case_of, seen_of
from tokumei.tables.audit.control_matching import ControlMatching

PLACES = ["a", "b", "c", "d"]


def people(rng, n):
    return pl.DataFrame({"age": rng.integers(20, 60, n), "place": rng.choice(PLACES, n)})


def fits(row, person):
    """Whether a person lies in `[low;high]` and `{a;b}`, or in `*`."""
    age, place = row
    low, high = (0, 99) if age == "*" else (float(end) for end in age[1:-1].split(";"))
    inside = place == "*" or person[1] in place[1:-1].split(";")
    return low <= person[0] <= high and inside


def slow_weights(rows, everyone, targets, member):
    """Row by row of the release: a member is shared among the rows that it and a control fit."""
    fit = np.array([[fits(row, person) for person in everyone] for row in rows])
    mine, others = np.flatnonzero(member), np.flatnonzero(~member)
    weights, left = np.zeros(targets), []
    for i in mine:
        parts = {
            r: 1 / fit[r].sum() for r in range(len(rows)) if fit[r, i] and fit[r, others].any()
        }
        if not parts:
            left.append(i)
        for r, odds in parts.items():
            chosen = others[fit[r, others]]
            weights[chosen] += odds / sum(parts.values()) / len(chosen)
    return weights, left


@pytest.mark.parametrize("suppressed", [0, 3])
def test_members_are_matched_with_controls_who_fit_the_same_cells(suppressed):
    rng = np.random.default_rng(suppressed)
    members, control, reference = people(rng, 60), people(rng, 45), people(rng, 30)
    low = members["age"].to_numpy() // 10 * 10
    cells = {
        "age": [f"[{a};{a + 9}]" for a in low],
        "place": ["{a;b}" if p in "ab" else "{c;d}" for p in members["place"]],
    }
    release = pl.DataFrame(cells)
    hide = pl.int_range(pl.len()) < suppressed
    release = release.select(pl.when(hide).then(pl.lit("*")).otherwise(pl.all()).name.keep())
    seen, member = seen_of(case_of(release, members, control, reference))
    age, place = seen.columns
    ages = [float(age.value_numbers[one]) for one in age.known]
    names = sorted(set(pl.concat([members, control, reference])["place"]))
    everyone = list(zip(ages, [names[one] for one in place.known], strict=True))
    wanted, left = slow_weights(release.rows(), everyone, seen.targets, member)
    assert not left
    found = ControlMatching.of(seen, member).weights
    assert found == pytest.approx(wanted[~member] / member.sum())
    assert found.sum() == pytest.approx(1)


def test_more_than_ten_equally_near_share_a_match():
    """Whoever comes first by their codes counts no more than the others."""
    members = pl.DataFrame({"a": ["x"] * 30, "b": ["y"] * 30})
    control = pl.DataFrame({"a": [f"v{i}" for i in range(40)], "b": ["y"] * 40})
    seen, member = seen_of(case_of(members, members, control, None))
    assert ControlMatching.of(seen, member).weights == pytest.approx(np.full(40, 1 / 40))


def test_the_matched_figure_agrees_with_the_plain_one_on_a_random_split():
    rng = np.random.default_rng(3)
    frames = [people(rng, 900) for _ in range(3)]
    frames = [
        one.with_columns(pl.Series("ill", rng.choice(["flu", "cold", "none"], 900)))
        for one in frames
    ]
    table = tk.Table.of(frames[0], qi=["age", "place"], sa=["ill"])
    release = tk.anonymize(table, "mondrian", k=5, seed=1).public.frame
    found = tk.audit(
        release,
        members=frames[0],
        control=frames[1],
        reference=frames[2],
        qi=["age", "place"],
        sa=["ill"],
        kinds=["attribute"],
        seed=1,
    ).attributes["ill"]
    for one in found.attacks.values():
        assert one.matched.risk.low <= one.risk.value <= one.matched.risk.high
