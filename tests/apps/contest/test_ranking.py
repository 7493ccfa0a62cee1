"""Ranks and attackers by hand, and against slow obvious references."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.contest.judge.scoring import combine_total
from tokumei.apps.contest.ranking import (
    AttackScore,
    ReleaseScore,
    rank_attackers,
    rank_releases,
    rank_teams,
)
from tokumei.apps.contest.spec.model import Scoring

RELEASES = [
    ReleaseScore("ants", "a1", 0.5, 0.25),
    ReleaseScore("bees", "b1", 0.25, 0.25),
    ReleaseScore("cats", "c1", 0.625, 0.125),
    ReleaseScore("dogs", "d1", None, None),
    ReleaseScore("bees", "b2", 0.125, 0.9375),
]


ATTACKS = [
    AttackScore("bees", "a1", 0.375),
    AttackScore("cats", "a1", 0.125),
    AttackScore("cats", "b1", 0.5),
    AttackScore("ants", "b1", 0.5),
    AttackScore("bees", "b1", 1.0),  # a team's attack on itself says nothing
    AttackScore("ants", "c1", None),
]


def test_places_by_hand():
    found = rank_teams(RELEASES, ATTACKS, Scoring())
    assert [(one.rank, one.team, one.safety, one.total) for one in found] == [
        (1, "bees", 0.5, 0.375),
        (1, "cats", 0.125, 0.375),
        (3, "ants", 0.375, 0.4375),
        (None, "dogs", None, None),
    ]
    bees = found[0]
    assert (bees.entry, bees.suite, bees.safety) == ("b1", 0.25, 0.5)


def test_equal_totals_share_a_rank_and_the_next_is_skipped():
    figures = {"d": 3, "c": 1, "b": 1, "a": 2}
    releases = [ReleaseScore(team, team, value, 0.0) for team, value in figures.items()]
    found = rank_teams(releases, [], Scoring(total="utility"))
    assert [(one.rank, one.team) for one in found] == [(1, "b"), (1, "c"), (3, "a"), (4, "d")]


def test_behind_a_gate_the_unsafe_rank_after_the_safe():
    releases = [
        ReleaseScore("ants", "a", 0.1, 0.5, unsafe=True),
        ReleaseScore("bees", "b", 0.3, 0.1),
        ReleaseScore("cats", "c", 0.2, 0.1),
        ReleaseScore("dogs", "d", None, None),
    ]
    attacks = [
        AttackScore("bees", "c", 0.7, unsafe=True),
        AttackScore("cats", "c", 0.7, unsafe=True),
    ]
    scoring = Scoring(total="utility", gate=True)
    found = rank_teams(releases, attacks, scoring)
    assert [(one.rank, one.team, one.unsafe) for one in found] == [
        (1, "bees", False),
        (2, "ants", True),
        (3, "cats", True),
        (None, "dogs", False),
    ]
    open_gate = rank_teams(releases, attacks, Scoring(total="utility"))
    assert [one.team for one in open_gate] == ["ants", "cats", "bees", "dogs"]


def test_own_attacks_do_not_make_a_release_unsafe():
    releases = [ReleaseScore("ants", "a", 0.1, None)]
    (found,) = rank_teams(
        releases, [AttackScore("ants", "a", 1.0, unsafe=True)], Scoring(gate=True)
    )
    assert (found.unsafe, found.safety, found.rank) == (False, None, None)


def test_the_most_that_was_found_in_a_team_counts_once():
    attacks = [
        *ATTACKS,
        AttackScore("ants", "b2", 0.6, unsafe=True),
        AttackScore("ants", "gone", 0.9),
    ]
    found = {one.team: one for one in rank_attackers(["ants", "bees"], RELEASES, attacks)}
    ants = found["ants"]
    assert (round(ants.score, 6), ants.broken, ants.attempts) == (0.2, 1, 3)


def test_attackers_by_hand():
    found = rank_attackers(["ants", "bees", "cats", "dogs", "elks"], RELEASES, ATTACKS)
    assert [(one.rank, one.team, round(one.score, 6)) for one in found] == [
        (1, "cats", round((0.125 + 0.5 + 0) / 3, 6)),
        (2, "ants", round((0.5 + 0 + 0) / 3, 6)),
        (3, "bees", round(0.375 / 3, 6)),
        (4, "dogs", 0.0),
        (4, "elks", 0.0),
    ]
    assert [one.attempts for one in found] == [2, 2, 1, 0, 0]


FIGURE = st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0])


TEAMS = st.sampled_from("abcd")


ENTRIES = [f"{team}{number}" for team in "abcd" for number in (1, 2)]


RELEASE_LISTS = st.lists(
    st.builds(
        lambda entry, utility, suite, unsafe: ReleaseScore(entry[0], entry, utility, suite, unsafe),
        st.sampled_from(ENTRIES),
        FIGURE,
        FIGURE,
        st.booleans(),
    ),
    max_size=8,
    unique_by=lambda release: release.entry,
)


ATTACK_LISTS = st.lists(
    st.builds(AttackScore, TEAMS, st.sampled_from(ENTRIES), FIGURE, st.booleans()), max_size=12
)


SCORINGS = st.builds(
    lambda total, gate: Scoring(total=total, gate=gate),
    st.sampled_from(["mean", "utility", "harmonic", "product", "max", "min"]),
    st.booleans(),
)


def worth(release, attacks, scoring):
    """A slow reference: (has no total, unsafe behind a gate, total)."""
    others = [a for a in attacks if a.target == release.entry and a.attacker != release.team]
    known = [v for v in [release.suite, *(a.value for a in others)] if v is not None]
    total = combine_total(release.utility, max(known) if known else None, scoring.total)
    unsafe = release.unsafe or any(a.unsafe for a in others)
    return total is None, scoring.gate and unsafe, total or 0.0


@given(RELEASE_LISTS, ATTACK_LISTS, SCORINGS)
def test_ranks_against_counting_who_is_better(releases, attacks, scoring):
    best = {}
    for release in releases:
        key = worth(release, attacks, scoring)
        best[release.team] = min(best.get(release.team, key), key)
    found = rank_teams(releases, attacks, scoring)
    assert {one.team for one in found} == set(best)
    for one in found:
        key = best[one.team]
        better = sum(other < key for other in best.values())
        assert one.rank == (None if key[0] else better + 1)
    keys = [best[one.team] for one in found]
    assert keys == sorted(keys)


@given(RELEASE_LISTS, ATTACK_LISTS, SCORINGS, st.randoms())
def test_the_order_of_rows_does_not_matter(releases, attacks, scoring, chance):
    teams = sorted({*"abcd"})

    def everything(some, made):
        return (
            rank_teams(some, made, scoring),
            rank_releases(some, made, scoring),
            rank_attackers(teams, some, made),
        )

    first = everything(releases, attacks)
    chance.shuffle(releases)
    chance.shuffle(attacks)
    assert everything(releases, attacks) == first
