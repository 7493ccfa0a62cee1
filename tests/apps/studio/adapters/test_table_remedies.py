"""Tests of tokumei.apps.studio.adapters.table_remedies."""

from __future__ import annotations

import polars as pl
import pytest

from tokumei.apps.studio.adapters.table_remedies import propose_fitting, propose_remedy
from tokumei.core.advice.purpose import Purpose
from tokumei.core.advice.request import DROP, GENERALIZE, Request
from tokumei.core.scenario import Scenario
from tokumei.tables.advice.adviser import TableAdviser
from tokumei.tables.services.advise import build_table_adviser

PEOPLE = pl.DataFrame(
    {
        "age": [20 + i % 30 for i in range(120)],
        "sex": ["FM"[i % 2] for i in range(120)],
        "amount": [1000 + 37 * i for i in range(120)],
    }
)
FATES = {"age": "generalize", "sex": "generalize", "amount": "protect"}


@pytest.fixture(scope="module")
def adviser() -> TableAdviser:
    return build_table_adviser(PEOPLE, Purpose(known=("age", "sex")), fates=FATES)


@pytest.fixture
def request_of(adviser: TableAdviser) -> Request:
    return adviser.proposal_generator.build_request("local", 5)


def test_a_dropped_column_is_dropped(adviser: TableAdviser, request_of: Request) -> None:
    (proposal,) = propose_remedy(adviser, request_of, "drop", {"columns": ["amount"]})
    assert proposal.request.columns == {**FATES, "amount": DROP}
    assert proposal.request.k == 5
    assert not propose_remedy(adviser, request_of, "drop", {"columns": ["age", "sex"]})
    assert not propose_remedy(adviser, request_of, "drop", {"columns": ["nobody"]})


def test_coarser_columns_are_generalized(adviser: TableAdviser, request_of: Request) -> None:
    for action in ("coarsen", "top-code", "round", "merge", "suppress"):
        parameters = {"columns": ["amount"], "k": 20, "groups": 4}
        proposals = propose_remedy(adviser, request_of, action, parameters)
        assert {str(p.request.steps[0]["method"]) for p in proposals} >= {"mondrian"}
        for proposal in proposals:
            assert proposal.request.columns["amount"] == GENERALIZE
            assert proposal.request.k == 20


def test_what_no_method_does_is_not_proposed(adviser: TableAdviser, request_of: Request) -> None:
    assert not propose_remedy(adviser, request_of, "scenario", {"recipient": "inside"})
    (swapped,) = propose_remedy(adviser, request_of, "swap", {"columns": ["amount"]})
    assert [step["method"] for step in swapped.request.steps] == ["local", "swap"]
    assert not propose_remedy(adviser, swapped.request, "swap", {"columns": ["amount"]})


def test_what_may_fit_treats_all_that_may_be_known(
    adviser: TableAdviser, request_of: Request
) -> None:
    public = Scenario.for_recipient("public")
    *coarser, without = [p.request for p in propose_fitting(adviser, request_of, public)]
    assert all(set(request.columns.values()) == {GENERALIZE} for request in coarser)
    assert without.columns["amount"] == DROP
    assert {request.k for request in (*coarser, without)} == {20}
    partner = Scenario.for_recipient("partner", knows=["age"])
    for proposal in propose_fitting(adviser, request_of, partner):
        assert proposal.request.columns["amount"] == "protect"


@pytest.mark.long
def test_one_of_them_fits(adviser: TableAdviser, request_of: Request) -> None:
    """Measured by the one service, not promised."""
    from tokumei.assessment.assess import assess_table
    from tokumei.assessment.open_release import AssessTable

    public = Scenario.for_recipient("public", person="none")
    words = set()
    for proposal in propose_fitting(adviser, request_of, public):
        release = adviser.release(proposal.request)
        words.add(
            assess_table(
                AssessTable(original=PEOPLE, release=release, scenario=public, remedies=False)
            ).verdict.word
        )
    assert "fits" in words
