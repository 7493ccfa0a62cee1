"""The judge of tables: rules, figures against the command line's functions, guesses."""

from __future__ import annotations

from statistics import harmonic_mean

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.contest.judge.judge_fixtures import tables as tables
from apps.contest.judge.uploaded import release_bytes, rules_of
from tokumei import attack, measure
from tokumei.apps.contest.judge.results import Upload
from tokumei.files.writing import read_link
from tokumei.tables.data.reading import read_table
from tokumei.tables.judge.judge import table_scales
from tokumei.tables.judge.value_recognition import ValueLinkage


@pytest.fixture(scope="module")
def verdict(tables):
    found = tables.judge.judge(tables.upload)
    assert found.accepted
    return found


@pytest.fixture(scope="module")
def files(tables, verdict, tmp_path_factory):
    """S and the truth as files of the command line."""
    folder = tmp_path_factory.mktemp("published")
    (folder / "S.csv").write_bytes(verdict.public)
    (folder / "L.csv").write_bytes(verdict.truth)
    return folder


def test_public_rows_are_sorted_and_the_truth_leads_back(tables, verdict, files):
    lines = verdict.public.splitlines()
    assert lines[0] == tables.lines()[0]
    assert lines[1:] == sorted(lines[1:])
    link = read_link(files / "L.csv", len(lines) - 1, tables.judge.format.original.rows)
    released = read_table(
        files / "S.csv", qi=tables.judge.format.roles.qi, sa=tables.judge.format.roles.sa
    )
    aligned = pl.read_csv(tables.folder / "A.csv")
    assert released.frame.equals(aligned[link])


def test_figures_are_those_of_the_command_line(tables, verdict, files):
    roles = {"qi": list(tables.judge.format.roles.qi), "sa": list(tables.judge.format.roles.sa)}
    original = read_table(tables.folder / "X.csv", **roles)
    released = read_table(files / "S.csv", **roles, release=True)
    link = read_link(files / "L.csv", released.rows, original.rows)
    utility = measure(original, released, link=link)
    assert verdict.card.figures["utility"] == {
        name: utility[name].value for name in ("U1", "U2", "U3", "U4", "U5", "U6")
    }
    rates = attack(original, released, link=link, expected=True, seed=9)
    shown = dict(verdict.card.figures["safety"])
    assert shown.pop("recognition")["1"] == ValueLinkage(original).of(released).rate
    for name, found in shown.items():
        assert found["1"] == pytest.approx(rates[name].rate, abs=1e-12)
    assert verdict.card.safety == max(found["1"] for found in _safety(verdict))


def _safety(verdict):
    return verdict.card.figures["safety"].values()


def test_utility_is_the_mean_of_shares_of_their_scales(tables, verdict):
    scales = table_scales(tables.judge.format.original)
    raw = verdict.card.figures["utility"]
    shares = [min(raw[name] / scales[name], 1.0) for name in raw]
    assert verdict.card.utility == pytest.approx(sum(shares) / 6, abs=1e-15)
    kept = [1 - verdict.card.utility, 1 - verdict.card.safety]
    assert verdict.card.total == pytest.approx(1 - harmonic_mean(kept))


def test_scales_are_what_nothing_released_would_lose(tables):
    """A slow reference: every measure of an empty release, cell by cell."""
    table = tables.judge.format.original
    qi, sa = table.schema.qi[:6], table.schema.sa
    cells: dict[tuple, list] = {}
    for row in table.frame.to_dicts():
        cells.setdefault(tuple(row[name] for name in qi), []).append([row[name] for name in sa])
    means = [abs(np.mean(rows, axis=0)) for rows in cells.values()]
    found = table_scales(table)
    assert found["U2"] == pytest.approx(np.mean(means))
    assert found["U3"] == pytest.approx(np.mean([len(rows) for rows in cells.values()]))
    assert found["U1"] == pytest.approx(np.abs(table.frame.select(sa).mean().row(0)).mean())


def test_scales_can_be_given(tables, verdict):
    judge = tables.judge_with(scoring={"utility": ("U6", "U5"), "scale": {"U5": 1e-9}})
    assert judge.judge(tables.upload).card.utility == 0.5


def changed(tables, change) -> Upload:
    header, *rows = [line.split(b",") for line in tables.lines()]
    change(header, rows)
    return Upload("Y.csv", b"\n".join(b",".join(cells) for cells in (header, *rows)))


def test_deleted_rows_leave_s_and_cost_rows(tables):
    def delete(header, rows):
        for place in (0, 5, 7):
            rows[place] = [b"DEL", *[b""] * (len(header) - 1)]

    found = tables.judge.judge(changed(tables, delete))
    assert found.card.figures["utility"]["U6"] == 3
    origins = {int(line.split(b",")[1]) for line in found.truth.splitlines()[1:]}
    assert origins == set(range(tables.judge.format.original.rows)) - {0, 5, 7}


