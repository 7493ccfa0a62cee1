from __future__ import annotations

from dataclasses import replace

import pytest

from tokumei.core.provenance import Claim
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.registry import anonymizers
from tokumei.tables.report.report_context import describe_step, shown_claims
from tokumei.tables.verification.claims import check_claims


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("mondrian", {"k": 7}, "at least 7 rows"),
        ("local", {"k": 3, "conditions": ["l=2"]}, "at least 3 rows, and every class meets l=2"),
        ("flash", {"person": "id"}, "has rows of at least 5 people"),
        ("noise", {"scale": 0.1}, "Laplace noise of 10 % of a standard deviation"),
        ("noise", {"scale": 3, "unit": "absolute", "columns": ["a"]}, "noise of 3 to a"),
        ("yamaoka", {"share": 0.5}, "for 50 % of the rows; the values stay"),
        ("unify", {}, "every quasi-identifier after the sixth"),
        ("unify", {"columns": ["a", "b"], "value": "x"}, "Set a, b to “x”"),
        ("microaggregate", {}, "same quasi-identifiers"),
        ("microaggregate", {"groups": "mdav", "k": 4}, "4 or more similar rows"),
        ("swap", {}, "Shuffle each sensitive column"),
        ("delete", {"share": 0.2}, "Delete 20 % of the rows at random"),
        ("delete", {"choose": "exposed"}, "most exposed 10 %"),
    ],
)
def test_steps_in_words(name: str, params: dict[str, object], words: str) -> None:
    (step,) = anonymizers.build(name, params).describe()
    text = describe_step(step)
    assert words in text.en
    assert text.ja != text.en


@pytest.mark.parametrize("name", anonymizers.names())
def test_every_method_says_what_it_did(name: str) -> None:
    (step,) = anonymizers.build(name).describe()
    assert not describe_step(step).en.startswith(f"{name} (")


def test_foreign_methods_are_listed() -> None:
    assert describe_step({"method": "mine", "a": 1}).en == "mine (a = 1)"
    assert describe_step({"method": "noise"}).en == "noise"  # parameters of another version


def test_a_broken_claim_names_its_faults(by_label: dict[str, Evaluation]) -> None:
    good = by_label["A k-anonymity"]
    assert [claim.holds for claim in shown_claims(good)] == [True]
    claim = Claim("k-anonymity", {"k": 50, "columns": good.case.qi})
    release = replace(good.release, claims=(claim,))
    bad = replace(good, release=release, checks=check_claims(release.public, [claim]))
    (shown,) = shown_claims(bad)
    assert not shown.holds
    assert len(shown.faults) == 3
    assert shown.more == len(bad.faults) - 3
