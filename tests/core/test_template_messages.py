"""Templates get their sentences from the catalogs, by the writer that they are given."""

from __future__ import annotations

from jinja2 import Environment

from tokumei.core.catalogs import available_languages
from tokumei.core.template_messages import language_names, use_catalogs


def test_a_template_gives_the_sentence_and_its_values_to_the_writer() -> None:
    calls: list[tuple[str, dict[str, object]]] = []

    def write(sentence: str, **values: object) -> str:
        calls.append((sentence, values))
        return "written"

    environment = Environment(autoescape=True)
    use_catalogs(environment, write)
    template = environment.from_string('{{ _("{rows} rows", rows=3) }} {{ languages()|length }}')
    assert template.render() == f"written {len(available_languages())}"
    assert calls == [("{rows} rows", {"rows": 3})]


def test_every_language_calls_itself_by_its_own_name() -> None:
    names = language_names()
    assert names["en"] == "English"
    assert names["ja"] == "日本語"
    assert set(names) == set(available_languages())
