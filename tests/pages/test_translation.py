"""Tests of tokumei.pages.translation."""

from __future__ import annotations

import pytest
from jinja2 import Environment
from markupsafe import Markup

from support.made_up_language import made_up as made_up
from tokumei.core.messages import Message
from tokumei.pages.translation import (
    language_names,
    language_styles,
    use_all_languages,
    use_catalogs,
    write_data_texts,
    write_label,
    write_label_of,
    write_spans,
)

SENTENCE = "the file {name} has no column {column}"


@pytest.fixture
def environment() -> Environment:
    made = Environment(autoescape=True)
    use_all_languages(made)
    return made


def test_a_span_for_every_language(made_up: str) -> None:
    message = Message(SENTENCE, name="a.csv", column=Message("open", context="a phase"))
    japanese = message.show("ja")
    assert write_spans(message) == (
        '<span class="en" lang="en">the file a.csv has no column open</span>'
        f'<span class="ja" lang="ja">{japanese}</span>'
        '<span class="xx" lang="xx">xrunning xex a.csv</span>'
    )


def test_texts_are_escaped(made_up: str) -> None:
    message = Message(SENTENCE, name="<b>", column='"&')
    escaped = "&#34;&amp; xex &lt;b&gt;"
    assert f">{escaped}</span>" in write_spans(message)
    assert f'data-label-xx="{escaped}"' in write_label_of(message)
    assert f'data-xx="{escaped}"' in write_data_texts(message)


def test_a_percent_sign_stays_with_its_number(made_up: str) -> None:
    spans = write_spans(Message("{share:percent} of {name}", share=0.0487, name="x"))
    assert ">4.9\N{NO-BREAK SPACE}% of x</span>" in spans
    assert ">4,9% of x</span>" in spans


def test_labels_are_english_until_the_script_changes_them(made_up: str) -> None:
    label = write_label("{count} row", plural="{count:,} rows", count=5)
    assert label == write_label_of(Message("{count} row", plural="{count:,} rows", count=5))
    assert label.startswith('data-label-en="5 rows" data-label-ja="')
    assert label.endswith('data-label-xx="5 xrows" aria-label="5 rows"')


def test_texts_for_the_script(made_up: str) -> None:
    assert write_data_texts(Message.verbatim("age")) == 'data-en="age" data-ja="age" data-xx="age"'


def test_templates_of_reports(made_up: str, environment: Environment) -> None:
    source = (
        "{{ _('the file {name} has no column {column}', name=file, column='<b>') }}|"
        "{{ _('{count} row', plural='{count:,} rows', count=2) }}|"
        "{{ _('open', context='a phase') }}|{{ t(message) }}|"
        "<p {{ label('open') }}>|<p {{ label_of(message) }}>|<p {{ data_texts(message) }}>"
    )
    message = Message("open")
    page = environment.from_string(source).render(file="a.csv", message=message)
    whole = Message(SENTENCE, name="a.csv", column="<b>")
    assert page.split("|") == [
        write_spans(whole),
        write_spans(Message("{count} row", plural="{count:,} rows", count=2)),
        write_spans(Message("open", context="a phase")),
        write_spans(message),
        *[f"<p {write_label_of(message)}>"] * 2,
        f"<p {write_data_texts(message)}>",
    ]


def test_templates_of_servers_write_one_language(made_up: str) -> None:
    environment = Environment(autoescape=True)
    use_catalogs(environment, lambda text, **values: Message(text, **values).show(made_up))
    source = "{{ _('open') }} {{ _('{x}', x='<b>') }} {{ languages()|join(',') }}"
    assert environment.from_string(source).render() == f"xopen &lt;b&gt; en,ja,{made_up}"


def test_every_language_says_its_own_name(made_up: str) -> None:
    assert language_names() == {"en": "English", "ja": "日本語", "xx": "Xexe"}


def test_a_page_shows_one_language(made_up: str) -> None:
    rules = language_styles().splitlines()
    assert len(rules) == 6
    for shown in ("en", "ja", made_up):
        hidden = {language for language in ("en", "ja", made_up) if language != shown}
        assert {rule for rule in rules if f'"{shown}"' in rule} == {
            f':root[lang="{shown}"] span.{other} {{ display: none; }}' for other in hidden
        }


def test_markup_is_markup(made_up: str) -> None:
    assert isinstance(write_spans(Message("open")), Markup)
    assert isinstance(write_label("open"), Markup)
    assert isinstance(write_data_texts(Message("open")), Markup)
