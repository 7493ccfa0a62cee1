"""Tests of tokumei.histories.commands.category_study."""

from __future__ import annotations

import json

from apps.cli.histories_scene import made as made
from apps.cli.histories_scene import tokumei as tokumei


def test_categories_and_a_sweep_with_them(tokumei, made, tmp_path):
    out = str(tmp_path / "categories.csv")
    done = tokumei("categories", "--data", made["T"], "--items", made["items"], "--by", "keywords",
                   "--lang", "ja", "--out", out, "--json")  # fmt: skip
    sizes = json.loads(done.out)["categories"]
    assert "キッチン用品" in sizes
    done = tokumei("sweep", "--data", made["T"], "--k", "2,3", "--categories", out, "--json")
    for point in json.loads(done.out):
        assert point["loss"] < point["honest_loss"]
