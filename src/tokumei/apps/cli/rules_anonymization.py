"""`tokumei rules anonymize`: anonymizes for recommendations, and measures which rules survive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, TypedDict

from tokumei.apps.cli.rule_mining import resolve_hierarchy_options
from tokumei.core.command import Command, CommandResult, TextTable, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    encoding_option,
    key_option,
    refuse_overwriting_inputs,
    seed_option,
    sep_option,
)
from tokumei.tables.commands.options import (
    kind_option,
    pass_option,
    qi_anyway_option,
    qi_option,
    sa_option,
)

if TYPE_CHECKING:
    from tokumei.tables.data.table import Table
    from tokumei.tables.hierarchies.hierarchy import Hierarchy
    from tokumei.tables.measures.decidability import LevelRow
    from tokumei.tables.recommendation_rules.leaf_boxes import LeafRule

IDF_HELP = Message(
    "for tfidf: count over all groups of the table (as in the paper's tables), over those of the "
    "split, or over the table with the mean over the split (the paper's Step 3 to the letter)"
)
TIES_HELP = Message("equal scores: attribute order, or Prec")


@dataclass(frozen=True, kw_only=True)
class AnonymizeForRules(Command):
    """Anonymize a table file so that recommendation rules can be applied."""

    about: ClassVar = Message(
        "k-anonymize a table along hierarchies so that the rules can still be applied; says for "
        "how many people each recommendation rule can be decided.\n\nA hierarchy is a file, the "
        "name of a built-in one, or auto (a proposal from the values)."
    )
    examples: ClassVar = (
        "tokumei rules anonymize --data people.csv --qi sex,height --rules rules.yaml "
        "--hierarchy sex=sex --hierarchy height=height --k 2 --out y.csv",
    )

    data: str = option("the table to anonymize")
    rules: str = option("rules: .yaml, .csv")
    out: str = option("the release to write")
    method: Literal["tfidf", "prec", "ncp", "range"] = option(
        "choice of attributes", default="tfidf"
    )
    k: int = option("k", default=5)
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    id: tuple[str, ...] | None = option("identifiers, dropped: a,b", default=None)
    kind: dict[str, str] = kind_option()
    passed: tuple[str, ...] = pass_option()
    qi_anyway: tuple[str, ...] = qi_anyway_option()
    hierarchies: str | None = option("a path with {column}, or auto", default=None)
    hierarchy: list[str] = option("column=FILE, column=NAME or column=auto", default=[])
    ties: Literal["order", "prec"] = option(TIES_HELP, default="order")
    idf: Literal["table", "split", "mean-of-split"] = option(IDF_HELP, default="table")
    personal: str = option("column with the k that each person asks for (not released)", default="")
    hide: str = option(
        "column with the attributes that each person wants hidden: a;b (not released)", default=""
    )
    secret: str | None = option("write the link here (mode 0600)", default=None)
    keep_order: bool = option("do not shuffle the rows", default=False)
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int | None = seed_option()
    key: str | None = key_option()

    def answer(self) -> CommandResult:
        """The release, written, and what it leaves of the rules."""
        from tokumei.api.releases import save
        from tokumei.core.claims import MAX_LISTED_COLUMNS, describe_verified_claims
        from tokumei.files.file_formats import sha256_of_file
        from tokumei.files.key_files import resolve_seed
        from tokumei.files.reading import detect_file_separator
        from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
        from tokumei.tables.registry import claim_checks as table_rules
        from tokumei.tables.services.anonymize import anonymize_table, plan_source
        from tokumei.tables.services.read_table import open_table_file
        from tokumei.tables.services.requests import AnonymizeTableRequest, TableRequest

        out, secret = self.out, self.secret
        refuse_overwriting_inputs(
            [self.data], [out, f"{out}.manifest.json", secret, f"{secret}.provenance.json"]
        )
        hierarchy_sources = resolve_hierarchy_options(self.hierarchies, self.hierarchy)
        table = TableRequest(
            data=self.data,
            method=("mondrian-hierarchical",),
            qi=self.qi,
            sa=self.sa,
            id=self.id,
            kind=self.kind,
            passed=self.passed,
            qi_anyway=self.qi_anyway,
            sep=self.sep,
            encoding=self.encoding,
        )
        opened = open_table_file(table)
        method = HierarchicalMondrian(
            k=self.k,
            hierarchies=hierarchy_sources,
            choice=self.method,
            rules=self.rules if self.method == "tfidf" else "",
            ties=self.ties,
            idf=self.idf,
            personal=self.personal,
            hide=self.hide,
        )
        # Rules that cannot be used are told before the work is done, whatever the choice.
        request = AnonymizeTableRequest(
            table=opened.request,
            steps=method,
            seed=resolve_seed(self.seed, self.key),
            keep_order=self.keep_order,
            sha256=sha256_of_file(self.data),
        )
        report = RulesReport.of(
            plan_source(request, opened.read).table, hierarchy_sources, self.rules
        )
        released = anonymize_table(request, opened.read)
        release = released.release
        sep = self.sep or detect_file_separator(self.data, encoding=self.encoding)
        save(release, out, secret=secret, sep=sep)
        rule_figures = report.compute_figures(release.public)
        claims = describe_verified_claims(table_rules, release.claims, most=MAX_LISTED_COLUMNS)
        column_lines = release.account.lines() if release.account else []
        message = Message(
            "{out}: {rows:,} rows; {claims}", out=out, rows=release.public.rows, claims=claims
        )
        return CommandResult(
            {"out": out, "secret": secret, **release.manifest(), **rule_figures},
            report.figure_tables(rule_figures),
            [*opened.notes, *released.notes, *release.provenance.notes, *column_lines, message],
        )


class LevelRecord(TypedDict):
    """A combination of levels and how many people have it."""

    levels: dict[str, str]
    people: int


class RuleFigures(TypedDict):
    """The figures of a release for recommendations, as JSON."""

    prec: float
    levels: list[LevelRecord]
    kept: dict[str, float]
    rules: dict[str, dict[str, float]]


@dataclass(frozen=True, eq=False)
class RulesReport:
    """The hierarchies and rules that a release is read with."""

    hierarchies: dict[str, Hierarchy]
    rules: list[LeafRule]

    @classmethod
    def of(
        cls, source: Table, hierarchy_sources: str | Mapping[str, str], rules: str
    ) -> RulesReport:
        """From the source's columns; an InputError lists all faults of the rules."""
        from tokumei.tables.hierarchies.choose import choose_hierarchies
        from tokumei.tables.recommendation_rules.leaf_boxes import leaf_rules
        from tokumei.tables.recommendation_rules.rules_file import read_rules

        hierarchies = choose_hierarchies(hierarchy_sources, source.frame, source.schema.qi)
        return cls(hierarchies, leaf_rules(read_rules(rules), hierarchies, where=rules))

    def compute_figures(self, released: Table) -> RuleFigures:
        """The figures as plain data."""
        from tokumei.tables.measures.decidability import decidability, kept, level_table, prec

        heights = {name: entry.height for name, entry in self.hierarchies.items()}
        table = level_table(released.frame, self.hierarchies)
        decided = decidability(released.frame, self.hierarchies, self.rules)
        return {
            "prec": prec(table, list(heights.values())),
            "levels": level_table_rows(table, heights),
            "kept": kept(released.frame, list(heights)),
            "rules": {
                name: {
                    "decided": entry.share,
                    "targeted": entry.targeted,
                    "not_targeted": entry.excluded,
                }
                for name, entry in decided.items()
            },
        }

    def figure_tables(self, figures: RuleFigures) -> list[TextTable]:
        """The figures as tables."""
        levels = [[*row["levels"].values(), str(row["people"])] for row in figures["levels"]]
        kept = [[name, f"{share:.1%}"] for name, share in figures["kept"].items()]
        rules = [
            [
                name,
                *(f"{decided_shares[key]:.1%}" for key in ("decided", "targeted", "not_targeted")),
            ]
            for name, decided_shares in figures["rules"].items()
        ]
        shares = (Message("attribute"), Message("share"))
        decided = (
            Message("rule"),
            Message("decided"),
            Message("targeted"),
            Message("not targeted"),
        )
        people: list[Message | str] = [*self.hierarchies, Message("people", context="a number")]
        return [
            TextTable(Message("Levels (Prec {prec:.3f})", prec=figures["prec"]), people, levels),
            TextTable(Message("Kept (not *)"), shares, kept),
            TextTable(Message("Rules: people decided"), decided, rules),
        ]


def level_table_rows(table: Iterable[LevelRow], heights: Mapping[str, int]) -> list[LevelRecord]:
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
