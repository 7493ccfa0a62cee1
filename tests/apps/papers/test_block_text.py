"""Tests of tokumei.apps.papers.block_text."""

from tokumei.apps.papers.block_text import block_tables
from tokumei.apps.papers.reproduction import run_paper


def test_text_has_every_block():
    run = run_paper("000", tables=["table1", "table9"])
    first, *_, end = block_tables(run)
    assert first.rows[0] == ["7 · 7", "7", "0", "exact", "equal"]
    assert first.title.show("en").endswith("equal: 7")
    assert "pwscup2018/T.csv" in end.show("en")
