"""Tests of tokumei.apps.contest.server.web_process."""

from __future__ import annotations

import resource

from fastapi import FastAPI

from tokumei.apps.contest.server.web_process import make_web_server
from tokumei.apps.contest.store.server_home import ServerSettings
from tokumei.apps.http.server import MAX_CONNECTIONS
from tokumei.core.process_limits import raise_open_file_limit


def test_more_connections_than_people_need_and_fewer_than_files() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        raise_open_file_limit()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert soft == hard
        limit = make_web_server(FastAPI(), ServerSettings()).config.limit_concurrency
        assert limit is not None
        assert 500 <= limit <= MAX_CONNECTIONS
        assert limit < hard or hard == resource.RLIM_INFINITY
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
