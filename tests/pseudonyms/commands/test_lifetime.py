"""Tests of tokumei.pseudonyms.commands.lifetime."""

from __future__ import annotations

from apps.cli.period_curves_samples import words


def test_lifetimes_of_other_formats_need_no_customers(tokumei):
    tokumei(*words("sample history --rows 600 --customers 20 --seed 1 --out T.csv"))
    asked = "lifetime --data T.csv --format pws2018 --lifetimes 12 --attack S4 --seed 1 --json"
    ran = tokumei(*asked.split())
    assert ran.code == 0, ran.err
    assert ran.json["points"][0]["pseudonyms"] == 20
    assert tokumei("lifetime", "--data", "T.csv").code == 2  # pws2017 needs --master
