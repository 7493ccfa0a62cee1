"""Every column has a fate: nothing that may identify somebody leaves without a word."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from apps.cli.account_samples import GIVEN, SURNAMES, anonymize, people, write
from tokumei.core.errors import ClaimError, UsageError
from tokumei.tables.anonymization.column_plan import are_bad_cells_missing
from tokumei.tables.data.column_report import ColumnTreatment
from tokumei.tables.data.full_row_uniqueness import FullRowUniqueness


def faults(err: pytest.ExceptionInfo[ClaimError]) -> dict[str | None, str]:
    return {fault.column: fault.rule for fault in err.value.faults}


def test_columns_that_identify_stop_the_release_until_somebody_decides() -> None:
    with pytest.raises(ClaimError) as err:
        anonymize(people())
    assert faults(err) == {
        "氏名": "undeclared-identifier",
        "mail": "undeclared-identifier",
    }
    release = anonymize(people(), ids=["氏名"], passed=["mail"])
    account = release.account
    assert account is not None
    assert {name: entry.fate.value for name, entry in account.entries.items()} == {
        "氏名": "dropped",
        "age": "generalized",
        "sex": "generalized",
        "mail": "passed",
        "disease": "exposed",
        "shop": "passed",
    }
    assert account.entries["mail"].consent == "named"
    assert account.entries["shop"].consent is None
    told = release.manifest()["account"]
    assert told["mail"]["type"] == "email"
    assert told["mail"]["reason"]["ja"]


def test_a_name_is_no_quasi_identifier_unless_somebody_insists() -> None:
    frame = people().drop("mail")
    with pytest.raises(ClaimError) as err:
        anonymize(frame, qi=["age", "氏名"])
    assert faults(err) == {"氏名": "undeclared-identifier"}
    assert 'qi_anyway=["氏名"]' in str(err.value)
    release = anonymize(frame, qi=["age", "氏名"], qi_anyway=["氏名"])
    assert release.account is not None
    assert release.account.entries["氏名"].consent == "named"


def test_personal_data_inside_a_text_stops_the_release_whatever_its_role() -> None:
    notes = ["03-1234-5678 に電話" if i % 4 == 0 else "なし" for i in range(60)]
    frame = people().drop("氏名", "mail").with_columns(pl.Series("備考", notes))
    for sa in (["disease"], ["disease", "備考"]):
        with pytest.raises(ClaimError) as err:
            anonymize(frame, sa=sa)
        assert faults(err) == {"備考": "undeclared-identifier"}


def test_without_roles_they_are_as_they_look_and_what_has_no_use_is_dropped() -> None:
    frame = people()
    release = tk.anonymize(frame, "mondrian", k=5, seed=1)
    assert release.account is not None
    fates = {name: entry.fate for name, entry in release.account.entries.items()}
    assert fates["氏名"] is fates["mail"] is ColumnTreatment.DROPPED
    assert fates["age"] is fates["sex"] is ColumnTreatment.GENERALIZED
    shown = release.public.frame.write_csv()
    assert not any(cell in shown for cell in [*frame["氏名"], *frame["mail"]])


def test_rows_of_one_person_are_no_crowd() -> None:
    visits = pl.DataFrame(
        {
            "patient_id": [f"P{i // 3:04d}" for i in range(90)],
            "age": [20 + i // 3 % 10 for i in range(90)],
            "sex": ["MF"[i // 3 % 2] for i in range(90)],
        }
    )
    asked = {"qi": ["age", "sex"], "ids": ["patient_id"]}
    with pytest.raises(ClaimError) as err:
        tk.anonymize(visits, "mondrian", k=3, **asked)
    assert faults(err) == {"patient_id": "rows-are-not-people"}
    counted = tk.anonymize(visits, "mondrian", k=3, person="patient_id", seed=1, **asked)
    persons = visits["patient_id"].to_list()
    cells = counted.public.frame.rows()
    who: dict[object, set[str]] = {}
    for row, source in zip(cells, counted.link, strict=True):
        who.setdefault(row, set()).add(persons[source])
    assert min(len(found) for found in who.values()) >= 3
    assert counted.account is not None
    assert counted.account.person == "patient_id"
    every = tk.anonymize(visits, "mondrian", k=3, person="none", seed=1, **asked)
    assert min(Counter(every.public.frame.rows()).values()) >= 3


@pytest.mark.parametrize("method", ["mondrian", "local"])
def test_a_text_may_be_sensitive(method: str) -> None:
    frame = people().drop("氏名", "mail")
    release = tk.anonymize(
        frame, method, qi=["age", "sex"], sa=["disease"], k=6, conditions=["l=3"], seed=1
    )
    assert release.account is not None
    assert release.account.entries["disease"].fate is ColumnTreatment.PROTECTED
    groups: dict[tuple[object, ...], set[str]] = {}
    for age, sex, disease, _ in release.public.frame.rows():
        groups.setdefault((age, sex), set()).add(disease)
    assert min(len(values) for values in groups.values()) >= 3


def test_all_public_columns_together_are_counted_as_a_loop_counts_them() -> None:
    frame = people().select("age", "sex", "shop").vstack(people().select("age", "sex", "shop")[:7])
    sizes = Counter(frame.rows())
    found = FullRowUniqueness.of(frame)
    assert found.smallest == min(sizes.values())
    assert found.alone == sum(size == 1 for size in sizes.values())
    assert FullRowUniqueness.of(frame[:0]) == FullRowUniqueness(0, 0, 0)


def test_the_command_says_what_became_of_every_column(tokumei, tmp_path: Path) -> None:
    write(people())
    call = ("anonymize", "table", "--data", "x.csv", "--qi", "age,sex", "--sa", "disease", "--k", 5)
    refused = tokumei(*call, "--out", "y.csv")
    assert refused.code == 1
    assert not Path("y.csv").exists()
    assert not Path("y.csv.manifest.json").exists()
    ran = tokumei(*call, "--id", "氏名", "--pass", "mail", "--out", "y.csv")
    assert ran.code == 0
    assert "  dropped: 氏名\n" in ran.err
    assert "  passed unchanged: mail (by consent), shop\n" in ran.err
    assert "  exact values remain in: disease\n" in ran.err
    assert "60 of 60 rows are unique" in ran.err
    assert "every combination of age, sex occurs in at least 5 rows (k-anonymity)" in ran.err
    ja = tokumei(*call, "--id", "氏名", "--pass", "mail", "--out", "y.csv", "--lang", "ja")
    assert "同意済み" in ja.err


def test_a_question_stops_a_run_without_roles_and_an_answer_lets_it_go(tokumei) -> None:
    write(
        people().with_columns(
            pl.Series("memo", [f"text {i} about this and that" for i in range(60)])
        )
    )
    call = ("anonymize", "table", "--data", "x.csv", "--k", 5, "--out", "y.csv")
    asked = tokumei(*call, "--json")
    assert asked.code == 1
    assert {fault["rule"] for fault in asked.json["faults"]} == {"unanswered"}
    assert not Path("y.csv").exists()
    for answer in (("--id", "memo"), ("--answers", "defaults")):
        assert tokumei(*call, *answer).code == 0
        assert "memo" not in pl.read_csv("y.csv").columns
        assert "mail" not in pl.read_csv("y.csv").columns


@pytest.mark.parametrize("engine", ["local", "stream"])
def test_roles_said_once_are_read_beside_the_data(tokumei, engine: str) -> None:
    write(people())
    assert tokumei("look", "x.csv", "--save").code == 0
    call = ("anonymize", "table", "--data", "x.csv", "--k", 5, "--engine", engine, "--out", "y.csv")
    ran = tokumei(*call)
    assert ran.code == 0, ran.err
    assert "Roles from x.csv.tokumei.json" in ran.err
    assert not {"氏名", "mail"} & {*pl.read_csv("y.csv").columns}
    over = tokumei(*call, "--pass", "mail")
    assert "except of the columns that --pass name" in over.err
    assert {"age", "sex", "mail"} <= {*pl.read_csv("y.csv").columns}
    side = json.loads(Path("x.csv.tokumei.json").read_text())
    side["columns"]["shop"]["fate"] = "ask"
    Path("x.csv.tokumei.json").write_text(json.dumps(side))
    assert "'shop' is in doubt" in tokumei(*call).err
    Path("x.csv.tokumei.json").write_text("{}")
    assert tokumei(*call).code == 2
    write(people().rename({"shop": "store"}))
    mended = tokumei("look", "x.csv", "--save")
    assert mended.code == 0
    assert "not a side file of Tokumei: replaced" in mended.err
    write(people())
    other = tokumei(*call)
    assert other.code == 2
    assert "store" in other.err


def test_the_manifest_tells_later_commands_the_roles(tokumei) -> None:
    numbers = people().drop("氏名", "mail", "shop").with_columns(disease=pl.int_range(60))
    write(numbers.rename({"disease": "pay"}))
    call = ("anonymize", "table", "--data", "x.csv", "--qi", "age,sex", "--sa", "pay", "--k", 5)
    assert tokumei(*call, "--out", "y.csv", "--secret", "link.csv", "--seed", 1).code == 0
    both = ("--original", "x.csv", "--release", "y.csv", "--truth", "link.csv", "--json")
    short = tokumei("attack", *both, "--seed", 1)
    full = tokumei("attack", *both, "--seed", 1, "--qi", "age,sex", "--sa", "pay")
    assert "Roles from y.csv.manifest.json" in short.err
    assert short.json == full.json


LEDGER = ["顧客台帳,,,,,,", "顧客番号,氏名,生年月日,性別,電話番号,利用金額,備考"]


def ledger(rows: int = 40, *odd: str) -> list[str]:
    lines = list(LEDGER)
    for i in range(rows):
        day = f"昭和{40 + i % 20}年{1 + i % 12}月{1 + i % 28}日"
        who = f"{SURNAMES[i % 10]} {GIVEN[i % 6]}"
        note = ("", "DM不要", "折返しは 090-1234-5678 へ")[i % 3]
        tel, paid = f"03-1234-{5000 + i}", f'"{(i + 1) * 1250:,}円"'
        lines.append(f"C{100 + i},{who},{day},{'男女'[i % 2]},{tel},{paid},{note}")
    return [*lines, *odd, '合計,,,,,"1,025,000円",']


def write_ledger(*odd: str) -> None:
    Path("ledger.csv").write_bytes("\n".join(ledger(40, *odd)).encode("cp932"))


def test_a_messy_ledger_is_released_in_two_commands_without_anybody_in_it(tokumei) -> None:
    write_ledger()
    call = ("anonymize", "table", "--data", "ledger.csv", "--k", 5, "--out", "y.csv")
    assert "備考" in tokumei(*call).err
    ran = tokumei(*call, "--id", "備考")
    assert ran.code == 0, ran.err
    assert "Not read as rows: title lines (1), total or remark lines (1)" in ran.err
    assert "Normalized: 生年月日: Japanese eras read as years (40)" in ran.err
    shown = Path("y.csv").read_text()
    secrets = [
        cell for line in ledger()[2:-1] for cell in [*line.split(",")[:2], line.split(",")[4]]
    ]
    assert not any(cell in shown for cell in [*secrets, "090-1234-5678"])
    released = pl.read_csv("y.csv")
    assert released.columns == ["生年月日", "性別", "利用金額"]
    assert sorted(released["利用金額"]) == [(i + 1) * 1250 for i in range(40)]
    assert min(Counter(released.select("生年月日", "性別").rows()).values()) >= 5
    assert released["生年月日"].str.contains(r"^\[19\d\d-\d\d-\d\d;19\d\d-\d\d-\d\d\]$").all()


def test_a_rule_can_be_switched_off_and_a_bad_cell_is_listed_by_its_line(tokumei) -> None:
    write_ledger('C999,佐藤 健,昭和55年1月1日,男,03-1234-0000,"たくさん",')
    call = (
        "anonymize",
        "table",
        "--data",
        "ledger.csv",
        "--k",
        5,
        "--id",
        "備考",
        "--out",
        "y.csv",
    )
    bad = tokumei(*call)
    assert bad.code == 2
    assert "line 43, 利用金額" in bad.err
    assert "たくさん" not in bad.err
    ran = tokumei(*call, "--bad-cells", "missing")
    assert ran.code == 0, ran.err
    assert pl.read_csv("y.csv")["利用金額"].null_count() == 1
    off = tokumei(*call, "--bad-cells", "missing", "--no-normalize", "era")
    assert "Japanese eras" not in off.err


@pytest.mark.parametrize(("option", "expected"), [(None, False), ("", False), ("missing", True)])
def test_bad_cells_are_missing_only_if_somebody_says_so(option: str | None, expected: bool) -> None:
    assert are_bad_cells_missing(option) is expected


def test_any_other_word_is_refused() -> None:
    with pytest.raises(UsageError, match="not 'drop'"):
        are_bad_cells_missing("drop")
