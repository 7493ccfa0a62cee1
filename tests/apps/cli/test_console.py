"""Tests of tokumei.apps.cli.console."""

from __future__ import annotations


def test_no_cell_of_a_table_is_cut_off(capsys, monkeypatch):
    from tokumei.apps.cli.console import print_table
    from tokumei.core.messages import Message

    monkeypatch.setenv("COLUMNS", "24")
    print_table(Message("t"), ["name", "interval"], [["a" * 9, "0.0000–0.0278"], ["b", "1"]])
    page = capsys.readouterr().out
    assert "…" not in page
    assert "0278" in page.replace("\n", "")
