"""Commands that a reader can paste into a shell."""

import shlex

import pytest

from tokumei.tables.profiling.suggested_command import format_column_option, quote_for_shell


@pytest.mark.parametrize("word", ["age", "年齢", "a b", "it's", "$HOME", "a;b", "x,y", ""])
def test_a_shell_reads_back_the_word(word: str) -> None:
    assert shlex.split(quote_for_shell(word)) == [word]


def test_letters_of_any_language_need_no_quotation_marks() -> None:
    assert quote_for_shell("年齢") == "年齢"


def test_columns_are_one_word_of_the_shell() -> None:
    assert format_column_option("--qi", "age", "home town") == "--qi 'age,home town'"
    assert format_column_option("--person", "a,b") == "--person a,b"
