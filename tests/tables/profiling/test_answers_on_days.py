"""Days that no cell decides: asked about, refused, answered, remembered."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from random import Random

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tokumei.core.parsing.dates import DatePreferences, detect_date_style


@pytest.mark.parametrize(
    ("cells", "order", "day"),
    [
        (["3/4/2021", "5/6/2020"], "dmy", date(2021, 4, 3)),
        (["3/4/2021", "5/6/2020"], "mdy", date(2021, 3, 4)),
        (["3/4/2021", "13/6/2020"], "mdy", date(2021, 4, 3)),
        (["03/04/05", "01/02/12"], "dmy", date(2005, 4, 3)),
        (["03/04/05", "01/02/12"], "mdy", date(2005, 3, 4)),
        (["03/04/05", "01/02/12"], "ymd", date(2003, 4, 5)),
        (["3/4/05", "11/2/12"], "mdy", date(2005, 3, 4)),
        (["3/4/05", "13/2/12"], "mdy", date(2005, 4, 3)),
    ],
)
def test_an_answer_decides_what_cells_leave_open(cells: list[str], order: str, day: date) -> None:
    assert detect_date_style(cells, said=DatePreferences(order)).day(cells[0]) == day
    decided = any(int(cell.split("/")[0]) > 12 for cell in cells)
    assert detect_date_style(cells).undecided is not decided
    assert not detect_date_style(cells, said=DatePreferences(order)).undecided


def test_years_of_two_digits_have_the_century_that_is_said() -> None:
    assert detect_date_style(["13.4.58"]).day("13.4.58") == date(2058, 4, 13)
    assert detect_date_style(["13.4.58"], said=DatePreferences(latest=30)).day("13.4.58") == date(
        1958, 4, 13
    )


def test_a_house_is_no_day() -> None:
    assert detect_date_style(["1-5-19", "2-3-14"]).day("1-5-19") is None
    assert detect_date_style(["1/5/19", "2/3/14"], said=DatePreferences("dmy")).day(
        "1/5/19"
    ) == date(2019, 5, 1)


def ambiguous(path: Path) -> None:
    draw = Random(1)
    days = [
        f"{draw.randint(1, 12)}/{draw.randint(1, 12)}/{draw.randint(1990, 2020)}" for _ in range(90)
    ]
    rows = [f"{draw.choice('MF')},{day},{i}" for i, day in enumerate(days)]
    path.write_text("\n".join(["sex,joined,pay", *rows]), encoding="utf-8")


def test_the_question_is_answered_once(tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    ambiguous(source)
    question = tk.look(str(source)).questions["joined"]
    assert question.id == "date-order"
    assert question.options == ("--date-order dmy", "--date-order mdy")
    call = ["anonymize", "table", "--data", str(source), "--k", "3", "--out", str(out)]
    for roles in ([], ["--qi", "sex,joined", "--sa", "pay"]):
        refused = run([*call, *roles])
        assert refused.code == 1
        assert "--date-order dmy" in refused.err
        assert not out.exists()
    assert run([*call, "--answers", "defaults"]).code == 0
    assert "joined" not in pl.read_csv(out).columns
    assert run(["look", str(source), "--date-order", "dmy", "--save"]).code == 0
    answer = {"date-order": "dmy"}
    assert json.loads(Path(f"{source}.tokumei.json").read_text())["answers"] == answer
    link = str(tmp_path / "link.csv")
    assert run([*call, "--secret", link]).code == 0
    assert json.loads(Path(f"{out}.manifest.json").read_text())["answers"] == answer
    answered = tk.look(str(source), date_order="dmy")
    assert "joined" not in answered.questions
    assert "--date-order dmy" in answered.command
    sides = ["--original", str(source), "--release", str(out)]
    assert run(["attack", *sides, "--truth", link]).code == 0
    assert run([*call, "--date-order", "dym"]).code == 2


def test_the_rule_for_two_digits_is_told_and_can_be_changed(tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    rows = [f"{'MF'[i % 2]},{13 + i % 15}.{1 + i % 12}.{50 + i % 20},{i}" for i in range(90)]
    source.write_text("\n".join(["sex,joined,pay", *rows]), encoding="utf-8")
    call = ["anonymize", "table", "--data", str(source), "--qi", "sex,joined", "--sa", "pay"]
    call += ["--k", "3", "--out", str(out)]
    assert "years 00 to 68 are read as 20xx, 69 to 99 as 19xx" in run(call).err
    told = run([*call, "--two-digit-years", "30"]).err
    assert "years 00 to 30 are read as 20xx" in told
    assert "[20" not in out.read_text()
    assert "joined" not in tk.look(str(source), two_digit_years=30).questions


def test_a_history_asks_the_same(tmp_path: Path) -> None:
    source, public = tmp_path / "h.csv", tmp_path / "p.csv"
    rows = [f"{i % 10},{1 + i % 12}/{1 + i % 7}/2021,{i}" for i in range(60)]
    source.write_text("\n".join(["customer,day,price", *rows]), encoding="utf-8")
    call = ["anonymize", "history", "--format", "table", "--data", str(source), "--k", "2"]
    call += ["--public", str(public)]
    refused = run(call)
    assert refused.code == 2
    assert "--date-order dmy" in refused.err
    assert run([*call, "--date-order", "dmy"]).code == 0
    attack = ["attack", "--known", str(source), "--public", str(public)]
    assert run([*attack, "--date-order", "dmy"]).code == 0


def frame_of(order: str) -> pl.DataFrame:
    """People whose days could be read in two ways, and what they are in the order given."""
    draw = Random(3)
    days = [(draw.randint(1, 12), draw.randint(1, 12), draw.randint(1990, 2020)) for _ in range(90)]
    true = [date(y, b, a) if order == "dmy" else date(y, a, b) for a, b, y in days]
    texts = [f"{a}/{b}/{y}" for a, b, y in days]
    sex = [draw.choice("MF") for _ in days]
    return pl.DataFrame({"sex": sex, "joined": texts, "pay": range(90), "true": true})


@pytest.mark.parametrize("order", ["dmy", "mdy"])
@pytest.mark.parametrize("pandas", [False, True])
def test_a_frame_is_asked_about_and_answered_like_a_file(order: str, pandas: bool) -> None:
    whole = frame_of(order)
    frame = whole.drop("true")
    source = frame.to_pandas() if pandas else frame
    roles = {"k": 4, "qi": ["sex", "joined"], "sa": ["pay"]}
    with pytest.raises(tk.TokumeiError, match="two ways") as refused:
        tk.anonymize(source, "mondrian", **roles)
    assert refused.value.faults[0].rule == "unanswered"
    release = tk.anonymize(source, "mondrian", **roles, date_order=order)
    for cell, origin in zip(release.public.frame["joined"], release.link.tolist(), strict=True):
        ends = [date.fromisoformat(end) for end in str(cell).strip("[]").split(";")]
        assert ends[0] <= whole["true"][origin] <= ends[-1]
    assert any("joined" in note.show("en") for note in release.notes)
    rates = tk.attack(source, release, methods=["linkage"], qi=["sex", "joined"], sa=["pay"])
    assert rates["linkage"].rate > 0.9  # exact pay finds everybody if days are read alike


def test_years_of_two_digits_of_a_frame_are_told_and_changed() -> None:
    days = [f"{1 + i % 28}.{1 + i % 12}.{i % 100:02}" for i in range(60)]
    frame = pl.DataFrame({"joined": days, "pay": range(60)})
    roles = {"k": 3, "qi": ["joined"], "sa": ["pay"]}
    made = tk.anonymize(frame, "mondrian", **roles)
    assert any("years 00 to 68 are read as 20xx" in note.show("en") for note in made.notes)
    assert "<p>joined: years 00 to 68" in made._repr_html_()
    other = tk.anonymize(frame, "mondrian", **roles, two_digit_years=10)
    assert max(other.public.frame["joined"]) < "[2011"
    off = tk.anonymize(frame, "mondrian", **roles, no_normalize="all")
    assert off.notes == () or not any("read" in note.show("en") for note in off.notes)


def test_cells_of_a_frame_that_fit_nothing_are_listed_by_row() -> None:
    ages = [f"{20 + i}歳" for i in range(39)] + ["about forty"]
    frame = pl.DataFrame({"age": ages, "pay": range(40)})
    with pytest.raises(tk.TokumeiError) as refused:
        tk.anonymize(frame, "mondrian", k=3, qi=["age"], sa=["pay"])
    assert (
        refused.value.faults[0]
        .message.show("en")
        .startswith("row 39 (from 0), age: a cell of the form")
    )
    made = tk.anonymize(frame, "mondrian", k=3, qi=["age"], sa=["pay"], bad_cells="missing")
    assert any("∅" in str(cell) for cell in made.public.frame["age"])
    with pytest.raises(tk.TokumeiError, match="bad_cells is 'missing' or nothing"):
        tk.anonymize(frame, "mondrian", k=3, qi=["age"], sa=["pay"], bad_cells="gap")
