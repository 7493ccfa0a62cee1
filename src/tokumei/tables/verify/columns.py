"""Rules about whole columns: unified ones hold one value, no identifier leaves the building."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.tables.data.table import Table
from tokumei.tables.verify.protocol import Rule


@dataclass(frozen=True)
class Constant(Rule):
    """Every named column has a single value."""

    name: ClassVar[str] = "constant"
    title: ClassVar[Text] = Text("One value only", "値の統一")
    sentence: ClassVar[Text] = Text(
        "Each of the columns has a single value.", "指定した列の値は、それぞれ 1 種類だけです。"
    )
    claim: ClassVar[Text] = Text("{columns}: one value only", "{columns}の値は 1 種類だけである")

    columns: tuple[str, ...]

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per column with more than one value."""
        submission.schema.require(self.columns)
        counts = {name: submission.frame[name].n_unique() for name in self.columns}
        return [
            Fault(
                rule=self.name,
                column=name,
                message=Text(
                    f"column '{name}' has {count} values; the claim says one",
                    f"列 '{name}' に {count} 種類の値があります。主張では 1 種類です",
                ),
            )
            for name, count in counts.items()
            if count > 1
        ]


@dataclass(frozen=True)
class NoIdentifiers(Rule):
    """The public part has none of the named columns."""

    name: ClassVar[str] = "no-identifiers"
    title: ClassVar[Text] = Text("No identifiers", "識別子なし")
    sentence: ClassVar[Text] = Text(
        "None of the columns dropped as identifiers is left.",
        "識別子として削除した列は残っていません。",
    )
    claim: ClassVar[Text] = Text(
        "dropped and not in the file: {columns}", "削除した列{columns}がファイルにない"
    )

    columns: tuple[str, ...]

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per identifier that is still there."""
        return [
            Fault(
                rule=self.name,
                column=name,
                message=Text(
                    f"the identifier '{name}' is still in the public part",
                    f"識別子 '{name}' が公開部分に残っています",
                ),
            )
            for name in self.columns
            if name in submission.schema.names
        ]
