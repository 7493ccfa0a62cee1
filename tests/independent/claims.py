"""What a release claims, recomputed from its cells in plain loops.

    broken(cells, {"rule": "k-anonymity", "params": {"k": 5, "columns": ["age"]}})  # [] if it holds

Every claim must hold in each way the cells may be read: as text, where a missing value and empty
text are the same; as values, where they differ; as numbers, where `1` and `1.0` are the same; and
what it says of sensitive values also as words, where `flu` and `Flu ` are the same.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from itertools import combinations
from typing import Any

from independent.cells import Cells, text_of

ROOM = 1e-9
"""Relative room for rounding, as much as the figures of the claims have."""

Counts = Mapping[Any, int]
Classes = Mapping[Any, Counts]


def broken(cells: Cells, claim: Mapping[str, Any]) -> list[str]:
    """Why a claim does not hold, in words; nothing if it does."""
    rule, params = claim["rule"], claim["params"]
    if rule == "no-identifiers":
        return [f"column {name!r} is there" for name in params["columns"] if name in cells.names]
    needed = [*params["columns"], *params.get("sensitive", ())]
    if lacking := [name for name in needed if name not in cells.names]:
        return [f"{rule}: no column {name!r}" for name in lacking]
    readings = {"text": cells.texts, "values": cells.values, "numbers": cells.numbers}
    if params.get("sensitive"):
        readings["words"] = cells.words
    return [
        f"{rule} as {how}: {why}"
        for how, read in readings.items()
        if how in _meant(params)
        for why in _broken(rule, params, read)
    ]


def _meant(params: Mapping[str, Any]) -> tuple[str, ...]:
    """The readings that a claim is about: not numbers where it names texts, and only they have a
    size."""
    if params.get("order") or params.get("hierarchy"):
        return ("text", "values")
    if params.get("distance") == "ordered":
        return ("values", "numbers")
    return ("text", "values", "numbers", "words")


def _broken(rule: str, params: Mapping[str, Any], read: Callable[[list[str]], list[Any]]) -> Any:
    columns = list(params["columns"])
    if rule == "constant":
        for name in columns:
            if len(set(read([name]))) > 1:
                yield f"{name!r} has several values"
        return
    vectors = read(columns)
    if rule in ("k-anonymity", "k-per-person", "alpha-k"):
        yield from _small(vectors, params.get("k", 2))
    if rule == "differential-privacy":
        yield from _small(vectors, params["k"])
    if rule == "k-of-columns":
        for places in combinations(range(len(columns)), min(params["m"], len(columns))):
            yield from _small([tuple(row[j] for j in places) for row in vectors], params["k"])
    if rule in RISK_LIMITS:
        yield from RISK_LIMITS[rule](params, Counter(vectors))
    if rule == "k-per-person" and params.get("rows") not in (None, len(vectors)):
        yield f"{len(vectors)} rows, {params['rows']} claimed"
    for name in params.get("sensitive", ()):
        values = [one for (one,) in read([name])]
        classes, totals = _counted(vectors, values)
        limit = LIMITS[rule](params, totals)
        for vector, counts in classes.items():
            if why := limit(counts):
                yield f"class {vector!r}, {name!r}: {why}"


def _small(vectors: list[Any], k: int) -> Iterable[str]:
    for vector, rows in Counter(vectors).items():
        if rows < k:
            yield f"{vector!r} has {rows} row(s), k = {k}"


def _counted(vectors: list[Any], values: list[Any]) -> tuple[Classes, Counts]:
    classes: dict[Any, Counter[Any]] = defaultdict(Counter)
    for vector, value in zip(vectors, values, strict=True):
        classes[vector][value] += 1
    return classes, Counter(values)


def _highest_risk(params: Mapping[str, Any], classes: Counts) -> Iterable[str]:
    for vector, rows in classes.items():
        if 1 / rows > params["risk"] * (1 + ROOM):
            yield f"{vector!r} has {rows} row(s), a risk of {1 / rows}"


def _average_risk(params: Mapping[str, Any], classes: Counts) -> Iterable[str]:
    rows = sum(classes.values())
    if rows and len(classes) / rows > params["risk"] * (1 + ROOM):
        yield f"{len(classes)} classes in {rows} rows"


def _records_at_risk(params: Mapping[str, Any], classes: Counts) -> Iterable[str]:
    threshold = params["threshold"] * (1 + ROOM)
    at_risk = sum(rows for rows in classes.values() if 1 / rows > threshold)
    if at_risk > params["share"] * (1 + ROOM) * sum(classes.values()):
        yield f"{at_risk} row(s) at risk"


RISK_LIMITS = {
    "highest-risk": _highest_risk,
    "average-risk": _average_risk,
    "records-at-risk": _records_at_risk,
}


Limit = Callable[[Counts], str]


def _filled(counts: Counts) -> Counts:
    """Without what shows no value: a cell that is missing or empty."""
    return {value: n for value, n in counts.items() if value not in (None, "", ("nan",))}


def _distinct(params: Mapping[str, Any], totals: Counts) -> Limit:
    def limit(counts: Counts) -> str:
        number = len(_filled(counts))
        return _unless(number >= params["l"], f"{number} value(s)")

    return limit


def _entropy(params: Mapping[str, Any], totals: Counts) -> Limit:
    def limit(counts: Counts) -> str:
        shown = list(_filled(counts).values())
        found = -sum(n / sum(shown) * math.log(n / sum(shown)) for n in shown)
        return _unless(found >= math.log(params["l"]) * (1 - ROOM), f"entropy {found}")

    return limit


def _recursive(params: Mapping[str, Any], totals: Counts) -> Limit:
    def limit(counts: Counts) -> str:
        falling = sorted(_filled(counts).values(), reverse=True)
        tail = sum(falling[params["l"] - 1 :])
        most = max(falling, default=0)
        return _unless(most < params["c"] * tail, f"{most} rows against {tail}")

    return limit


def _alpha(params: Mapping[str, Any], totals: Counts) -> Limit:
    def limit(counts: Counts) -> str:
        share = max(counts.values()) / sum(counts.values())
        return _unless(share <= params["alpha"] * (1 + ROOM), f"a share of {share}")

    return limit


def _beta(params: Mapping[str, Any], totals: Counts) -> Limit:
    rows = sum(totals.values())

    def limit(counts: Counts) -> str:
        size = sum(counts.values())
        for value, n in counts.items():
            p, q = n / size, totals[value] / rows
            most = min(params["beta"], -math.log(q)) if params.get("enhanced") else params["beta"]
            if (p - q) / q > most + ROOM * max(most, 1):
                return f"{value!r} gains {(p - q) / q}"
        return ""

    return limit


def _delta(params: Mapping[str, Any], totals: Counts) -> Limit:
    rows = sum(totals.values())

    def limit(counts: Counts) -> str:
        size = sum(counts.values())
        changes = [math.log(n * rows / (size * totals[value])) for value, n in counts.items()]
        worst = max(map(abs, changes))
        return _unless(worst < params["delta"], f"|ln(p/q)| = {worst}")

    return limit


def _closeness(params: Mapping[str, Any], totals: Counts) -> Limit:
    kind, rows = params.get("distance", "equal"), sum(totals.values())
    whole = {value: n / rows for value, n in totals.items()}
    work = {"equal": _equal, "ordered": _ordered, "hierarchical": _hierarchical}[kind]

    def limit(counts: Counts) -> str:
        size = sum(counts.values())
        differences = {value: counts.get(value, 0) / size - q for value, q in whole.items()}
        distance = work(differences, params)
        return _unless(distance <= params["t"] * (1 + ROOM) + 1e-12, f"distance {distance}")

    return limit


def _equal(differences: Mapping[Any, float], params: Mapping[str, Any]) -> float:
    return sum(map(abs, differences.values())) / 2


def _ordered(differences: Mapping[Any, float], params: Mapping[str, Any]) -> float:
    """Σ |Σ (p − q)| / (m − 1), over the values in order; equal numbers are one value."""
    order = params.get("order")
    rank: Callable[[Any], Any] = size_of
    if order:
        rank = {text: place for place, text in enumerate(order)}.__getitem__
    merged: dict[Any, float] = defaultdict(float)
    for value, difference in differences.items():
        merged[rank(text_of(value))] += difference
    if len(merged) < 2:
        return 0.0
    work = running = 0.0
    for place in sorted(merged):
        running += merged[place]
        work += abs(running)
    return work / (len(merged) - 1)


def _hierarchical(differences: Mapping[Any, float], params: Mapping[str, Any]) -> float:
    """Every edge costs 1/(2H); over the edge above a node flows the node's surplus."""
    paths = params["hierarchy"]
    height = len(next(iter(paths.values())))
    work = 0.0
    for level in range(height):
        nodes: dict[Any, float] = defaultdict(float)
        for value, difference in differences.items():
            text = text_of(value)
            nodes[text if level == 0 else paths[text][level - 1]] += difference
        work += sum(map(abs, nodes.values()))
    return work / (2 * height)


def size_of(text: str) -> Any:
    """Where a value stands among numbers, or among dates."""
    try:
        return 0, Decimal(text)
    except InvalidOperation:
        pass
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.combine(date.fromisoformat(text), datetime.min.time())
    return 1, moment.replace(tzinfo=None)


def _unless(holds: bool, why: str) -> str:
    return "" if holds else why


LIMITS: dict[str, Callable[[Mapping[str, Any], Counts], Limit]] = {
    "l-diversity": _distinct,
    "entropy-l-diversity": _entropy,
    "recursive-l-diversity": _recursive,
    "alpha-k": _alpha,
    "t-closeness": _closeness,
    "beta-likeness": _beta,
    "delta-disclosure": _delta,
}
