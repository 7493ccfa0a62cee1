"""`tokumei attack --format pws2017`: name the pseudonyms of the customers in every month."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.core.score import Score
    from tokumei.pseudonyms.data.guess import PeriodGuess

ALL = "all"
_COMPARED = ("reid_all", "reid_active")


@dataclass(frozen=True)
class PeriodFiles:
    """What the attacker reads; the secret table only tells how well it went."""

    master: str
    public: str
    known: str
    secret: str | None
    encoding: str


def attack_period_files(
    files: PeriodFiles, *, method: str, out: str | None, seed: int | None, json: bool
) -> None:
    """Run one attack and write its guess, or all of them and compare their rates."""
    from tokumei.cli.anonymize import spare_original
    from tokumei.cli.console import print_json
    from tokumei.files.atomic import write_all
    from tokumei.pseudonyms.formats.pws2017 import table_output

    _require_sense(files, method, out)
    for source in (files.master, files.public, files.known, files.secret):
        if source is not None:
            spare_original(source, [out])
    guesses = _run(files, method, seed)
    rates = {name: _rates(files, guess) for name, guess in guesses.items()}
    if out is not None:
        write_all([table_output(guesses[method].table, out, secret=False)])
    if json:
        parts = {name: _as_json(guess, rates[name]) for name, guess in guesses.items()}
        print_json(parts if method == ALL else {"out": out, "method": method, **parts[method]})
    elif files.secret is not None:
        _show(rates)
    else:
        _tell(guesses[method])


def _require_sense(files: PeriodFiles, method: str, out: str | None) -> None:
    if method == ALL and files.secret is None:
        raise UsageError(
            Text(
                "--method all compares rates and needs --secret",
                "--method all は率を比べるため --secret が必要です",
            )
        )
    if method == ALL and out is not None:
        raise UsageError(
            Text(
                "--method all gives many guesses: name one attack to write its guess",
                "--method all の推定は複数です。書き出すには攻撃を一つ指定してください",
            )
        )


def _run(files: PeriodFiles, method: str, seed: int | None) -> dict[str, PeriodGuess]:
    from tokumei.core.progress import track
    from tokumei.core.randomness import Randomness
    from tokumei.pseudonyms.data.months import Months
    from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows
    from tokumei.pseudonyms.registry import attackers as period_attackers

    customers = read_master(files.master, encoding=files.encoding).customers
    public = read_rows(files.public, encoding=files.encoding)
    known = read_rows(files.known, encoding=files.encoding)
    months = Months.spanning(public.days, known.days)
    names = period_attackers.names() if method == ALL else [method]
    attacks = {name: period_attackers.build(name) for name in names}
    rng = Randomness(seed)
    return {
        name: attacks[name].attack(
            public, known, customers=customers, months=months, rng=rng.child(name)
        )
        for name in track(names, Text("attacks", "攻撃"))
    }


def _rates(files: PeriodFiles, guess: PeriodGuess) -> dict[str, Score]:
    """How much of the secret table was found; nothing without one."""
    from tokumei.pseudonyms.formats.pws2017 import read_table
    from tokumei.pseudonyms.measures.answers import Answers
    from tokumei.pseudonyms.measures.reid import reid_scores

    if files.secret is None:
        return {}
    periods = guess.table.periods
    truth = read_table(files.secret, periods=periods, encoding=files.encoding)
    return reid_scores(Answers.of_table(guess.table, truth))


def _as_json(guess: PeriodGuess, rates: dict[str, Score]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "answered": int((guess.table.codes >= 0).sum()),
        "expected_hits": float(guess.confidence.sum()),
    }
    return found | {name: score.as_json() for name, score in rates.items()}


def _show(rates: dict[str, dict[str, Score]]) -> None:
    """A line for each attack and rate, with interval and chance."""
    from tokumei.cli.console import print_table

    wanted = _COMPARED if len(rates) > 1 else (*_COMPARED, "reid_pairs")
    rows = []
    for name, scores in rates.items():
        for measure in wanted:
            score = scores[measure]
            interval, chance = f"{score.low:.4f}–{score.high:.4f}", f"{score.baseline:.3g}"
            rows.append([name, measure, f"{score.value:.4f}", interval, chance])
    header = [Text("rate", "割合"), Text("95 % interval", "95 % 区間"), Text("chance", "偶然")]
    title = Text("Re-identification", "再識別率")
    print_table(title, ["", "", *(name.show() for name in header)], rows)


def _tell(guess: PeriodGuess) -> None:
    from tokumei.cli.console import note

    named = guess.table.codes >= 0
    people, expected = int(named.any(axis=1).sum()), float(guess.confidence.sum())
    note(
        Text(
            f"{int(named.sum())} pseudonyms of {people} customers named; the attack expects "
            f"{expected:.0f} to be right",
            f"{people} 人の {int(named.sum())} 個の仮名を推定 "
            f"(攻撃自身の見込みでは {expected:.0f} 個が正解)",
        )
    )
