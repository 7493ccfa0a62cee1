"""Tests of catalogs.glued_sentences: parts of sentences, planted in code and templates."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogs.checks import check_catalogs

from support.made_up_package import extract, write_package

JOINED = "a shown message is joined with words or with another one"
VERBATIM = "Message.verbatim of words that could be translated"


def faults_of(folder: Path, code: str = "", **templates: str) -> list[str]:
    source = write_package(folder, code, **templates)
    return check_catalogs(extract(folder, code, **templates), source / "locale")


@pytest.mark.parametrize(
    "code",
    [
        "f'{FILE.show()} {EMPTY.show()}'",
        "f'the file {EMPTY.show()}'",
        "f'{COUNT.show()} rows'",
        "FILE.show('ja') + EMPTY.show('ja')",
        "FILE.show() + ' is empty'",
        "'the file' + EMPTY.show()",
    ],
)
def test_shown_messages_are_not_joined(tmp_path: Path, code: str) -> None:
    assert faults_of(tmp_path, code) == [f"small/room.py:1: {JOINED}"]


@pytest.mark.parametrize(
    "code",
    [
        "f'  - {FAULT.show()}'",
        "f'{name}  {TITLE.show()}'",
        "f'stdout: {FAULT.show()}'",
        "f'{TITLE.show()}:\\n{rows}'",
        "'| ' + TITLE.show()",
        "TITLE.show() * 2",
        "rows.show(3) - left.show(2)",
    ],
)
def test_signs_and_names_may_stand_beside_a_message(tmp_path: Path, code: str) -> None:
    assert faults_of(tmp_path, code) == []


@pytest.mark.parametrize("text", ["'no rows left'", "f'{name}: no rows'", "'no ' 'rows'"])
def test_words_are_not_verbatim(tmp_path: Path, text: str) -> None:
    assert faults_of(tmp_path, f"Message.verbatim({text})") == [f"small/room.py:1: {VERBATIM}"]


@pytest.mark.parametrize("text", ["'UCI Online Retail'", "'k-member'", "name", "f'TPR {rate}'"])
def test_names_are_verbatim(tmp_path: Path, text: str) -> None:
    assert faults_of(tmp_path, f"Message.verbatim({text})") == []


@pytest.mark.parametrize("text", ["{a} {b}", "'{a}' {b}", "{n}: {a} {b}", "“{a}” {b:,}"])
def test_values_side_by_side_need_a_context(tmp_path: Path, text: str) -> None:
    code = f"Message({text!r}).fill(a=1, b=2, n=3)"
    told = f"small/room.py: values side by side without a context: {text!r}"
    assert faults_of(tmp_path, code) == [told]
    assert faults_of(tmp_path, f"Message({text!r}, context='two names').fill(a=1)") == []


@pytest.mark.parametrize("text", ["{a}: {b}", "{a} ({b})", "{a}, {b}", "{a} {b} rows", "{a}"])
def test_punctuation_and_words_part_values(tmp_path: Path, text: str) -> None:
    assert faults_of(tmp_path, f"Message({text!r}).fill(a=1, b=2)") == []


@pytest.mark.parametrize("text", ["is no number", "are missing", "has {n} rows", "was given"])
def test_a_sentence_has_its_subject(tmp_path: Path, text: str) -> None:
    told = f"small/room.py: a sentence without its subject: {text!r}"
    assert faults_of(tmp_path, f"Message({text!r}).fill(n=1)") == [told]
    assert faults_of(tmp_path, f"Message({text!r}, context='a release').fill(n=1)") == []


@pytest.mark.parametrize("text", ["'{cell}' is no number", "missing", "areas", "Is it empty?"])
def test_whole_sentences_are_none_without_a_subject(tmp_path: Path, text: str) -> None:
    assert faults_of(tmp_path, f"Message({text!r}).fill(cell=1)") == []


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("{{ _('The file') }} {{ name }}", "'The file' goes on behind it"),
        ("{{ _('The file') }} <code>{{ name }}</code>", "'The file' goes on behind it"),
        ("{{ count }} {{ _('rows') }}", "'rows' begins before it"),
        ("{{ count }}&nbsp;<b>{{ name }} {{ _('rows') }}</b>", "'rows' begins before it"),
        ("{{ _('The file') }} {{ _('lies there.') }}", "'The file' goes on behind it"),
    ],
)
def test_parts_of_sentences_in_templates(tmp_path: Path, page: str, fault: str) -> None:
    assert faults_of(tmp_path, page=f"<p>\n{page}") == [f"small/templates/page.html:2: {fault}"]


@pytest.mark.parametrize(
    "page",
    [
        "{{ _('File:') }} {{ name }}",
        "{{ _('No rows.') }} {{ _('No columns.') }}",
        "{{ _('Rows') }}</th><th>{{ _('Columns') }}",
        "<dt>{{ _('rows') }}</dt><dd>{{ count }}</dd>",
        "{{ _('{rows} rows', rows=count) }}",
        "{{ name }} {{ _('Rows') }}",
    ],
)
def test_labels_and_whole_sentences_in_templates(tmp_path: Path, page: str) -> None:
    assert faults_of(tmp_path, page=page) == []
