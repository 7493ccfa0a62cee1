"""What `tokumei rules anonymize` says about a release: levels, what was kept, what is decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokumei.cli.console import print_table
from tokumei.cli.rules import level_rows
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.decidability import decidability, kept, level_table, prec
from tokumei.tables.rules.boxes import LeafRule, leaf_rules
from tokumei.tables.rules.rules_file import read_rules


@dataclass(frozen=True, eq=False)
class RulesReport:
    """The hierarchies and rules that a release is read with."""

    hierarchies: dict[str, Hierarchy]
    rules: list[LeafRule]

    @classmethod
    def of(cls, source: Table, given: str | Mapping[str, str], rules: str) -> RulesReport:
        """From the source's columns; an InputError lists all faults of the rules."""
        found = choose_hierarchies(given, source.frame, source.schema.qi)
        return cls(found, leaf_rules(read_rules(rules), found, where=rules))

    def read(self, released: Table) -> dict[str, Any]:
        """The figures as plain data."""
        names = list(self.hierarchies)
        heights = [one.height for one in self.hierarchies.values()]
        table = level_table(released.frame, self.hierarchies)
        decided = decidability(released.frame, self.hierarchies, self.rules)
        return {
            "prec": prec(table, heights),
            "levels": level_rows(table, names, heights),
            "kept": kept(released.frame, names),
            "rules": {
                name: {
                    "decided": one.share,
                    "targeted": one.targeted,
                    "not_targeted": one.excluded,
                }
                for name, one in decided.items()
            },
        }

    def show(self, found: Mapping[str, Any]) -> None:
        """The figures as tables."""
        names = list(self.hierarchies)
        print_table(
            Text(
                f"Levels (Prec {found['prec']:.3f})",
                f"段 (Prec {found['prec']:.3f})",
            ),
            [*names, Text("people", "人数").show()],
            [[*row["levels"].values(), str(row["people"])] for row in found["levels"]],
        )
        print_table(
            Text("Kept (not *)", "* でない人"),
            [Text("attribute", "属性").show(), Text("share", "割合").show()],
            [[name, f"{share:.1%}"] for name, share in found["kept"].items()],
        )
        print_table(
            Text("Rules: people decided", "推薦ルールを判断できる人の割合"),
            [
                Text("rule", "規則").show(),
                Text("decided", "判断できる").show(),
                Text("targeted", "対象").show(),
                Text("not targeted", "対象外").show(),
            ],
            [
                [name, *(f"{one[key]:.1%}" for key in ("decided", "targeted", "not_targeted"))]
                for name, one in found["rules"].items()
            ],
        )
