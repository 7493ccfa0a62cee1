"""What values show, whatever the link says: renaming rows wins nothing."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from apps.contest.judge.judge_fixtures import tables as tables
from apps.contest.judge.uploaded import zipped
from tokumei.apps.contest.judge.contest_judge import load_judge_from_folder
from tokumei.apps.contest.judge.results import Upload
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.core.generalized_cells import parse_cell
from tokumei.tables.data.table import Table
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.judge.value_recognition import (
    CHANCE_LEVEL,
    FACTORS,
    MAX_CROWD,
    MAX_EQUAL_CELLS,
    VERBATIM_SHARE,
    ValueLinkage,
)


def slow_rate(original: Table, public: Table) -> float:
    """A slow reference: every released row against every person, in plain loops."""
    sa, qi = original.schema.sa, original.schema.qi
    known, seen = original.numbers(sa), public.numbers(sa)
    sd = [column.std() or 1.0 for column in known.T]
    factor = slow_factor(known, sd)
    found = dict.fromkeys(range(original.rows), 0.0)

    def recognise(people: list[int]) -> bool:
        if 0 < len(people) <= MAX_CROWD:
            for person in people:
                found[person] = max(found[person], 1 / len(people))
        return len(people) == 1

    varying = [name for name in qi if public.frame[name].n_unique() > 1]
    rows = list(range(public.rows))
    columns = [slow_same(known[:, j], seen[:, j]) for j in range(len(sa))]
    kept = [same for same in columns if sum(map(bool, same)) >= VERBATIM_SHARE * public.rows]
    everybody = range(original.rows)
    orders = np.array([[slow_place(line, cell) for cell in line] for line in known.T]).T
    places = np.array([[slow_place(line, cell) for cell in line] for line in seen.T]).T
    for row in rows:
        fit = [
            x
            for x in everybody
            if all(fits(public.frame[name][row], original.frame[name][x]) for name in varying)
        ]
        if varying and fit:
            near = slow_near(known / sd, seen[row] / sd, fit, factor ** (1 / 3))
            if recognise(near):
                continue
        votes = Counter(person for same in kept for person in same[row])
        if recognise([x for x, count in votes.items() if 2 * count >= max(votes.values())]):
            continue
        if recognise(slow_near(known / sd, seen[row] / sd, everybody, factor)):
            continue
        if len(sa) > 1:
            recognise(slow_near(orders, places[row], everybody, factor))
    return min(sum(found.values()) / public.rows, 1.0)


def fits(cell, value) -> bool:
    return str(cell) == str(value) or parse_cell(str(cell)).covers(str(value))


def slow_near(known, point, people, factor) -> list[int]:
    distance = {x: ((known[x] - point) ** 2).sum() for x in people}
    least = min(distance.values())
    return [x for x, square in distance.items() if square <= factor**2 * least + 1e-9]


def slow_factor(known, sd) -> float:
    points = known / sd
    people = range(len(points))
    for factor in FACTORS:
        shares = [
            1 / len(slow_near(points, points[x], [o for o in people if o != x], factor))
            for x in people
        ]
        if np.mean(shares) <= CHANCE_LEVEL:
            break
    return float(factor)


def slow_place(column, value) -> float:
    return ((column < value).sum() + (column <= value).sum()) / (2 * len(column))


def slow_same(known, seen) -> list[list[int]]:
    found = [[x for x in range(len(known)) if known[x] == cell] for cell in seen]
    return [people if len(people) <= MAX_EQUAL_CELLS else [] for people in found]


@settings(max_examples=6, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    method=st.sampled_from(["noise", "swap", "mondrian", "microaggregate", "delete", "yamaoka"]),
    qi=st.integers(1, 4),
    sa=st.integers(1, 3),
)
def test_recognition_is_that_of_plain_loops(seed, method, qi, sa):
    whole = sample_table(16, seed=seed)
    names = whole.schema.qi[:qi], whole.schema.sa[:sa]
    table = Table.of(whole.frame.select(*names[0], *names[1]), qi=names[0], sa=names[1])
    given = {"noise": {"scale": 0.5}, "mondrian": {"k": 3}}.get(method, {})
    public = tk.anonymize(table, method, seed=seed, **given).public
    assert ValueLinkage(table).of(public).rate == pytest.approx(slow_rate(table, public))


def test_people_whose_quasi_identifiers_are_all_their_own_are_recognised():
    """No row then needs a second look: nothing is left for the other ways."""
    table = sample_table(40, seed=5)
    assert table.frame.select(table.schema.qi).n_unique() == 40
    public = tk.anonymize(table, "noise", scale=5.0, seed=1).public
    assert ValueLinkage(table).of(public).rate == 1.0


@pytest.fixture(scope="module")
def contest(tables):
    """The judge, its original as text, and releases in X's order."""
    return Played(tables)


