"""Tests of tokumei.tables.profiling.retype_original."""

from __future__ import annotations

from pathlib import Path


def test_an_original_in_other_writing_does_not_make_a_release_look_safe(tokumei) -> None:
    lines = ["年齢,性別,利用金額"]
    lines += [f'{30 + i % 9}歳,{"男女"[i % 2]},"{(i + 1) * 1250:,}円"' for i in range(40)]
    Path("x.csv").write_text("\n".join(lines) + "\n")
    call = ("anonymize", "table", "--data", "x.csv", "--qi", "年齢,性別", "--sa", "利用金額")
    assert tokumei(*call, "--k", 5, "--out", "y.csv", "--secret", "l.csv", "--seed", 1).code == 0
    both = ("--original", "x.csv", "--release", "y.csv", "--truth", "l.csv", "--seed", 1)
    ran = tokumei("attack", *both, "--json")
    assert "Normalized: 利用金額" in ran.err
    assert ran.json["everything"]["rate"] == 1.0
    assert ran.json["E4"]["rate"] == 1.0
