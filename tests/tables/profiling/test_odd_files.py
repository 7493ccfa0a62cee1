"""Files of other countries and habits end in a release or a clear question, and show nobody."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from support.command_line import exit_code as run

ROWS = 90


def release(source: Path, *more: str) -> bytes:
    out = source.with_suffix(".out.csv")
    asked = ["anonymize", "table", "--data", source, "--k", 3, "--seed", 1, "--out", out]
    assert run(*asked, *more) == 0
    return out.read_bytes()


def test_latin_text_without_a_title_line(tmp_path: Path) -> None:
    lines = ["Patientennr;Nachname;Geburtsdatum;PLZ;Geschlecht;Kosten"]
    names = ("Müller", "Groß", "Schäfer")
    lines += [
        f"{10000 + i};{names[i % 3]};{1 + i % 28:02d}.{1 + i % 12:02d}.{1940 + i % 60};"
        f"{10115 + 37 * i};{'mw'[i % 2]};{100 + 7 * i},50 €"
        for i in range(ROWS)
    ]
    source = tmp_path / "patienten.csv"
    source.write_bytes("\n".join(lines).encode("cp1252"))
    public = release(source, "--answers", "defaults")
    assert "Müller".encode() not in public
    assert b"Geburtsdatum;PLZ;Geschlecht;Kosten" in public


def test_the_first_person_is_no_header(tmp_path: Path) -> None:
    source = tmp_path / "plain.csv"
    rows = [f"user{i:03d}@mail.test,{18 + i % 50},{'FM'[i % 2]}" for i in range(ROWS)]
    source.write_text("\n".join(rows))
    public = release(source, "--answers", "defaults")
    assert b"@mail.test" not in public
    assert len(public.splitlines()) == ROWS + 1


def test_names_in_a_script_that_the_vocabulary_does_not_read(tmp_path: Path) -> None:
    source = tmp_path / "korea.csv"
    rows = [f"김철수{i % 9},{'남여'[i % 2]},{30 + i % 3}" for i in range(ROWS)]
    source.write_text("\n".join(["이름,성별,나이", *rows]), encoding="utf-16")
    found = tk.look(source)
    assert found["이름"].type == "name"
    assert [found[name].type for name in ("성별", "나이")] == ["sex", "age"]
    unread = tmp_path / "unread.csv"
    words = [f"სახელი{i % 7}" for i in range(ROWS)]
    ages = [f"{30 + i % 3}" for i in range(ROWS)]
    lines = ["სტუდენტი,age", *(f"{a},{b}" for a, b in zip(words, ages, strict=True))]
    unread.write_text("\n".join(lines), encoding="utf-8")
    assert tk.look(unread)["სტუდენტი"].fate == "ask"


@pytest.mark.parametrize("number", ["06 12 34 56 78", "0171/1234567", "030 1234567"])
def test_telephone_numbers_of_other_countries_inside_texts(number: str) -> None:
    import polars as pl

    cells = ["travail sérieux", f"appeler sa mère au {number}", None] * 30
    frame = pl.DataFrame({"age": [10 + i % 5 for i in range(90)], "remarque": cells})
    column = tk.look(frame)["remarque"]
    assert [one.type for one in column.pii] == ["phone"]
    with pytest.raises(tk.ClaimError):
        tk.anonymize(frame, "mondrian", k=3, qi=["age"], seed=1)


@pytest.mark.parametrize("roles", [[], ["--qi", "age,note"], ["--qi", "age", "--sa", "note"]])
def test_a_telephone_number_among_short_remarks_is_asked_about(
    roles: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Most cells are two letters; one in eleven holds a number that may not leave in a set."""
    cells = [f"call 03-1234-{n:04}" if n % 11 == 0 else "ok" for n in range(120)]
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    source.write_text("\n".join(["age,note", *(f"{20 + n % 40},{c}" for n, c in enumerate(cells))]))
    assert run("anonymize", "table", "--data", source, *roles, "--k", 3, "--out", out) == 1
    assert "note" in capsys.readouterr().err
    assert not out.exists()


def test_purchases_are_proposed_as_a_history() -> None:
    """Several rows per person, a day and an article: k people become alike as a whole."""
    rows = {
        "会員番号": [f"M{i % 20:04d}" for i in range(200)],
        "購入日": [f"2025/{1 + i % 12}/{1 + i % 27}" for i in range(200)],
        "商品名": [("牛乳", "卵", "納豆")[i % 3] for i in range(200)],
        "単価": [f"￥{100 + i}" for i in range(200)],
    }
    found = tk.look(pl.DataFrame(rows))
    assert "tokumei anonymize history --format table" in found.command
    assert "customer=会員番号,day=購入日,item=商品名,price=単価" in found.command
    values = {"割引額": [i % 9 * 10 for i in range(200)], "店舗": ["北", "南"] * 100}
    more = tk.look(pl.DataFrame({**rows, **values})).command
    assert "price=単価,value1=割引額,value2=店舗" in more
    no_item = tk.look(pl.DataFrame({key: rows[key] for key in ("会員番号", "購入日", "単価")}))
    assert "customer=会員番号,day=購入日,price=単価 --k" in no_item.command
    people = pl.DataFrame({**rows, "性別": ["男", "女"] * 100}).drop("商品名")
    assert "anonymize table" in tk.look(people).command
    once = tk.look(pl.DataFrame({**rows, "会員番号": [f"M{i:04d}" for i in range(200)]}))
    assert "anonymize table" in once.command


def test_without_rows_there_is_nothing_to_release(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text("氏名,email,age\n", encoding="utf-8")
    assert tk.look(str(path)).command == ""


def test_an_empty_column_is_dropped_by_the_next_command() -> None:
    rows = {"age": [str(20 + i % 40) for i in range(100)], "氏名": [""] * 100}
    command = tk.look(pl.DataFrame(rows)).command
    assert "--id 氏名" in command
    assert "--qi age" in command
