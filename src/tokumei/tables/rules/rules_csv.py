"""Rules as CSV: a line per box, the recommendation first, then a column per attribute.

    rule,sex,birth,height
    men's clothes A,男性,*,<=170
    clothes B,*,[1974;1979],[167;188]

Lines with the same name are boxes of one rule. An empty cell or `*` means any value, `{a;b}` any of
some, `[a;b]` a range.
"""

from __future__ import annotations

from tokumei.core.text import Text
from tokumei.files.containers import AnyPath
from tokumei.files.csv_text import CsvRows, parse_csv
from tokumei.tables.rules.rule_faults import rule_fault, unusable
from tokumei.tables.rules.rules import Box, Rule
from tokumei.tables.rules.wanted_text import parse_wanted


def parse_csv_rules(data: bytes, *, where: AnyPath, sep: str | None = None) -> list[Rule]:
    """The rules in the order of their first lines; an InputError lists all faults."""
    rows = parse_csv(data, sep=sep, where=where)
    boxes: dict[str, list[Box]] = {}
    faults = []
    for number, (name, *cells) in enumerate(rows.frame.iter_rows()):
        if name is None or not name.strip():
            nameless = Text("the rule has no name", "推薦ルールに名前がありません")
            faults.append(rule_fault(rows.line_of(number), nameless))
            continue
        boxes.setdefault(name.strip(), []).append(_box(rows, number, cells))
    if faults:
        raise unusable(where, faults)
    return [Rule(name, tuple(parts)) for name, parts in boxes.items()]


def _box(rows: CsvRows, number: int, cells: list[str | None]) -> Box:
    names = rows.frame.columns[1:]
    found = {name: parse_wanted(cell or "") for name, cell in zip(names, cells, strict=True)}
    wanted = {name: asked for name, asked in found.items() if asked is not None}
    return Box(wanted, dict.fromkeys(wanted, rows.line_of(number)))
