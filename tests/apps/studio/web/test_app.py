"""Tests of tokumei.apps.studio.web.app."""

from __future__ import annotations

import pytest

from apps.studio.conftest import Studio


@pytest.mark.parametrize(
    "path",
    [
        "/p/../../etc/look",
        "/p/%2e%2e/look",
        "/p/..%2f..%2fx/look",
        "/p/none-00000000/look",
        "/p/none-00000000/file/../../project.yaml",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
    ],
)
def test_addresses_never_lead_out_of_the_home(studio: Studio, path: str) -> None:
    assert studio.ask("GET", path).status_code == 404
