"""`tokumei audit` and `audit split` as they are called."""

from pathlib import Path

import pytest


@pytest.fixture
def files(tokumei):
    tokumei("sample", "table", "--rows", 300, "--seed", 1, "--out", "x.csv")
    tokumei("audit", "split", "--data", "x.csv", "--seed", 1, "--out", "split")
    qi = ("--no-roles", "--qi", "head_sex,region", "--sa", "income_band", "--seed", 1)
    data = ("--data", "split/members.csv", "--out", "y.csv", "--method", "mondrian", "--k", 3)
    tokumei("anonymize", "table", *data, *qi)
    parts = (("--members", "members"), ("--control", "control"), ("--reference", "reference"))
    named = [part for option, name in parts for part in (option, f"split/{name}.csv")]
    return ("--release", "y.csv", *named, "--known", "head_sex,region", "--seed", 1)


def test_an_audit_from_files(tokumei, files):
    ran = tokumei("audit", *files, "--kinds", "membership", "--json", "--out", "a.html")
    assert ran.code == 0, ran.err
    found = ran.json
    assert found["counts"]["members"] == 150
    assert found["model"] == "together"
    assert set(found["qi"]) == {"head_sex", "region"}
    assert found["membership"]["attacks"].keys() >= {"box", "covered", "copy"}
    page = Path("a.html").read_text(encoding="utf-8")
    first = page[page.index('class="hero"') :].partition("</section>")[0]
    assert "Can one tell who is in the data?" in first
    assert "people in the data" in first
    assert not any(word in first for word in ("AUC", "TPR", "FPR", "members"))


def test_a_figure_above_a_limit_is_exit_code_1(tokumei, files):
    asked = ("audit", *files, "--kinds", "membership", "--fail-above")
    assert tokumei(*asked, "auc=0.1").code == 1
    assert tokumei(*asked, "auc=0.999").code == 0
    wrong = tokumei(*asked, "k=1")
    assert wrong.code == 2
    assert "one of auc" in wrong.err
