"""Tests of tokumei.pseudonyms.services.requests."""

from __future__ import annotations

import pickle

import pytest

from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms
from tokumei.pseudonyms.formats.pws2017 import Pws2017
from tokumei.pseudonyms.services.requests import AnonymizePeriodsRequest, PeriodSource


def test_requests_are_plain_data():
    source = PeriodSource(data="T.csv", layout=Pws2017(master="M.csv", encoding="cp932"))
    request = AnonymizePeriodsRequest(source=source, method=Pseudonyms(lifetime=1), seed=1)
    assert pickle.loads(pickle.dumps(request)) == request
    with pytest.raises(AttributeError):
        request.seed = 2  # type: ignore[misc]
