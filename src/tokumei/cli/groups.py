"""The list of commands, grouped by what a person wants to do."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

from tokumei.core.text import Text

SECTIONS = (
    (Text("Start here", "まずはここから"), ("demo", "run", "methods")),
    (Text("Data", "データ"), ("sample", "hierarchy", "categories", "knowledge")),
    (Text("Anonymize", "匿名加工"), ("anonymize", "publish", "rules", "sweep", "price", "key")),
    (
        Text("Attack and measure", "攻撃と評価"),
        ("attack", "measure", "risk", "unicity", "lifetime", "curves", "diagnose"),
    ),
    (Text("Verify", "検証"), ("check", "conform")),
    (Text("Contests", "コンテスト"), ("contest",)),
)
OTHERS = Text("More", "その他")


class Grouped(TyperGroup):
    """All commands under headings; one that no heading names stands at the end."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write every section that has commands."""
        named = {name for _, names in SECTIONS for name in names}
        rest = tuple(name for name in self.list_commands(ctx) if name not in named)
        for title, names in (*SECTIONS, (OTHERS, rest)):
            rows = [
                (name, command.get_short_help_str(formatter.width - 20))
                for name in names
                if (command := self.get_command(ctx, name)) is not None and not command.hidden
            ]
            if rows:
                with formatter.section(title.show()):
                    formatter.write_dl(rows)