class Played:
    def __init__(self, tables) -> None:
        self.judge = tables.judge
        self.original = tables.judge.format.original
        self.rows = self.original.rows
        self.chance = np.random.default_rng(4)

    def total(self, frame: pl.DataFrame, link=None):
        text = frame.write_csv().encode()
        if link is not None:
            lines = "".join(f"{row},{origin}\n" for row, origin in enumerate(link))
            text = zipped({"Y.csv": text, "link.csv": f"released,original\n{lines}".encode()})
        verdict = self.judge.judge(Upload("A.csv", text))
        assert verdict.accepted, verdict.faults
        return verdict.card

    def honest(self, *steps) -> pl.DataFrame:
        table = self.original
        for name, parameters in steps:
            table = tk.anonymize(table, name, seed=3, keep_order=True, **parameters).public
        return table.frame


METHODS = {
    "raw": (),
    "noise": (("noise", {"scale": 0.3}),),
    "strong noise": (("noise", {"scale": 2.0}),),
    "swap": (("swap", {}),),
    "mondrian": (("mondrian", {"k": 5}),),
    "mondrian, noise": (("mondrian", {"k": 5}), ("noise", {"scale": 0.5})),
    "means": (("microaggregate", {"groups": "mdav", "k": 3}),),
}


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_renaming_rows_never_beats_the_honest_release(contest, method):
    """Raw data in another order, yamaoka, swaps of whole rows, lying links: none is better."""
    frame = contest.honest(*METHODS[method])
    honest = contest.total(frame)
    shuffled = contest.chance.permutation(contest.rows)
    pairs = np.arange(contest.rows).reshape(-1, 2)[:, ::-1].ravel()
    yamaoka = tk.anonymize(contest.original, "yamaoka", seed=2, keep_order=True).link
    assert contest.total(frame[shuffled]).total >= honest.total
    assert contest.total(frame, link=pairs).total >= honest.total
    assert contest.total(frame, link=yamaoka).total >= honest.total


def test_shuffled_raw_data_is_as_unsafe_as_raw_data(contest):
    order = contest.chance.permutation(contest.rows)
    card = contest.total(contest.original.frame[order])
    assert card.safety == 1.0
    assert card.figures["safety"]["recognition"] == {"1": 1.0}


@pytest.mark.parametrize("method", METHODS)
def test_only_a_lying_link_is_refuted(contest, method):
    frame = contest.honest(*METHODS[method])
    assert "link_refuted" not in contest.total(frame).figures
    lie = contest.total(frame, link=np.roll(np.arange(contest.rows), 1))
    assert (lie.safety, lie.total, lie.figures["link_refuted"]) == (1.0, 1.0, True)


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10_000), share=st.floats(0.05, 0.95))
def test_a_verbatim_record_is_found_for_certain(seed, share):
    """Whatever is done to the others, and whoever else stands there."""
    table = sample_table(60, seed=seed)
    chance = np.random.default_rng(seed)
    raw = chance.random(60) < share
    hidden = tk.anonymize(table, "noise", scale=3.0, seed=seed, keep_order=True).public.frame
    frame = pl.select(
        pl.when(pl.Series(raw)).then(table.frame[name]).otherwise(hidden[name]).alias(name)
        for name in table.frame.columns
    )
    order = chance.permutation(60)
    found = ValueLinkage(table).of(Table.of(frame[order], qi=table.schema.qi, sa=table.schema.sa))
    assert (found.person[raw[order]] == order[raw[order]]).all()
    assert found.rate >= raw.mean()


