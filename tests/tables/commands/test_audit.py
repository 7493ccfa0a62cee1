"""Tests of tokumei.tables.commands.audit."""

from pathlib import Path


def test_a_split_says_how_many_rows_name_nobody(tokumei):
    lines = ["who,x", *(f"{'' if i < 40 else i // 2},{i}" for i in range(200))]
    Path("p.csv").write_text("\n".join(lines), encoding="utf-8")
    ran = tokumei("audit", "split", "--data", "p.csv", "--person", "who", "--seed", 1, "--out", "s")
    assert ran.code == 0, ran.err
    assert "40 rows name nobody" in ran.err
    assert "Held out" in ran.out
