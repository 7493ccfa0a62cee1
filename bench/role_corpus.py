"""Roles of columns of public tables beside labels: how many are right, and how sure is sure.

    python -m bench.role_corpus FOLDER [--labels tuning|reported] [--wrong] [--json FILE]

FOLDER has a folder per source with tables (`python -m bench.release_tables FOLDER`). The labels
stand in `bench/role_labels`: `tuning` is what the detector was mended and the weights of its
confidence were fitted on, `reported` is of other packages, and nothing was fitted to it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tokumei.tables.profiling.profile import TableProfile
from tokumei.tables.profiling.profiler import look

LABELS = Path(__file__).parent / "role_labels"
IDENTIFYING = ("identifier", "person")
HARMLESS = ("quasi", "sensitive", "other")


@dataclass(frozen=True)
class TableLabel:
    """What a table's columns are, as somebody read them."""

    people: bool = True
    person: str | None = None
    id: tuple[str, ...] = ()
    quasi: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    key: tuple[str, ...] = ()

    def expected(self, name: str) -> str:
        """The label of a column: id, key, quasi, either or measure."""
        if name == self.person or name in self.id:
            return "id"
        for label in ("key", "quasi", "either"):
            if name in getattr(self, label):
                return label
        return "measure" if self.people else "either"

    def unknown(self, names: Sequence[str]) -> set[str]:
        """Labels of columns that the table does not have."""
        said = {*self.id, *self.quasi, *self.either, *self.key, *filter(None, [self.person])}
        return said - {*names}


ACCEPTED = {
    "id": IDENTIFYING,
    "key": (*IDENTIFYING, *HARMLESS),
    "quasi": ("quasi",),
    "either": HARMLESS,
    "measure": ("sensitive", "other"),
}


@dataclass(frozen=True)
class ColumnResult:
    """One column: its label, and what was found."""

    source: str
    table: str
    column: str
    label: str
    role: str
    type: str
    certainty: str
    confidence: float
    asked: bool
    is_right: bool


@dataclass(frozen=True)
class TableResult:
    """One table."""

    source: str
    table: str
    person_label: str | None
    person_found: str | None
    person_right: bool
    columns: tuple[ColumnResult, ...] = field(repr=False)


def read_labels(name: str) -> Iterator[tuple[str, str, TableLabel]]:
    """Source, table and label."""
    labels: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load(
        (LABELS / f"{name}.yaml").read_text(encoding="utf-8")
    )
    for source, tables in labels.items():
        for table, said in tables.items():
            values: dict[str, Any] = {
                k: tuple(map(str, v)) if isinstance(v, list) else v for k, v in said.items()
            }
            yield source, table, TableLabel(**values)


def compare(source: str, table: str, label: TableLabel, found: TableProfile) -> TableResult:
    """What was found of a table beside its label."""
    names = [column.name for column in found.columns]
    if unknown := label.unknown(names):
        raise ValueError(f"{source}/{table} has no {sorted(unknown)}")
    columns = tuple(
        ColumnResult(
            source, table, column.name, expected, column.role, column.type,
            column.certainty.show("en"), column.confidence, column.fate == "ask",
            column.role in ACCEPTED[expected] or (expected == "id" and column.fate == "ask"),
        )
        for column in found.columns
        for expected in [label.expected(column.name)]
    )  # fmt: skip
    person = found.person
    return TableResult(
        source, table, label.person, None if person is None else person.column,
        is_person_right(label, found), columns,
    )  # fmt: skip


def is_person_right(label: TableLabel, found: TableProfile) -> bool:
    """Whether the same people are counted: by the same column, or row by row."""
    person = found.person
    if person is not None and person.column == label.person:
        return True
    counts_rows = person is None or not person.several
    if label.person is None:
        return counts_rows
    column = found[label.person]
    return counts_rows and column.distinct >= 0.98 * found.rows


def summarize(name: str, tables: Sequence[TableResult]) -> dict[str, object]:
    """The figures of a group of tables."""
    columns = [column for table in tables for column in table.columns]
    judged = [c for c in columns if c.label != "key"]
    ids = [c for c in columns if c.label == "id"]
    harmless = [c for c in columns if c.label not in ("id", "key")]
    words = {
        word: share(c.is_right for c in judged if c.certainty == word)
        for word in ("sure", "likely", "unsure")
    }
    return {
        "tables": name,
        "count": len(tables),
        "columns": len(columns),
        "acceptable": share(c.is_right for c in columns),
        "person": share(t.person_right for t in tables),
        "identifiers_flagged_or_asked": share(c.is_right for c in ids),
        "needless_questions": share(c.asked for c in harmless),
        "right_by_word": words,
        "columns_by_word": {w: sum(c.certainty == w for c in judged) for w in words},
    }


def share(values: Iterator[bool]) -> float | None:
    """The share that is true, None of nothing."""
    known = list(values)
    return round(sum(known) / len(known), 4) if known else None


def compare_all(folder: Path, labels: str) -> list[TableResult]:
    """Every labelled table that the folder has."""
    results = list[TableResult]()
    for source, table, label in read_labels(labels):
        path = folder / source / f"{table}.csv"
        if path.exists():
            results.append(compare(source, table, label, look(path)))
    return results


def main() -> int:
    """Print the figures, by source, and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--labels", choices=("tuning", "reported"), default="reported")
    parser.add_argument("--wrong", action="store_true", help="every column that is wrong")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    results = compare_all(arguments.folder, arguments.labels)
    if arguments.wrong:
        for table in results:
            print_wrong(table)
    groups = {"all": results}
    for source in dict.fromkeys(result.source for result in results):
        groups[source] = [result for result in results if result.source == source]
    figures = [summarize(name, members) for name, members in groups.items() if members]
    for figure in figures:
        print(json.dumps(figure))
    if arguments.json:
        rows = [asdict(result) for result in results]
        arguments.json.write_text(json.dumps({"summary": figures, "tables": rows}, indent=1))
    return 0 if results else 1


def print_wrong(table: TableResult) -> None:
    """What is wrong or asked in vain in a table."""
    if not table.person_right:
        place = f"{table.source}/{table.table}"
        print(f"{place}: person {table.person_found}, not {table.person_label}")
    for column in table.columns:
        needless = column.asked and column.label not in ("id", "key")
        if not column.is_right or needless:
            print(
                f"{column.source}/{column.table}.{column.column}: {column.label} taken as "
                f"{column.role} ({column.type}, {column.certainty})" + " asked" * column.asked
            )


if __name__ == "__main__":
    sys.exit(main())
