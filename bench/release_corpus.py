"""Releases of tables that nobody tuned for: how many end well, fit, and how much they keep.

    python -m bench.release_corpus FOLDER [--for partner] [--json FILE] [--tuned LIST]

FOLDER has a folder per source with tables in it (see `bench/release_tables.py`). Every table gets
`tokumei release --answers defaults`. Beside it stands Mondrian with the same k and known columns.
A column that is dropped in doubt counts as lost, only identifiers do not count. Tables named in
the file LIST (lines `source/table`) were looked at while the search was built: they are reported
apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

from tokumei.core.advice.request import GENERALIZE, Request
from tokumei.core.errors import TokumeiError
from tokumei.core.scenario import RECIPIENTS, Recipient
from tokumei.releases.release_table import PreparedRelease, prepare_release
from tokumei.releases.request import ReleaseTable
from tokumei.releases.trial import EMPTY_SHARE, Trial, try_candidate
from tokumei.tables.services.requests import TableRequest

LARGE = 1000
"""In tables of more people no known column should be empty in most rows."""
SUFFIXES = {".csv", ".tsv", ".xlsx", ".parquet", ".jsonl", ".txt"}


@dataclass(frozen=True)
class Outcome:
    """What one table came to."""

    source: str
    table: str
    tuned: bool
    rows: int = 0
    columns: int = 0
    known: int = 0
    dropped: int = 0
    questions: int = 0
    ended: str = "failed"
    kept: float = 0.0
    worst_known: float | None = None
    empty: int = 0
    people: int = 0
    seconds: float = 0.0
    mondrian_kept: float | None = None
    mondrian_empty: int = 0
    note: str = ""


def release_one(path: Path, recipient: Recipient, tuned: bool) -> Outcome:
    """The release of one table, and Mondrian's of the same columns."""
    outcome = Outcome(path.parent.name, path.stem, tuned)
    started = time.process_time()
    try:
        request = ReleaseTable(table=TableRequest(data=str(path)), recipient=recipient)
        prepared = prepare_release(request)
    except TokumeiError as error:
        return replace(outcome, ended="refused", note=str(error)[:200])
    except Exception as error:  # noqa: BLE001  a crash is what this program looks for
        return replace(outcome, ended="crashed", note=f"{type(error).__name__}: {error}"[:200])
    seconds = time.process_time() - started
    assessment, best = prepared.assessment, prepared.best
    known = {*prepared.decisions.generalized}
    values = [c.kept for c in best.columns if c.name in known and c.kept is not None]
    rival = _mondrian(prepared)
    return replace(
        outcome,
        rows=assessment.rows_source,
        columns=len(best.columns),
        known=len(known),
        dropped=sum(item.in_doubt for item in prepared.decisions.dropped),
        questions=len(prepared.questions),
        ended=assessment.verdict.word,
        kept=assessment.kept or 0.0,
        worst_known=min(values, default=None),
        empty=_count_empty(best, known),
        people=assessment.total_source,
        seconds=seconds,
        mondrian_kept=None if rival is None else rival.kept,
        mondrian_empty=0 if rival is None else _count_empty(rival, known),
    )


def _count_empty(trial: Trial, known: set[str]) -> int:
    return sum((c.empty or 0.0) > EMPTY_SHARE for c in trial.columns if c.name in known)


def _mondrian(prepared: PreparedRelease) -> Trial | None:
    """Mondrian with the same k over the same columns; the release itself where none is known."""
    best, decisions = prepared.best, prepared.decisions
    if not best.request.columns_with_treatment(GENERALIZE):
        return best
    (step,) = best.request.steps
    steps = ({"method": "mondrian", "k": step["k"]},)
    if "person" in step:
        steps = ({**steps[0], "person": step["person"]},)
    request = Request(
        "tables", steps, dict(decisions.treatments), decisions.person, best.request.consent,
        dict(prepared.source.reading),
    )  # fmt: skip
    try:
        return try_candidate(
            prepared.source,
            request,
            prepared.assessment.scenario,
            decisions.identifiers,
            seed=1,
        )
    except TokumeiError:
        return None


def summarize(name: str, outcomes: Sequence[Outcome]) -> dict[str, object]:
    """The figures of a group of tables."""
    judged = [o for o in outcomes if o.ended in ("fits", "does-not-fit", "unknown")]
    fitting = [o for o in outcomes if o.ended == "fits"]
    kept = sorted(o.kept for o in outcomes)
    rival = sorted(o.mondrian_kept or 0.0 for o in outcomes)
    tenth = (len(kept) - 1) // 10
    large = [o for o in judged if o.people > LARGE]
    return {
        "tables": name,
        "count": len(outcomes),
        "ends_well": len(judged) / len(outcomes),
        "fits": len(fitting) / len(outcomes),
        "kept_median": median(kept),
        "kept_worst_tenth": kept[tenth],
        "large_tables": len(large),
        "large_with_empty_column": sum(o.empty > 0 for o in large),
        "mondrian_kept_median": median(rival),
        "mondrian_kept_worst_tenth": rival[tenth],
        "mondrian_large_with_empty_column": sum(o.mondrian_empty > 0 for o in large),
        "cpu_seconds_median": median(o.seconds for o in outcomes),
        "questions_most": max(o.questions for o in outcomes),
    }


def main() -> int:
    """Run over a folder and print the figures by source."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--for", dest="recipient", choices=RECIPIENTS, default="partner")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tuned", type=Path)
    parser.add_argument("--part", type=int, default=1, help="only every PARTth table")
    arguments = parser.parse_args()
    tuned = set(arguments.tuned.read_text().split()) if arguments.tuned else set[str]()
    paths = [p for p in sorted(arguments.folder.glob("*/*")) if p.suffix in SUFFIXES]
    outcomes = list[Outcome]()
    for path in paths[:: arguments.part]:
        name = f"{path.parent.name}/{path.stem}"
        outcome = release_one(path, arguments.recipient, name in tuned)
        outcomes.append(outcome)
        print(
            f"{name:40} {outcome.ended:12} {outcome.kept:.3f} {outcome.mondrian_kept or 0:.3f} "
            f"{outcome.rows:7,} × {outcome.columns:3} known {outcome.known:2} "
            f"dropped {outcome.dropped:2} empty {outcome.empty} {outcome.seconds:6.1f} s "
            f"{outcome.note}",
            flush=True,
        )
    groups = {"all that were not tuned on": [o for o in outcomes if not o.tuned]}
    groups |= {"tuned on": [o for o in outcomes if o.tuned]}
    for source in dict.fromkeys(o.source for o in outcomes):
        groups[source] = [o for o in outcomes if o.source == source and not o.tuned]
    figures = [summarize(name, members) for name, members in groups.items() if members]
    for figure in figures:
        print(json.dumps(figure, ensure_ascii=False))
    if arguments.json:
        rows = [asdict(outcome) for outcome in outcomes]
        arguments.json.write_text(json.dumps({"summary": figures, "tables": rows}, indent=1))
    return 0 if all(o.ended not in ("crashed", "refused") for o in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