@pytest.mark.parametrize(
    ("cell", "rule"),
    [
        (b"=cmd|' /C calc'!A0", "formula"),
        (b"+1+1", "formula"),
        (b"-x", "formula"),
        (b"@SUM(A1)", "formula"),
        ("＝1".encode(), "formula"),
        (b" =1", "formula"),
        ("a\u200bb".encode(), "control-character"),
        ("\u202etxt".encode(), "control-character"),
        (b"x" * 201, "cell-length"),
    ],
)
def test_free_cells_are_not_quite_free(tables, cell, rule):
    def put(header, rows):
        rows[4][2] = cell

    found = tables.judge.check(changed(tables, put))
    assert [(fault.rule, fault.line, fault.column) for fault in found.faults] == [
        (rule, 6, tables.judge.format.original.schema.names[2])
    ]


@pytest.mark.parametrize("cell", [b"-5", b"3.5", b"*", b"[1;5]", b"{a;b}", b"", "東京".encode()])
def test_plain_and_generalized_cells_are_taken(tables, cell):
    def put(header, rows):
        rows[4][2] = cell

    assert tables.judge.judge(changed(tables, put)).accepted


@pytest.mark.parametrize("cell", [b"", b"x", b"nan", b"inf", b"1e999", b"[5;1]", b"007", b"*"])
def test_sensitive_cells_are_numbers_or_intervals(tables, cell):
    def put(header, rows):
        rows[3][-1] = cell

    found = tables.judge.check(changed(tables, put))
    assert [(fault.rule, fault.line) for fault in found.faults] == [("sa-form", 5)]


@pytest.mark.parametrize("cell", [b"0", b"-1.5", b"2e3", b"[1;5]", b"[-3;2.5]"])
def test_numbers_and_intervals_are_taken(tables, cell):
    def put(header, rows):
        rows[3][-1] = cell

    assert tables.judge.judge(changed(tables, put)).accepted


def test_shapes_that_do_not_fit(tables):
    judge = tables.judge
    assert rules_of(judge.check(changed(tables, lambda h, r: h.reverse()))) == {"header"}
    assert rules_of(judge.check(changed(tables, lambda h, r: r.pop()))) == {"rows"}
    ragged = judge.check(changed(tables, lambda h, r: (r[2].pop(), r[9].append(b"1"))))
    assert [(fault.rule, fault.line) for fault in ragged.faults] == [("fields", 4), ("fields", 11)]

    def half(header, rows):
        rows[0] = [b"DEL", *rows[0][1:]]

    assert rules_of(judge.check(changed(tables, half))) == {"deleted-row"}

    def most(header, rows):
        rows[: len(rows) // 2 + 1] = [[b"DEL", *[b""] * (len(header) - 1)]] * (len(rows) // 2 + 1)

    assert rules_of(judge.check(changed(tables, most))) == {"rows-kept"}


def test_rules_of_the_library_can_be_added(tables):
    rules = {"k-anonymity": {"k": 3, "columns": list(tables.judge.format.roles.qi)}}
    assert rules_of(tables.judge_with(rules=rules).check(tables.upload)) == {"k-anonymity"}


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), answered=st.integers(0, 120), right=st.floats(0, 1))
def test_guesses_count_by_row_in_any_order(tables, verdict, seed, answered, right):
    chance = np.random.default_rng(seed)
    truth = [line.decode().split(",") for line in verdict.truth.splitlines()[1:]][:answered]
    named = [
        (row, origin if chance.random() < right else str((int(origin) + 1) % 120))
        for row, origin in truth
    ]
    hits = sum(given == pair[1] for (_, given), pair in zip(named, truth, strict=True))
    for order in (np.arange(answered), chance.permutation(answered)):
        lines = ["released,original", *(",".join(named[place]) for place in order)]
        guess = Upload("guess.csv", "\n".join(lines).encode())
        found = tables.judge.score(verdict.public, verdict.truth, guess)
        assert found.card.safety == pytest.approx(hits / 120)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("a,b\n0,1\n", {"header"}),
        ("released,original\n0,1,2\n", {"fields"}),
        ("released,original\n0,1\n0,2\n", {"repeated"}),
        ("released,original\n120,1\n", {"released-row"}),
        ("released,original\n1,-1\n2,x\n3,01\n", {"original-row"}),
    ],
)
def test_guesses_that_break_rules(tables, verdict, text, rules):
    found = tables.judge.check_guess(verdict.public, Upload("guess.csv", text.encode()))
    assert rules_of(found) == rules


def test_another_release_gives_other_figures(tables, verdict):
    other = release_bytes(tables.judge, tables.folder / "B.csv", seed=4)
    assert tables.judge.judge(Upload("B.csv", other)).card.utility != verdict.card.utility
