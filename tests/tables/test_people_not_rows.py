"""Attacks and risk count people where somebody has several rows."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tokumei.tables.report.risk_sentences import risk_advice
from tokumei.tables.report.scorecard import scorecard
from tokumei.tables.report.verdict import release_verdict
from tokumei.tables.risk.risk import risk


def visits() -> pl.DataFrame:
    """Thirty people with one to three rows each."""
    rng = np.random.default_rng(4)
    who = np.repeat(np.arange(30), rng.integers(1, 4, 30))
    sexes, towns = rng.integers(0, 2, 30), rng.integers(0, 4, 30)
    return pl.DataFrame(
        {
            "patient": [f"P{i:03d}" for i in who],
            "sex": ["fm"[sexes[i]] for i in who],
            "town": [
                f"t{(towns[i] + moved) % 4}"
                for i, moved in zip(who, rng.random(len(who)) > 0.8, strict=True)
            ],
            "cost": rng.integers(1, 9, len(who)),
        }
    )


def test_the_risk_of_a_class_is_one_in_its_people() -> None:
    frame = visits()
    found = risk(frame, qi=["sex", "town"], person="patient")
    people: dict[tuple[str, str], set[str]] = {}
    for patient, sex, town, _ in frame.iter_rows():
        people.setdefault((sex, town), set()).add(patient)
    pairs = [1 / len(some) for some in people.values() for _ in some]
    assert found.rows == len(pairs)
    assert sorted(found.prosecutor.risks.tolist()) == pytest.approx(sorted(pairs))
    assert found.prosecutor.risks.mean() > risk(frame, qi=["sex", "town"]).prosecutor.risks.mean()


def test_rows_of_nobody_count_each() -> None:
    frame = pl.DataFrame({"who": [None, None, "a", "a"], "town": ["x", "x", "y", "y"]})
    assert sorted(risk(frame, qi=["town"], person="who").prosecutor.risks) == [0.5, 0.5, 1.0]
    with pytest.raises(tk.UsageError, match="cannot be a quasi-identifier too"):
        risk(frame, qi=["town", "who"], person="who")


def test_commands_count_people(tmp_path: Path) -> None:
    source, out, link = (str(tmp_path / name) for name in ("x.csv", "y.csv", "link.csv"))
    visits().write_csv(source)
    told = run(["risk", "--json", "--data", source, "--qi", "sex,town", "--person", "patient"])
    assert told.code == 0, told.err
    rows = json.loads(told.out)["rows"]
    assert rows == visits().select("sex", "town", "patient").n_unique() < visits().height
    base = ["anonymize", "table", "--data", source, "--qi", "sex,town", "--sa", "cost", "--id"]
    made = run([*base, "patient", "--person", "none", "--k", "3", "--out", out, "--secret", link])
    assert made.code == 0, made.err
    case = ["attack", "--json", "--original", source, "--release", out, "--truth", link]
    case += ["--method", "E1", "--expected"]
    by_rows = json.loads(run(case).out)["E1"]
    ran = run([*case, "--person", "patient"])
    by_people = json.loads(ran.out)["E1"]
    assert by_people["rate"] != by_rows["rate"]
    assert "patient" in ran.err
    assert run([*case, "--person", "nobody"]).code == 2


def test_a_title_line_above_the_original_does_not_stop_an_attack(tmp_path: Path) -> None:
    source, out, link = (tmp_path / name for name in ("x.csv", "y.csv", "link.csv"))
    plain = visits().select("sex", "town", "cost").write_csv()
    source.write_text("Visits of a year,,\n" + plain, encoding="utf-8")
    base = ["anonymize", "table", "--data", str(source), "--qi", "sex,town", "--sa", "cost"]
    made = run([*base, "--k", "3", "--out", str(out), "--secret", str(link)])
    assert made.code == 0, made.err
    case = ["attack", "--original", str(source), "--release", str(out), "--truth", str(link)]
    told = run([*case, "--method", "E1"])
    assert told.code == 0, told.err


def people_by(frame: pl.DataFrame, columns: tuple[str, ...]) -> dict[tuple[object, ...], set[str]]:
    """Who has which cells, row by row."""
    found: dict[tuple[object, ...], set[str]] = {}
    for row in frame.iter_rows(named=True):
        found.setdefault(tuple(row[name] for name in columns), set()).add(row["patient"])
    return found


def test_every_set_of_columns_is_told_by_the_people_it_singles_out() -> None:
    frame, qi = visits(), ("sex", "town", "cost")
    found = risk(frame, qi=list(qi), person="patient")
    for row in found.sets.iter_rows(named=True):
        people = people_by(frame, tuple(row["columns"])).values()
        pairs = sum(map(len, people))
        assert row["distinction"] == pytest.approx(len(people) / pairs)
        assert row["uniques"] == pytest.approx(sum(len(one) == 1 for one in people) / pairs)
    for name, left in found.without.items():
        people = people_by(frame, tuple(one for one in qi if one != name)).values()
        assert left == pytest.approx(sum(len(one) == 1 for one in people) / sum(map(len, people)))


def test_a_row_is_special_where_nobody_else_has_its_cells() -> None:
    frame, qi = visits(), ("sex", "town", "cost")
    found = risk(frame, qi=list(qi), person="patient")
    rows = frame.unique([*qi, "patient"], maintain_order=True)
    sets = [chosen for size in (1, 2, 3) for chosen in combinations(qi, size)]
    people = {chosen: people_by(frame, chosen) for chosen in sets}
    expected = []
    for row in rows.iter_rows(named=True):
        alone = {one for one in sets if len(people[one][tuple(row[name] for name in one)]) == 1}
        expected.append(sum(not any(set(a) < set(one) for a in alone) for one in alone))
    assert found.suda.msus.tolist() == expected


def test_a_column_that_one_person_has_twice_is_not_called_harmless() -> None:
    """Two visits of each: the postcode is on two rows, and still names its patient."""
    frame = pl.DataFrame(
        {
            "patient": [f"P{i // 2}" for i in range(40)],
            "postcode": [f"1{i // 2:02d}" for i in range(40)],
            "day": [f"d{i}" for i in range(40)],
        }
    )
    found = risk(frame, qi=["postcode", "day"], person="patient")
    assert found.without == {"postcode": 1.0, "day": 1.0}
    assert risk_advice(found) == tk.Message(
        "Leaving out one column is not enough: even without postcode, 100 % of the rows would be "
        "unique.",
        "1 列を除くだけでは足りません。postcode を除いても、100 % の行が一人に絞られます。",
    )


def test_a_report_tells_of_people_where_attacks_count_them(tmp_path: Path) -> None:
    source, recipe = tmp_path / "x.csv", tmp_path / "r.yaml"
    visits().write_csv(source)
    roles = "qi: [sex, town], sa: [cost], ids: [patient]"
    steps = "[{method: mondrian, k: 3, person: patient}, {method: microaggregate}]"
    recipe.write_text(
        f"data: {{file: {source}, {roles}}}\nreleases:\n  - {{name: r, steps: {steps}}}\n"
        "attacks: [E1]\nmeasures: [U5]\n"
    )
    (row,) = scorecard(tk.run_recipe(tk.load_recipe(recipe), seed=1).evaluations)
    assert row.strongest.baseline == pytest.approx(1 / 30)
    found = release_verdict([row])
    told = (row.reading, found.detail, found.figures[0].caption)
    assert all("people" in one.en and "rows" not in one.en for one in told)
    assert all("人" in one.ja and "行" not in one.ja for one in told)


def conformed(*files: str) -> dict[str, Any]:
    """The check of k that `conform` reports."""
    told = run(["conform", "--json", *files, "--qi", "sex,town", "--sa", "cost"])
    return {one["id"]: one for one in json.loads(told.out)["checks"]}["person-k"]


def test_conformity_counts_the_people_that_the_side_file_tells_apart(tmp_path: Path) -> None:
    source, out, link = (str(tmp_path / name) for name in ("x.csv", "y.csv", "link.csv"))
    twice = pl.concat([visits().unique("patient", maintain_order=True)] * 2)
    twice.write_csv(source)
    assert run(["look", source, "--save"]).code == 0
    case = ("--original", source, "--release")
    shown = conformed(*case, source)
    people = people_by(twice, ("sex", "town")).values()
    assert shown["figures"]["k"] == min(map(len, people))
    twice.select("sex", "town", "cost").write_csv(out)
    untraced = conformed(*case, out)
    assert untraced["figures"]["k"] == 2 * min(map(len, people))
    assert untraced["verdict"] == "NEEDS-HUMAN"
    pl.DataFrame({"released": range(60), "original": range(60)}).write_csv(link)
    assert conformed(*case, out, "--truth", link)["figures"] == shown["figures"]
