"""The lifetime curve: releases, knowledge, attacks and the recommendation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import tokumei as tk
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.generalized_cells import positions_in
from tokumei.core.messages import Message
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.period_history import to_period_history
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.data.sample_data import sample_periods
from tokumei.pseudonyms.lifetime import lifetime
from tokumei.pseudonyms.registry import attackers as period_attackers


@dataclass(frozen=True)
class ByMoment:
    """Links by the exact minute: the last public row of a minute names its pseudonym."""

    name: ClassVar[str] = "by-moment"
    title: ClassVar[Message] = Message("by the minute")
    seen: ClassVar[list] = []

    def attack(self, public, known, *, customers, months, rng):
        self.seen.append((public, known, months))
        when = {}
        for who, day, time in public.cells.select("customer", "day", "time").rows():
            when[day, time] = who
        codes = np.full((len(customers), months.count), -1)
        known = known.take(known.kept)
        place, period = positions_in(known.cells["customer"], customers), months.of(known.days)
        names = {name: code for code, name in enumerate(public.people)}
        for i, moment in enumerate(known.cells.select("day", "time").rows()):
            if moment in when and period[i] >= 0:
                codes[place[i], period[i]] = names[when[moment]]
        return PeriodGuess.certain(PseudonymTable(customers, public.people, codes))


@pytest.fixture
def by_moment(monkeypatch):
    monkeypatch.setattr(period_attackers, "_added", {"by-moment": ByMoment})
    monkeypatch.setattr(ByMoment, "seen", [])
    return ByMoment


@pytest.fixture(scope="module")
def history():
    return sample_periods(1500, customers=40, seed=1)


def test_every_lifetime_meets_the_same_knowledge(history, by_moment):
    curve = lifetime(
        history, lifetimes=[1, 3, 12], alphas=[0.5, 0.1], attack="by-moment", measures=(), seed=1
    )
    assert [(p.lifetime, p.alpha) for p in curve.points] == [
        (months, alpha) for months in (1, 3, 12) for alpha in (0.1, 0.5)
    ]
    knowns = [known.cells for _, known, _ in by_moment.seen]
    assert all(known.equals(knowns[i % 2]) for i, known in enumerate(knowns))
    assert [int(known["customer"].ne("DEL").sum()) for known in knowns[:2]] == [150, 750]
    assert set(knowns[1]["item"].str.len_chars()) == {0, 2}


def test_longer_lives_and_more_knowledge_link_more(history, by_moment):
    curve = lifetime(history, alphas=[0.02, 0.3], attack="by-moment", measures=(), seed=1)
    at = {(p.lifetime, p.alpha): p for p in curve.points}
    assert curve.lifetimes == list(range(1, 13))
    assert at[1, 0.02].links.rate < at[12, 0.02].links.rate < at[12, 0.3].links.rate
    assert at[1, 0.3].links.pseudonyms > at[12, 0.3].links.pseudonyms == 40
    assert at[12, 0.3].rows_per_pseudonym == 1500 / 40
    for point in curve.points:
        assert point.links.low <= point.links.rate <= point.links.high
        assert 0 <= point.reid_all <= point.reid_active <= 1


def test_utility_stands_beside_the_risk(history, by_moment):
    curve = lifetime(history, lifetimes=[1, 12], attack="by-moment", seed=1)
    short, long = curve.points
    assert short.utility["itemcf"] > long.utility["itemcf"] == pytest.approx(0.0, abs=1e-12)
    own = tk.measure(history, tk.anonymize(history, "pseudonyms", lifetime=1, seed=1))
    assert short.utility["worst"] == own["worst"].value
    assert curve.as_json()["points"][0]["worst"] == short.utility["worst"]


def test_halves_know_what_came_before(history, by_moment):
    curve = lifetime(history, halves=True, attack="by-moment", measures=(), seed=1)
    assert curve.lifetimes == [1, 2, 3, 4, 5, 6]
    assert curve.alphas == [None]
    public, known, months = by_moment.seen[0]
    middle = int(np.datetime64(history.months.names[6], "D").astype(np.int64))
    assert known.days.max() < middle <= public.days.min()
    early, late = (set(history.person[history.rows.days < middle]),
                   set(history.person[history.rows.days >= middle]))  # fmt: skip
    assert curve.customers == len(early & late) < 40
    assert curve.points[-1].links.customers == curve.points[-1].links.pseudonyms == curve.customers
    assert known.people.to_list() == sorted(history.master.customers[sorted(early & late)])
    assert months == history.months
    assert all(point.links.rate == 0 for point in curve.points)  # no minute occurs twice


def test_parameters_reach_method_and_knowledge(history, by_moment):
    lifetime(
        history,
        lifetimes=[2],
        attack="by-moment",
        knowledge=PartialKnowledge(prefix={"item": 1}, people=0.5),
        params={"day": 15},
        measures=(),
        seed=1,
    )
    public, known, _ = by_moment.seen[0]
    assert set(public.cells["day"].str.extract(r"(\d+)$", 1)) == {"15"}
    assert 10 < known.people.len() <= 20
    assert set(known.cells["item"].str.len_chars()) == {0, 1}


def test_the_same_seed_gives_the_same_curve(history, by_moment):
    first, again = (
        lifetime(history, lifetimes=[2], attack="by-moment", seed=5).as_json() for _ in range(2)
    )
    assert first == again


def test_wrong_questions_are_refused(history, by_moment):
    for wrong in (
        {"lifetimes": [0]},
        {"lifetimes": [13]},
        {"rate": 0.0},
        {"alphas": []},
        {"alphas": [1.5]},
        {"params": {"lifetime": 2}},
        {"halves": True, "lifetimes": [7]},
    ):
        with pytest.raises(UsageError):
            lifetime(history, **{"attack": "by-moment", "measures": (), **wrong})
    with pytest.raises(UnknownNameError):
        lifetime(history, lifetimes=[1], attack="by-magic", measures=())


def test_any_history_has_lifetimes(by_moment):
    plain = tk.sample_history(600, customers=20, seed=1)
    curve = lifetime(plain, lifetimes=[12], attack="by-moment", measures=(), seed=1)
    public, *_ = by_moment.seen[0]
    assert curve.customers == public.people.len() == len(plain.customers)
    rows = to_period_history(plain).rows
    assert rows.days.tolist() == plain.numbers("day").tolist()
    assert rows.prices * 100 == pytest.approx(plain.numbers("price"))
    assert rows.quantities.tolist() == plain.numbers("quantity").tolist()
    assert rows.cells["item"].to_list() == plain.frame["item"].to_list()


@pytest.mark.data
def test_lifetimes_of_the_contest_data(real_data):
    """Longer lives are more useful and no safer; the losses are the judge's."""
    folder = real_data / "pwscup2017"
    source = tk.read_history(folder / "T.csv", format="pws2017", master=folder / "M.csv")
    noise = {"time": "constant", "price_noise": 0.1}
    short, long = lifetime(source, lifetimes=[1, 12], attack="S4", params=noise, seed=1).points
    assert short.utility["itemcf_supply"] == pytest.approx(0.853025, abs=5e-7)
    assert short.utility["topk"] == 0.18
    assert long.utility["topk_similarity"] == pytest.approx(0.0, abs=1e-9)
    assert (short.links.pseudonyms, long.links.pseudonyms) == (1348, 500)
    assert short.links.baseline == 1 / 500
    assert short.links.rate < long.links.rate


@pytest.mark.data
def test_habits_link_the_halves_of_a_year(real_data):
    """The 2018 data: half a year known, the other half under one new pseudonym each."""
    history = tk.read_history(real_data / "pwscup2018" / "T.csv", format="pws2018")
    curve = lifetime(history, halves=True, lifetimes=[6], attack="profile", measures=(), seed=1)
    assert curve.customers == 447
    assert curve.points[0].links.rate >= 0.47
