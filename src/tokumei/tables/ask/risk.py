"""`tokumei risk`: how easily people are found in a table, and which columns do it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.errors import UsageError
from tokumei.core.options import encoding_option, require_ending, sep_option, spare_sources
from tokumei.core.text import Text, current_language
from tokumei.tables.ask.options import kind_option, qi_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokumei.tables.data.table import Table
    from tokumei.tables.risk.risk import Risk


NO_QI = Text(
    "Roles inferred from the data: no column is a quasi-identifier. Name them with --qi",
    "データから役割を推定しましたが、準識別子とみなせる列がありません。--qi で指定してください",
)


@dataclass(frozen=True, kw_only=True)
class RiskOfTable(Ask):
    """Measure the risk of a table."""

    about: ClassVar = Text(
        "Risk of a table, original or released: prosecutor, journalist and marketer; uniques "
        "in the table and (with a population) estimated beyond it; which columns single "
        "people out, by themselves and together.",
        "表 (元データでも匿名加工データでも) のリスク: 検察官・ジャーナリスト・マーケター、"
        "表の中の一意な行と母集団一意の推定、どの列やその組み合わせが個人を絞り込むか。",
    )
    examples: ClassVar = (
        "tokumei risk --data x.csv --qi age,sex,zip --population 1000000 --out risk.html",
    )

    data: str = option("the table", "対象の表")
    qi: tuple[str, ...] | None = qi_option()
    kind: dict[str, str] = kind_option()
    person: str | None = option(
        "count people, told apart by this column (none: every row is another person)",
        "この列で区別される人数で数える (none: 1 行が 1 人)",
        default=None,
    )
    population: int | None = option(
        "people in the population", "母集団の人数", default=None, least=1
    )
    population_file: str | None = option(
        "table of the population, generalized in the same way",
        "母集団の表 (同じ一般化のもの)",
        default=None,
    )
    sample_fraction: float | None = option(
        "share of the population in the table", "母集団に対する標本抽出率", default=None
    )
    threshold: float = option(
        "chance above which a row counts as at risk", "高すぎるとみなす確率", default=0.2
    )
    max_size: int = option("most columns in a set", "組み合わせる列数の上限", default=3, least=1)
    rule: Literal["bracket", "dankar"] = option(
        "how the estimator is chosen", "推定法の選び方", default="bracket"
    )
    most: int = option("lines per table", "表ごとの行数", default=10, least=1)
    out: str | None = option("report to write: .html", "レポート: .html", default=None)
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> Answer:
        """Read, measure, and write the report."""
        from tokumei.files.writing import write_text
        from tokumei.tables.ask.risk_listings import risk_listings

        self._require_sense()
        found, notes = self._found()
        if self.out is not None:
            from tokumei.tables.report.risk_page import render_risk_report

            write_text(render_risk_report(found, lang=current_language()), self.out)
            notes.append(Text(f"Report: {self.out}", f"レポート: {self.out}"))
        shown = risk_listings(found, most=self.most)
        return Answer({"out": self.out, **found.as_json()}, shown, notes)

    def _found(self) -> tuple[Risk, list[Text]]:
        from tokumei.tables.risk.risk import risk

        qi, notes = (self.qi, list[Text]()) if self.qi is not None else self._inferred()
        table = self._read(self.data, qi)
        if not table.schema.qi:
            raise UsageError(NO_QI)
        person = self._who(table)
        people: int | Table | None = self.population
        if self.population_file is not None:
            people = self._read(self.population_file, table.schema.qi)
        found = risk(
            table,
            population=people,
            sample_fraction=self.sample_fraction,
            threshold=self.threshold,
            max_size=self.max_size,
            rule=self.rule,
            person=person,
        )
        return found, [*notes, *([_counted(table, found, person)] if person else [])]

    def _who(self, table: Table) -> str | None:
        """The column that tells people apart: as asked, or as the side file says."""
        if self.person is not None:
            return None if self.person == "none" else self.person
        from tokumei.tables.services.read_comparison import person_said

        said = person_said(self.data)
        return said if said in table.schema.names and said not in table.schema.qi else None

    def _inferred(self) -> tuple[Sequence[str], list[Text]]:
        """What was said of the file, or what a look takes for quasi-identifiers, and why."""
        from tokumei.tables.look.look import look
        from tokumei.tables.services.read_comparison import role_notes, roles_said

        said, notes = roles_said(self.data)
        if said is not None:
            return said[0], notes
        schema = look(self.data, sep=self.sep, encoding=self.encoding).schema()
        return schema.qi, role_notes(schema, ("qi",))

    def _read(self, path: str, qi: Sequence[str] | None) -> Table:
        """A table whose sensitive cells, if any, are not looked at."""
        from tokumei.core.errors import InputError, UnknownNameError
        from tokumei.tables.data.reading import read_table
        from tokumei.tables.services.read_comparison import read_original

        roles: dict[str, Any] = {"qi": qi, "sa": [], "kinds": self.kind}
        form: dict[str, Any] = {"sep": self.sep, "encoding": self.encoding}
        try:
            return read_table(path, **roles, **form, release=True)
        except UnknownNameError:  # perhaps the first line holds cells, which no message may list
            return read_original(path, **roles, **form)[0]
        except InputError as err:
            try:
                return read_original(path, **roles, **form)[0]
            except InputError:
                raise err from None

    def _require_sense(self) -> None:
        spare_sources((self.data, self.population_file), (self.out,))
        require_ending(self.out, ".html")
        if self.population is not None and self.population_file is not None:
            raise UsageError(
                "give --population or --population-file, not both",
                "--population と --population-file は一方だけ指定してください",
            )


def _counted(table: Table, found: Risk, person: str) -> Text:
    people = table.frame[person].drop_nulls().n_unique()
    return Text(
        f"Counted by {person}: {people:,} people in {table.rows:,} rows; rows of one person with "
        f"the same quasi-identifiers count once ({found.rows:,})",
        f"{person} で数えました: {table.rows:,} 行に {people:,} 人。同じ人の準識別子の等しい行は "
        f"1 件とします ({found.rows:,} 件)",
    )
