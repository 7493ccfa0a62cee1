"""`tokumei rules`: anonymize for recommendations, and the simulation of the method's paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tokumei.core.ask import Answer, Ask, Listing, option
from tokumei.core.errors import UsageError
from tokumei.core.options import (
    encoding_option,
    key_option,
    pairs,
    seed_option,
    sep_option,
    spare_sources,
)
from tokumei.core.text import Text
from tokumei.tables.ask.options import (
    kind_option,
    pass_option,
    qi_anyway_option,
    qi_option,
    sa_option,
)

if TYPE_CHECKING:
    from tokumei.tables.data.table import Table
    from tokumei.tables.hierarchies.hierarchy import Hierarchy
    from tokumei.tables.rule_simulation import ChoiceResult
    from tokumei.tables.rules.boxes import LeafRule

_TIES = ("equal scores: attribute order, or Prec", "同点: 属性順か Prec")


@dataclass(frozen=True, kw_only=True)
class Anonymize(Ask):
    """Anonymize a table file so that recommendation rules can be applied."""

    about: ClassVar = Text(
        "k-anonymize a table along hierarchies so that the rules can still be applied; says for "
        "how many people each recommendation rule can be decided.\n\n"
        "A hierarchy is a file, the name of a built-in one, or auto (a proposal from the values).",
        "推薦ルールを適用できるよう、階層に沿って k-匿名化し、"
        "各ルールを何割の人について判断できるかを示します。\n\n"
        "階層はファイル、組み込みの名前、または auto (値からの提案) です。",
    )
    examples: ClassVar = (
        "tokumei rules anonymize --data people.csv --qi sex,height --rules rules.yaml "
        "--hierarchy sex=sex --hierarchy height=height --k 2 --out y.csv",
    )

    data: str = option("the table to anonymize", "元の表")
    rules: str = option("rules: .yaml, .csv", "推薦ルールのファイル")
    out: str = option("the release to write", "出力ファイル")
    method: Literal["tfidf", "prec", "ncp", "range"] = option(
        "choice of attributes", "属性の選び方", default="tfidf"
    )
    k: int = option("k", "k", default=5)
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    id: tuple[str, ...] | None = option(
        "identifiers, dropped: a,b", "識別子の列 (削除): a,b", default=None
    )
    kind: dict[str, str] = kind_option()
    passed: tuple[str, ...] = pass_option()
    qi_anyway: tuple[str, ...] = qi_anyway_option()
    hierarchies: str | None = option(
        "a path with {column}, or auto", "{column} 入りのパス", default=None
    )
    hierarchy: list[str] = option(
        "column=FILE, column=NAME or column=auto", "列=ファイル、列=名前、列=auto", default=[]
    )
    ties: Literal["order", "prec"] = option(*_TIES, default="order")
    secret: str | None = option("write the link here (mode 0600)", "対応表の出力先", default=None)
    keep_order: bool = option("do not shuffle the rows", "行を並べ替えない", default=False)
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int | None = seed_option()
    key: str | None = key_option()

    def answer(self) -> Answer:
        """The release, written, and what it leaves of the rules."""
        from tokumei.core.claims import MOST_LISTED, verified_words
        from tokumei.files.containers import sha256
        from tokumei.files.keys import chance
        from tokumei.files.reading import separator_of
        from tokumei.flow import anonymize, save
        from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
        from tokumei.tables.ask.inputs import read_source
        from tokumei.tables.registry import rules as table_rules

        out, secret = self.out, self.secret
        spare_sources(
            [self.data], [out, f"{out}.manifest.json", secret, f"{secret}.provenance.json"]
        )
        given = self._hierarchies()
        read: dict[str, Any] = {"sep": self.sep, "encoding": self.encoding}
        source, remarks = read_source(
            self.data, qi=self.qi, sa=self.sa, ids=self.id, kinds=self.kind, **read
        )
        method = HierarchicalMondrian(
            k=self.k,
            hierarchies=given,
            choice=self.method,
            rules=self.rules if self.method == "tfidf" else "",
            ties=self.ties,
        )
        # Rules that cannot be used are told before the work is done, whatever the choice.
        report = RulesReport.of(source, given, self.rules)
        seed, digest = chance(self.seed, self.key), sha256(self.data)
        release = anonymize(
            source,
            method,
            seed=seed,
            sha256=digest,
            keep_order=self.keep_order,
            passed=self.passed,
            qi_anyway=self.qi_anyway,
        )
        sep = self.sep or separator_of(self.data, encoding=self.encoding)
        save(release, out, secret=secret, sep=sep)
        found = report.read(release.public)
        claims = verified_words(table_rules, release.claims, most=MOST_LISTED)
        account = release.account.lines() if release.account else []
        told = Text(
            f"{out}: {release.public.rows} rows; {claims.en}",
            f"{out}: {release.public.rows} 行。{claims.ja}",
        )
        return Answer(
            {"out": out, "secret": secret, **release.manifest(), **found},
            report.listings(found),
            [*remarks, *release.provenance.notes, *account, told],
        )

    def _hierarchies(self) -> str | dict[str, str]:
        if (self.hierarchies is None) == (not self.hierarchy):
            raise UsageError(
                "give --hierarchies, or --hierarchy for every QI",
                "--hierarchies か、準識別子ごとの --hierarchy を指定してください",
            )
        return self.hierarchies or pairs(self.hierarchy, "--hierarchy")


@dataclass(frozen=True, eq=False)
class RulesReport:
    """The hierarchies and rules that a release is read with."""

    hierarchies: dict[str, Hierarchy]
    rules: list[LeafRule]

    @classmethod
    def of(cls, source: Table, given: str | Mapping[str, str], rules: str) -> RulesReport:
        """From the source's columns; an InputError lists all faults of the rules."""
        from tokumei.tables.hierarchies.choose import choose_hierarchies
        from tokumei.tables.rules.boxes import leaf_rules
        from tokumei.tables.rules.rules_file import read_rules

        found = choose_hierarchies(given, source.frame, source.schema.qi)
        return cls(found, leaf_rules(read_rules(rules), found, where=rules))

    def read(self, released: Table) -> dict[str, Any]:
        """The figures as plain data."""
        from tokumei.tables.measures.decidability import decidability, kept, level_table, prec

        heights = {name: one.height for name, one in self.hierarchies.items()}
        table = level_table(released.frame, self.hierarchies)
        decided = decidability(released.frame, self.hierarchies, self.rules)
        return {
            "prec": prec(table, list(heights.values())),
            "levels": _level_rows(table, heights),
            "kept": kept(released.frame, list(heights)),
            "rules": {
                name: {
                    "decided": one.share,
                    "targeted": one.targeted,
                    "not_targeted": one.excluded,
                }
                for name, one in decided.items()
            },
        }

    def listings(self, found: Mapping[str, Any]) -> list[Listing]:
        """The figures as tables."""
        levels = [[*row["levels"].values(), str(row["people"])] for row in found["levels"]]
        kept = [[name, f"{share:.1%}"] for name, share in found["kept"].items()]
        rules = [
            [name, *(f"{one[key]:.1%}" for key in ("decided", "targeted", "not_targeted"))]
            for name, one in found["rules"].items()
        ]
        told = f"(Prec {found['prec']:.3f})"
        shares = (Text("attribute", "属性"), Text("share", "割合"))
        decided = (
            Text("rule", "規則"),
            Text("decided", "判断できる"),
            Text("targeted", "対象"),
            Text("not targeted", "対象外"),
        )
        people: list[Text | str] = [*self.hierarchies, Text("people", "人数")]
        return [
            Listing(Text(f"Levels {told}", f"段 {told}"), people, levels),
            Listing(Text("Kept (not *)", "* でない人"), shares, kept),
            Listing(
                Text("Rules: people decided", "推薦ルールを判断できる人の割合"), decided, rules
            ),
        ]


