"""Tests of tokumei.tables.profiling.profile_file."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from apps.cli.account_samples import people, write


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_what_a_side_file_lets_pass_needs_a_consent(tokumei, engine: str) -> None:
    write(people())
    tokumei("look", "x.csv", "--save")
    place = Path("x.csv.tokumei.json")
    side = json.loads(place.read_text())
    assert (side["columns"]["shop"]["fate"], side["columns"]["shop"]["consent"]) == ("pass", None)
    call = ("anonymize", "table", "--data", "x.csv", "--k", 5, "--engine", engine, "--out", "y.csv")
    ran = tokumei(*call)
    assert "Not released, because nobody consented: shop" in ran.err
    assert "shop" not in pl.read_csv("y.csv").columns
    for option in (("--pass", "shop"), ("--pass-rest",)):
        assert "shop" not in tokumei(*call, *option).err.partition("passed unchanged")[0]
        assert "shop" in pl.read_csv("y.csv").columns
    side["columns"]["mail"]["fate"] = "pass"
    for consent, released in ((None, False), ("named", True)):
        side["columns"]["mail"]["consent"] = consent
        place.write_text(json.dumps(side))
        assert tokumei(*call).code == 0
        assert ("mail" in pl.read_csv("y.csv").columns) is released
    side["columns"]["mail"]["consent"] = "rest"
    place.write_text(json.dumps(side))
    refused = tokumei(*call)
    assert refused.code == 1
    assert "'mail' seems to be of type 'e-mail address'" in refused.err
