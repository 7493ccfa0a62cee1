"""JSON of commands has stable codes beside sentences; `golden` asks that of documented commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.sentence_codes import find_uncoded_sentences
from tokumei.apps.cli.app import main

TABLE = "age,sex,amount\n" + "".join(f"{20 + i % 5},{'FM'[i % 2]},{i * 37}\n" for i in range(60))


def test_a_sentence_without_a_code_is_found() -> None:
    plain = {"reason_en": "so", "reason_ja": "そう"}
    by_language = {"reason": {"en": "so", "ja": "そう"}}
    assert list(find_uncoded_sentences([plain, {"x": by_language}])) == ["[].reason", "[].x.reason"]
    assert not list(find_uncoded_sentences(plain | {"reason_code": "so"}))
    assert not list(find_uncoded_sentences(by_language | {"rule": "so"}))
    assert not list(find_uncoded_sentences(plain | {"name": "U1", "value": 0.5}))
    assert list(find_uncoded_sentences(plain | {"name": "U1"})) == [".reason"]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("look t.csv", 0),
        ("look missing.csv", 2),
        ("choose --data t.csv --no-roles --qi age,sex --sa amount", 0),
        ("advise t.csv --recipient partner --steps 3", 0),
        (
            "anonymize table --data t.csv --no-roles --qi age,sex --sa amount --k 5 --out y.csv "
            "--secret l.csv",
            0,
        ),
        ("assess --original t.csv --release t.csv --for public", 2),
        ("assess --original t.csv --release t.csv --qi age --uses U1 --for partner", 2),
        ("release t.csv --for partner --answers defaults --out there", 0),
        ("conform --original t.csv --release t.csv --qi age,sex --sa amount", 0),
    ],
)
def test_every_sentence_has_a_code(
    command: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TABLE, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--json"])
    assert (ended.value.code or 0) == code
    data = json.loads(capsys.readouterr().out)
    assert data
    assert not list(find_uncoded_sentences(data))
