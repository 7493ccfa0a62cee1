"""Tests of tokumei.core.messages."""

from __future__ import annotations

import json
import pickle
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from core.result_table_helpers import Findings
from support.made_up_language import made_up as made_up
from support.made_up_language import write_language
from tokumei.core.errors import UsageError
from tokumei.core.json_types import as_json_text
from tokumei.core.language import current_language, language_context, use_language
from tokumei.core.messages import (
    AND,
    OR,
    SEMICOLON,
    Message,
    as_message,
    as_sentence,
    join_messages,
    join_sentences,
)

SENTENCE = "the file {name} has no column {column}"


def test_a_message_is_shown_in_the_language_in_force(made_up: str) -> None:
    message = Message(SENTENCE, name="a.csv", column="age")
    assert message.show() == "the file a.csv has no column age"
    assert message.show(made_up) == "age xex a.csv"
    with language_context(made_up):
        assert str(message) == f"{message}" == "age xex a.csv"
        assert message.show("en") == "the file a.csv has no column age"
        assert repr(message) == "Message('the file a.csv has no column age')"
    assert str(message) == "the file a.csv has no column age"


def test_all_languages_at_once(made_up: str) -> None:
    message = Message("open", context="a phase")
    texts = message.texts()
    assert list(texts) == ["en", "ja", made_up]
    assert (texts["en"], texts[made_up]) == ("open", "xrunning")
    assert message.as_json("title") == {f"title_{code}": text for code, text in texts.items()}


def test_a_sentence_without_values_is_shown_as_it_stands(made_up: str) -> None:
    assert Message("write {column} and 5 % {").show() == "write {column} and 5 % {"
    assert Message(SENTENCE).show(made_up) == "{column} xex {name}"


def test_a_placeholder_without_value_is_a_defect() -> None:
    with pytest.raises(KeyError):
        Message(SENTENCE, name="a.csv").show()


@pytest.mark.parametrize("value", ["{name}", "a{b", "100 %", "%s", ""])
def test_values_are_never_templates(value: str, made_up: str) -> None:
    message = Message(SENTENCE, name=value, column=value)
    assert message.show() == f"the file {value} has no column {value}"
    assert message.show(made_up) == f"{value} xex {value}"


def test_values_have_the_formats_of_python() -> None:
    values = {"n": 1234567, "share": 0.0487, "text": "ab", "none": None}
    sentence = "{n:,} {n:>9} {share:.1f} {share:.1%} {text:>4} {text!r} {none} {n!s}"
    assert (
        Message(sentence, **values).show() == "1,234,567   1234567 0.0 4.9%   ab 'ab' None 1234567"
    )


def test_values_have_formats_of_ours(made_up: str) -> None:
    day, moment = date(2026, 1, 31), datetime(2026, 1, 31, 9, 5)
    sentence = "{share:percent}; {n:number}; {n:short}; {day:date}; {moment:date}; {n:,}; {m:.1f}"
    message = Message(sentence, share=0.0487, n=1234567, day=day, moment=moment, m=0.5)
    english = "4.9 %; 1,234,567; 1.2M; 2026-01-31; 2026-01-31 09:05; 1,234,567; 0.5"
    assert message.show() == english
    other = "4,9%; 1.234.567; 1,2xm; 31.01.2026; 31.01.2026 09.05; 1.234.567; 0,5"
    assert message.show(made_up) == other


@pytest.mark.parametrize("number", [1234, np.int64(1234), np.float64(1234), Decimal(1234)])
def test_numbers_of_any_kind_have_the_marks_of_the_language(made_up: str, number: object) -> None:
    assert Message("{n:,.1f}", n=number).show(made_up) == "1.234,0"


def test_texts_that_look_like_numbers_stay_as_they_are(made_up: str) -> None:
    assert Message("{name}", name="1,234.5").show(made_up) == "1,234.5"
    assert Message.verbatim("1,234.5").show(made_up) == "1,234.5"


def test_a_value_keeps_what_it_was(made_up: str) -> None:
    names = ["age"]
    message = Message("columns: {names}, {path}", names=names, path=Path("a.csv"))
    names.append("sex")
    assert message.show() == "columns: ['age'], a.csv"


def test_a_value_may_be_a_message(made_up: str) -> None:
    phase = Message("open", context="a phase")
    inner = Message(SENTENCE, name=phase, column=Message("{share:percent}", share=0.5))
    message = Message("Wrong: {reason:>40}", reason=inner)
    assert message.show() == f"Wrong: {'the file open has no column 50 %':>40}"
    assert message.show(made_up) == f"Wrong: {'50% xex xrunning':>40}"
    with language_context(made_up):
        assert message.show("en") == f"Wrong: {'the file open has no column 50 %':>40}"


