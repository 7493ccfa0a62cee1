"""Options of methods: whose they are; what is said twice, or to nobody, is refused."""

from __future__ import annotations

import pytest

TABLE = "age,sex,income\n" + "".join(f"{20 + n % 9},{'MF'[n % 2]},{100 + n}\n" for n in range(40))


@pytest.fixture
def anonymize(tokumei, tmp_path):
    (tmp_path / "x.csv").write_text(TABLE)
    roles = ("--data", "x.csv", "--qi", "age,sex", "--sa", "income", "--out", "y.csv")
    return lambda *more: tokumei("anonymize", "table", *roles, *more)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--scale", "0.1"), "mondrian does not use --scale; it is an option of noise"),
        (("--method", "noise", "--scale", "1", "--scale", "2"), "--scale is given twice"),
        (("--method", "noise", "--scale", "1", "--set", "scale=2"), "--scale is given twice"),
        (("--k", "3", "--set", "k=5"), "--k and --set k give the same parameter"),
        (("--set", "scale"), "--set needs key=value, not 'scale'"),
    ],
)
def test_what_would_be_dropped_is_refused(anonymize, more, told):
    ran = anonymize(*more)
    assert (ran.code, told in ran.err) == (2, True), ran.err


def test_k_of_a_history_is_said_once(tokumei):
    tokumei("sample", "history", "--rows", 60, "--seed", 1, "--out", "T.csv")
    ran = tokumei("anonymize", "history", "--data", "T.csv", "--out", "A", "--k=2", "--set", "k=3")
    assert (ran.code, "--k and --set k" in ran.err) == (2, True)


def test_an_unknown_option_is_answered_in_a_line(anonymize):
    ran = anonymize("--kk", "3")
    assert ran.err == (
        "Error: unknown option '--kk'. Did you mean '--k'? See 'tokumei anonymize table --help'\n"
    )


def test_what_is_given_without_a_name_is_not_proposed_as_an_option(tokumei):
    ran = tokumei("look", "x.csv", "--fil", "3")
    assert "--file" not in ran.err


@pytest.mark.parametrize("weights", ["age=2,sex=0.5", "{age: 2, sex: 0.5}"])
def test_pairs_of_a_method_are_typed_as_those_of_a_command(anonymize, weights):
    ran = anonymize("--method", "local", "--k", "3", "--weights", weights)
    assert ran.code == 0, ran.err


def test_a_pair_with_a_wrong_number(anonymize):
    wrong = anonymize("--method", "local", "--k", "3", "--weights", "age=x")
    assert (wrong.code, "--weights age: 'x' is not a number" in wrong.err) == (2, True), wrong.err
