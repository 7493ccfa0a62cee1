"""What the templates of all servers share."""

import hashlib
from importlib import resources

import pytest
from starlette.requests import Request

from tokumei.apps.http.templates import (
    PageRequest,
    asset_address,
    format_sentence,
    make_template_environment,
)
from tokumei.core.language import use_language
from tokumei.core.messages import Message


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
    assert format_sentence(Message(text)) == sentence


def test_a_japanese_sentence_has_its_own_full_stop() -> None:
    use_language("ja")
    assert (
        format_sentence(Message.of_texts({"en": "saved", "ja": "保存しました"})) == "保存しました。"
    )


def test_the_address_of_a_file_carries_its_hash() -> None:
    home = "tokumei.apps.contest.web"
    name = next(
        entry.name
        for entry in resources.files(home).joinpath("static").iterdir()
        if entry.is_file()
    )
    data = resources.files(home).joinpath("static", name).read_bytes()
    assert asset_address(home, name) == f"static/{name}?v={hashlib.sha256(data).hexdigest()[:12]}"


@pytest.mark.parametrize(
    ("template", "page"),
    [
        ('{{ _("Welcome, {account}.", account="<b>") }}', "Welcome, &lt;b&gt;."),
        ('{{ _("It is now {time}", time="<b>1</b>"|safe) }}', "It is now <b>1</b>"),
        (
            '{{ _("Ends <{time}> {zone}", time="<b>1</b>"|safe, zone="<i>") }}',
            "Ends &lt;<b>1</b>&gt; &lt;i&gt;",
        ),
        ('{{ _("{count} team", plural="{count} teams", count=2) }}', "2 teams"),
        ('{{ ["a", "<b>"]|joined }}', "a, &lt;b&gt;"),
    ],
)
def test_markup_stands_in_sentences_and_all_else_is_escaped(template: str, page: str) -> None:
    environment = make_template_environment("tokumei.apps.contest.web")
    assert environment.from_string(template).render() == page
