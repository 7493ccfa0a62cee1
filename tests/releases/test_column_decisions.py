"""Tests of tokumei.releases.column_decisions."""

from __future__ import annotations

import polars as pl
import pytest

from releases.people import decide, people_frame
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.releases.column_decisions import recode_doubtful
from tokumei.releases.request import ReleaseTable
from tokumei.tables.services.requests import TableRequest


def test_names_go_known_columns_are_generalized_the_rest_leaves() -> None:
    _, decisions = decide(people_frame())
    assert decisions.treatments["name"] == "drop"
    assert decisions.identifiers == ["name"]
    assert {*decisions.generalized} == {"age", "age_squared", "sex", "state"}
    assert decisions.treatments["income"] == "protect"


def test_for_the_public_every_column_that_leaves_is_generalized() -> None:
    _, decisions = decide(people_frame(), ReleaseTable(recipient="public"))
    assert decisions.generalized == decisions.leaving


def test_what_the_owner_drops_is_no_identifier_unless_it_looks_like_one() -> None:
    table = TableRequest(id=("income", "name"))
    _, decisions = decide(people_frame(), ReleaseTable(table=table))
    assert [item.column for item in decisions.dropped] == ["name", "income"]
    assert decisions.identifiers == ["name"]


def test_a_column_in_doubt_leaves_only_if_the_owner_names_it() -> None:
    frame = pl.DataFrame(
        {"code": [f"K{n:05}" for n in range(200)], "age": [n % 40 for n in range(200)]}
    )
    _, decisions = decide(frame)
    assert decisions.treatments["code"] == "drop"
    _, decisions = decide(frame, ReleaseTable(table=TableRequest(passed=("code",))))
    assert decisions.treatments["code"] != "drop"
    assert "code" in decisions.consent


def test_rough_knowledge_stays_rough() -> None:
    _, decisions = decide(people_frame(), ReleaseTable(knows=("age~10%", "sex")))
    assert [item.text for item in decisions.knowledge] == ["age~10%", "sex", "age_squared"]


def test_nothing_is_known_if_the_owner_says_so() -> None:
    _, decisions = decide(people_frame(), ReleaseTable(knows=("none",)))
    assert decisions.generalized == []


def test_contradictions_and_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="age"):
        decide(people_frame(), ReleaseTable(table=TableRequest(id=("age",)), knows=("age",)))
    with pytest.raises(UnknownNameError):
        decide(people_frame(), ReleaseTable(knows=("height",)))


def several_rows(people: int, each: int) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "customer_id": [f"C{n % people:06}" for n in range(people * each)],
            "age": [20 + n % people % 50 for n in range(people * each)],
            "amount": [n * 37 % 1000 / 10 for n in range(people * each)],
        }
    )


def test_people_with_several_rows_are_told_apart() -> None:
    _, decisions = decide(several_rows(100, 4))
    assert decisions.person == "customer_id"
    assert "customer_id" in decisions.identifiers


def test_four_people_in_hundreds_of_rows_are_doubted() -> None:
    _, decisions = decide(several_rows(4, 200))
    assert decisions.person == "none"
    assert decisions.treatments["customer_id"] == "drop"


def test_an_empty_column_leaves_as_it_is() -> None:
    frame = people_frame().with_columns(pl.lit(None, pl.String).alias("remarks"))
    _, decisions = decide(frame)
    assert decisions.treatments["remarks"] != "drop"


def test_numbers_in_doubt_can_be_made_coarser_instead_of_dropped() -> None:
    frame = people_frame().with_columns(
        pl.Series("avgsal", [10_000 + n * 7919 % 90_000 for n in range(300)]),
    )
    request = ReleaseTable()
    _, decisions = decide(frame, request)
    recoded = recode_doubtful(request, decisions)
    assert recoded is not None
    assert recoded.knows == (*decisions.known.columns, "avgsal")
    _, decisions = decide(frame, recoded)
    assert "avgsal" in decisions.generalized
    assert recode_doubtful(recoded, decisions) is None
