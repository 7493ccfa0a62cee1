"""How a release is written: encoding, mark, sheet, plain values; what was decided is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.judged import run

ROWS = 40


@pytest.fixture
def source(tmp_path: Path) -> Path:
    place = tmp_path / "x.csv"
    rows = [f"{20 + i % 9},{'男女'[i % 2]},Ａ{i % 2},{i}.50,{'髙橋𠮷'[i % 3]}" for i in range(ROWS)]
    place.write_text("\n".join(["年齢,性別,区分,金額,表記", *rows]), encoding="utf-8")
    return place


def asked(source: Path, out: Path, *more: str) -> list[str]:
    base = ["anonymize", "table", "--data", str(source), "--qi", "年齢,性別", "--sa", "金額"]
    return [*base, "--k", "3", "--pass", "表記", "--out", str(out), *more]


def test_a_character_that_the_encoding_lacks_is_a_fault_with_its_line(source: Path) -> None:
    out = source.with_name("y.csv")
    ran = run(asked(source, out, "--encoding-out", "cp932", "--seed", "1"))
    assert ran.code == 2
    assert "U+20BB7" in ran.err
    assert "line " in ran.err
    assert not out.exists()
    ran = run(asked(source, out, "--encoding-out", "cp932", "--replace-unencodable"))
    assert ran.code == 0, ran.err
    assert "13 characters that cp932 lacks" in ran.err
    assert "髙".encode("cp932") in out.read_bytes()


def test_mark_sheet_and_dropped_columns(source: Path) -> None:
    out, book = source.with_name("y.csv"), source.with_name("y.xlsx")
    assert run(asked(source, out, "--bom", "--drop", "区分")).code == 0
    assert out.read_bytes().startswith(b"\xef\xbb\xbf")
    assert "区分" not in out.read_text(encoding="utf-8-sig")
    assert run(asked(source, book, "--sheet-out", "公開")).code == 0
    assert run(asked(source, book, "--sheet-out", "a/b")).code == 2
    assert run(asked(source, out, "--sheet-out", "公開")).code == 2


def test_cells_that_pass_leave_as_they_came_unless_plain(source: Path) -> None:
    out = source.with_name("y.csv")
    assert run(asked(source, out)).code == 0
    assert "Ａ" in out.read_text(encoding="utf-8")
    ran = run(asked(source, out, "--plain"))
    assert ran.code == 0, ran.err
    assert "Ａ" not in out.read_text(encoding="utf-8")
    assert f"({ROWS})" in next(line for line in ran.err.splitlines() if "Normalized: 区分" in line)


def test_what_was_decided_is_kept_for_later_commands(source: Path) -> None:
    out = source.with_name("y.csv")
    assert run(asked(source, out, "--save-roles", "--drop", "区分")).code == 0
    side = json.loads(Path(f"{source}.tokumei.json").read_text(encoding="utf-8"))
    fates = {name: column["fate"] for name, column in side["columns"].items()}
    assert list(fates.values()) == ["generalize", "generalize", "drop", "protect", "pass"]
    assert "髙" not in Path(f"{source}.tokumei.json").read_text(encoding="utf-8")
    ran = run(["anonymize", "table", "--data", str(source), "--k", "3", "--out", str(out)])
    assert ran.code == 0, ran.err
    assert out.read_text(encoding="utf-8").startswith("年齢,性別,金額,表記")


def test_unreadable_bytes_stop_or_are_counted(tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    rows = "".join(f"{20 + i % 9},{'男女'[i % 2]},東京の店\n" for i in range(ROWS))
    source.write_bytes(f"年齢,性別,店舗\n{rows}".encode("cp932") + b"25,\x92j,\x85\x40\x80\n")
    base = ["anonymize", "table", "--data", str(source), "--qi", "年齢,性別", "--k", "2"]
    base += ["--pass", "店舗", "--out", str(out)]
    assert run(base).code == 2
    ran = run([*base, "--encoding-errors", "replace"])
    assert ran.code == 0, ran.err
    assert "unreadable character was replaced" in ran.err