@dataclass(frozen=True, kw_only=True)
class Simulate(Ask):
    """Means over many random tables."""

    about: ClassVar = Text(
        "The simulation of Arai, Kono and Babaguchi (2015), section 4: 100 random people, k = 2, "
        "one rule at a time; means over many draws.",
        "新井・河野・馬場口 (2015) 4 節のシミュレーション: 無作為な 100 人、k = 2、"
        "推薦ルールは一つずつ。多数回の平均を示します。",
    )
    examples: ClassVar = ("tokumei rules simulate --draws 200 --seed 1",)

    draws: int = option("how many tables are drawn", "試行回数", default=200, least=1)
    people: int = option("people each", "人数", default=100, least=1)
    k: int = option("k", "k", default=2, least=1)
    ties: Literal["order", "prec"] = option(*_TIES, default="order")
    seed: int | None = seed_option()

    def answer(self) -> Answer:
        """The paper's figures, with how far they spread."""
        from tokumei.tables import rule_simulation

        asked: dict[str, Any] = {
            "draws": self.draws,
            "people": self.people,
            "k": self.k,
            "seed": self.seed,
        }
        found = rule_simulation.simulate(ties=self.ties, **asked)
        heights = {name: one.height for name, one in rule_simulation.hierarchies().items()}
        results = [
            {
                "choice": one.choice,
                "rule": one.rule,
                "prec": one.prec,
                "prec_sd": one.spread,
                "kept": one.kept,
                "decided": one.decided,
                "first_draw": _level_rows(one.table, heights),
            }
            for one in found
        ]
        return Answer({**asked, "results": results}, _listings(found))


def _listings(found: Sequence[ChoiceResult]) -> list[Listing]:
    from tokumei.tables.rule_simulation import TITLES

    titles = [
        "Prec" if one.rule is None else f"{one.rule} {TITLES[one.rule].show()}" for one in found
    ]
    kept = [
        [title, f"{one.prec:.3f}", *(f"{one.kept[name]:.1%}" for name in found[0].kept)]
        for title, one in zip(titles, found, strict=True)
    ]
    decided = [
        [title, *(f"{one.decided[name]:.1%}" for name in found[0].decided)]
        for title, one in zip(titles, found, strict=True)
    ]
    by = Text("choice by", "選び方")
    return [
        Listing(
            Text("Prec, and people whose attribute is not *", "Prec と、属性が * でない人の割合"),
            [by, "Prec", *found[0].kept],
            kept,
        ),
        Listing(
            Text("People for whom a rule can be decided", "推薦ルールを判断できる人の割合"),
            [by, *found[0].decided],
            decided,
        ),
    ]


def _level_rows(table: Any, heights: Mapping[str, int]) -> list[dict[str, Any]]:
    """The paper's result form: steps above the leaves (or `*`) by attribute, and their people."""
    return [
        {
            "levels": {
                name: "*" if level == height else str(level)
                for (name, height), level in zip(heights.items(), row.levels, strict=True)
            },
            "people": row.people,
        }
        for row in table
    ]
