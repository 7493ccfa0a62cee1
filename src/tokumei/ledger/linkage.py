"""Can a coalition tell which rows of two releases are one person? Tested, never assumed.

Each test is one line of evidence. Rows are linked by their order, by a column that passes with
(nearly) unique values, a pseudonym for example, or by all that the two files show together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.core.rates import wilson
from tokumei.core.text import Text
from tokumei.ledger.entry import Entry
from tokumei.ledger.links import expected_links, profile_links
from tokumei.ledger.together import Together

LINKABLE = 0.05
"""An attack that links so many people makes two releases linked."""
ORDER_LEAST, ORDER_SIGMAS = 0.05, 4.0
FEW = 5
"""So many people in the same row of both releases may be chance."""


@dataclass(frozen=True)
class Evidence:
    """One test: FAIL means that rows are linked by this."""

    test: str
    linked: bool
    value: float | None
    sentence: Text
    releases: tuple[str, str]

    def as_json(self) -> dict[str, Any]:
        """Plain data, in both languages."""
        return {
            "test": self.test,
            "verdict": "FAIL" if self.linked else "PASS",
            "value": self.value,
            "releases": list(self.releases),
            "evidence_en": self.sentence.en,
            "evidence_ja": self.sentence.ja,
        }


@dataclass(frozen=True, eq=False)
class _Two:
    """Two releases, and the people who are in both."""

    all_: Together
    pair: tuple[int, int]
    people: np.ndarray
    names: tuple[str, str]


def linkage(all_: Together, entries: list[Entry], pair: tuple[int, int]) -> list[Evidence]:
    """All tests of two releases whose links are known."""
    first, second = (entries[one] for one in pair)
    two = _Two(all_, pair, np.flatnonzero(all_.present(pair)), (first.name, second.name))
    if not (first.linked and second.linked and len(two.people)):
        return []
    found = [_order(two), _hashes(first, second)]
    shared = [name for name in first.cells if name in second.cells]
    places = [(first.cells.index(name), second.cells.index(name)) for name in shared]
    found += [_unique(two, name, place) for name, place in zip(shared, places, strict=True)]
    return [*found, _attack(two, places), *_profiles(two)]


def _order(two: _Two) -> Evidence:
    """The same person in the same row, and the rank correlation of the rows."""
    rows = [two.all_.taken("row", one, two.people) for one in two.pair]
    same = int((rows[0] == rows[1]).sum())
    ranks = [np.argsort(np.argsort(one)) for one in rows]
    n = len(two.people)
    alike = float(np.corrcoef(ranks[0], ranks[1])[0, 1]) if n > 2 else 0.0
    most = max(ORDER_LEAST, ORDER_SIGMAS / np.sqrt(max(n - 1, 1)))
    linked = abs(alike) > most or (same == n and n > 2) or same > max(FEW, LINKABLE * n)
    return Evidence(
        "row-order",
        linked,
        alike,
        Text(
            f"{same} of {n} people are in the same row of both files; rank correlation of the "
            f"rows {alike:.3f}",
            f"{n} 人中 {same} 人が両方のファイルの同じ行にいます。行順の順位相関 {alike:.3f}",
        ),
        two.names,
    )


def _hashes(first: Entry, second: Entry) -> Evidence:
    same = first.sha256 == second.sha256
    told = Text("the files are the same", "同一のファイルです")
    if not same:
        told = Text("the files differ", "ファイルは異なります")
    return Evidence("file-hash", same, float(same), told, (first.name, second.name))


def _unique(two: _Two, column: str, place: tuple[int, int]) -> Evidence:
    """How many people have a value of their own in a column, the same in both files."""
    all_, people = two.all_, two.people
    cells = [all_.cell(at, one, people) for at, one in zip(place, two.pair, strict=True)]
    alone = np.ones(len(people), dtype=bool)
    for own, at, one in zip(cells, place, two.pair, strict=True):
        values, counts = np.unique(all_.releases[one].number(f"cell_{at}"), return_counts=True)
        alone &= counts[np.searchsorted(values, own)] == 1
    hits, n = int((alone & (cells[0] == cells[1])).sum()), len(people)
    low, high = wilson(hits, n)
    return Evidence(
        "unique-values",
        hits > max(FEW, LINKABLE * n) or (hits == n and n > 2),
        hits / n,
        Text(
            f"column '{column}' alone links {hits} of {n} people ({low:.1%} to {high:.1%})",
            f"列 '{column}' だけで {n} 人中 {hits} 人の行が結び付きます ({low:.1%}〜{high:.1%})",
        ),
        two.names,
    )


def _attack(two: _Two, places: list[tuple[int, int]]) -> Evidence:
    """From a row of the first to those of the second that may be the same person's."""
    rate, by_classes = expected_links(two.all_, two.pair, two.people, places)
    n = len(two.people)
    low, high = wilson(rate * n, n)
    columns, classes = len(places), Text("", "")
    if by_classes:
        classes = Text(" and the classes that overlap", "と重なり合うクラス")
    return Evidence(
        "linkage-attack",
        low > LINKABLE or (rate > 0.5 and n > 2),
        rate,
        Text(
            f"by {columns} shared column(s){classes.en}, a guess finds the same person's row for "
            f"{rate:.1%} of {n} people ({low:.1%} to {high:.1%}); a blind one for {1 / n:.2%}",
            f"共通の {columns} 列{classes.ja}から推測すると、{n} 人中 {rate:.1%} の行が正しく"
            f"結び付きます ({low:.1%}〜{high:.1%})。当て推量では {1 / n:.2%}",
        ),
        two.names,
    )


def _profiles(two: _Two) -> list[Evidence]:
    """By what people do again and again, whatever they are called."""
    rate = profile_links(two.all_, two.pair, two.people)
    if rate is None:
        return []
    n = len(two.people)
    low, high = wilson(rate * n, n)
    blind = 1 / int((two.all_.place[:, two.pair[1]] >= 0).sum())
    told = Text(
        f"by what people buy, a guess finds the same person for {rate:.2%} of {n} people "
        f"({low:.2%} to {high:.2%}; blindly {blind:.2%})",
        f"購買傾向による推測で、{n} 人の {rate:.2%} について同じ人を当てられます "
        f"({low:.2%}〜{high:.2%}、当てずっぽうなら {blind:.2%})",
    )
    return [Evidence("profile-attack", low > LINKABLE, rate, told, two.names)]
