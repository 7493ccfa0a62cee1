"""Tests of tokumei.histories.services.requests."""

from __future__ import annotations

import pickle

import pytest

from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.services.requests import AnonymizeHistoryRequest, HistorySource


def test_requests_are_plain_data():
    source = HistorySource(data="T.csv", layout=history_layout("pws2018", {"encoding": "cp932"}))
    request = AnonymizeHistoryRequest(source=source, method=RankMatch(k=3), seed=1)
    assert pickle.loads(pickle.dumps(request)) == request
    with pytest.raises(AttributeError):
        request.seed = 2  # type: ignore[misc]