SENSIBLE = {
    "means in classes": (("unify", slice(6, None)), ("microaggregate", {})),
    "classes of ten, means": (("mondrian", {"k": 10}), ("microaggregate", {})),
    "no QI, means": (("unify", slice(None)), ("microaggregate", {"groups": "mdav", "k": 5})),
    "classes of ten, strong noise": (("mondrian", {"k": 10}), ("noise", {"scale": 2.0})),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_raw_data_stand_behind_every_sensible_release(seed, tmp_path):
    write_sample_contest(tmp_path / "contest", preset="table", rows=200, seed=seed)
    judge = load_judge_from_folder(tmp_path / "contest")
    original = judge.format.original

    def total(*steps):
        table = original
        for name, how in steps:
            unified = isinstance(how, slice)
            options = {"columns": original.schema.qi[how]} if unified else how
            table = tk.anonymize(table, name, seed=seed, keep_order=True, **options).public
        return judge.judge(Upload("A.csv", table.frame.write_csv().encode())).card.total

    assert total() == 1.0
    assert max(total(*steps) for steps in SENSIBLE.values()) < 0.7


def test_half_of_the_rows_raw_shows_half_of_the_people(contest):
    raw, hidden = contest.original.frame, contest.honest(("noise", {"scale": 3.0}))
    half = contest.rows // 2
    mixed = pl.concat([raw[:half], hidden[half:].with_columns(pl.lit("x").alias("region"))])
    order = np.concatenate([contest.chance.permutation(half), np.arange(half, contest.rows)])
    assert contest.total(mixed[order]).safety >= 0.5


@pytest.mark.parametrize("columns", [1, 12])
def test_raw_data_moved_by_a_constant_is_recognised(contest, columns):
    moved = [pl.col(name) + 54_321 for name in contest.original.schema.sa[:columns]]
    frame = contest.original.frame.with_columns(pl.lit("x").alias("region"), *moved)
    assert contest.total(frame[contest.chance.permutation(contest.rows)]).safety > 0.95


def _jittered(frame: pl.DataFrame, names: list[str], chance: np.random.Generator) -> pl.DataFrame:
    factor = pl.Series(chance.normal(1, 0.01, frame.height))
    return frame.with_columns((pl.col(name) * factor).round(0) for name in names)


@pytest.mark.parametrize("hidden", ["nothing", "one QI", "every QI"])
@pytest.mark.parametrize("lie", ["order", "link"])
def test_raw_data_with_small_changes_is_as_unsafe_as_raw_data(contest, hidden, lie):
    """Values moved by one in a hundred, QI that fit nobody, rows renamed: nothing is won."""
    qi = {"nothing": [], "one QI": ["region"], "every QI": contest.original.schema.qi}[hidden]
    frame = _jittered(contest.original.frame, contest.original.schema.sa, contest.chance)
    frame = frame.with_columns(pl.lit("x").alias(name) for name in qi)
    order = np.roll(np.arange(contest.rows), 1)
    card = contest.total(frame[order]) if lie == "order" else contest.total(frame, link=order)
    assert (card.safety, card.total) == (1.0, 1.0)


def test_one_raw_column_among_noise_is_recognised(contest):
    """E4 would find everybody in it, if the link were honest."""
    names = contest.original.schema.sa
    noise = contest.honest(("unify", {"columns": contest.original.schema.qi}),
                           ("noise", {"scale": 3.0}))  # fmt: skip
    frame = noise.with_columns(contest.original.frame[names[0]])
    assert contest.total(frame[contest.chance.permutation(contest.rows)]).safety > 0.9


@pytest.mark.long
def test_people_in_a_crowd_are_not_recognised(contest):
    frame = contest.honest(
        ("unify", {"columns": contest.original.schema.qi}), ("noise", {"scale": 3.0})
    )
    assert contest.total(frame).figures["safety"]["recognition"]["1"] < 0.4


def test_the_order_of_rows_and_a_link_give_the_same_figures(contest):
    frame = contest.honest(("noise", {"scale": 0.5}))
    order = contest.chance.permutation(contest.rows)
    assert contest.total(frame[order], link=order).as_json() == contest.total(frame).as_json()


def test_rows_that_a_link_leaves_out_are_deleted(contest):
    frame = contest.honest(("noise", {"scale": 0.5}))
    kept = np.arange(10, contest.rows)
    card = contest.total(frame[kept], link=kept)
    assert card.figures["utility"]["U6"] == 10
    marked = pl.concat([frame[:10].select(pl.all().cast(pl.String)).with_columns(
        pl.lit("DEL").alias(frame.columns[0]), *(pl.lit("").alias(n) for n in frame.columns[1:])),
        frame[kept].select(pl.all().cast(pl.String))])  # fmt: skip
    assert contest.total(marked).as_json() == card.as_json()


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("a,b\n", "first line"),
        ("released,original\n0,0\n", "119 released rows are not named; the first is row 1"),
        ("released,original\n0,0\n1,500\n", "line 3"),
        (
            "released,original\n" + "".join(f"{row},{max(row, 1)}\n" for row in range(120)),
            "line 3: the row of X was named before",
        ),
    ],
)
def test_links_that_break_rules(contest, link, told):
    text = contest.original.frame.write_csv().encode()
    verdict = contest.judge.check(Upload("A", zipped({"Y.csv": text, "link.csv": link.encode()})))
    assert {fault.rule for fault in verdict.faults} == {"link"}
    assert told in verdict.faults[0].message.show("en")
    assert verdict.faults[0].message.show("ja").startswith("link.csv: ")


def test_a_guess_that_names_whom_values_show_is_right_whatever_the_link_says(contest):
    order = contest.chance.permutation(contest.rows)
    frame = contest.original.frame[order]
    verdict = contest.judge.judge(Upload("A.csv", frame.write_csv().encode()))
    public = pl.read_csv(verdict.public)
    rows = {row: number for number, row in enumerate(contest.original.frame.rows())}
    lines = [f"{number},{rows[row]}" for number, row in enumerate(public.rows())]
    guess = Upload("guess.csv", "\n".join(["released,original", *lines]).encode())
    assert contest.judge.score(verdict.public, verdict.truth, guess).card.safety == 1.0


def test_a_release_that_no_row_fits_is_still_looked_at():
    """X has days as words, month first; the release has spans of days, year first."""
    days = [f"{month:02d}/{day:02d}/2024" for month in range(1, 5) for day in range(13, 28)]
    ages = [20 + number % 9 for number in range(len(days))]
    pay = [float(100 + 7 * number) for number in range(len(days))]
    frame = pl.DataFrame({"day": days, "age": ages, "pay": pay})
    last = pl.col("day").str.to_date("%m/%d/%Y").cast(pl.String)
    spans = pl.concat_str(pl.lit("[2024-01-13;"), last, pl.lit("]")).alias("day")
    table, public = (
        Table.of(given, qi=("day", "age"), sa=("pay",))
        for given in (frame, frame.with_columns(spans))
    )
    assert ValueLinkage(table).of(public).rate == 1.0
