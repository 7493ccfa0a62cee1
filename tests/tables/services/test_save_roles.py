"""Tests of tokumei.tables.services.save_roles."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from apps.cli.account_samples import people, write


def test_saved_roles_let_the_same_columns_pass_again(tokumei) -> None:
    write(people())
    call = ("anonymize", "table", "--data", "x.csv", "--k", 5, "--out", "y.csv")
    roles = ("--qi", "age,sex", "--sa", "disease", "--id", "氏名", "--pass", "mail", "--save-roles")
    assert tokumei(*call, *roles).code == 0
    first = pl.read_csv("y.csv").columns
    saved = json.loads(Path("x.csv.tokumei.json").read_text())["columns"]
    assert (saved["mail"]["consent"], saved["shop"]["consent"]) == ("named", "rest")
    assert tokumei(*call).code == 0
    assert pl.read_csv("y.csv").columns == first
