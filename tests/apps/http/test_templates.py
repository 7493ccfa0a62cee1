"""What the templates of all servers share."""

import hashlib
from importlib import resources

import pytest
from starlette.requests import Request

from tokumei.apps.http.templates import PageRequest, asset_address, format_sentence
from tokumei.core.messages import Message, use_language


def page_request(query: bytes, headers: list[tuple[bytes, bytes]]) -> PageRequest:
    page = PageRequest()
    page.request = Request({"type": "http", "query_string": query, "headers": headers})
    return page


def test_another_language_keeps_the_rest_of_the_address() -> None:
    page = page_request(b"tag=a&lang=en&tag=b", [])
    assert page.in_language("ja") == "?tag=a&tag=b&lang=ja"


def test_a_script_says_that_it_is_one() -> None:
    assert page_request(b"", [(b"x-script", b"yes")]).is_script_request
    assert not page_request(b"", [(b"x-script", b"no")]).is_script_request


@pytest.mark.parametrize(
    ("text", "sentence"), [("saved", "Saved."), ("Really?", "Really?"), ("", ".")]
)
def test_a_message_alone_is_a_sentence(text: str, sentence: str) -> None:
    assert format_sentence(Message(text, text)) == sentence


def test_a_japanese_sentence_has_its_own_full_stop() -> None:
    use_language("ja")
    assert format_sentence(Message("saved", "保存しました")) == "保存しました。"


def test_the_address_of_a_file_carries_its_hash() -> None:
    home = "tokumei.apps.contest.web"
    name = next(
        entry.name
        for entry in resources.files(home).joinpath("static").iterdir()
        if entry.is_file()
    )
    data = resources.files(home).joinpath("static", name).read_bytes()
    assert asset_address(home, name) == f"static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"
