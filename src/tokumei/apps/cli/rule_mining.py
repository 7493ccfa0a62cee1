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

    data: str = option("the table of people")
    qi: tuple[str, ...] | None = qi_option()
    hierarchies: str | None = option("a path with {column}, or auto", default=None)
    hierarchy: list[str] = option("column=FILE, column=NAME or column=auto", default=[])
    attributes: int = option("attributes in a box, at most: 1 or 2", default=2)
    people: int = option("people in a box, at least", default=1, least=1)
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def read_people_table(self) -> Table:
        """The people with their attributes."""
        if self.qi is None:
            raise UsageError("--qi is needed")
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
        raise UsageError("give --hierarchies, or --hierarchy for every QI")
    return shared_path or parse_pairs(column_paths, "--hierarchy")


@dataclass(frozen=True, kw_only=True)
class MineRules(_RuleDataCommand):
    """Find recommendation rules in data."""

    about: ClassVar = Message(
        "Mine recommendation rules: boxes over the nodes of hierarchies whose people have a "
        "value of --target, or bought an item of --purchases, more often than chance explains "
        "(exact test, Benjamini-Hochberg). The boxes do not overlap; --out writes them as a "
        "rules file."
    )
    examples: ClassVar = (
        "tokumei rules mine --data people.csv --qi sex,age --hierarchies auto "
        "--target occupation --out rules.yaml",
        "tokumei rules mine --data people.csv --qi sex --hierarchy sex=auto "
        "--purchases bought.csv --person id --item item --buyers 20 --out rules.yaml",
    )

    target: str | None = option("the column whose values are items", default=None)
    purchases: str | None = option("a table of who bought what", default=None)
    person: str = option("the column of persons in both tables", default="id")
    item: str = option("the column of items", default="item")
    buyers: int = option("buyers of an item, at least", default=20, least=1)
    level: dict[str, int] = option("the only level to use: column=0", default={})
    fewest: int = option("attributes in a box, at least: 1 or 2", default=1)
    test: Literal["exact", "normal"] = option(
        "exact (hypergeometric), or the normal approximation", default="exact"
    )
    sides: int = option(
        "1: more often; 2: boxes that have it less often count among those found, too", default=1
    )
    rate: float = option("false discovery rate", default=0.05)
    support: int = option("people with the item, at least", default=1, least=1)
    lift: float = option("the least lift", default=1.0)
    out: str | None = option("rules file to write (.yaml)", default=None)

    def answer(self) -> CommandResult:
        """What was tested, what passed, and the rules."""
        import numpy as np

        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import text_output
        from tokumei.tables.hierarchies.choose import choose_hierarchies
        from tokumei.tables.recommendation_rules.mining import mine
        from tokumei.tables.recommendation_rules.rules_file import to_yaml

        if self.sides not in (1, 2):
            raise UsageError("--sides is 1 or 2")
        if (self.target is None) == (self.purchases is None):
            raise UsageError("give --target or --purchases")
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
                    "{out}: {count} rule",
                    plural="{out}: {count:,} rules",
                    count=len(mined.rules),
                    out=self.out,
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
        "{tests:,} tests, {passed:,} passed; {kept:,} boxes are kept, as none of one item may "
        "overlap",
        tests=mined.tests,
        passed=mined.passed,
        kept=len(mined.kept),
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
        Message("item", context="of a recommendation rule"),
        Message("box"),
        Message("people", context="a number"),
        Message("with it"),
        Message("lift"),
        "p",
    )
    return [TextTable(Message("Rules found"), names, rows), count_message]


@dataclass(frozen=True, kw_only=True)
class TrialRules(_RuleDataCommand):
    """Try mined rules on releases."""

    about: ClassVar = Message(
        "Try real recommendations: rules are mined on half of the people, the other half is "
        "released by several methods at the same k, and everybody whom a rule targets for "
        "certain is recommended its item. Shows precision, recall and lift against the original, "
        "and the lift that every rule loses. Rules with shuffled items are the control."
    )
    examples: ClassVar = (
        "tokumei rules trial --data people.csv --qi sex,age --hierarchies auto "
        "--target occupation --k 5 --draws 5 --seed 1",
    )

    target: str = option("the column whose values are items")
    k: int = option("k", default=5, least=2)
    draws: int = option("how many halves are drawn", default=5, least=1)
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
        Message("recommended from"),
        Message("per person"),
        Message("precision"),
        Message("recall"),
        Message("lift"),
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
        Message("rule"),
        Message("lift on the original"),
        Message("lost (95% of draws)"),
        Message("decided"),
    )
    return [
        TextTable(Message("Recommendations"), names, lines),
        TextTable(Message("Lift lost by rule (tfidf)"), columns, lost),
    ]
