"""The first tables of paper 003 on another table: its first rows through five methods."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partialmethod
from typing import ClassVar

import numpy as np

from tokumei.apps.papers.household_study import HouseholdStudy
from tokumei.apps.papers.own.study import MadeTable, OwnStudy
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.data.table import Release, Table
from tokumei.tables.registry import attackers, measures
from tokumei.tables.services.read_table import open_table_file
from tokumei.tables.services.requests import TableRequest

FEW_ROWS = 4


def read_own_table(study: OwnStudy, *, needs_sa: bool = True) -> Table:
    """The table with its roles, as given, saved beside the file or inferred; some of its rows."""
    settings = study.settings
    sa = settings.names("sa") if "sa" in settings.defaults else None
    request = TableRequest(
        data=str(study.path),
        qi=settings.names("qi"),
        sa=sa,
        id=settings.names("id"),
        answers="defaults",
    )
    table = open_table_file(request, settled=False).read.table.with_text()
    qi, values = list(table.schema.qi), list(table.schema.sa) if needs_sa else []
    if not qi or (needs_sa and not values):
        raise UsageError("name the columns: --set qi=a,b --set sa=x,y")
    chosen = Table.of(table.frame.select(qi + values), qi=qi, sa=values, ids=[])
    wanted = settings.integer("rows")
    if not 0 < wanted < chosen.rows:
        return chosen
    rng = Randomness(settings.integer("seed")).child("rows").generator
    return chosen.take(np.sort(rng.choice(chosen.rows, wanted, replace=False)))


@dataclass(frozen=True, eq=False)
class OwnTableExamples(OwnStudy):
    """Tables 1 to 9."""

    absent: ClassVar[Mapping[str, Message]] = {
        "table6": Message("Teams of a contest: your own releases are in Table 7."),
    }

    @property
    @abstractmethod
    def original(self) -> Table:
        """The table with the columns that were chosen."""

    @property
    @abstractmethod
    def study(self) -> HouseholdStudy:
        """The releases, attacked and measured."""

    def table1(self) -> MadeTable:
        """Measures and attacks, and which columns of this table each of them looks at."""
        schema = self.original.schema
        columns = {"qi": ", ".join(schema.qi), "sa": ", ".join(schema.sa)}
        rows = []
        for key, name, _ in self.book.blocks["table1"].rows:
            (kind,) = (kind for kind in (measures, attackers) if key in kind.names())
            needs = getattr(kind.get(key), "needs", ())
            rows.append([key, name, "; ".join(columns.get(need, need) for need in needs)])
        return MadeTable(rows)

    def _rows_of(self, name: str) -> MadeTable:
        """The first rows of the original, or of a release beside the same rows."""
        columns = [Message.verbatim(column) for column in self.original.frame.columns]
        if not name:
            return MadeTable(
                [list(row) for row in self.original.frame.head(FEW_ROWS).iter_rows()],
                columns,
                title=Message("First rows"),
            )
        release = self.study.comparisons[name].release
        assert isinstance(release, Release)
        aligned = release.public.frame[np.argsort(release.link, kind="stable")]
        rows = [list(row) for row in aligned.head(FEW_ROWS).iter_rows()]
        title = Message(
            "First rows in {release}: {methods}", release=name, methods=self._steps(name)
        )
        return MadeTable(rows, columns, title=title)

    table2a = partialmethod(_rows_of, "")
    table2b = partialmethod(_rows_of, "DB")
    table3 = partialmethod(_rows_of, "DD")
    table8 = partialmethod(_rows_of, "DF")
    table9 = partialmethod(_rows_of, "DG")

    def _steps(self, name: str) -> str:
        """The methods of a release by name."""
        return ", ".join(str(step["method"]) for step in self.study.recipe["releases"][name])

    def table4(self) -> MadeTable:
        """What EUC1 and EUC2 find where a QI was made the same."""
        found = self.study.figures["DD"]
        rows = [[name, answer, found[name]] for name, answer in self.book.blocks["table4"].rows]
        return MadeTable(rows, ["attack", "answer", "rate"])

    def _index(self, name: str) -> MadeTable:
        """The first QI vectors, and the rows that have them."""
        frame = self.original.frame
        if name:
            release = self.study.comparisons[name].release
            assert isinstance(release, Release)
            frame = release.public.frame[np.argsort(release.link, kind="stable")]
        qi = list(self.original.schema.qi)
        grouped = (
            frame.with_row_index("#row", offset=1).group_by(qi, maintain_order=True).agg("#row")
        )
        rows = [
            [f"({', '.join(map(str, key))})", members[:FEW_ROWS], len(members)]
            for *key, members in grouped.head(FEW_ROWS).iter_rows()
        ]
        columns = ("key", Message("first rows with it"), "rows")
        return MadeTable(rows, columns, title=Message("Index of the QI vectors"))

    table5_1 = partialmethod(_index, "")
    table5_2 = table5_3 = partialmethod(_index, "DD")

    def table7(self) -> MadeTable:
        """The releases, their methods, and what each changed."""
        rows = [
            [name, self._steps(name), self.study.changed_part(name)]
            for name in self.study.recipe["releases"]
        ]
        return MadeTable(rows, title=Message("The releases and their methods"))