@pytest.mark.parametrize(
    ("count", "en", "xx"),
    [
        (1, "1 row", "xrow"),
        (2, "2 rows", "2 xrows"),
        (0, "0 rows", "0 xrows"),
        (1234, "1,234 rows", "1.234 xrows"),
    ],
)
def test_plurals(made_up: str, count: int, en: str, xx: str) -> None:
    message = Message("{count} row", plural="{count:,} rows", count=count)
    assert (message.show(), message.show(made_up)) == (en, xx)
    template = Message("{count} row", plural="{count:,} rows", context="of a table")
    in_table = template.fill(count=count)
    assert in_table.show() == en
    assert in_table.show(made_up) == xx.replace("row", "line")


def test_a_count_without_plural_is_a_value() -> None:
    assert Message("rows: {count:,}", count=1234).show() == "rows: 1,234"


def test_contexts(made_up: str) -> None:
    assert Message("open").show(made_up) == "xopen"
    assert Message("open", context="a phase").show(made_up) == "xrunning"


def test_a_template_is_filled_again_and_again(made_up: str) -> None:
    template = Message(SENTENCE, name="a.csv")
    filled = [template.fill(column=column) for column in ("age", "sex")]
    assert [message.show(made_up) for message in filled] == ["age xex a.csv", "sex xex a.csv"]
    assert template.fill(name="b.csv", column="age").show() == "the file b.csv has no column age"
    context = Message("open {x}", context="a phase").fill(x=1)
    assert (context.context, context.show()) == ("a phase", "open 1")


def test_names_are_the_same_in_every_language(made_up: str) -> None:
    assert {*Message.verbatim("open").texts().values()} == {"open"}


def test_stored_sentences_have_the_languages_they_have(made_up: str) -> None:
    stored = Message.of_texts({"en": "Summer cup", "ja": "夏の杯"})
    assert stored.texts() == {"en": "Summer cup", "ja": "夏の杯", made_up: "Summer cup"}
    assert Message.of_texts({"ja": "夏の杯"}).show("en") == "夏の杯"
    assert Message.of_texts({}).show() == ""
    assert Message.of_texts(stored.texts()) == stored


def test_what_was_stored_is_what_was_shown(made_up: str) -> None:
    message = Message(SENTENCE, name="a.csv", column=Message("open"))
    read_back = Message.of_texts(json.loads(json.dumps(message.texts())))
    assert read_back == message
    assert read_back.show(made_up) == "xopen xex a.csv"


@pytest.mark.parametrize(
    "message",
    [
        Message("open", context="a phase"),
        Message(SENTENCE, name="a.csv", column=Message("open")),
        Message("{count} row", plural="{count:,} rows", count=7),
        Message.verbatim("age"),
        Message.of_texts({"en": "a", "ja": "甲"}),
        join_messages(["a", "b", Message("open")], SEMICOLON, OR),
        join_sentences([Message("open"), Message("open")]),
        as_sentence(Message("open")),
        Message("{share:percent} {day:date}", share=0.5, day=date(2026, 1, 31)),
    ],
)
def test_messages_are_pickled(made_up: str, message: Message) -> None:
    again = pickle.loads(pickle.dumps(message))
    assert again == message
    assert hash(again) == hash(message)
    assert again.texts() == message.texts()


def test_messages_are_equal_if_they_say_the_same_in_every_language(made_up: str) -> None:
    assert Message("open") == Message("open")
    assert Message("open") != Message("open", context="a phase")
    assert Message("open") != Message.verbatim("open")
    assert Message(SENTENCE, name="a", column="b") != Message(SENTENCE, name="b", column="a")
    assert Message("no such {x}", x="rows") == Message.verbatim("no such rows")
    assert Message("open") != "open"
    assert len({Message("open"), Message("open"), Message("open", context="a phase")}) == 2


@pytest.mark.parametrize(
    ("names", "last", "en", "ja", "xx"),
    [
        ([], AND, "", "", ""),
        (["a"], AND, "a", "a", "a"),
        (["a", "b"], AND, "a and b", "aとb", "a xu b"),
        (["a", "b", "c"], AND, "a, b and c", "a、bとc", "a / b xu c"),
        (["a", "b"], OR, "a or b", "aまたはb", "a xo b"),
        (["a", "b", "c"], OR, "a, b or c", "a、bまたはc", "a / b xo c"),
        (["a", "b", "c"], None, "a, b, c", "a、b、c", "a / b / c"),
    ],
)
def test_lists(made_up: str, names: list[str], last: Message, en: str, ja: str, xx: str) -> None:
    joined = join_messages(names, last=last)
    assert [joined.show(language) for language in ("en", "ja", made_up)] == [en, ja, xx]
    sentence = Message("the file {name} has no column {column}", name="x", column=joined)
    assert sentence.show(made_up) == f"{xx} xex x"


