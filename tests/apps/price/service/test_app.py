"""Tests of tokumei.apps.price.service.app."""

from __future__ import annotations

from support.served_prices import is_refusal, serving
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.service.catalog import Limits
from tokumei.apps.price.session import PriceSession


def test_a_service_that_takes_no_price_files(
    session: PriceSession, price_lists: list[PriceList]
) -> None:
    with serving(session, price_lists, Limits(uploads=False)) as closed:
        headers = {"content-type": "text/csv"}
        sent = closed.client.post("/v1/prices?name=x.csv", content=b"x", headers=headers)
        is_refusal(sent, 405, "MethodError")
        assert 'type="file"' not in closed.client.get("/").text
