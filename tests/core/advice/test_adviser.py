"""The search for candidates, whatever the kind: front, budget, cancelling, what a purpose means."""

from __future__ import annotations

from collections.abc import Iterable

from core.advice_helpers import shop
from tokumei.advice import Candidate


def seen(some: Iterable[Candidate]) -> list[tuple[int | None, bool]]:
    return [(one.request.k, one.attacked) for one in some]


def test_candidates_come_measured_then_attacked_and_failures_are_told() -> None:
    adviser = shop()
    # 4 cannot be made, and 16 loses more than 2 and 8 by far without being safer than 8.
    expected = [(8, False), (8, True), (2, False), (2, True), (16, False)]
    assert seen(adviser.steps(steps=6)) == expected
    assert adviser.attacks == [8, 2]
    assert [one.why.show("en") for one in adviser.advice().skipped] == ["no fours"]
    assert adviser.advice().budget.ended == "steps"


def test_the_same_steps_give_the_same_candidates_and_more_steps_go_on_from_there() -> None:
    runs = [seen(shop().steps(steps=n)) for n in (6, 6, 15)]
    assert runs[0] == runs[1] == runs[2][: len(runs[0])]
    assert len(runs[2]) > len(runs[0])


def test_the_search_ends_when_nothing_new_is_proposed() -> None:
    adviser = shop()
    adviser.ks = (19, 20)
    assert seen(adviser.steps()) == [(19, False), (19, True), (20, False), (20, True)]
    budget = adviser.advice().budget
    assert budget.ended == "done"
    # Beyond k = 20 all figures are the same: twins are told, not shown twice.
    assert any("gives the same result as" in one.why.show("en") for one in adviser.advice().skipped)


def test_no_time_still_makes_one_candidate_and_leaving_the_loop_stops() -> None:
    adviser = shop()
    assert seen(adviser.steps(seconds=0)) == [(8, False), (8, True)]
    assert adviser.advice().budget.ended == "seconds"
    other = shop()
    running = other.steps()
    next(running)
    running.close()
    assert seen(other.candidates.values()) == [(8, False)]
    assert other.advice().budget.ended == "cancelled"


def test_near_candidates_are_all_attacked_and_name_where_they_come_from() -> None:
    adviser = shop()
    first = list(adviser.steps(steps=2))[-1]
    (_, near) = adviser.near(first, "safer")
    assert near.attacked
    assert near.near == first.id
    assert near.request.k == 24