def test_lists_of_messages_with_another_separator(made_up: str) -> None:
    joined = join_messages(iter([Message("open"), "b", "c"]), SEMICOLON)
    assert joined.show() == "open; b; c"
    assert joined.show(made_up) == "xopen // b // c"
    assert join_messages([joined, "d"], last=OR).show(made_up) == "xopen // b // c xo d"


def test_sentences_stand_one_behind_the_other(made_up: str) -> None:
    joined = join_sentences(Message.verbatim(text) for text in ("A.", "{B}.", "C."))
    assert joined.show() == "A. {B}. C."
    assert joined.show("ja") == "A.{B}.C."
    assert joined.show(made_up) == "A.  {B}.  C."
    assert join_sentences([]).show() == ""
    assert join_sentences([Message("open")]).show(made_up) == "xopen"


@pytest.mark.parametrize(
    ("clause", "en", "xx"),
    [
        ("open", "Open.", "Xopen·"),
        ("is it open?", "Is it open?", "Is it open?"),
        ("no rows.", "No rows.", "No rows."),
        ("a {b}", "A {b}.", "A {b}·"),
    ],
)
def test_a_clause_as_a_sentence(made_up: str, clause: str, en: str, xx: str) -> None:
    sentence = as_sentence(Message(clause))
    assert (sentence.show(), sentence.show(made_up)) == (en, xx)


def test_a_message_or_its_sentence() -> None:
    message = Message("open")
    assert as_message(message) is message
    assert as_message("open {x}", x=1).show() == "open 1"


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja"}, "ja"),
        ({"LANG": "xx_XX.UTF-8"}, "xx"),
        ({"LANG": "xx@latin"}, "xx"),
        ({"LANG": "XX"}, "xx"),
        ({"LANG": "xxx_XX.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ja_JP", "LC_MESSAGES": "xx_XX"}, "xx"),
        ({"LANG": "ja_JP", "LC_MESSAGES": "ja_JP", "LC_ALL": "C"}, "en"),
        ({"LANG": "ja_JP", "LC_ALL": ""}, "ja"),
    ],
)
def test_the_language_of_the_locale(
    made_up: str, monkeypatch, variables: dict[str, str], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    use_language(None)
    assert current_language() == language
    use_language("ja")
    assert current_language() == "ja"


def test_the_nearest_of_two_languages_is_taken(tmp_path: Path, monkeypatch) -> None:
    for code in ("pt", "pt_BR"):
        write_language(tmp_path, code)
    monkeypatch.setenv("TOKUMEI_LOCALES", str(tmp_path))
    use_language(None)
    found = []
    for name in ("pt_PT.UTF-8", "pt_BR.UTF-8"):
        monkeypatch.setenv("LC_ALL", name)
        found.append(current_language())
    assert found == ["pt", "pt_BR"]


@pytest.mark.parametrize("language", ["fr", "EN", "", "xx"])
def test_an_unknown_language_is_refused(language: str) -> None:
    with pytest.raises(ValueError, match=f"must be one of en, ja, not '{language}'"):
        use_language(language)
    assert current_language() == "en"


def test_a_language_of_ones_own_is_chosen(made_up: str) -> None:
    use_language(made_up)
    assert Message("open").show() == "xopen"


def test_the_language_of_a_block_ends_with_it(made_up: str) -> None:
    with language_context("ja"):
        with language_context(made_up):
            assert current_language() == made_up
        assert current_language() == "ja"
    assert current_language() == "en"
    with pytest.raises(UsageError), language_context("ja"):
        raise UsageError("no rows")
    assert current_language() == "en"


def test_wide_characters_take_two_places():
    with language_context("ja"):
        lines = repr(Findings()).splitlines()
    assert lines[2:] == ["甲    0.5000", "乙丙             7"]


def test_json_holds_no_number_that_is_none() -> None:
    data = {"a": float("nan"), "b": [float("inf"), (1, "甲")], "c": {"d": -float("inf")}}
    text = as_json_text(data)
    assert json.loads(text) == {"a": None, "b": [None, [1, "甲"]], "c": {"d": None}}
    assert "甲" in text
    assert text.endswith("}\n")
