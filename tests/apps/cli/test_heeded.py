"""What is said of a file or a column that does not have it is refused: it would look heeded."""

from __future__ import annotations

import pytest

TABLE = "age,sex,zip\n" + "".join(f"{20 + n % 9},{'MF'[n % 2]},1{n % 3}0\n" for n in range(40))


@pytest.fixture
def anonymize(tokumei, tmp_path):
    (tmp_path / "x.csv").write_text(TABLE)
    roles = ("--data", "x.csv", "--qi", "age,sex", "--k", 3, "--out", "y.csv")
    return lambda *more: tokumei("anonymize", "table", *roles, *more)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--sheet", "first"), "does not use --sheet"),
        (("--header-row", "first"), "--header-row is a number from 1 or 'none', not 'first'"),
        (("--header-row", "0"), "--header-row is a number from 1 or 'none', not '0'"),
        (("--replace-unencodable",), "does not use --replace-unencodable"),
        (("--sets", "size"), "--sets: unknown column 'size'"),
        (("--sets", "zip"), "--sets: 'zip' is not a quasi-identifier"),
        (("--qi-anyway", "zip"), "--qi-anyway: 'zip' is not a quasi-identifier"),
        (("--engine", "stream", "--qi-anyway", "zip"), "'zip' is not a quasi-identifier"),
        (("--pass", "age"), "--pass: 'age' is a quasi-identifier, which is generalized"),
        (("--engine", "stream", "--pass", "age"), "--pass: 'age' is a quasi-identifier"),
        (("--sep", ""), "the separator must be one ASCII character"),
        (("--sensitive-hierarchies", "h-{column}.csv"), "t-ordered and t-hierarchical only"),
        (
            ("--sa", "zip", "--l", 2, "--sensitive-hierarchies", "h-{column}.csv"),
            "t-ordered and t-hierarchical only",
        ),
    ],
)
def test_it_is_refused(anonymize, more, told, tmp_path):
    ran = anonymize(*more)
    assert (ran.code, told in ran.err) == (2, True), ran.err
    assert not (tmp_path / "y.csv").exists()


def test_a_look_refuses_the_sheet_of_a_text_file(tokumei, tmp_path):
    (tmp_path / "x.csv").write_text(TABLE)
    ran = tokumei("look", "x.csv", "--sheet", "first")
    assert (ran.code, "does not use --sheet" in ran.err) == (2, True)


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_all_values_may_be_listed_in_sets(anonymize, engine):
    assert anonymize("--sets", "all", "--engine", engine).code == 0


def test_what_is_not_generalized_may_pass(tokumei, tmp_path):
    (tmp_path / "x.csv").write_text(TABLE)
    roles = ("--data", "x.csv", "--qi", "sex", "--sa", "age", "--pass", "sex,zip")
    ran = tokumei("anonymize", "table", *roles, "--method", "noise", "--out", "y.csv")
    assert ran.code == 0, ran.err


def test_a_released_table_is_not_read_as_a_history(anonymize, tokumei):
    assert anonymize("--pass", "zip").code == 0
    ran = tokumei("attack", "--known", "x.csv", "--public", "y.csv")
    assert (ran.code, "give the tables by --original and --release" in ran.err) == (2, True)


@pytest.mark.parametrize("option", ["--harm", "--times"])
def test_a_diagnosis_refuses_limits_below_zero(anonymize, tokumei, option):
    assert anonymize("--pass", "zip").code == 0
    ran = tokumei("diagnose", "--original", "x.csv", "--release", "y.csv", option, "-1")
    assert (ran.code, option in ran.err) == (2, True)
