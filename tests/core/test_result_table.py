"""Results are dictionaries that show themselves as tables."""

from __future__ import annotations

from dataclasses import dataclass

import tokumei as tk
from core.result_table_helpers import Findings
from tokumei.core.result_table import AttackResults, MeasureResults


@dataclass(frozen=True)
class Rate:
    rate: float
    hits: int
    note: object = None


def test_the_repr_is_a_table_with_a_row_per_method():
    results = AttackResults({"E1": Rate(0.25, 5), "linkage": Rate(1.0, 20)})
    assert repr(results).splitlines() == [
        "attack     rate  hits",
        "E1       0.2500     5",
        "linkage       1    20",
    ]
    assert repr(MeasureResults()) == "MeasureResults()"


def test_html_escapes_names_and_holds_all_figures():
    html = MeasureResults({"<b>": Rate(0.5, 1)})._repr_html_()
    assert "<th>measure</th>" in html
    assert "<td>&lt;b&gt;</td><td>0.5000</td><td>1</td>" in html


def test_results_stay_dictionaries_with_a_best_attack_and_a_frame():
    results = AttackResults({"a": Rate(0.1, 2), "b": Rate(0.3, 6)})
    assert results == {"a": Rate(0.1, 2), "b": Rate(0.3, 6)}
    assert results.best == "b"
    assert results.frame.rows() == [("a", 0.1, 2), ("b", 0.3, 6)]


def test_attacks_and_measures_give_such_tables():
    people = tk.sample_table(60, seed=1)
    release = tk.anonymize(people, "mondrian", k=3, seed=1)
    rates, scores = tk.attack(people, release, seed=1), tk.measure(people, release)
    assert rates[rates.best].rate == max(one.rate for one in rates.values())
    assert rates.frame["attack"].to_list() == list(rates)
    assert repr(scores).startswith("measure")
    history = tk.sample_history(300, seed=1)
    made = tk.anonymize(history, "rank-match", k=3, seed=1)
    assert repr(tk.attack(history, made, seed=1)).startswith("attack")


def test_other_results_say_their_rows_and_a_caption():
    assert repr(Findings()).splitlines() == [
        "two findings",
        "what    share  rows",
        "a & b  0.5000",
        "c                 7",
    ]
    html = Findings()._repr_html_()
    assert html.startswith("<table><caption>two findings</caption>")
    assert "<td>a &amp; b</td><td>0.5000</td><td></td>" in html
    assert Findings().frame.rows() == [("a & b", 0.5, None), ("c", None, 7)]


def test_several_rates_of_an_attack_are_columns():
    results = AttackResults({"a": {"pairs": tk.Score(0.1)}, "b": {"pairs": tk.Score(0.4)}})
    assert repr(results).splitlines() == ["attack   pairs", "a       0.1000", "b       0.4000"]
    assert results.best == "b"
