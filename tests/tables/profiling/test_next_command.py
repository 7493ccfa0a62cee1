"""The command that a look proposes can be pasted as it is."""

from __future__ import annotations

import shlex

import polars as pl
import pytest

import tokumei as tk
from tokumei.core.errors import TokumeiError
from tokumei.core.fields import FrontEnd, using_front_end
from tokumei.core.option_parsing import split_names


def test_names_with_quotation_marks_come_back_from_the_next_command() -> None:
    odd = 'age "full", years'
    frame = pl.DataFrame({odd: [str(20 + n % 40) for n in range(80)], "sex": ["M", "F"] * 40})
    words = shlex.split(tk.look(frame).command)
    assert odd in split_names(words[words.index("--qi") + 1])


def test_options_that_answer_a_refusal_name_a_column_with_a_comma_as_one() -> None:
    names = [f"person{n}@example.com" for n in range(60)]
    frame = pl.DataFrame({"mail, private": names, "age": [20 + n % 5 for n in range(60)]})
    with using_front_end(FrontEnd.COMMAND_LINE), pytest.raises(TokumeiError) as refused:
        tk.anonymize(frame, "mondrian", k=3, qi=["age"], seed=1)
    words = shlex.split(
        refused.value.faults[0].message.show("en").split("Drop it with ")[1].split(", or")[0]
    )
    assert words[0] == "--id"
    assert split_names(words[1]) == ("mail, private",)


def test_an_identifier_that_repeats_is_proposed_as_the_person() -> None:
    numbers = [f"u{1000 + n % 80}" for n in range(400)]
    ages, pay = [20 + n % 7 for n in range(400)], [n * 37 % 991 for n in range(400)]
    frame = pl.DataFrame({"uid": numbers, "age": ages, "pay": pay})
    words = shlex.split(tk.look(frame).command)
    assert words[words.index("--person") + 1] == "uid"
    assert "--id" not in words
    tk.anonymize(frame, "mondrian", k=5, qi=["age"], sa=["pay"], person="uid", seed=1)
