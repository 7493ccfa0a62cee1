"""A verdict of a contest's judge as JSON and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from tokumei.cli.console import print_table
from tokumei.contest.judge.protocol import GuessVerdict, Verdict
from tokumei.core.errors import FAULTS_SHOWN
from tokumei.core.text import Text

_PARTS = ("utility", "scaled", "safety", "reid_all", "reid_active", "reid_pairs")


def verdict_json(verdict: Verdict | GuessVerdict) -> dict[str, Any]:
    """`ok`, `total` and `faults` as all checks have them; then the `card`, or what was `found`."""
    plain: dict[str, Any] = {
        "ok": verdict.accepted,
        "total": verdict.total,
        "faults": [fault.as_json() for fault in verdict.faults],
    }
    if isinstance(verdict, GuessVerdict):
        if verdict.value is not None:
            figures = dict(verdict.figures)
            plain["found"] = {"value": verdict.value, "unsafe": verdict.unsafe, "figures": figures}
    elif verdict.card is not None:
        plain["card"] = verdict.card.as_json()
    return plain


def show_verdict(verdict: Verdict | GuessVerdict) -> None:
    """The first faults and their number, or the figures."""
    for fault in verdict.faults[:FAULTS_SHOWN]:
        print(f"{fault.rule}: {fault.message.show()}")
    if verdict.total:
        print(Text(f"{verdict.total} fault(s)", f"違反 {verdict.total} 件").show())
        return
    print(Text("No rule is broken.", "規則違反はありません。").show())
    plain = verdict_json(verdict)
    if rows := [*_rows(plain.get("card") or plain.get("found") or {})]:
        title = Text("Figures", "成績")
        if isinstance(verdict, Verdict):
            title = Text("Figures (lower is better)", "成績 (小さいほど良い)")
        print_table(title, ["", Text("value", "値").show()], rows)


def _rows(card: Mapping[str, Any]) -> Iterator[list[str]]:
    for name, value in card.items():
        if name != "figures":
            yield [name, _said(value)]
    for part in _PARTS:
        for name, value in card.get("figures", {}).get(part, {}).items():
            yield [f"{part}: {name}", _said(value)]


def _said(value: Any) -> str:
    """A figure; of several (one for each knowledge) their mean."""
    if isinstance(value, Mapping):
        return _said(fmean(value.values()))
    if value is None:
        return "–"
    if isinstance(value, bool):
        return (Text("yes", "はい") if value else Text("no", "いいえ")).show()
    return f"{value:.6g}"
