"""Tests of tokumei.tables.report.audit_sentences."""

from dataclasses import replace

import numpy as np
import pytest

import tokumei as tk
from tables.audit.people import normals
from tokumei.tables.audit.attack_statistics import Interval, MembershipFigures
from tokumei.tables.audit.membership import MembershipAttackResult, MembershipResult
from tokumei.tables.audit.singling_out import SinglingOut
from tokumei.tables.report.audit_sentences import (
    audit_verdicts,
    membership_verdict,
    singling_verdict,
)

RNG = np.random.default_rng(3)


CHANCE = RNG.normal(size=500)


def membership_of(members):
    figures = MembershipFigures.of(members, CHANCE)
    attack = MembershipAttackResult("dcr", tk.Message(""), figures, 0.0)
    finders = dict.fromkeys(figures.tpr, "dcr")
    found = ({"dcr": attack}, {}, "dcr", figures.auc, figures.tpr, finders)
    return MembershipResult(*found, None, figures, [])


@pytest.mark.parametrize(
    ("scores", "en", "ja"),
    [
        (
            RNG.normal(size=500),
            "Not measurably better than by guessing",
            "当てずっぽうに勝るとはいえません",
        ),
        (RNG.normal(2, 1, 500), "Yes. An attacker rightly names", "はい。"),
        (np.where(np.arange(500) < 40, 9, RNG.normal(-0.1, 1, 500)), "Yes. ", "はい。"),
        (np.clip(RNG.normal(0.6, 0.4, 500), -1, 1.2), "To some degree.", "ある程度"),
    ],
    ids=["chance", "all", "a few", "never surely"],
)
def test_members_may_stand_out_all_a_little_or_a_few_very_much(scores, en, ja):
    said = membership_verdict(membership_of(scores), 500, 500)
    assert said.show("en").startswith(en)
    assert ja in said.show("ja")


def test_who_was_drawn_is_not_everybody():
    people = [normals(np.random.default_rng(seed), 90, 2) for seed in range(2)]
    found = tk.audit(people[0], members=people[0], control=people[1], targets=40, seed=1)
    (_, first), (_, last) = audit_verdicts(found)
    assert "40 people drawn from the 90 in the data" in first.show("en")
    assert "データに含まれる 90 人から選んだ 40 人" in first.show("ja")
    assert "of the 90 people in the data and" in last.show("en")


@pytest.mark.parametrize(
    ("predicates", "en"), [(0, "no description fits"), (7, "too few descriptions for a rate (7)")]
)
def test_too_few_descriptions_have_no_rate(predicates, en):
    one = SinglingOut(4, 1, predicates, 0.0, 0.0, None, 0, 0, 50, None)
    assert en in singling_verdict([one], 50).show("en")
    risk = Interval(0.1, -0.05, 0.2)
    more = replace(one, columns=1, predicates=40, risk=risk, members=3, corrected=risk)
    said = singling_verdict([one, more], 50).show("en")
    assert "Descriptions made of one column of one released row" in said
    assert "Of these descriptions (40)" in said


def singled(low, members, *, every=True, people=90):
    risk = Interval(0.3, low, 0.5)
    return SinglingOut(2, 6, 400, 0.5, 0.3, risk, members, 30, people, risk, every)


def test_a_width_beyond_chance_is_told_before_one_with_more_people():
    said = singling_verdict([singled(-0.1, 80), singled(0.1, 50)], 90)
    assert said.show("en").startswith("Yes. ")
    assert "50 of the 90 people in the data" in said.show("en")
    assert said.show("ja").startswith("はい。")


def test_descriptions_that_were_drawn_and_people_who_were_not_asked_are_named():
    said = singling_verdict([singled(0.1, 50, every=False, people=60)], 90)
    assert "400 drawn at random" in said.show("en")
    assert "the figures may be higher" in said.show("en")
    assert "無作為に選んだ 400 件" in said.show("ja")
    assert "値は大きくなり得ます" in said.show("ja")
    assert "may be higher" not in singling_verdict([singled(0.1, 50)], 90).show("en")


def test_the_original_rows_never_seem_to_tell_less_than_the_release():
    found = membership_of(RNG.normal(2, 1, 500))
    assert "would allow no more" in membership_verdict(found, 500, 500).show("en")
    better = replace(found, ceiling=MembershipFigures.of(CHANCE + 9, CHANCE))
    assert "in hand it would be 500." in membership_verdict(better, 500, 500).show("en")
