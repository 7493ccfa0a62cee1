"""Every question is raised where only the owner of the data can answer, and nowhere else."""

from __future__ import annotations

from dataclasses import fields

import polars as pl
import pytest

from tokumei.tables.commands.anonymize import AnonymizeTable
from tokumei.tables.profiling.profiler import look

N = 60
DAYS = [f"2024-01-{1 + i % 28:02}" for i in range(N)]
PEOPLE = {"性別": ["男", "女"] * (N // 2), "年齢": [str(20 + i % 50) for i in range(N)]}
WORDS = [f"{a}{b}" for a in "天地玄黄宇宙洪荒" for b in "日月盈昃辰宿列張"][:N]
CASES = {
    "person-or-thing": ({"name": [f"Thing {i}" for i in range(N)], "size": DAYS}, "name"),
    "key-like": ({**PEOPLE, "c1": [str(37 * i % 9973) for i in range(N)]}, "c1"),
    "many-words": ({**PEOPLE, "天気": WORDS}, "天気"),
    "text-with-personal-data": (
        {**PEOPLE, "備考": ["特になし", "折返し 090-1234-5678 まで"] * (N // 2)},
        "備考",
    ),
    "free-text": ({**PEOPLE, "感想": [f"とても良かったです。その{i}" for i in range(N)]}, "感想"),
    "two-person-columns": (
        {
            **PEOPLE,
            "顧客ID": [f"C{i:04}" for i in range(N)],
            "社員ID": [f"E{i % 9:04}" for i in range(N)],
        },
        "社員ID",
    ),
    "mixed-contact": (
        {
            **PEOPLE,
            "連絡先": [f"a{i}@example.jp" if i % 3 else f"090-1234-{i:04}" for i in range(N)],
        },
        "連絡先",
    ),
    "date-order": (
        {**PEOPLE, "date": [f"{1 + i % 12}/{1 + i % 11}/2021" for i in range(N)]},
        "date",
    ),
    "two-digit-year": (
        {**PEOPLE, "登録日": [f"{i % 99:02}/{1 + i % 12:02}/{1 + i % 28:02}" for i in range(N)]},
        "登録日",
    ),
    "unnamed-column": ({**PEOPLE, "Unnamed: 2": ["a", "b", "c"] * (N // 3)}, "Unnamed: 2"),
    "not-people": (
        {
            "伝票番号": [f"D{i:05}" for i in range(N)],
            "商品名": ["りんご", "みかん", "かき"] * (N // 3),
        },
        "伝票番号",
    ),
}


@pytest.mark.parametrize("id", CASES)
def test_the_question_is_raised(id: str) -> None:
    columns, name = CASES[id]
    question = look(pl.DataFrame(columns))[name].question
    assert question is not None
    assert question.id == id
    whole = id in ("date-order", "two-digit-year")
    assert all(whole or name in option for option in question.options)
    options = {option.split()[0].removeprefix("--") for option in question.options}
    named = {option.replace("-", "_") for option in options}
    assert named <= {field.name for field in fields(AnonymizeTable)}, "an option that exists"
    assert question.text.en != question.text.ja


def test_no_header_is_asked_about(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("".join(f"男,{20 + i},2024-01-{1 + i % 28:02}\n" for i in range(40)))
    found = look(str(path))
    assert found.source.header_row is None
    assert found.questions["column1"].id == "no-header"


def test_a_plain_table_raises_none() -> None:
    frame = pl.DataFrame({**PEOPLE, "氏名": ["佐藤 太郎", "鈴木 花子"] * (N // 2), "登録日": DAYS})
    assert not look(frame).questions


def test_what_is_asked_is_never_passed() -> None:
    for id, (columns, name) in CASES.items():
        column = look(pl.DataFrame(columns))[name]
        assert column.fate in ("ask", "drop", "generalize", "protect") or id == "not-people", id
