"""What the service answers, against the search itself and a slow count."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl
import pytest

from support.served_prices import Service
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.session import PriceSession
from tokumei.tables.data.table import Table
from tokumei.tables.verification.k_anonymity import KAnonymity

QUESTIONS: list[dict[str, Any]] = [
    {"k": 2},
    {"k": 5},
    {"k": 300},
    {"k": 5, "suppression": 0.02},
    {"k": 5, "columns": ["職業", "住所", "性別"]},
    {"k": 10, "stay": ["年齢"]},
    {"k": 10, "go": ["年収", "職業"]},
    {"k": 10, "least": {"住所": 1000.0}},
    {"k": 3, "best": 4},
    {"k": 4, "cut_off": 100_000.0},
]


def as_question(asked: dict[str, Any]) -> Question:
    return Question(**{n: tuple(v) if isinstance(v, list) else v for n, v in asked.items()})


def released(people: pl.DataFrame, prices: PriceList, choice: dict[str, str]) -> pl.DataFrame:
    """The people recoded value by value, straight from the price list."""
    columns = {}
    for name, pattern in choice.items():
        if pattern != "delete":
            words = prices.patterns[name][pattern]
            columns[name] = [words[str(value)] for value in people[name]]
    return pl.DataFrame(columns)


def slow_value(rows: pl.DataFrame, prices: PriceList) -> float:
    """What the rows are worth, cell by cell."""
    costs = (prices.prices[name][word] or 0 for name in rows.columns for word in rows[name])
    return float(sum(costs))


@pytest.mark.parametrize("asked", QUESTIONS, ids=str)
def test_answers_are_those_of_the_session(
    service: Service, session: PriceSession, price_lists: list[PriceList], asked: dict[str, Any]
) -> None:
    found = service.optimum(**asked)
    expected = session.ask(as_question(asked), prices=price_lists[0]).as_json()
    del expected["seconds"]
    assert {name: found[name] for name in expected} == expected
    assert len(found.get("answers", [found])) == asked.get("best", 1)


@pytest.mark.parametrize("asked", QUESTIONS, ids=str)
def test_the_released_rows_hold_what_is_said(
    service: Service, people: pl.DataFrame, price_lists: list[PriceList], asked: dict[str, Any]
) -> None:
    found = service.optimum(**asked)
    rows = released(people, price_lists[0], found["choice"])
    sizes = rows.with_columns(people=pl.len().over(rows.columns))
    kept = sizes.filter(pl.col("people") >= asked["k"])
    assert kept["people"].min() == found["k"] >= asked["k"]
    assert rows.height - kept.height == found["suppressed"]
    assert slow_value(kept.drop("people"), price_lists[0]) == found["value"]
    assert found["optimal"]
    assert found["bound"] == found["value"]
    table = Table.of(kept.drop("people"), qi=rows.columns)
    assert KAnonymity(asked["k"], tuple(rows.columns)).check(table) == []


def test_many_clients_at_once_get_the_same_answers(service: Service) -> None:
    def told(asked: dict[str, Any]) -> dict[str, Any]:
        return {name: part for name, part in service.optimum(**asked).items() if name != "seconds"}

    expected = [told(asked) for asked in QUESTIONS]
    with ThreadPoolExecutor(8) as clients:
        assert list(clients.map(told, QUESTIONS * 4)) == expected * 4


def test_sample_rows_are_the_largest_groups_and_never_rare(
    service: Service, people: pl.DataFrame, price_lists: list[PriceList]
) -> None:
    found = service.optimum(k=5, suppression=0.05, sample=50)
    rows = released(people, price_lists[0], found["choice"])
    counted = rows.group_by(rows.columns).len("people")
    expected = {tuple(row[:-1]): row[-1] for row in counted.rows()}
    shown = found["sample"]
    for row in shown["rows"]:
        words = tuple(word for word in row["cells"] if word is not None)
        assert expected[words] == row["people"] >= 5
    told = [row["people"] for row in shown["rows"]]
    assert told == sorted((size for size in expected.values() if size >= 5), reverse=True)[:50]
    gone = [name for name, pattern in found["choice"].items() if pattern == "delete"]
    places = [shown["columns"].index(name) for name in gone]
    assert all(row["cells"][place] is None for row in shown["rows"] for place in places)
    assert service.optimum(sample=0)["sample"]["rows"] == []


def test_another_price_list_another_answer(service: Service) -> None:
    ids = [one["id"] for one in service.client.get("/v1/prices").json()["prices"][:2]]
    first, second = (service.optimum(prices=id, k=5) for id in ids)
    assert first["value"] != second["value"]
    assert [first["prices_id"], second["prices_id"]] == ids
    assert first["prices"][0]["source"] == "prices-2026-11-01.csv"


def test_original_values_and_words(service: Service, people: pl.DataFrame) -> None:
    found = service.optimum(k=5)
    assert sum(found["original_values"].values()) == found["original_value"]
    assert {name: words[0] for name, words in found["words"].items()} == {
        name: people[name].n_unique() for name in people.columns
    }
    assert all(
        (found["choice"][name] == "delete") == (words[1] == 0)
        for name, words in found["words"].items()
    )


def test_what_there_is(service: Service, people: pl.DataFrame) -> None:
    assert service.client.get("/healthz").json()["ok"] is True
    sessions = service.client.get("/v1/sessions").json()["sessions"]
    assert sessions == [{"name": "people", "rows": 3000, "columns": people.columns}]
    first = service.client.get("/v1/prices").json()["prices"][0]
    assert (first["name"], first["date"]) == ("prices-2026-11-01.csv", "2026-11-01")
    assert first["currency"] == "JPY"
    assert "region" in first["attributes"]["住所"]


def test_openapi_describes_every_field(service: Service) -> None:
    found = service.client.get("/openapi.json").json()
    assert set(found["paths"]) == {"/v1/optimum", "/v1/prices", "/v1/sessions", "/healthz"}
    asked = found["components"]["schemas"]["OptimumQuestion"]
    assert asked["additionalProperties"] is False
    assert all(field["description"] for field in asked["properties"].values())
    assert asked["example"]["k"] == 5
    answers = found["paths"]["/v1/optimum"]["post"]["responses"]
    assert {"200", "400", "404", "408", "413", "422", "503"} <= set(answers)
    said = answers["422"]["content"]["application/json"]["schema"]["$ref"]
    assert said.endswith("/ErrorAnswer")


def test_every_response_is_guarded(service: Service) -> None:
    for path in ("/", "/healthz", "/nowhere", "/openapi.json"):
        headers = service.client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "server" not in headers
        assert not any(name.startswith("access-control") for name in headers)
