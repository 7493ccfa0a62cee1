"""Tests of tokumei.pages.unicity_report."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from pages.curve_pages_helpers import UNICITY, both, words
from tokumei.core.language import language_context
from tokumei.files.atomic_write import write_all
from tokumei.pages.unicity_report import describe_granularity, unicity_outputs, unicity_page


def test_granularities_in_words():
    in_words = describe_granularity("item:2,month")
    assert in_words.show("en") == "item (2 characters) and month"
    assert in_words.show("ja") == "商品の先頭2字・月"
    assert describe_granularity("colour").show("ja") == "colour"


def test_unicity_in_words_and_figures():
    page = words(unicity_page(UNICITY))
    assert "2 known purchases (item and day) single out 98 % of the customers" in page
    assert "購買 2 件 (商品・日) を知られると、顧客の 98 % が一人に絞られる" in page
    for figure in ("70 %", "60–80 %", "98 %", "95–99 %", "20 draws per customer"):
        assert figure in page
    assert "–" in both(page)  # nobody has two points of month and prefix
    (alone,) = [unicity_page(UNICITY[:1]).headline.show("en")]
    assert alone == "One known purchase (item and day) singles out 70 % of the customers"


def test_unicity_leaves_four_files(tmp_path: Path):
    with language_context("ja"):
        write_all(unicity_outputs(UNICITY, tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "report.html", "unicity.csv", "unicity.json", "unicity.svg"
    ]  # fmt: skip
    assert json.loads((tmp_path / "unicity.json").read_text()) == [u.as_json() for u in UNICITY]
    assert pl.read_csv(tmp_path / "unicity.csv")["share"].to_list() == [0.7, 0.98, 0.01]
    assert '<html lang="ja">' in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "知られている点の数" in (tmp_path / "unicity.svg").read_text(encoding="utf-8")
