"""`tokumei conform` from files: the three formats, the page, the manifest, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from support.clean_releases import Clean, clean

ROLES = "day=day,item=item,price=price,quantity=quantity,invoice=invoice"


TABLE = ["--original", "x.csv", "--release", "y.csv", "--truth", "link.csv", "--roles", ROLES]
TABLE += ["--person", "customer", "--pseudonym", "customer", "--id", "email"]


CONTEST = ["--original", "T.csv", "--release", "A.csv"]


@pytest.fixture(scope="module")
def made() -> Clean:
    return clean(1)


def write_table(made: Clean) -> None:
    """Original, release and link of a history with a header, in the current folder."""
    released = made.release[made.order]
    made.original.write_csv("x.csv")
    released.write_csv("y.csv")
    link = pl.DataFrame({"released": range(released.height), "original": made.order})
    link.write_csv("link.csv")


def write_contest(made: Clean, columns: list[str]) -> None:
    """T and A without a header, in the current folder."""
    for name, frame in (("T.csv", made.original), ("A.csv", made.release)):
        cells = frame.with_columns(time=pl.lit("9:00"), invoice=pl.lit("0"))
        cells.select(columns).write_csv(name, include_header=False)


def test_a_clean_table_has_no_failure(tokumei, made) -> None:
    write_table(made)
    ran = tokumei("conform", *TABLE, "--json")
    assert ran.code == 0
    assert ran.json["counts"]["FAIL"] == 0
    assert ran.json["verdicts"]["row-order"] == "PASS"


def test_a_defect_gives_exit_code_1_and_all_files(tokumei, made) -> None:
    spoiled = made.with_cell("memo", "090-1234-5678")
    write_table(spoiled)
    ran = tokumei("conform", *TABLE, "--out", "page.html", "--manifest", "open.json", "--json")
    assert ran.code == 1
    (phones,) = [check for check in ran.json["checks"] if check["id"] == "phones"]
    (evidence,) = phones["evidence"]
    line = int((spoiled.order == 7).nonzero()[0][0]) + 2
    assert phones["verdict"] == "FAIL"
    assert (evidence["column"], evidence["total"], evidence["lines"]) == ("memo", 1, [line])
    page, manifest = Path("page.html").read_text(), Path("open.json").read_text()
    assert json.loads(manifest)["verdicts"]["phones"] == "FAIL"
    for text in (page, manifest, ran.out):
        assert "1234-5678" not in text


@pytest.mark.long
def test_two_runs_give_the_same_bytes(tokumei, made) -> None:
    write_table(made)
    for name in ("one.html", "two.html"):
        tokumei("conform", *TABLE, "--out", name)
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()


def test_a_column_that_the_release_dropped_has_no_defect(tokumei, made) -> None:
    write_table(Clean(made.original, made.release.drop("invoice", "price"), made.order))
    verdicts = tokumei("conform", *TABLE, "--json").json["verdicts"]
    assert verdicts["invoice-numbers"] == verdicts["extreme-prices"] == "NOT-APPLICABLE"


@pytest.mark.long
def test_both_languages_say_how_it_ended(tokumei, made) -> None:
    write_table(made.with_cell("memo", "090-1234-5678"))
    assert "FAIL           Telephone numbers: found in: memo" in tokumei("conform", *TABLE).out
    shown = tokumei("--lang", "ja", "conform", *TABLE, "--out", "page.html").out
    assert "不合格         電話番号" in shown
    assert "不合格         自由記述: 個人情報を含む列: memo" in shown
    assert "不合格: 2、要確認: " in shown
    assert not any(word in shown for word in ("PASS", "FAIL", "NEEDS-HUMAN"))
    assert "要確認" in Path("page.html").read_text("utf-8")
    ran = tokumei("--lang", "ja", "conform", *TABLE, "--json")
    assert set(ran.json["counts"]) == {"PASS", "FAIL", "NEEDS-HUMAN", "NOT-APPLICABLE"}


@pytest.mark.long
def test_a_release_of_the_2018_format(tokumei, made) -> None:
    write_contest(made, ["customer", "day", "item", "price", "quantity"])
    ran = tokumei("conform", "--format", "pws2018", *CONTEST, "--json")
    assert ran.code == 0
    attacks = [check for check in ran.json["checks"] if check["id"].startswith("attack")]
    assert [attack["verdict"] for attack in attacks] == ["NEEDS-HUMAN", "NEEDS-HUMAN"]
    ran = tokumei("conform", "--format", "pws2018", *CONTEST, "--max-rate", "0.05", "--json")
    assert ran.code == 1


@pytest.mark.long
def test_a_release_of_the_2017_format(tokumei, made) -> None:
    write_contest(made, ["customer", "invoice", "day", "time", "item", "price", "quantity"])
    people = made.original["customer"].unique().sort()
    more = {"sex": "f", "birth": "1960/1/1", "country": "Others"}
    master = pl.DataFrame({"id": people}).with_columns(pl.lit(v).alias(n) for n, v in more.items())
    master.write_csv("M.csv", include_header=False)
    ran = tokumei("conform", "--format", "pws2017", *CONTEST, "--master", "M.csv", "--json")
    assert ran.code == 0
    assert ran.json["verdicts"]["customers-k"] == "PASS"
    assert ran.json["verdicts"]["lifetime"] == "PASS"
    figures = {check["id"]: check["figures"] for check in ran.json["checks"]}
    assert figures["attack-2"]["rate"] >= figures["attack-1"]["rate"] > 0.1


@pytest.mark.parametrize(
    "wrong",
    [
        ["--tail", "age=old"],
        ["--roles", "colour=blue"],
        ["--roles", "day=day", "--format", "pws2018"],
        ["--format", "online-retail"],
        ["--format", "pws2018", "--truth", "link.csv"],
        ["--format", "pws2018", "--qi", "item"],
        ["--format", "pws2018", "--master", "x.csv"],
        ["--public", "y.csv"],
        ["--out", "y.csv"],
        ["--person", "nobody"],
        ["--id", "nothing"],
        ["--pseudonym", "nobody"],
        ["--qi", "nothing"],
        ["--roles", "item=nothing"],
        ["--earlier", "x.csv"],
        ["--pseudonym", "customer", "--earlier", "link.csv"],
        ["--pseudonym", "customer", "--earlier", "x.csv", "--out", "x.csv"],
    ],
)
def test_wrong_usage_is_explained(tokumei, made, wrong: list[str]) -> None:
    write_table(made)
    before = Path("y.csv").read_bytes()
    ran = tokumei("conform", *TABLE[:4], *wrong)
    assert ran.code == 2
    assert ran.err
    assert Path("y.csv").read_bytes() == before


def test_another_public_file_is_not_reported_on(tokumei, made) -> None:
    write_contest(made, ["customer", "day", "item", "price", "quantity"])
    rows = Path("A.csv").read_text().splitlines()
    for name, lines in (("S.csv", rows), ("dirty.csv", [*rows[1:], rows[0].replace(",i", ",j")])):
        Path(name).write_text("".join(f"{line}\n" for line in sorted(lines)))
    public = ("conform", "--format", "pws2018", *CONTEST, "--public")
    assert tokumei(*public, "S.csv").code == 0
    ran = tokumei(*public, "dirty.csv")
    assert (ran.code, "not the rows of the release" in ran.err) == (2, True)
