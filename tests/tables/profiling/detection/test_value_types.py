"""Kinds of columns that nobody named: told by their neighbours, by how they repeat, or asked about.

Each case is a class of mistakes that files of strangers have shown, with words of its own.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from random import Random

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tables.profiling.strangers_helpers import ROWS, people
from tokumei.core.parsing.dates import DateStyle, detect_date_style

GIVEN = ["Wiebke", "Sönke", "Malte", "Ilse", "Björn"]


LAST = ["Lüders", "Harms", "Thießen", "Voß", "Carstens", "Feddersen"]


def asked(frame: pl.DataFrame, name: str) -> str | None:
    seen = tk.look(frame)[name]
    return seen.question.id if seen.question and seen.fate == "ask" else None


def test_whole_numbers_that_hardly_repeat_are_asked_about_unless_they_are_money() -> None:
    given = [10_000 + i * 7919 % 80_000 for i in range(ROWS)]
    assert asked(people(Legajo=given), "Legajo") == "key-like"
    assert asked(people(Legajo=[f"{one} €" for one in given]), "Legajo") is None
    assert asked(people(Legajo=[one % 40 for one in given]), "Legajo") is None


def test_what_goes_with_one_name_and_one_birth_tells_people() -> None:
    person = [i % 15 for i in range(ROWS)]
    frame = pl.DataFrame(
        {
            "name": [f"{GIVEN[p % 5]} {LAST[p % 6]}" for p in person],
            "birth date": [date(1950 + p, 3, 2) for p in person],
            "anlage": [f"W{p:02}" for p in person],
            "gruppe": [f"W{i % 13:02}" for i in range(ROWS)],
        }
    )
    assert asked(frame, "anlage") == "key-like"
    assert asked(frame, "gruppe") is None


def test_words_that_stand_in_the_addresses_of_their_rows_are_names() -> None:
    plain = str.maketrans({"ü": "ue", "ß": "ss"})
    last = [LAST[i % 6] for i in range(ROWS)]
    mails = [f"{i}.{one.lower().translate(plain)}@x.example" for i, one in enumerate(last)]
    frame = people(Zn=last, Sparte=[GIVEN[i % 5] + "bund" for i in range(ROWS)], mail=mails)
    found = tk.look(frame)
    assert (found["Zn"].type, asked(frame, "Zn")) == ("name", "person-or-thing")
    assert found["Sparte"].type == "category"
    assert found.person is None or found.person.column != "Zn"


def test_single_words_beside_a_given_name_may_be_surnames() -> None:
    given, last = ([one[i % len(one)] for i in range(ROWS)] for one in (GIVEN, LAST))
    assert asked(people(Zn=last, Vorname=given), "Zn") == "person-or-thing"
    teams = [("Falken", "Wölfe", "Dachse", "Luchse", "Biber")[i % 5] for i in range(ROWS)]
    known = people(Zn=teams, Vorname=given, Nachname=last)
    assert asked(known, "Zn") is None


def test_words_of_names_in_another_column_are_asked_about() -> None:
    given, last = ([one[i % len(one)] for i in range(ROWS)] for one in (GIVEN, LAST))
    whole = [f"{one} {two}" for one, two in zip(given, last, strict=True)]
    beside = [f"bei {one}" if i % 2 else "Garage" for i, one in enumerate(last[::-1])]
    assert asked(people(Kunde=whole, Xq=beside), "Xq") == "person-or-thing"
    places = [
        ("Garage", "Terrasse", "Keller", "Treppe", "Tor", "Kiosk")[i % 6] for i in range(ROWS)
    ]
    assert asked(people(Kunde=whole, Xq=places), "Xq") is None
    chinese = [("王伟", "李芳", "张秀英", "刘建国", "陈梓涵")[i % 5] for i in range(ROWS)]
    other = [f"{one}（配偶）" for one in chinese[::-1]]
    assert asked(people(姓名=chinese, Xq=other), "Xq") == "person-or-thing"


def test_pairs_of_words_in_ever_new_order_may_be_names() -> None:
    whole = [f"{GIVEN[i % 5]} {LAST[i % 4]}" for i in range(ROWS)]
    assert asked(people(Xq=whole), "Xq") == "person-or-thing"
    towns = ("New York", "San Diego", "Los Angeles", "El Paso", "Fort Worth", "Santa Fe")
    more = ("Baton Rouge", "Little Rock", "Salt Lake", "Cape Coral")
    places = [(*towns, *more)[i % 10] for i in range(ROWS)]
    assert asked(people(Xq=places), "Xq") is None


def test_nine_digits_that_hardly_repeat_are_no_seconds() -> None:
    cells = [str(600_000_000 + i * 7_654_321 % 99_999_999) for i in range(ROWS)]
    assert tk.look(people(Xq=cells))["Xq"].identifies
    assert tk.look(people(**{"Tlf. aviso": cells}))["Tlf. aviso"].type == "phone"


@pytest.mark.parametrize("name", ["z. Hd.", "Next of kin", "紧急联系人", "추천인", "Fahrer 2"])
def test_whom_something_is_sent_to_is_asked_about_however_few_they_are(name: str) -> None:
    cells = [("Wiesner", "Ottersbach", "Quandt")[i % 3] for i in range(ROWS)]
    found = tk.look(people(**{name: cells}))[name]
    assert found.identifies or found.fate == "ask"


@pytest.mark.parametrize("title", ["Fr.", "Herr", "Frau", "Mme", "Prof.", "Sra."])
def test_a_title_before_a_word_is_a_name_in_a_text(title: str) -> None:
    cells = [f"{title} Quandt" if i % 9 == 0 else "ja" for i in range(ROWS)]
    assert [one.type for one in tk.look(people(Xq=cells))["Xq"].pii] == ["name"]


def test_a_name_that_people_of_different_birth_have_tells_nobody_apart() -> None:
    whole = [f"{GIVEN[i % 5]} {LAST[i % 4]}" for i in range(ROWS)]
    births = [f"{1940 + i % 60}-03-{1 + i % 28:02}" for i in range(ROWS)]
    found = tk.look(people(Name=whole, dob=births))
    assert found.person is None
    same = tk.look(
        people(Name=whole, dob=[f"19{40 + i % 20}-03-01" for i in range(ROWS)]).drop("sex")
    )
    assert same.person is not None
    assert same.person.column == "Name"


@pytest.mark.parametrize("form", ["{0}. {1}", "{1}, {0}.", "{1} {0}.A.", "van der {1}, {0}."])
def test_surnames_beside_initials_are_names_however_few(form: str) -> None:
    cells = [form.format("AKM"[i % 3], ("Oyelaran", "Aaltonen", "Żuk")[i % 3]) for i in range(ROWS)]
    assert tk.look(people(keeper=cells))["keeper"].type == "name"
    species = [("E. coli", "S. aureus", "C. felis")[i % 3] for i in range(ROWS)]
    assert tk.look(people(germ=species))["germ"].type == "category"


def test_people_are_not_told_apart_by_a_column_that_half_of_them_lack() -> None:
    mails: list[object] = [f"u{i % 30}@x.example" if i % 2 else None for i in range(ROWS)]
    assert tk.look(people(mail=mails)).person is None
    full = [f"u{i % 30}@x.example" for i in range(ROWS)]
    person = tk.look(people(mail=full)).person
    assert person is not None
    assert (person.column, person.people) == ("mail", 30)


def test_a_number_that_several_names_share_tells_nobody_apart() -> None:
    draw = Random(1)
    names = [f"{GIVEN[i % 5]} {LAST[i % 6]} {chr(65 + i % 26)}." for i in range(ROWS)]
    shared = [f"{draw.randrange(60):04}" for _ in range(ROWS)]
    person = tk.look(people(guest=names, pin=shared)).person
    assert person is None or person.column != "pin"


@pytest.mark.parametrize(
    "cell", ["1975.03.12.", "1975. 3. 12.", "1975년 3월 12일", "12. 3. 1975", "12.03.1975."]
)
def test_days_with_dots_and_blanks(cell: str) -> None:
    other = cell.replace("12", "25")
    assert detect_date_style([cell, other]).day(other) == date(1975, 3, 25)


def test_years_of_two_digits_are_no_births_to_come() -> None:
    cells = [f"{1 + i % 28:02}/{1 + i % 12:02}/{(55 + i) % 100:02}" for i in range(ROWS // 2)]
    born = tk.look(pl.DataFrame({"date of birth": cells, "sex": ["F", "M"] * 30}))["date of birth"]
    assert born.style.latest == date.today().year % 100
    day = born.style.day("25/11/58")
    assert day == date(1958, 11, 25)
    assert born.question is not None
    assert f"00 to {born.style.latest:02}" in born.question.text.show("en")
    assert DateStyle().year("58") == 2058


def test_addresses_of_devices_are_not_taken_for_those_of_the_net() -> None:
    cells = [":".join(f"{(i * p) % 256:02X}" for p in (3, 5, 7, 11, 13, 17)) for i in range(ROWS)]
    assert tk.look(people(bt=cells))["bt"].type == "device_id"


def test_bars_part_columns_from_the_look_to_the_release(tmp_path: Path) -> None:
    path, out = tmp_path / "x.txt", tmp_path / "y.csv"
    people().write_csv(path, separator="|")
    assert [column.name for column in tk.look(path).columns] == ["age", "sex"]
    made = run(["anonymize", "table", "--data", str(path), "--k", "5", "--out", str(out)])
    assert made.code == 0, made.err
    assert out.read_text().startswith("age|sex\n")


def test_a_row_without_a_cell_is_no_row_for_anybody(tmp_path: Path) -> None:
    rows = [f"{'MF'[i % 2]},{20 + i % 3},{i}.50" for i in range(60)]
    for place in (60, 30, 10):
        rows.insert(place, ",,")
    source, out, link = (str(tmp_path / name) for name in ("x.csv", "y.csv", "l.csv"))
    Path(source).write_text("\n".join(["sex,age,pay", *rows]) + "\n")
    found = tk.look(source)
    assert (found.rows, found.source.empty) == (60, 3)
    call = ["anonymize", "table", "--data", source, "--qi", "sex,age", "--sa", "pay", "--k", "3"]
    made = run([*call, "--out", out, "--secret", link])
    assert made.code == 0, made.err
    assert "blank lines (3)" in made.err
    released = pl.read_csv(out, infer_schema=False)
    assert released.height == 60
    assert {*released["pay"]} == {f"{i}.50" for i in range(60)}
    rate = run(["attack", "--original", source, "--release", out, "--truth", link, "--json"])
    assert json.loads(rate.out)["linkage"]["rate"] == 1


def test_a_blank_row_does_not_make_numbers_of_rows_releasable(tmp_path: Path) -> None:
    rows = [f"{i + 1},{20 + i % 3},{i % 2}" for i in range(60)]
    rows.insert(30, ",,")
    (tmp_path / "x.csv").write_text("\n".join(["visit,age,ill", *rows]) + "\n")
    out = tmp_path / "y.csv"
    call = ["anonymize", "table", "--data", str(tmp_path / "x.csv"), "--answers", "defaults"]
    made = run([*call, "--k", "3", "--out", str(out)])
    assert made.code == 0, made.err
    assert "visit" not in pl.read_csv(out).columns
