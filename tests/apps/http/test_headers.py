"""Tests of tokumei.apps.http.headers."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from apps.http.middleware_fixtures import client as client
from apps.http.middleware_fixtures import running as running
from support.made_up_language import write_language
from tokumei.apps.http.headers import language_tag, preferred_language, security_headers


def test_a_good_question_is_answered_with_all_headers(client: httpx.Client) -> None:
    response = client.post("/ask", json={"name": "aoi"})
    assert response.json() == {"name": "aoi"}
    for name, value in security_headers(https=True):
        assert response.headers[name.decode()] == value.decode()
    assert "connection" not in response.headers


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("pt", "pt_BR"),
        ("pt-BR, en", "pt_BR"),
        ("pt-PT, en;q=0.9", "pt_BR"),
        ("de-AT;q=0.5, ja;q=0.7", "ja"),
        ("de-AT, ja;q=0.7", "de"),
        ("de;q=0", "en"),
        ("fr", "en"),
        ("deutsch, *", "en"),
    ],
)
def test_a_browser_gets_the_language_it_likes_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, header: str, language: str
) -> None:
    for code in ("de", "pt_BR"):
        write_language(tmp_path, code)
    monkeypatch.setenv("TOKUMEI_LOCALES", str(tmp_path))
    assert preferred_language(header) == language


def test_pages_name_a_language_as_browsers_do() -> None:
    assert [language_tag(code) for code in ("en", "pt_BR")] == ["en", "pt-BR"]
