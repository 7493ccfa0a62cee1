"""Which k: figures against plain loops, and the words that follow from them."""

from __future__ import annotations

import json
import shlex
from collections import Counter, defaultdict
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from tables.choosing_samples import members
from tokumei.apps.cli.app import main
from tokumei.core.language import use_language
from tokumei.tables import choose
from tokumei.tables.anonymizers.mondrian import Mondrian


def found_by_qi(release: tk.Release) -> float:
    """The same chance for all members of a class: what a guess among equals finds."""
    cells = release.public.frame.select(release.public.schema.qi).rows()
    sizes = Counter(cells)
    return sum(1 / sizes[cell] for cell in cells) / len(cells)


def test_figures_are_those_of_releases_made_alone() -> None:
    frame = members(score=[i * 13 % 7 for i in range(240)])
    found = choose(frame, "datafly", [3, 12], qi=["age", "sex"], sa=["score"], seed=1)
    for point in found.points:
        release = tk.anonymize(frame, "datafly", k=point.k, qi=["age", "sex"], sa=["score"], seed=1)
        sizes = Counter(release.public.frame.select("age", "sex").rows())
        assert point.smallest == min(sizes.values()) >= point.k
        scores = tk.measure(frame, release, qi=["age", "sex"], methods=["gcp_sets"])
        assert sum(point.losses.values()) / 2 == pytest.approx(scores["gcp_sets"].value)
        # Classes of a datafly release are disjoint, so whoever fits one fits no other.
        assert point.by_qi.rate == pytest.approx(found_by_qi(release))
        assert point.by_all.rate >= point.by_qi.rate - 1e-12


def test_people_are_counted_where_they_have_several_rows() -> None:
    visits = members(180).with_columns(
        pl.Series("patient_id", [f"P{i // 3:03d}" for i in range(180)]),
        pl.Series("age", [20 + i // 3 % 12 for i in range(180)]),
        pl.Series("sex", ["MF"[i // 3 % 2] for i in range(180)]),
    )
    found = choose(visits, "mondrian", [4], seed=1)
    assert found.counts_people
    assert found.people == 60
    asked = {"qi": ["age", "sex"], "ids": ["patient_id"]}
    release = tk.anonymize(visits, "mondrian", k=4, person="patient_id", seed=1, **asked)
    who: dict[object, list[str]] = defaultdict(list)
    for cell, row in zip(
        release.public.frame.select("age", "sex").rows(), release.link, strict=True
    ):
        who[cell].append(visits["patient_id"][int(row)])
    assert found.points[0].smallest == min(len({*people}) for people in who.values())
    best: dict[str, float] = {}
    for people in who.values():
        for person in people:
            chance = people.count(person) / len(people)
            best[person] = max(best.get(person, 0), chance)
    rate = tk.attack(visits, release, methods=["everything"], expected=True, seed=1, qi=asked["qi"])
    assert rate["everything"].released == 60
    if all(row.count(";") == 0 for row in release.public.frame["age"].cast(pl.String)):
        assert rate["everything"].rate == pytest.approx(sum(best.values()) / 60)
    assert rate["everything"].rate >= sum(best.values()) / 60 - 1e-9


def test_a_remedy_counts_people_too() -> None:
    visits = members(600, paid=[float(1000 + 37 * i) for i in range(600)]).with_columns(
        pl.Series("patient_id", [f"P{i // 2:03d}" for i in range(600)])
    )
    roles = {"qi": ["age", "sex"], "sa": ["paid"], "ids": ["patient_id"]}
    found = choose(visits, Mondrian(person="patient_id"), [30], max_rate=0.3, seed=1, **roles)
    assert found.counts_people
    assert found.remedy is not None
    assert found.remedy.points[0].smallest >= 30


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as done:
        main(list(args))
    use_language(None)
    return int(done.value.code or 0)


@pytest.mark.long
def test_the_command_reads_a_messy_file_and_writes_its_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["会員一覧,,,", "会員番号,性別,年齢,購入金額"]
    lines += [f'C{i:04d},{"男女"[i % 2]},{20 + i % 30}歳,"{1000 + 10 * i:,}円"' for i in range(120)]
    source = tmp_path / "members.csv"
    source.write_bytes("\n".join([*lines, "合計,,,"]).encode("cp932"))
    out = tmp_path / "k"
    asked = ["choose", "--data", str(source), "--k", "2,6", "--seed", "1", "--out", str(out)]
    assert run(*asked, "--max-rate", "0.3", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [point["k"] for point in told["points"]] == [2, 6]
    assert [*told["exact_columns"]] == ["購入金額"]
    assert {one.name for one in out.iterdir()} == {
        "choose.csv",
        "choose.json",
        "choose.svg",
        "remedy.svg",
        "report.html",
    }
    page = (out / "report.html").read_text(encoding="utf-8")
    assert told["advice_ja"][:10] in page
    assert "C0001" not in page
    roles = ["--qi", "性別,年齢", "--id", "会員番号"]
    swept = ["sweep", "--data", str(source), *roles, "--k", "2,6", "--seed", "1"]
    assert run(*swept, "--out", str(tmp_path / "s")) == 0
    assert (tmp_path / "s" / "report.html").is_file()


@pytest.mark.parametrize("saved", [False, True])
def test_the_next_command_makes_a_release_within_the_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, saved: bool
) -> None:
    """The command that is printed runs as it stands, and its release keeps what was advised."""
    monkeypatch.chdir(tmp_path)
    run("sample", "table", "--messy", "en", "--rows", "200", "--seed", "1", "--out", "c.csv")
    if saved:
        run("look", "c.csv", "--save")
    capsys.readouterr()
    asked = ["choose", "--data", "c.csv", "--id", "Remarks", "--k", "10", "--seed", "1"]
    assert run(*asked, "--max-rate", "0.15", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["k"] is None
    assert found["remedy"]["k"] == 10
    assert run(*shlex.split(found["command"])[1:]) == 0
    files = ["--release", "c-release.csv", "--truth", "c-release.csv.secret"]
    capsys.readouterr()
    assert run("attack", "--original", "c.csv", *files, "--json") == 0
    rates = json.loads(capsys.readouterr().out)
    assert max(one["rate"] for one in rates.values() if isinstance(one, dict)) <= 0.15


def test_no_command_is_proposed_where_none_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "few.csv"
    members(20).write_csv(source)
    assert run("choose", "--data", str(source), "--qi", "age,sex", "--k", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["command"] is None


def test_more_than_there_are_people_is_refused() -> None:
    with pytest.raises(tk.UsageError, match="there are 10 people"):
        choose(members(10), "mondrian", [50], qi=["age", "sex"])
