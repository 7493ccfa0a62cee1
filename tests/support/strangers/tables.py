"""Strangers' tables from their descriptions: a line per column, cells made by small recipes.

    - [会員番号, member_id, "code M-######"]
    - [誕生日, birth_date, "day 1940-01-01 2005-12-31 %Y/%m/%d"]

Before a recipe may stand `people 60;` (one value for each of 60 people, who have several rows) and
`gap 0.1 NA;` (a tenth of the cells say `NA`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from support.strangers.cells import Cells
from support.strangers.labels import Col, Stranger

_HERE = Path(__file__).parent
_BETWEEN = {"joined": "", "wide": "　"}


def strangers(half: str) -> list[Stranger]:
    """The tables of a file beside this one: `first_half`, `second_half`."""
    described = yaml.safe_load((_HERE / f"{half}.yaml").read_text(encoding="utf-8"))
    return [_table(one, seed) for seed, one in enumerate(described, 1)]


def _table(described: dict[str, Any], seed: int) -> Stranger:
    rows = described.pop("rows")
    columns = [_column(line, seed, rows) for line in described.pop("columns")]
    return Stranger(columns=columns, **described)


def _column(line: list[Any], seed: int, rows: int) -> Col:
    name, kind, recipe, *more = line
    cells = Cells(sum(map(ord, f"{seed}{name}")), rows)
    return Col(str(name), kind, _cells(cells, str(recipe)), **(more[0] if more else {}))


def _cells(cells: Cells, recipe: str) -> list[Any]:
    count, gaps, gap = 0, 0.0, ""
    while (head := recipe.partition("; "))[1] and head[0].split()[0] in ("people", "gap"):
        word, *values = head[0].split(" ")
        if word == "people":
            count = int(values[0])
        else:
            gaps, gap = float(values[0]), " ".join(values[1:])
        recipe = head[2]
    make = _maker(cells, recipe)
    found = cells.people([make() for _ in range(count)], count) if count else cells.each(make)
    return [gap if gaps and cells.rng.random() < gaps else cell for cell in found]


def _maker(cells: Cells, recipe: str) -> Callable[[], Any]:
    """What makes one cell."""
    word, _, rest = recipe.partition(" ")
    if word == "count":
        return _counter(rest)
    plain: dict[str, Callable[[], Any]] = {
        "ja_name": lambda: cells.ja_name(_BETWEEN.get(rest, " ")) + " 様" * (rest == "sama"),
        "kana": lambda: cells.kana(rest or " "),
        "en_name": cells.en_name,
        "first": lambda: cells.en_name().split()[0],
        "last": lambda: cells.en_name().split()[1],
        "mobile": lambda: cells.mobile("" if rest == "joined" else "-"),
        "landline": cells.landline,
        "email": cells.email,
        "postal": lambda: cells.postal("" if rest == "joined" else "-"),
        "ja_address": cells.ja_address,
        "en_street": cells.en_street,
        "my_number": cells.my_number,
        "ean": cells.ean,
        "luhn": lambda: cells.luhn(rest[:1], int(rest[2:])),
        "hex": lambda: f"{cells.rng.getrandbits(int(rest) * 4):0{rest}x}",
        "ip": lambda: ".".join(str(cells.rng.randint(1, 254)) for _ in range(4)),
        "code": lambda: "".join(str(cells.rng.randint(0, 9)) if c == "#" else c for c in rest),
        "of": lambda: cells.rng.choice(rest.split("|")),
    }
    return plain.get(word) or _spread(cells, word, rest)


def _counter(rest: str) -> Callable[[], Any]:
    """Numbers one after the other: `count 1`, `count 1001 3 T-{}`."""
    parts = [*rest.split(" ", 2), "", ""]
    step, form = int(parts[1] or 1), parts[2] or "{}"
    state = {"next": int(parts[0] or 1) - step}

    def make() -> Any:
        state["next"] += step
        return form.format(state["next"]) if form != "{}" else state["next"]

    return make


def _spread(cells: Cells, word: str, rest: str) -> Callable[[], Any]:
    """Values between two: numbers with a form, days and moments with theirs."""
    low, high, *form = rest.split(" ", 2)
    shape = form[0] if form else "{}"
    makers: dict[str, Callable[[], Any]] = {
        "int": lambda: _shown(shape, cells.rng.randint(int(low), int(high))),
        "real": lambda: _shown(shape, cells.rng.uniform(float(low), float(high))),
        "day": lambda: cells.day(low, high).strftime(shape),
        "moment": lambda: cells.moment(low, high).strftime(shape),
        "epoch": lambda: int(cells.moment(low, high).timestamp()),
        "era": lambda: cells.era(cells.day(low, high), shape),
    }
    return makers[word]


def _shown(shape: str, value: float) -> Any:
    return value if shape == "{}" else shape.format(value)
