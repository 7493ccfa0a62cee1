"""`tokumei measure utility|safety --format pws2017`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokumei.cli.options import split
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.score import Score
    from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
    from tokumei.pseudonyms.measures.answers import Answers


def period_utility(
    original: str,
    release: str,
    *,
    master: str | None,
    measures: str,
    params: dict[str, dict[str, Any]],
    as_paper: bool,
    encoding: str,
    json: bool,
) -> None:
    """The judge's measures, and further uses by name."""
    from tokumei.cli.console import print_json, print_table
    from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows
    from tokumei.pseudonyms.measures.protocol import PeriodCase
    from tokumei.pseudonyms.measures.suite import measure_suite

    case = PeriodCase(
        read_rows(original, encoding=encoding),
        read_rows(release, encoding=encoding),
        None if master is None else read_master(master, encoding=encoding),
    )
    scores = measure_suite(case, split(measures) or [], params=params, as_paper=as_paper)
    if json:
        print_json({name: score.value for name, score in scores.items()})
        return
    rows = [_line(name, score) for name, score in scores.items()]
    header = [Text("value", "値"), Text("chance", "偶然"), Text("unit", "単位")]
    print_table(Text("Measures", "指標"), ["", *(name.show() for name in header)], rows)


def _line(name: str, score: Score) -> list[str]:
    from tokumei.pseudonyms.registry import measures as period_measures

    kind = period_measures.get(name)
    chance = "" if score.baseline is None else f"{score.baseline:,.4g}"
    return [f"{name}  {kind.title.show()}", f"{score.value:,.6g}", chance, kind.unit.show()]


def period_safety(
    secret: str,
    *,
    guess: str | None,
    guess_map: str | None,
    public: str | None,
    original: str | None,
    encoding: str,
    json: bool,
) -> None:
    """How much of the secret table a guess found."""
    from tokumei.cli.console import print_json, print_table
    from tokumei.pseudonyms.data.months import Months
    from tokumei.pseudonyms.formats.pws2017 import periods_in, read_rows, read_table
    from tokumei.pseudonyms.measures.reid import reid_scores

    truth = read_table(secret, periods=periods_in(secret, encoding=encoding), encoding=encoding)
    seen = None if public is None else read_rows(public, encoding=encoding)
    months = None
    if original is not None:
        months = Months.spanning(read_rows(original, encoding=encoding).days)
    claims = _claims(truth, guess, guess_map, encoding)
    scores = reid_scores(claims, public=seen, months=months)
    if json:
        values = {name: score.value for name, score in scores.items()}
        print_json({**values, "details": {name: s.as_json() for name, s in scores.items()}})
        return
    rows = [
        [name, f"{s.value:.6f}", f"{s.low:.4f}–{s.high:.4f}", f"{s.baseline:.3g}"]
        for name, s in scores.items()
    ]
    header = [Text("rate", "割合"), Text("95 % interval", "95 % 区間"), Text("chance", "偶然")]
    title = Text("Re-identification", "再識別率")
    print_table(title, ["", *(name.show() for name in header)], rows)


def _claims(
    truth: PseudonymTable, guess: str | None, guess_map: str | None, encoding: str
) -> Answers:
    from tokumei.pseudonyms.formats.pws2017 import read_map, read_table
    from tokumei.pseudonyms.measures.answers import Answers

    if guess is not None and guess_map is None:
        return Answers.of_table(read_table(guess, periods=truth.periods, encoding=encoding), truth)
    if guess_map is not None and guess is None:
        return Answers.of_map(read_map(guess_map, encoding=encoding), truth)
    raise UsageError(
        Text(
            "--format pws2017 needs either --guess or --guess-map",
            "--format pws2017 には --guess か --guess-map のどちらか一方が必要です",
        )
    )
