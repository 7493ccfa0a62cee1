"""Remedies, promised and measured again: `python -m bench.remedies`.

A raw release of each of ten public tables is assessed for every recipient, one in classes of five
for the public. Every remedy is then applied by hand (`remedy_by_hand.py`), written to a file and
assessed anew. A promise is kept if verdict, people identified, share guessed right (within its
interval) and information kept are the same again. `--cases 200` ends after so many.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import tokumei as tk
from bench.harness import write_section
from bench.remedy_by_hand import (
    Columns,
    apply_by_hand,
    cut_at_medians,
    leave_out,
    merged,
)
from bench.remedy_tables import PublicTable, public_tables

KEPT_TOLERANCE = 0.02
"""Swapped and averaged values are drawn anew, so what is kept differs by so much at most."""
AVERAGED = ("microaggregate",)


@dataclass(frozen=True)
class Case:
    """A release that was assessed, with the scenario, and its document."""

    table: PublicTable
    released: Columns
    recipient: str
    document: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.table.name} for {self.recipient}"


@dataclass(frozen=True)
class Outcome:
    """Whether the promise of a remedy was kept, and if not, how."""

    case: str
    action: str
    broken: str


def assessed_cases(rows: int) -> Iterator[Case]:
    """Every table raw for every recipient, and in classes of five for the public."""
    for table in public_tables(rows):
        grouped = tk.anonymize(
            table.frame, "mondrian", qi=table.qi, sa=table.sa, k=5, seed=1, keep_order=True
        )
        order = np.argsort(grouped.link)
        releases = [
            (table.frame, "partner"),
            (table.frame, "inside"),
            (table.frame, "public"),
            (grouped.public.frame[order], "public"),
        ]
        for frame, recipient in releases:
            document = assess(table, frame, recipient, remedies=True)
            cells = {c: frame[c].cast(pl.String).to_list() for c in frame.columns}
            yield Case(table, cells, recipient, document)


def assess(
    table: PublicTable, release: pl.DataFrame | Path, recipient: str, **options: Any
) -> dict[str, Any]:
    given: dict[str, Any] = {"link": np.arange(table.frame.height), "person": "none", **options}
    return tk.assess(
        table.frame, release, recipient=recipient, qi=table.qi, sa=table.sa, **given
    ).to_dict()


def promised_outcomes(case: Case, folder: Path) -> Iterator[Outcome]:
    """Every remedy of a case, applied by hand and assessed again."""
    for remedy in case.document["remedies"]:
        recipient, result = case.recipient, None
        if remedy["action"] == "scenario":
            recipient = remedy["parameters"]["recipient"]
            result = case.released, list(range(case.table.frame.height))
        else:
            result = _by_hand(case, remedy)
        if result is None:
            yield Outcome(case.name, remedy["action"], "not applied")
            continue
        columns, rows = result
        path = folder / "release.csv"
        pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).write_csv(path)
        again = assess(
            case.table, path, recipient, link=np.array(rows, dtype=np.int64), remedies=False
        )
        yield Outcome(case.name, remedy["action"], _broken(remedy, again))


def _by_hand(case: Case, remedy: Mapping[str, Any]) -> tuple[Columns, list[int]] | None:
    columns, parameters = case.released, remedy["parameters"]
    names = list(parameters.get("columns", ()))
    every = list(range(case.table.frame.height))
    if remedy["action"] == "merge":
        sensitive = list(parameters.get("sensitive", ()))
        truth = {n: case.table.frame[n].cast(pl.String).to_list() for n in names}
        diverse = parameters.get("diverse", 1)
        parts = cut_at_medians(columns, truth, names, parameters["k"], sensitive, diverse)
        return merged(columns, truth, names, parts), every
    if remedy["action"] == "microaggregate":
        return columns | _averaged(columns, names, parameters["k"]), every
    if remedy["action"] in ("suppress", "leave-out"):
        rare = _standing_out(case, parameters["k"])
        if remedy["action"] == "leave-out":
            stay = [row for row in every if row not in rare]
            return leave_out(columns, stay), stay
        hidden = {n: ["*" if r in rare else columns[n][r] for r in every] for n in names}
        return columns | hidden, every
    return apply_by_hand(columns, remedy["action"], parameters, seed=7)


def _standing_out(case: Case, k: int) -> set[int]:
    """Rows with whose known values fewer than `k` released rows are compatible."""
    knows = [c for c in case.document["scenario"]["knows"] if c in case.released]
    truth = {c: case.table.frame[c].cast(pl.String).to_list() for c in knows}
    rows = range(case.table.frame.height)
    fits = {c: {} for c in knows}  # type: dict[str, dict[tuple[str | None, str | None], bool]]
    rare = set()
    for row in rows:
        count = 0
        for other in rows:
            count += all(_covers(case.released[c][other], truth[c][row], fits[c]) for c in knows)
        if count < k:
            rare.add(row)
    return rare


def _covers(
    cell: str | None, value: str | None, known: dict[tuple[str | None, str | None], bool]
) -> bool:
    from bench.remedy_by_hand import ends, number

    if (cell, value) not in known:
        found = ends(cell)
        if cell == "*" or cell == value:
            known[cell, value] = True
        elif found is not None and number(value) is not None:
            low, high, point = number(found[0]), number(found[1]), number(value)
            known[cell, value] = low <= point <= high  # type: ignore[operator]
        else:
            is_set = cell is not None and cell.startswith("{")
            known[cell, value] = is_set and value in (cell or "").strip("{}").split(";")
    return known[cell, value]


def _averaged(columns: Columns, names: list[str], k: int) -> Columns:
    """Means of similar rows, as somebody makes them who runs the method."""
    numbers = {name: [float(cell or 0) for cell in columns[name]] for name in names}
    release = tk.anonymize(
        pl.DataFrame(numbers),
        "microaggregate",
        qi=[],
        sa=names,
        groups="mdav",
        k=k,
        seed=7,
        keep_order=True,
    )
    frame = release.public.frame[np.argsort(release.link)]
    return {name: frame[name].cast(pl.String).to_list() for name in names}


def _broken(remedy: Mapping[str, Any], again: Mapping[str, Any]) -> str:
    """What of a promise does not hold; nothing if all of it does."""
    if not again["attackers"]:
        return f"told {remedy['verdict']}, is {again['verdict']} ({again['reason_code']})"
    share = max(attacker["share"] for attacker in again["attackers"])
    certain = max(attacker["certain"] for attacker in again["attackers"])
    low, high = remedy["low"] - 1e-9, remedy["high"] + 1e-9
    is_drawn = remedy["action"] in ("swap", *AVERAGED)
    tolerance = KEPT_TOLERANCE if is_drawn else 1e-6
    wrong = []
    if again["verdict"] != remedy["verdict"]:
        wrong.append(f"verdict {remedy['verdict']} → {again['verdict']}")
    if not low <= share <= high:
        wrong.append(f"share {remedy['share']:.4f} → {share:.4f}")
    if not is_drawn and certain != remedy["certain"]:
        wrong.append(f"identified {remedy['certain']} → {certain}")
    unread = again["kept"] is None or remedy["kept"] is None
    if again["kept"] != remedy["kept"] and (
        unread or abs(again["kept"] - remedy["kept"]) > tolerance
    ):
        wrong.append(f"kept {remedy['kept']} → {again['kept']}")
    return ", ".join(wrong)


def measure(cases: int, rows: int) -> tuple[list[Case], list[Outcome]]:
    """The assessed releases, and the outcomes of their remedies up to a number."""
    assessed, outcomes = list[Case](), list[Outcome]()
    with tempfile.TemporaryDirectory() as folder:
        for case in assessed_cases(rows):
            assessed.append(case)
            outcomes += promised_outcomes(case, Path(folder))
            if len(outcomes) >= cases:
                break
    return assessed, outcomes


def first_helps(case: Case) -> bool:
    """Whether the first remedy turns the verdict, or a note says why none does."""
    document = case.document
    if document["verdict"] != "does-not-fit":
        return True
    remedies = document["remedies"]
    is_turned = bool(remedies) and remedies[0]["verdict"] == "fits"
    return is_turned or document["remedy_note"] is not None


def report(cases: list[Case], outcomes: list[Outcome]) -> str:
    """The section of RESULTS.md."""
    kept = [outcome for outcome in outcomes if not outcome.broken]
    misfits = [case for case in cases if case.document["verdict"] == "does-not-fit"]
    turned = [
        case
        for case in misfits
        if case.document["remedies"] and case.document["remedies"][0]["verdict"] == "fits"
    ]
    lines = [
        f"{len(cases)} releases of {len({case.table.name for case in cases})} public tables, of "
        f"which {len(misfits)} do not fit. The first remedy turns {len(turned)} of these; for "
        f"{sum(first_helps(case) for case in misfits) - len(turned)} a note says why none does.",
        "",
        f"Promises kept when applied by hand: {len(kept)} of {len(outcomes)} "
        f"({len(kept) / max(len(outcomes), 1):.1%}).",
        "",
        "| remedy | kept | of |",
        "|---|---|---|",
    ]
    for action in sorted({outcome.action for outcome in outcomes}):
        of = [outcome for outcome in outcomes if outcome.action == action]
        lines.append(f"| {action} | {sum(not o.broken for o in of)} | {len(of)} |")
    broken = [f"- {o.case}, {o.action}: {o.broken}" for o in outcomes if o.broken]
    return "\n".join([*lines, *(["", "Not kept:", "", *broken] if broken else []), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10**6)
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--write", action="store_true", help="write the section of RESULTS.md")
    options = parser.parse_args()
    text = report(*measure(options.cases, options.rows))
    print(text)
    if options.write:
        write_section("Remedies, applied by hand", text)


if __name__ == "__main__":
    main()
