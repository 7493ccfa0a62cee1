"""`tokumei rules mine` and `rules trial`: mines rules and tests them on a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core.command import Command, CommandResult, TextTable, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.option_parsing import parse_pairs
from tokumei.core.shared_options import (
    encoding_option,
    refuse_overwriting_inputs,
    seed_option,
    sep_option,
)
from tokumei.tables.commands.options import qi_option

if TYPE_CHECKING:
    import numpy as np

    from tokumei.tables.data.table import Table
    from tokumei.tables.recommendation_rule_trials import RuleTrial
    from tokumei.tables.recommendation_rules.mining import MiningResult

MAX_RULES_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class _RuleDataCommand(Command):
    """People with attributes that have hierarchies."""

    data: str = option("the table of people", "人の表")
    qi: tuple[str, ...] | None = qi_option()
    hierarchies: str | None = option(
        "a path with {column}, or auto", "{column} 入りのパス", default=None
    )
    hierarchy: list[str] = option(
        "column=FILE, column=NAME or column=auto", "列=ファイル、列=名前、列=auto", default=[]
    )
    attributes: int = option("attributes in a box, at most: 1 or 2", "範囲の属性の数", default=2)
    people: int = option("people in a box, at least", "範囲の最少人数", default=1, least=1)
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def read_people_table(self) -> Table:
        """The people with their attributes."""
        if self.qi is None:
            raise UsageError("--qi is needed", "--qi が必要です")
        return self.rows(self.data, self.qi)

    def rows(self, path: str, qi: tuple[str, ...] = ()) -> Table:
        """The table in a file."""
        from tokumei.tables.services.read_table import read_with_notices
        from tokumei.tables.services.requests import TableRequest

        request = TableRequest(data=path, qi=qi, sa=(), id=(), sep=self.sep, encoding=self.encoding)
        return read_with_notices(request).with_text()

    def given(self) -> str | dict[str, str]:
        """Where the hierarchies are."""
        return resolve_hierarchy_options(self.hierarchies, self.hierarchy)


def resolve_hierarchy_options(
    shared_path: str | None, column_paths: list[str]
) -> str | dict[str, str]:
    """The path of all hierarchies, or one for every column; exactly one of both is given."""
    if (shared_path is None) == (not column_paths):
        raise UsageError(
            "give --hierarchies, or --hierarchy for every QI",
            "--hierarchies か、準識別子ごとの --hierarchy を指定してください",
        )
    return shared_path or parse_pairs(column_paths, "--hierarchy")


@dataclass(frozen=True, kw_only=True)
class MineRules(_RuleDataCommand):
    """Find recommendation rules in data."""

    about: ClassVar = Message(
        "Recommendation rules from data: boxes over the nodes of hierarchies whose people have a "
        "value of --target, or bought an item of --purchases, more often than chance explains "
        "(exact test, Benjamini-Hochberg), non-overlapping, as a rules file.",
        "データから推薦ルールを作ります。--target の値、または --purchases の品目を、"
        "偶然で説明できるより多く持つ人の範囲 (階層のノード) を、正確検定と "
        "Benjamini-Hochberg 法で選び、重ならない規則のファイルにします。",
    )
    examples: ClassVar = (
        "tokumei rules mine --data people.csv --qi sex,age --hierarchies auto "
        "--target occupation --out rules.yaml",
        "tokumei rules mine --data people.csv --qi sex --hierarchy sex=auto "
        "--purchases bought.csv --person id --item item --buyers 20 --out rules.yaml",
    )

    target: str | None = option("the column whose values are items", "品目とする列", default=None)
    purchases: str | None = option("a table of who bought what", "購入の表", default=None)
    person: str = option("the column of persons in both tables", "両方の表の人の列", default="id")
    item: str = option("the column of items", "品目の列", default="item")
    buyers: int = option("buyers of an item, at least", "品目の最少購入者数", default=20, least=1)
    level: dict[str, int] = option(
        "the only level to use: column=0", "使う段だけ: 列=0", default={}
    )
    fewest: int = option("attributes in a box, at least: 1 or 2", "範囲の属性の最少数", default=1)
    test: Literal["exact", "normal"] = option(
        "exact (hypergeometric), or the normal approximation",
        "exact (超幾何分布) または normal (正規近似)",
        default="exact",
    )
    sides: int = option(
        "1: more often; 2: boxes that have it less often count among those found, too",
        "1: 多い場合のみ、2: 少ない範囲も検出数に含める",
        default=1,
    )
    rate: float = option("false discovery rate", "偽発見率", default=0.05)
    support: int = option(
        "people with the item, at least", "品目を持つ最少人数", default=1, least=1
    )
    lift: float = option("the least lift", "リフト値の下限", default=1.0)
    out: str | None = option("rules file to write (.yaml)", "規則の出力先 (.yaml)", default=None)

    def answer(self) -> CommandResult:
        """What was tested, what passed, and the rules."""
        import numpy as np

        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import text_output
        from tokumei.tables.hierarchies.choose import choose_hierarchies
        from tokumei.tables.recommendation_rules.mining import mine
        from tokumei.tables.recommendation_rules.rules_file import to_yaml

        if self.sides not in (1, 2):
            raise UsageError("--sides is 1 or 2", "--sides は 1 か 2 です")
        if (self.target is None) == (self.purchases is None):
            raise UsageError("give --target or --purchases", "--target か --purchases を指定します")
        if self.out is not None:
            refuse_overwriting_inputs([self.data, self.purchases], [self.out])
        table = self.read_people_table()
        hierarchies = choose_hierarchies(self.given(), table.frame, table.schema.qi)
        codes = np.column_stack(
            [entry.leaf_codes(table.frame[name]) for name, entry in hierarchies.items()]
        )
        bought, items = self._read_purchases(table)
        mined = mine(
            codes,
            hierarchies,
            bought,
            items,
            attributes=self.attributes,
            fewest=self.fewest,
            levels=self.level,
            test=self.test,
            sides=self.sides,
            rate=self.rate,
            people=self.people,
            least=self.support,
            lift=self.lift,
        )
        notes = []
        if self.out is not None and mined.kept:
            write_all([text_output(to_yaml(mined.rules), self.out)])
            notes = [
                Message(
                    f"{self.out}: {len(mined.rules)} rules",
                    f"{self.out}: 規則 {len(mined.rules)} 個",
                )
            ]
        summary = {"tests": mined.tests, "passed": mined.passed, "out": self.out}
        boxes = [entry.as_json(mined.names) for entry in mined.kept]
        return CommandResult({**summary, "boxes": boxes}, [*_mined_rules_output(mined)], notes)

    def _read_purchases(self, table: Table) -> tuple[np.ndarray, list[str]]:
        from tokumei.tables.recommendation_rules.mining import purchases_as_items, values_as_items

        if self.purchases is None:
            table.schema.require([str(self.target)])
            return values_as_items(table.frame[str(self.target)], self.buyers)
        rows = self.rows(self.purchases)
        rows.schema.require([self.person, self.item])
        table.schema.require([self.person])
        return purchases_as_items(
            table.frame[self.person], rows.frame[self.person], rows.frame[self.item], self.buyers
        )


def _mined_rules_output(mined: MiningResult) -> list[TextTable | Message]:
    count_message = Message(
        f"{mined.tests:,} tests, {mined.passed:,} passed; {len(mined.kept):,} boxes are kept, as "
        "none of one item may overlap",
        f"検定 {mined.tests:,} 件のうち {mined.passed:,} 件が有意。同じ品目で重ならない "
        f"{len(mined.kept):,} 個を残しました",
    )
    if not mined.kept:
        return [count_message]
    rows = [
        [
            box.item,
            ", ".join(f"{mined.names[node.attribute]} = {node.name}" for node in box.nodes),
            f"{box.people:,}",
            f"{box.support:,}",
            f"{box.lift:.2f}",
            f"{box.p:.1e}",
        ]
        for box in mined.kept[:MAX_RULES_SHOWN]
    ]
    names = (
        Message("item", "品目"),
        Message("box", "範囲"),
        Message("people", "人数"),
        Message("with it", "うち保有"),
        Message("lift", "リフト値"),
        "p",
    )
    return [TextTable(Message("Rules found", "見つかった規則"), names, rows), count_message]


@dataclass(frozen=True, kw_only=True)
class TrialRules(_RuleDataCommand):
    """Try mined rules on releases."""

    about: ClassVar = Message(
        "Real recommendations: rules are mined on half of the people, the other half is released "
        "by several methods at the same k, and everybody whom a rule targets for certain is "
        "recommended its item. Precision, recall and lift against the original, and the lift that "
        "every rule loses. Rules dealt at random are the control.",
        "実データでの推薦: 半数の人から規則を作り、残りの半数を同じ k で複数の手法により"
        "匿名加工して、"
        "規則の対象であることが確実な人に品目を推薦します。適合率・再現率・リフト値を元データと比べ、"
        "規則ごとに失うリフト値を示します。品目を無作為に入れ替えた規則を対照とします。",
    )
    examples: ClassVar = (
        "tokumei rules trial --data people.csv --qi sex,age --hierarchies auto "
        "--target occupation --k 5 --draws 5 --seed 1",
    )

    target: str = option("the column whose values are items", "品目とする列")
    k: int = option("k", "k", default=5, least=2)
    draws: int = option("how many halves are drawn", "試行回数", default=5, least=1)
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """A line per way of releasing, and one per rule."""
        from tokumei.tables.recommendation_rule_trials import rule_trial

        table = self.read_people_table()
        table.schema.require([self.target])
        trial = rule_trial(
            table,
            self.target,
            self.given(),
            k=self.k,
            draws=self.draws,
            seed=self.seed,
            people=self.people,
            attributes=self.attributes,
        )
        return CommandResult(trial.as_json(), _trial_tables(trial))


def _trial_tables(trial: RuleTrial) -> list[TextTable]:
    lines = [
        [
            line.way,
            f"{line.recommended:.2f}",
            f"{line.precision:.1%}",
            f"{line.recall:.1%}",
            f"{line.lift:.2f} ± {2 * line.lift_error:.2f}",
        ]
        for line in trial.lines
    ]
    names = (
        Message("recommended from", "推薦の元"),
        Message("per person", "1 人当たり"),
        Message("precision", "適合率"),
        Message("recall", "再現率"),
        Message("lift", "リフト値"),
    )
    lost = [
        [
            rule_loss.rule,
            f"{rule_loss.lift:.2f}",
            f"{rule_loss.lost:+.2f} [{rule_loss.low:+.2f}; {rule_loss.high:+.2f}]",
            f"{rule_loss.decided:.1%}",
        ]
        for rule_loss in trial.lost["tfidf"]
    ]
    columns = (
        Message("rule", "規則"),
        Message("lift on the original", "元のリフト値"),
        Message("lost (95% of draws)", "損失 (試行の 95%)"),
        Message("decided", "判断できる"),
    )
    return [
        TextTable(Message("Recommendations", "推薦"), names, lines),
        TextTable(
            Message("Lift lost by rule (tfidf)", "規則ごとのリフト値の損失 (tfidf)"), columns, lost
        ),
    ]
