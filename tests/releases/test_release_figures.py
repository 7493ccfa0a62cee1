"""A part of what `bench.release_corpus` and `bench.role_corpus` measure, on tables at hand."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from bench.release_corpus import release_one, summarize
from bench.role_corpus import TableLabel, compare, read_labels
from bench.role_corpus import summarize as summarize_roles

from tokumei.tables.datasets.customer_list import sample_customer_list
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.profiling.profiler import look

MIN_LABELLED = 150


def write_tables(folder: Path) -> list[Path]:
    """Ledgers in two languages, households, and a table without people."""
    source = folder / "made-up"
    source.mkdir()
    (source / "ledger.csv").write_bytes(sample_customer_list(1200, lang="en", seed=1))
    (source / "daicho.csv").write_bytes(sample_customer_list(1200, lang="ja", seed=1))
    sample_table(1500, seed=1).frame.write_csv(source / "households.csv")
    flowers = {f"petal_{side}": [n % 37 / 10 for n in range(150)] for side in ("width", "length")}
    pl.DataFrame(flowers).write_csv(source / "flowers.csv")
    return sorted(source.iterdir())


@pytest.mark.long
def test_every_table_gets_a_release_that_fits_and_keeps_most(tmp_path: Path) -> None:
    outcomes = [release_one(path, "partner", tuned=False) for path in write_tables(tmp_path)]
    figures = summarize("made-up", outcomes)
    assert figures["ends_well"] == figures["fits"] == 1
    assert float(str(figures["kept_median"])) >= 0.8
    assert figures["large_with_empty_column"] == 0


def test_labels_are_of_many_tables_and_of_packages_apart() -> None:
    tuned, reported = ({*read_labels(name)} for name in ("tuning", "reported"))
    assert len(tuned) + len(reported) >= MIN_LABELLED
    assert {source for source, _, _ in tuned}.isdisjoint({source for source, _, _ in reported})


def test_roles_are_counted_beside_their_labels() -> None:
    frame = pl.DataFrame(
        {
            "patient_id": [n // 3 + 100 for n in range(120)],
            "sex": ["mf"[n // 3 % 2] for n in range(120)],
            "weight": [50 + n * 7 % 41 / 2 for n in range(120)],
        }
    )
    label = TableLabel(person="patient_id", quasi=("weight",))
    table = compare("made-up", "visits", label, look(frame))
    assert table.person_right
    assert [column.is_right for column in table.columns] == [True, False, False]
    figures = summarize_roles("made-up", [table])
    assert figures["person"] == figures["identifiers_flagged_or_asked"] == 1
    assert figures["acceptable"] == pytest.approx(1 / 3, abs=1e-3)
