"""Tests of catalogs.extraction."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogs.extraction import extract_messages, find_placeholders

from support.made_up_package import extract, write_package


def found(folder: Path, code: str = "", **templates: str) -> list[tuple[str | None, str]]:
    extraction = extract(folder, code, **templates)
    assert extraction.faults == []
    return list(extraction.messages)


@pytest.mark.parametrize(
    ("code", "messages"),
    [
        ("Message('no rows')", [(None, "no rows")]),
        ("messages.Message('no rows')", [(None, "no rows")]),
        ("Message('one ' 'sentence')", [(None, "one sentence")]),
        ("Message('open', context='a phase')", [("a phase", "open")]),
        ("Message('a' if x else 'b' if y else 'c')", [(None, "a"), (None, "b"), (None, "c")]),
        ("Message('{n} of {all}', n=1, all=2)", [(None, "{n} of {all}")]),
        ("Message('{n:,} of {n!r}', n=1)", [(None, "{n:,} of {n!r}")]),
        ("Message('{n} rows').fill(n=3)", [(None, "{n} rows")]),
        ("Message('{n} rows', **values)", [(None, "{n} rows")]),
        ("Message('{count} rows', count=3)", [(None, "{count} rows")]),
        ("option('how many rows', default=3)", [(None, "how many rows")]),
        ("partial(option, 'how many rows')", [(None, "how many rows")]),
        ("UsageError('k is {k}', k=1, field='k', value=1)", [(None, "k is {k}")]),
        ("partial(UsageError, 'k is wrong')", [(None, "k is wrong")]),
        ("UsageError(SENTENCE)", []),
        ("UsageError(self.usual if x is None else x)", []),
        ("option(helped)", []),
        ("ValueError('not for people')", []),
        ("print('not for people')", []),
        ("Message.verbatim('age')", []),
        ("UnknownNameError('column', 'age')", []),
    ],
)
def test_sentences_of_code(
    tmp_path: Path, code: str, messages: list[tuple[str | None, str]]
) -> None:
    assert found(tmp_path, code) == messages


def test_errors_are_known_by_their_bases(tmp_path: Path) -> None:
    code = (
        "class Late(errors.UsageError): ...\nclass Later(Late): ...\nclass Other: ...\n"
        "Later('too late')\nOther('not for people')"
    )
    assert found(tmp_path, code) == [(None, "too late")]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("{{ _('Rows') }}", [(None, "Rows")]),
        ("{% if x %}{{ _('Rows: {n}', n=rows|length) }}{% endif %}", [(None, "Rows: {n}")]),
        ("<p {{ label('Sections') }}>", [(None, "Sections")]),
        ("{{ _('open', context='a phase') }}", [("a phase", "open")]),
        ("{{ _('yes' if x else 'no') }}", [(None, "yes"), (None, "no")]),
        ("{{ _('{n} rows', **values) }}", [(None, "{n} rows")]),
        ("{{ page('not for people') }}", []),
        ("<p>not seen here</p>", []),
    ],
)
def test_sentences_of_templates(
    tmp_path: Path, text: str, messages: list[tuple[str | None, str]]
) -> None:
    assert found(tmp_path, page=text) == messages


@pytest.mark.parametrize("place", ["code", "page"])
def test_plurals(tmp_path: Path, place: str) -> None:
    call = "('{count} row of {name}', plural='{count:,} rows of {name}', count=n, name=x)"
    written = {"code": f"Message{call}"} if place == "code" else {"page": f"{{{{ _{call} }}}}"}
    extraction = extract(tmp_path, **written)
    assert extraction.faults == []
    ((key, entry),) = extraction.messages.items()
    assert key == (None, "{count} row of {name}")
    assert entry.plural == "{count:,} rows of {name}"


def test_one_form_of_a_plural_may_do_without_the_number(tmp_path: Path) -> None:
    code = "Message('one row', plural='{count} rows', count=n)"
    assert found(tmp_path, code) == [(None, "one row")]


def test_the_same_sentence_is_one_entry_with_all_its_files(tmp_path: Path) -> None:
    extraction = extract(tmp_path, "Message('Rows')\nMessage('Rows')", page="{{ _('Rows') }}")
    ((_, entry),) = extraction.messages.items()
    assert entry.files == {"small/room.py", "small/templates/page.html"}


def test_a_context_makes_another_entry(tmp_path: Path) -> None:
    code = "Message('open')\nMessage('open', context='a phase')"
    assert found(tmp_path, code) == [(None, "open"), ("a phase", "open")]


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("Message('{n} of {all}', n=1)", "has placeholders all, n, values n"),
        ("Message('{n} rows', n=1, all=2)", "has placeholders n, values all, n"),
        ("Message('no rows', n=1)", "has placeholders none, values n"),
        ("Message('{} rows', n=1)", "has placeholders {}, values n"),
        ("Message('{n} of {', n=1)", "has placeholders none, values n"),
        ("Message('{n} rows', count=1)", "has placeholders n, values count"),
        ("Message('a {n}', plural='b {m}', count=1, n=2)", "has placeholders m, n, values count"),
        ("UsageError('{k} is wrong', key='k')", "has placeholders k, values key"),
        ("UsageError('{field} is wrong', k=1, field='k')", "has placeholders field, values k"),
        ("Message(text)", "the sentence of a Message is no literal"),
        ("Message(f'{n} rows')", "the sentence of a Message is no literal"),
        ("Message('a' + b)", "the sentence of a Message is no literal"),
        ("Message('a' if x else b)", "the sentence of a Message is no literal"),
        ("UsageError(f'{n} rows')", "the sentence of UsageError is no literal"),
        ("UsageError('a' + b)", "the sentence of UsageError is no literal"),
        ("UsageError('{n} rows'.format(n=n))", "the sentence of UsageError is no literal"),
        ("UsageError('a' if x else f'{n} rows')", "the sentence of UsageError is no literal"),
        ("option(f'up to {n}')", "the sentence of option is no literal"),
        ("Message('open', context=what)", "context is no literal"),
        ("Message('{count} row', plural=rows, count=2)", "plural is no literal"),
        (
            "Message('row', plural='rows', count=2)\nMessage('row', plural='lines', count=2)",
            "'row' has two plurals",
        ),
    ],
)
def test_faults_of_code_are_found_with_their_place(tmp_path: Path, code: str, fault: str) -> None:
    (told,) = extract(tmp_path, f"\n{code}").faults
    assert told.startswith(f"small/room.py:{code.count(chr(10)) + 2}: ")
    assert fault in told


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{{ _(text) }}", "the sentence of _() is no literal"),
        ("{{ _('a' ~ b) }}", "the sentence of _() is no literal"),
        ("{{ _('a' if x else b) }}", "the sentence of _() is no literal"),
        ("{{ _() }}", "the sentence of _() is no literal"),
        ("{{ label(text) }}", "the sentence of label() is no literal"),
        ("{{ _('{n} of {all}', n=1) }}", "has placeholders all, n, values n"),
        ("{{ _('no rows', n=1) }}", "has placeholders none, values n"),
        ("{{ _('{n} rows') }}", "has placeholders n, values none"),
    ],
)
def test_faults_of_templates_are_found_with_their_place(
    tmp_path: Path, text: str, fault: str
) -> None:
    (told,) = extract(tmp_path, page=f"<p>\n{text}").faults
    assert told.startswith("small/templates/page.html:2: ")
    assert fault in told


def test_modules_that_pass_sentences_on_need_no_literal(tmp_path: Path) -> None:
    source = write_package(tmp_path).rename(tmp_path / "tokumei")
    (source / "pages").mkdir()
    passing_on = "Message(text, **values)\n"
    (source / "pages" / "translation.py").write_text(f"{passing_on}Message(text)", "utf-8")
    (source / "room.py").write_text(passing_on, "utf-8")
    assert sorted(extract_messages(source).faults) == [
        "tokumei/pages/translation.py:2: the sentence of a Message is no literal",
        "tokumei/room.py:1: the sentence of a Message is no literal",
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("no rows", set()),
        ("{n} of {all:,}, {share:percent}", {"n", "all", "share"}),
        ("{{n}}", set()),
        ("{}", {""}),
        ("{n", set()),
        ("; { or }", set()),
        ("{rows.count} {rows[0]}", {"rows.count", "rows[0]"}),
    ],
)
def test_placeholders(text: str, names: set[str]) -> None:
    assert find_placeholders(text) == names


def test_titles_slips_and_headings_of_data_files(tmp_path: Path) -> None:
    source = write_package(tmp_path)
    figures = source / "apps" / "papers" / "figures"
    figures.mkdir(parents=True)
    tables = "tables:\n- id: table1\n  title: Six rows\n  rows: [[title]]\n  slips: [one, two]\n"
    (figures / "000.yaml").write_text(tables, encoding="utf-8")
    headings = "context: heading\nheadings: {name: what, k: k}\n"
    (source / "apps" / "papers" / "headings.yaml").write_text(headings, encoding="utf-8")
    extraction = extract_messages(source)
    assert extraction.faults == []
    assert list(extraction.messages) == [
        (None, "Six rows"),
        (None, "one"),
        (None, "two"),
        ("heading", "what"),
        ("heading", "k"),
    ]
    assert extraction.messages[None, "one"].files == {"small/apps/papers/figures/000.yaml"}
