"""Requests that are wrong: 4xx, always in the one shape."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.served_prices import Service, is_refusal
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.service.optimum_request import OptimumQuestion

PRICE_HEADER = "attribute,pattern,value,word,price\n"

WRONG_FIELDS: list[tuple[dict[str, Any], int, str]] = [
    ({"k": "5"}, 422, "BodyError"),
    ({"k": 5.0}, 422, "BodyError"),
    ({"k": True}, 422, "BodyError"),
    ({"k": 0}, 422, "BodyError"),
    ({"k": -3}, 422, "BodyError"),
    ({"k": None}, 422, "BodyError"),
    ({"k": 10**30}, 422, "BodyError"),
    ({"k": 1}, 422, "UsageError"),  # the least k of this service is 2
    ({"k": 3001}, 422, "UsageError"),  # more than there are people
    ({"session": "nobody"}, 404, "NotFoundError"),
    ({"session": ""}, 422, "BodyError"),
    ({"session": ["people"]}, 422, "BodyError"),
    ({"prices": "000000000000"}, 404, "NotFoundError"),
    ({"prices": "x" * 201}, 422, "BodyError"),
    ({"columns": "職業"}, 422, "BodyError"),
    ({"columns": []}, 422, "BodyError"),
    ({"columns": ["nothing"]}, 422, "UnknownNameError"),
    ({"stay": ["nothing"]}, 422, "UnknownNameError"),
    ({"stay": ["職業"], "go": ["職業"]}, 422, "UsageError"),
    ({"stay": ["職業"] * 101}, 422, "BodyError"),
    ({"least": {"職業": -1}}, 422, "BodyError"),
    ({"least": {"nothing": 1}}, 422, "UnknownNameError"),
    ({"least": {"職業": 1e14}}, 422, "UsageError"),  # nothing is worth as much
    ({"suppression": 1.5}, 422, "BodyError"),
    ({"suppression": "0"}, 422, "BodyError"),
    ({"best": 0}, 422, "BodyError"),
    ({"best": 1000}, 422, "UsageError"),
    ({"seconds": 0}, 422, "BodyError"),
    ({"seconds": 1e6}, 422, "UsageError"),
    ({"sample": 51}, 422, "BodyError"),
    ({"surprise": 1}, 422, "BodyError"),
    ({"k": 3000, "stay": ["年齢"]}, 422, "UsageError"),  # no such choice
]


@pytest.mark.parametrize(("fields", "status", "error"), WRONG_FIELDS, ids=str)
def test_wrong_fields(service: Service, fields: dict[str, Any], status: int, error: str) -> None:
    found = is_refusal(service.ask(**fields), status, error)
    if error == "BodyError":
        assert [fault["column"].partition(".")[0] for fault in found["faults"]] == list(fields)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
FIELDS = st.sampled_from(sorted(OptimumQuestion.model_fields)) | st.text(max_size=8)


@pytest.mark.long
@given(st.dictionaries(FIELDS, ANYTHING, max_size=6))
def test_no_question_breaks_the_service(service: Service, fields: dict[str, Any]) -> None:
    asked = {"session": "people", "prices": service.prices, "k": 50, **fields}
    headers = {"content-type": "application/json"}
    response = service.client.post("/v1/optimum", content=json.dumps(asked), headers=headers)
    if response.status_code != 200:
        assert response.status_code in (400, 404, 422)
        is_refusal(response, response.status_code, response.json()["error"])


BODIES: list[tuple[bytes, int]] = [
    (b"", 422),
    (b"{", 400),
    (b"nonsense", 400),
    (b"[1, 2]", 422),
    (b'"text"', 422),
    (b"null", 422),
    (b"\xff\xfe\x00", 400),
    (b"[" * 60_000, 400),
    (b'{"k": ' + b"9" * 6000 + b"}", 400),
    (b'{"session": "\\ud800", "prices": "x"}', 422),
    (b'{"\\ud800": 1}', 422),
    (b'{"suppression": NaN}', 422),
]


@pytest.mark.parametrize(("body", "status"), BODIES, ids=lambda found: str(found)[:20])
def test_bodies_that_are_no_question(service: Service, body: bytes, status: int) -> None:
    headers = {"content-type": "application/json"}
    response = service.client.post("/v1/optimum", content=body, headers=headers)
    is_refusal(response, status, "RequestError" if status == 400 else "BodyError")


def test_a_form_is_no_question(service: Service) -> None:
    """A foreign page can send forms and plain text without asking, but nothing else."""
    body = json.dumps({"session": "people", "prices": service.prices, "k": 5})
    for type in ("text/plain", "application/x-www-form-urlencoded"):
        response = service.client.post("/v1/optimum", content=body, headers={"content-type": type})
        is_refusal(response, 422, "BodyError")


@pytest.mark.parametrize(
    ("method", "path", "status", "error"),
    [
        ("GET", "/nowhere", 404, "NotFoundError"),
        ("GET", "/v1/optimum/x", 404, "NotFoundError"),
        ("GET", "/docs", 404, "NotFoundError"),
        ("GET", "/v1/optimum", 405, "MethodError"),
        ("DELETE", "/v1/prices", 405, "MethodError"),
        ("PUT", "/", 405, "MethodError"),
    ],
)
def test_wrong_addresses(service: Service, method: str, path: str, status: int, error: str) -> None:
    response = service.client.request(method, path)
    is_refusal(response, status, error)
    assert ("allow" in response.headers) == (status == 405)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "", "[::2]:80"])
def test_another_host_is_refused(service: Service, host: str) -> None:
    is_refusal(service.client.get("/v1/sessions", headers={"host": host}), 421, "HostError")


@pytest.mark.parametrize(
    "sent", [b"GARBAGE\r\n\r\n", b"GET /\x00 HTTP/1.1\r\n\r\n", b"\x16\x03\x01\r\n"]
)
def test_what_is_not_http(service: Service, sent: bytes) -> None:
    with service.running.connect() as client:
        client.sendall(sent)
        head, _, body = client.makefile("rb").read().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert json.loads(body)["error"] == "RequestError"


PRICE_FILES: list[tuple[str, str, str]] = [
    ("negative", "性別,original,男性,男性,-5\n", "price"),
    ("no number", "性別,original,男性,男性,NaN\n", "price"),
    ("two prices", "性別,original,男性,人,5\n性別,sex,男性,人,6\n", "two-prices"),
    ("two currencies", "性別,original,男性,男性,$5\n性別,original,女性,女性,€6\n", "currency"),
    ("no original", "性別,sex,男性,人,5\n", "original"),
]


@pytest.mark.parametrize(("name", "lines", "rule"), PRICE_FILES)
def test_price_files_that_cannot_be_used(
    service: Service, name: str, lines: str, rule: str
) -> None:
    found = is_refusal(upload(service, PRICE_HEADER + lines, f"{name}.csv"), 422, "InputError")
    assert rule in {fault["rule"] for fault in found["faults"]}
    assert found["message_en"].startswith(f"{name}.csv: ")  # no path of this machine


def test_price_files_of_another_kind(service: Service) -> None:
    is_refusal(upload(service, "x", "prices.exe"), 422, "UsageError")
    is_refusal(upload(service, "\x1f\x8b\x08", "prices.csv"), 422, "InputError")
    is_refusal(upload(service, "", "prices.csv"), 422, "InputError")
    is_refusal(service.client.post("/v1/prices?name=x.csv", json={}), 415, "ContentError")
    is_refusal(service.client.post("/v1/prices", content="x"), 422, "BodyError")


def test_a_price_file_is_added_once_and_used(service: Service) -> None:
    text = sample_prices(10, seed=3)[1].write_csv()
    first, again = (upload(service, text, name) for name in ("../../etc/two.csv", "same.csv"))
    assert first.status_code == again.status_code == 201
    assert first.json()["name"] == "two.csv"
    assert first.json()["id"] == again.json()["id"]
    found = service.optimum(prices=first.json()["id"])
    assert found["value"] != service.optimum()["value"]
    assert found["prices"][0]["source"] == "two.csv"


def test_a_list_that_misses_values_does_not_tell_them(service: Service) -> None:
    prices = sample_prices(10, seed=3)[1].filter(pl.col("value") != "北海道")
    added = upload(service, prices.write_csv(), "probe.csv")
    found = is_refusal(service.ask(prices=added.json()["id"]), 422, "InputError")
    assert [fault["column"] for fault in found["faults"]] == ["住所"]
    assert "北海道" not in json.dumps(found, ensure_ascii=False)


def test_a_list_without_some_attributes_says_which(service: Service) -> None:
    text = PRICE_HEADER + "性別,original,男性,男性,5\n性別,original,女性,女性,7\n"
    added = upload(service, text, "one.csv")
    found = is_refusal(service.ask(prices=added.json()["id"]), 422, "UnknownNameError")
    assert "職業" in found["message_en"]


def test_the_number_of_price_lists_is_bounded(service: Service) -> None:
    codes = []
    for price in range(6):
        text = PRICE_HEADER + f"性別,original,男性,男性,{price}\n"
        response = upload(service, text, f"{price}.csv")
        codes.append(response.status_code)
    assert codes[-1] == 422
    is_refusal(response, 422, "UsageError")
    assert len(service.client.get("/v1/prices").json()["prices"]) == 6


def upload(service: Service, text: str, name: str) -> Any:
    headers = {"content-type": "text/csv"}
    content = text.encode("latin-1" if text.isascii() or "\x8b" in text else "utf-8")
    return service.client.post(
        "/v1/prices", params={"name": name}, content=content, headers=headers
    )
