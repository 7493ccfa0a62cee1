"""NCP and Prec against their formulas, cell by cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from support.generalized_tables import Generalized, generalized_tables
from support.small_tables import Small, beside, ends, small_tables
from tokumei.core.errors import InputError, UnknownNameError
from tokumei.core.registry import build_params
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.files import read_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.cell_width import Ncp, Prec

AGES_PATHS = [
    ["21", "20-29", "20-39", "*"],
    ["25", "20-29", "20-39", "*"],
    ["33", "33", "20-39", "*"],
    ["47", "40-49", "40-59", "*"],
    ["52", "50-59", "40-59", "*"],
]
AGES = Hierarchy.of("q", AGES_PATHS)


def case(x: list[str | None], y: list[str | None], link: list[int] | None = None) -> Comparison:
    tables = [Table.of(pl.DataFrame({"q": cells}), qi=["q"]) for cells in (x, y)]
    return Comparison(tables[0], tables[1], np.array(link or range(len(y))))


def score(measure: Ncp | Prec, compared: Comparison) -> float:
    return measure.score(compared).value


@settings(max_examples=300)
@given(made=generalized_tables())
def test_with_hierarchies_equals_the_formula(made: Generalized) -> None:
    rows = range(len(made.link))
    deleted = len(made.original) - len(made.link)
    losses, steps = [], []
    for j, tree in enumerate(made.trees):
        wide = [(len(made.leaves(row, j)) - 1) / max(len(tree) - 1, 1) for row in rows]
        up = [made.shown_level(row, j) / (len(tree[0]) - 1) for row in rows]
        losses.append((sum(wide) + deleted) / len(made.original))
        steps.append((sum(up) + deleted) / len(made.original))
    compared, hierarchies = made.case(), made.hierarchies()
    assert score(Ncp(hierarchies), compared) == pytest.approx(sum(losses) / len(losses))
    assert score(Prec(hierarchies), compared) == pytest.approx(1 - sum(steps) / len(steps))


@settings(max_examples=200)
@given(small=small_tables(general_qi=True, nulls=True))
def test_without_hierarchies_equals_the_formula(small: Small) -> None:
    deleted = len(small.original) - len(small.released)
    numbers = [row[0] for row in small.original if row[0] is not None]
    letters = {row[1] for row in small.original} - {None}
    spread = max(numbers, default=0) - min(numbers, default=0)
    total = deleted * 2.0
    for row in small.released:
        low, high = ends(row[0]) or (0.0, 0.0)
        width = (high - low) / spread if spread else float(high > low)
        width += 1 / max(len(set(numbers)) - 1, 1) if beside(row[0]) is not None else 0.0
        total += 1.0 if row[0] == "*" else min(width, 1.0)
        members = row[1][1:-1].split(";") if str(row[1]).startswith("{") else [row[1]]
        others = len(members) - 1
        share = others / (len(letters) - 1) if len(letters) > 1 else float(others > 0)
        total += 1.0 if row[1] == "*" else min(share, 1.0)
    wanted = total / 2 / len(small.original)
    assert score(Ncp(), small.case()) == pytest.approx(wanted)
    general = sum(str(cell)[0] in "[{*" for row in small.released for cell in row[:2])
    lost = (general + 2 * deleted) / 2 / len(small.original)
    assert score(Prec(), small.case()) == pytest.approx(1 - lost)


def test_by_hand() -> None:
    compared = case(["21", "33", "47", "52"], ["20-29", "20-39", "40-49", "*"])
    assert score(Ncp({"q": AGES}), compared) == pytest.approx((1 + 2 + 0 + 4) / 4 / 4)
    assert score(Prec({"q": AGES}), compared) == pytest.approx(1 - (1 + 2 + 1 + 3) / 3 / 4)


def test_the_page_s_check_of_prec() -> None:
    """92 people (sex, *, *, 10cm) and 8 (sex, decade, *, 10cm): .92·.375 + .08·.4583."""
    sexes = Hierarchy.of("sex", [["m", "*"], ["f", "*"]])
    births = Hierarchy.of("birth", [["d1", "y1", "70s", "*"], ["d2", "y2", "80s", "*"]])
    jobs = Hierarchy.of("job", [["j1", "J", "*"], ["j2", "K", "*"]])
    heights = Hierarchy.of("height", [["171", "170s", "*"], ["165", "160s", "*"]])
    names = ["sex", "birth", "job", "height"]
    original = pl.DataFrame([("m", "d1", "j1", "171")] * 100, schema=names, orient="row")
    rows = [("m", "*", "*", "170s")] * 92 + [("m", "70s", "*", "170s")] * 8
    released = pl.DataFrame(rows, schema=names, orient="row")
    compared = Comparison(
        Table.of(original, qi=names), Table.of(released, qi=names), np.arange(100)
    )
    measure = Prec(dict(zip(names, [sexes, births, jobs, heights], strict=True)))
    assert round(score(measure, compared), 3) == 0.382


def test_a_label_on_two_levels_is_the_lowest_above_the_true_value() -> None:
    hierarchy = Hierarchy.of("q", [["a", "x", "*"], ["x", "y", "*"], ["b", "y", "*"]])
    compared = case(["a", "x"], ["x", "x"])
    assert score(Prec({"q": hierarchy}), compared) == pytest.approx(1 - (1 / 2 + 0) / 2)
    # 'b' has no ancestor 'x': the value was changed, and the lowest 'x' is the leaf.
    assert score(Prec({"q": hierarchy}), case(["b"], ["x"])) == 1


def test_intervals_and_sets_with_a_hierarchy() -> None:
    compared = case(["21", "33"], ["[20;40]", "{33;47}"])
    assert score(Ncp({"q": AGES}), compared) == pytest.approx((2 + 1) / 4 / 2)
    assert score(Prec({"q": AGES}), compared) == pytest.approx(1 - (2 + 3) / 3 / 2)


@pytest.mark.parametrize("cell", ["60-69", "[60;70]", "{90}"])
def test_cells_unknown_to_the_hierarchy_are_listed(cell: str) -> None:
    with pytest.raises(InputError, match="missing from the hierarchy"):
        Ncp({"q": AGES}).score(case(["21", "25"], ["21", cell]))


def test_a_missing_cell_of_a_column_without_gaps_was_suppressed() -> None:
    assert score(Ncp({"q": AGES}), case(["21", "25"], ["21", None])) == 0.5
    assert score(Ncp(), case(["21", "25"], ["21", None])) == 0.5


def test_values_unknown_to_the_hierarchy_are_listed() -> None:
    with pytest.raises(InputError, match="'99'"):
        Ncp({"q": AGES}).score(case(["21", "99"], ["21", "*"]))


def test_a_missing_value_has_its_own_leaf() -> None:
    hierarchy = Hierarchy.of("q", [["a", "*"], ["", "*"]])
    assert score(Ncp({"q": hierarchy}), case(["a", None], ["*", None])) == 0.5


def test_a_hierarchy_for_no_column_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="agee"):
        Ncp({"agee": AGES}).score(case(["21"], ["21"]))


def test_parameters_pass_the_registry() -> None:
    built = build_params(Ncp, {"hierarchies": {"q": AGES}}, where="ncp")
    assert built.score(case(["21"], ["*"])).value == 1


def test_tables_without_qi_have_lost_nothing() -> None:
    table = Table.of(pl.DataFrame({"s": [1, 2]}), qi=[], sa=["s"])
    compared = Comparison(table, table, np.arange(2))
    assert (score(Ncp(), compared), score(Prec(), compared)) == (0, 1)


@pytest.mark.data
@pytest.mark.parametrize("levels", [(0, 4, 1, 1, 3, 2, 2, 0), (0, 4, 0, 1, 3, 2, 2, 1)])
def test_two_full_domain_recodings_of_adult_tie(real_data, levels) -> None:
    folder = real_data / "adult"
    frame = pl.read_csv(folder / "adult.csv", separator=";").drop("occupation")
    names = frame.columns
    hierarchies = {
        name: read_hierarchy(folder / f"adult_hierarchy_{name}.csv", column=name) for name in names
    }
    recoded = frame.select(
        hierarchies[name]
        .labels(level)
        .gather(hierarchies[name].leaf_codes(frame[name]))
        .alias(name)
        for name, level in zip(names, levels, strict=True)
    )
    tables = [Table.of(part, qi=names) for part in (frame, recoded)]
    compared = Comparison(tables[0], tables[1], np.arange(frame.height))
    assert round(score(Ncp(hierarchies), compared), 6) == 0.679145
    heights = [h.height for h in hierarchies.values()]
    steps = sum(level / height for level, height in zip(levels, heights, strict=True))
    assert score(Prec(hierarchies), compared) == pytest.approx(1 - steps / 8)


def test_hierarchies_are_found_by_text(tmp_path: Path) -> None:
    rows = "\n".join(";".join(path) for path in AGES_PATHS)
    (tmp_path / "h_q.csv").write_text(rows + "\n", encoding="utf-8")
    compared = case(["21", "25", "33", "47", "52"], ["20-39", "25", "33", "*", "40-59"])
    wanted = score(Ncp({"q": AGES}), compared)
    for text in (str(tmp_path / "h_{column}.csv"), {"q": str(tmp_path / "h_q.csv")}):
        built = build_params(Ncp, {"hierarchies": text}, where="ncp")
        assert score(built, compared) == wanted
    plain = case(["21", "25", "33"], ["21", "*", "33"])
    assert score(Ncp("auto"), plain) == pytest.approx(1 / 3)
