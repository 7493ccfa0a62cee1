"""The search for candidates, whatever the kind: front, budget, cancelling, what a purpose means."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import pytest

from tokumei.advice import Adviser, AttackEstimate, Candidate, Figures, Proposal, Purpose, Request
from tokumei.core.advice.advice import mark_pareto_front
from tokumei.core.advice.adviser import hash_request
from tokumei.core.errors import InputError, UsageError
from tokumei.core.messages import Message

WORDS = Message("why", "理由")


def figures(loss: float, estimate: float) -> Figures:
    return Figures(loss, {}, 2, 1, 0, 0, 1.0, 100, estimate=estimate)


def candidate(number: int, loss: float, people: float | None) -> Candidate:
    found = None if people is None else AttackEstimate("everything", people, 0, 100, 1, 100)
    request = Request("shop", ({"method": "any", "k": number},))
    return Candidate(str(number), request, replace(figures(loss, 0.5), known=found), WORDS, WORDS)


def on_front(one: Candidate, others: Iterable[Candidate]) -> bool:
    """The definition, word by word."""
    if one.risk is None:
        return False
    for other in others:
        if other.risk is None or other.id == one.id:
            continue
        no_worse = other.figures.loss <= one.figures.loss and other.risk.people <= one.risk.people
        better = other.figures.loss < one.figures.loss or other.risk.people < one.risk.people
        if no_worse and better:
            return False
    return True


def test_the_front_is_what_no_other_candidate_beats() -> None:
    draw = random.Random(1)
    for _ in range(200):
        some = [
            candidate(i, draw.randrange(5) / 5, draw.choice([None, *range(6)]))
            for i in range(draw.randrange(9))
        ]
        told = {one.id: one.on_front for one in mark_pareto_front(some)}
        assert told == {one.id: on_front(one, some) for one in some}


@dataclass(eq=False)
class Shop(Adviser):
    """Releases that are known beforehand: k loses k / 100 and leaves 100 / k people."""

    ks: tuple[int, ...] = (8, 2, 4, 16)
    attacks: list[int] = field(default_factory=list)

    def first(self) -> Iterable[Proposal]:
        return [Proposal(self._request(k), WORDS) for k in self.ks]

    def further(self) -> Iterable[Proposal]:
        best = self.advice().front
        return [Proposal(self._request((one.request.k or 0) + 1), WORDS) for one in best]

    def proposals_near(self, candidate, wish, column):  # type: ignore[no-untyped-def]
        return [Proposal(self._request(3 * (candidate.request.k or 0)), WORDS)]

    def evaluate_proposal(self, proposal: Proposal, id: str) -> Candidate:
        k = proposal.request.k or 0
        if k == 4:
            raise InputError("no fours", "4 は不可")
        loss = 0.9 if k == 16 else k / 100
        made = figures(min(loss, 0.2), 0.5 if k == 16 else 1 / min(k, 20))
        return Candidate(id, proposal.request, made, proposal.why, WORDS, near=proposal.near)

    def attacked(self, candidate: Candidate) -> Candidate:
        k = candidate.request.k or 0
        self.attacks.append(k)
        found = AttackEstimate("everything", 100 / k, 0, 100, 1, 100)
        return replace(candidate, figures=replace(candidate.figures, known=found))

    def release(self, request: Request, *, seed: int | None = None) -> None:
        return None

    def _request(self, k: int) -> Request:
        return Request("shop", ({"method": "any", "k": k},))


def shop() -> Shop:
    purpose = Purpose()
    return Shop(purpose, purpose.settings)


def seen(some: Iterable[Candidate]) -> list[tuple[int | None, bool]]:
    return [(one.request.k, one.attacked) for one in some]


def test_candidates_come_measured_then_attacked_and_failures_are_told() -> None:
    adviser = shop()
    # 4 cannot be made, and 16 loses more than 2 and 8 by far without being safer than 8.
    expected = [(8, False), (8, True), (2, False), (2, True), (16, False)]
    assert seen(adviser.steps(steps=6)) == expected
    assert adviser.attacks == [8, 2]
    assert [one.why.en for one in adviser.advice().skipped] == ["no fours"]
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
    assert any("gives the same as" in one.why.en for one in adviser.advice().skipped)


def test_no_time_still_makes_one_candidate_and_leaving_the_loop_stops() -> None:
    adviser = shop()
    assert seen(adviser.steps(seconds=0)) == [(8, False), (8, True)]
    assert adviser.advice().budget.ended == "seconds"
    other = shop()
    running = other.steps()
    next(running)
    running.close()
    assert seen(other.found.values()) == [(8, False)]
    assert other.advice().budget.ended == "cancelled"


def test_near_candidates_are_all_attacked_and_name_where_they_come_from() -> None:
    adviser = shop()
    first = list(adviser.steps(steps=2))[-1]
    (_, near) = adviser.near(first, "safer")
    assert near.attacked
    assert near.near == first.id
    assert near.request.k == 24


def test_equal_requests_have_equal_ids_and_survive_json() -> None:
    one = Request(
        "tables", ({"method": "local", "k": 5},), {"a": "drop"}, "p", ("a",), {"sep": ";"}
    )
    again = Request.from_json(one.as_json())
    assert again == one
    assert hash_request(again) == hash_request(one)
    assert hash_request(one) != hash_request(replace(one, person=""))


def test_a_purpose_sets_what_the_documentation_says() -> None:
    table = {
        "public": (20, (10, 20, 50), ("l=2",), 0.05, "everything"),
        "partner": (5, (3, 5, 10, 20), (), 0.02, "known"),
        "inside": (3, (2, 3, 5, 10), (), 0.0, "known"),
    }
    for recipient, (k, ks, models, share, counted) in table.items():
        found = Purpose(recipient).settings  # type: ignore[arg-type]
        assert (found.k, found.ks, found.models) == (k, ks, models)
        assert (found.suppression, found.counted) == (share, counted)
    asked = Purpose(
        "inside", keep=("a", "b", "c", "d", "e"), predict="z", tables=(("t", "a"),), k=8
    )
    weights = {"t": 2.0, "a": 4.0, "b": 3.0, "c": 2.0, "d": 2.0, "e": 2.0, "z": 4.0}
    assert dict(asked.settings.weights) == weights
    assert asked.settings.ks == (4, 8, 16, 32)
    assert Purpose.from_json(asked.as_json()) == asked


@pytest.mark.parametrize("wrong", [{"recipient": "friends"}, {"k": 1}, {"suppression": 1.0}])
def test_a_purpose_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Purpose(**wrong)  # type: ignore[arg-type]
