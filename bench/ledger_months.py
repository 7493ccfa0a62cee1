"""Online Retail, released month by month: how the joint risk grows, and how well months are linked.

    python -m bench.ledger_months [--k 5] [--method rank-match]

The table of the documentation's page on the ledger.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import polars as pl

import tokumei as tk
from bench.audit_releases import folder
from tokumei.histories.data.history import History
from tokumei.histories.formats.online_retail import OnlineRetail
from tokumei.histories.ledger_contribution import history_contribution
from tokumei.ledger.class_membership import ClassMembership
from tokumei.ledger.ledger import Ledger
from tokumei.ledger.linkage_tests import run_linkage_tests
from tokumei.ledger.release_draft import ReleaseDetails


def record(book: Ledger, month: str, rows: pl.DataFrame, method: str, k: int) -> None:
    """One month under new pseudonyms."""
    history = History.of(rows)
    release = tk.anonymize(history, method, k=k, seed=int(month.replace("-", "")))
    given = history_contribution(release.public, release.truth(), known=len(history.customers))
    with book.writing():
        draft = book.draft(
            given, ReleaseDetails(month, month, k=k), public=book.path.parent / "y.csv"
        )
        entry = book.begin(draft, sha256=f"{draft.entry.number:064d}")
        book.finish(entry.number)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--method", default="rank-match")
    asked = parser.parse_args()
    started = time.process_time()
    history, _ = OnlineRetail().cleaned(folder() / "online_retail.parquet")
    months = history.frame.with_columns(month=pl.col("day").dt.strftime("%Y-%m"))
    with tempfile.TemporaryDirectory() as place:
        book = Ledger.create(Path(place) / "ledger", Path(place) / "ledger.key")
        for (month,), rows in months.sort("month").group_by("month", maintain_order=True):
            record(book, str(month), rows.drop("month"), asked.method, asked.k)
        _print(book, asked.k)
    print(f"{time.process_time() - started:.0f} CPU s")


def _print(book: Ledger, k: int) -> None:
    entries = list(book.entries)
    all_ = ClassMembership.of([book.recorded(one) for one in entries])
    print(
        "| released so far | in all | below k | alone | in any | below k | alone | linked to next |"
    )
    for step, entry in enumerate(entries):
        found = book.check([one.recipient for one in entries[: step + 1]], joint_k=k, most=1)
        linked, anyone = found.linked, found.anyone
        assert linked is not None
        assert anyone is not None
        told = [linked.people, linked.below, linked.unique]
        told += [anyone.people, anyone.below, anyone.unique]
        by = ""
        if step + 1 < len(entries):
            tests = run_linkage_tests(all_, entries, (step, step + 1))
            by = next(one.sentence.show("en") for one in tests if one.test == "profile-attack")
        cells = [f"{one:,}" if isinstance(one, int) else f"{one or 0:.1%}" for one in told]
        print(f"| {entry.name} | " + " | ".join(cells) + f" | {by} |", flush=True)


if __name__ == "__main__":
    main()
