"""Personal data found in a text is replaced and said; names keep the column a question."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tokumei.tables.profiling.redaction import redact_column

ROWS = 60


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("至急 090-1234-5678 に電話", "至急 ［電話番号］ に電話"),
        ("０９０－１２３４－５６７８まで", "［電話番号］まで"),
        ("090-1111-2222/090-3333-4444", "［電話番号］/［電話番号］"),
        ("taro@example.jp 宛", "［メールアドレス］ 宛"),
        ("転居先は東京都世田谷区桜丘1-2-3。", "転居先は［住所］。"),
        ("特になし", "特になし"),
        (None, None),
    ],
)
def test_finds_become_what_they_are(before: str | None, after: str | None) -> None:
    cells = redact_column(pl.Series("備考", [before, "要確認"])).cells
    assert cells[0] == after
    assert cells[1] == "要確認"


def remarks(extra: str) -> pl.DataFrame:
    cells = [f"折り返し 080-1111-{i:04d} まで連絡" if i % 3 else f"{extra}{i}" for i in range(ROWS)]
    return pl.DataFrame({"年齢": [20 + i % 9 for i in range(ROWS)], "備考": cells})


def test_a_scrubbed_text_is_released_and_the_account_says_so(tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    remarks("来店時に要望を伺いました。").write_csv(source)
    base = ["anonymize", "table", "--data", str(source), "--qi", "年齢", "--k", "3"]
    asked = [*base, "--out", str(out)]
    assert run(asked).code == 1
    ran = run([*asked, "--scrub", "備考"])
    assert ran.code == 0, ran.err
    assert "080-1111" not in out.read_text(encoding="utf-8")
    assert "［電話番号］" in out.read_text(encoding="utf-8")
    account = json.loads(Path(f"{out}.manifest.json").read_text(encoding="utf-8"))["account"]
    assert account["備考"]["fate"] == "scrubbed"
    assert "names in it cannot be ruled out" in ran.out + ran.err


def test_names_in_it_still_stop_the_release() -> None:
    frame = remarks("佐藤様に連絡済み")
    with pytest.raises(tk.ClaimError):
        tk.anonymize(frame, "mondrian", k=3, qi=["年齢"], scrub=["備考"], seed=1)


def test_numbers_are_no_text() -> None:
    with pytest.raises(tk.UsageError, match="no text"):
        tk.anonymize(remarks("x"), "mondrian", k=3, qi=["備考"], scrub=["年齢"], seed=1)
