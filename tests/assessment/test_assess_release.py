"""One service for every kind; small cases whose verdict is known."""

from __future__ import annotations

import datetime
from dataclasses import replace

import polars as pl
import pytest
from tests.assessment.small_releases import figures

import tokumei as tk
from tokumei.assessment.assess_release import assess_release, unknown_kind
from tokumei.core.errors import InputError, UsageError
from tokumei.core.scenario import Scenario
from tokumei.histories.data.history import History
from tokumei.kinds import kind
from tokumei.pseudonyms.data.sample_data import sample_periods

PARTNER, INSIDE = Scenario(), Scenario.for_recipient("inside")


def nine_customers() -> History:
    """Nine customers with two purchases each, no two of them alike."""
    start = datetime.date(2011, 1, 1)
    rows = [
        {
            "customer": f"c{customer}",
            "day": start + datetime.timedelta(days=3 * customer + purchase),
            "item": f"item{customer}-{purchase}",
            "price": 1.0 + customer,
            "quantity": 1 + purchase,
        }
        for customer in range(9)
        for purchase in range(2)
    ]
    return History.of(pl.DataFrame(rows))


def aligned(history: History, prefix: str = "p") -> pl.DataFrame:
    """The purchases as they are, under pseudonyms, in their order."""
    from tokumei.histories.data.generalized_history import format_history

    return format_history(history).with_columns((prefix + pl.col("customer")).alias("customer"))


def test_three_alike_of_nine() -> None:
    history = nine_customers()
    release = tk.anonymize(history, "rank-match", k=3, seed=1)
    inside = assess_release(history, release, scenario=INSIDE)
    assert inside.verdict.word == "fits"
    assert [attacker.identified for attacker in inside.attackers] == [0, 0]
    assert inside.attackers[0].share == pytest.approx(1 / 3)
    assert inside.attackers[0].smallest_class == 3
    partner = assess_release(history, release, scenario=PARTNER)
    assert partner.verdict.code == "guessed-right"
    assert [(remedy.what.show("en"), remedy.verdict) for remedy in partner.remedies[:1]] == [
        ("make 5 histories alike", "fits")
    ]


def test_raw_purchases_identify_everybody() -> None:
    history = nine_customers()
    found = assess_release(history, aligned(history), scenario=PARTNER, remedies=False)
    assert found.verdict.code == "identified"
    assert found.attackers[0].identified == 9
    assert found.kept == 1.0
    assert found.uniqueness is not None
    assert found.uniqueness.by[0] == (("day",), 9)


def test_everything_deleted_keeps_nothing() -> None:
    history = nine_customers()
    deleted = aligned(history).with_columns(pl.all().replace_strict({}, default="*"))
    found = assess_release(history, deleted, scenario=PARTNER, remedies=False)
    assert found.kept == 0.0
    assert found.total == 0
    assert all(attacker.identified == 0 for attacker in found.attackers)


def test_permuted_rows_and_links_are_never_zero_percent() -> None:
    history = nine_customers()
    shuffled = aligned(history).sample(fraction=1.0, shuffle=True, seed=1)
    found = assess_release(history, shuffled, scenario=PARTNER)
    assert found.verdict.code == "link-contradicts"
    assert not found.attackers
    assert found.kept is None
    truth = pl.DataFrame(
        {"pid": [f"pc{n}" for n in range(9)], "cid": [f"c{(n + 1) % 9}" for n in range(9)]}
    )
    wrong = assess_release(history, shuffled, link=truth, scenario=PARTNER)
    assert wrong.verdict.code == "link-contradicts"


def test_the_public_file_with_its_link_tells_the_same() -> None:
    history = nine_customers()
    release = tk.anonymize(history, "rank-match", k=3, seed=1)
    truth = release.truth()
    by_file = assess_release(history, release.public, link=truth, scenario=INSIDE)
    by_release = assess_release(history, release, scenario=INSIDE)
    assert by_file.verdict.word == by_release.verdict.word
    assert by_file.kept == pytest.approx(by_release.kept)
    assert by_file.attackers[0].guessed_right == by_release.attackers[0].guessed_right


def test_no_link_gives_no_rate() -> None:
    history = nine_customers()
    release = tk.anonymize(history, "rank-match", k=2, seed=1)
    public = release.public.filter(pl.col("customer") != release.public["customer"][0])
    found = assess_release(history, public, scenario=PARTNER)
    assert found.verdict.code == "no-link"
    assert not found.attackers
    assert found.exit_code == 2


def test_a_pseudonym_without_customer_is_refused() -> None:
    history = nine_customers()
    truth = pl.DataFrame({"pid": ["pc0"], "cid": ["c0"]})
    with pytest.raises(InputError, match="every pseudonym"):
        assess_release(history, aligned(history), link=truth, scenario=PARTNER)


def test_pseudonyms_by_release_and_by_their_table() -> None:
    history = sample_periods(400, customers=12, seed=1)
    release = tk.anonymize(history, "pseudonyms", lifetime=2, day=15, seed=1)
    found = tk.assess(history, release, recipient="inside", remedies=False)
    assert found.verdict.code == "identified"
    assert found.unit == "people"
    assert found.total == 12
    by_table = tk.assess(
        history, release.public, link=release.table, recipient="inside", remedies=False
    )
    assert by_table.kept == pytest.approx(found.kept)
    assert by_table.attackers[0].identified == found.attackers[0].identified


def test_a_kind_without_assessment_is_unknown() -> None:
    found = unknown_kind(replace(kind("histories"), make_assessment=None), PARTNER)
    assert (found.verdict.word, found.verdict.code) == ("unknown", "no-assessment")
    assert found.exit_code == 2
    assert "Purchase histories" in found.verdict.reason.show("en")


def test_options_of_other_kinds_are_refused() -> None:
    history = nine_customers()
    with pytest.raises(UsageError, match="'qi' is not used"):
        assess_release(history, aligned(history), scenario=PARTNER, qi=("day",))


def test_an_attacker_says_by_what_it_finds() -> None:
    assert figures(knows=("age", "sex")).by.show("en") == "age, sex"
