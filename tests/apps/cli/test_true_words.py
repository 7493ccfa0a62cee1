"""Sentences that are true of the file at hand, and name what helps."""

from __future__ import annotations

import pytest

ROWS = "".join(f"{20 + n % 30},{'MF'[n % 2]},{100 + n * 3}\n" for n in range(60))


@pytest.fixture
def table(tokumei, tmp_path):
    (tmp_path / "x.csv").write_text("age,sex,income\n" + ROWS)
    return tokumei


ROLES = ("--qi", "age,sex", "--sa", "income")


@pytest.mark.parametrize("rate", ["0", "5", "-1", "nan"])
@pytest.mark.parametrize(
    "command",
    [("choose", "--data", "x.csv"), ("conform", "--original", "x.csv", "--release", "x.csv")],
)
def test_a_rate_is_a_share(table, command, rate):
    ran = table(*command, *ROLES, "--max-rate", rate)
    assert (ran.code, "--max-rate is a share above 0" in ran.err) == (2, True), ran.err


def test_no_rate_is_denied_that_was_measured(table, tmp_path):
    (tmp_path / "same.csv").write_text("a,b,c\n" + "1,x,0\n" * 40)
    asked = ("choose", "--data", "same.csv", "--qi", "a,b", "--sa", "c", "--k", 2, "--seed", 1)
    ran = table(*asked)
    assert "can a rate above 9 % be ruled out" in " ".join(ran.out.split())
    assert "finds 2.5 % of the rows, at most" in " ".join(ran.out.split())


def test_the_verified_rule_has_its_japanese_name(table):
    asked = ("anonymize", "table", "--data", "x.csv", *ROLES, "--k", 3, "--out", "y.csv")
    assert "(k-匿名性)" in table(*asked, "--lang", "ja").err
    assert "(k-anonymity)" in table(*asked, "--lang", "en").err


def test_a_release_in_another_order_gets_no_rate_without_its_link(table):
    made = ("anonymize", "table", "--data", "x.csv", *ROLES, "--k", 3, "--out", "y.csv")
    table(*made, "--secret", "link.csv", "--seed", 1)
    attack = ("attack", "--original", "x.csv", "--release", "y.csv", *ROLES, "--seed", 1)
    refused = table(*attack)
    assert (refused.code, refused.out) == (2, "")
    assert "give the link that was written with the release" in refused.err
    assert "WARNING" not in table(*attack, "--truth", "link.csv").err


def test_a_longer_release_without_a_link(table, tmp_path):
    (tmp_path / "long.csv").write_text("age,sex,income\n" + ROWS * 2)
    ran = table("measure", "utility", "--original", "x.csv", "--release", "long.csv", *ROLES)
    assert (ran.code, "without a link (--truth)" in ran.err) == (2, True)


def test_hierarchies_of_all_columns_for_a_method_that_has_them_of_some(table):
    asked = ("anonymize", "table", "--data", "x.csv", *ROLES, "--k", 3, "--out", "y.csv")
    ran = table(*asked, "--hierarchies", "h_{column}.csv")
    assert (ran.code, "--method mondrian-hierarchical or local" in ran.err) == (2, True)


def test_leftovers_are_looked_for_in_folders(table):
    ran = table("leftovers", "nowhere")
    assert (ran.code, ran.err) == (2, "Error: nowhere: no such folder\n")


def test_a_page_of_conformity_is_called_so(table):
    asked = ("conform", "--original", "x.csv", "--release", "x.csv", *ROLES)
    assert table(*asked, "--out", "page.txt").code == 2
